"""Starts a server for the time of one test run, and makes sure that it does not outlive it.

Knows nothing of Django: the plugins beside it put the addresses into the environment before settings are read.
"""

import ctypes
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

PR_SET_PDEATHSIG = 1
UNPRIVILEGED = "nobody"
_libc = ctypes.CDLL(None)


class CannotStart(Exception):
    """A server that tests need cannot be started on this machine; the message says why."""


class Server:
    """One server process with a folder of its own; as root it runs as an unprivileged user."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.folder = Path(tempfile.mkdtemp(prefix=f"rummy-{name}-"))
        self.folder.chmod(0o755)
        self.user = UNPRIVILEGED if os.geteuid() == 0 else None
        self.process: subprocess.Popen[bytes] | None = None
        self.beside: subprocess.Popen[bytes] | None = None
        self.variables: dict[str, str] = {}
        self.goodbye = signal.SIGINT

    def own_folder(self, name: str) -> Path:
        """A private folder owned by the user the server runs as."""
        path = self.folder / name
        path.mkdir(mode=0o700)
        self.give(path)
        return path

    def give(self, folder: Path) -> None:
        """Give everything in a folder to the user the server runs as."""
        if self.user:
            account = pwd.getpwnam(self.user)
            for path in (folder, *folder.rglob("*")):
                os.chown(path, account.pw_uid, account.pw_gid)

    def run(self, command: Sequence[str | Path]) -> None:
        """Run a preparing command to its end."""
        done = subprocess.run(
            [str(word) for word in command],
            **self._as_user(),
            check=False,
            cwd=self.folder,
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        if done.returncode:
            raise CannotStart(f"{command[0]} failed: {done.stdout.decode(errors='replace')[-500:]}")

    def start(self, command: Sequence[str | Path], *, is_up: Callable[[], bool], patience: float = 180) -> None:
        """Start the server and wait until it answers."""
        with (self.folder / "server.log").open("wb") as log:
            self.process = subprocess.Popen(
                [str(word) for word in command],
                **self._as_user(),
                cwd=self.folder,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                preexec_fn=die_with_parent,  # noqa: PLW1509 (no thread runs yet)
            )
        deadline = time.monotonic() + patience
        while not is_up():
            if self.process.poll() is not None or time.monotonic() > deadline:
                said = (self.folder / "server.log").read_text(errors="replace")[-500:]
                raise CannotStart(f"{self.name} did not come up: {said}")
            time.sleep(0.02)

    def start_beside(self, command: Sequence[str | Path]) -> None:
        """Start what the server needs beside it. Started by us it ends with us."""
        self.beside = subprocess.Popen(
            [str(word) for word in command],
            **self._as_user(),
            cwd=self.folder,
            env=self._environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=_be_killed_with_parent,  # noqa: PLW1509 (no thread runs yet)
        )

    def stop(self) -> None:
        """Stop the server quickly and remove its folder."""
        self.end()
        shutil.rmtree(self.folder, ignore_errors=True)

    def kill(self) -> None:
        """Simulate a power failure: nothing more is done, at once."""
        assert self.process
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        """Stop the server quickly."""
        if self.process is not None:
            self.process.send_signal(self.goodbye)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        if self.beside is not None:
            self.beside.kill()
            self.beside.wait()

    def readable_copy(self, *trees: Path) -> Path:
        """The common parent of program trees, copied to where the unprivileged user can read it, if necessary.

        A checkout below /root is not readable for that user; a test run must not open its parents to everyone.
        """
        parent = trees[0].parent
        if not self.user or all(folder.stat().st_mode & 0o001 for folder in (parent, *parent.parents)):
            return parent
        for tree in trees:
            shutil.copytree(tree, self.folder / tree.name, symlinks=True)
        return self.folder

    def _as_user(self) -> dict[str, Any]:
        if not self.user:
            return {}
        return {"user": self.user, "group": pwd.getpwnam(self.user).pw_gid, "extra_groups": []}

    def _environment(self) -> dict[str, str]:
        words = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8", "HOME": str(self.folder)}
        return {**words, **self.variables}


class Provider:
    """Puts the address of a server into the environment for one test run, and takes the server down after it."""

    def __init__(
        self,
        *,
        variable: str,
        given: str,
        start: Callable[[Server], str],
        name: str,
        for_worker: Callable[[str, int], str] = lambda address, _: address,
    ) -> None:
        """`for_worker` gives the address for a process of pytest-xdist, from that of the run and its number."""
        self.variable = variable
        self._for_worker = for_worker
        self.given = given
        self.name = name
        self.problem: str | None = None
        self._start = start
        self._server: Server | None = None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_load_initial_conftests(self) -> object:
        """The earliest moment of a run: settings are read right after it."""
        worker = os.environ.get("PYTEST_XDIST_WORKER")
        if worker is None:
            self._provide()
        elif self.variable in os.environ:
            os.environ[self.variable] = self._for_worker(os.environ[self.variable], int(worker.removeprefix("gw")))
        else:
            self.problem = "the head of this run says why"
        return (yield)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Without the server nothing here proves anything, so nothing runs, and each test says why."""
        if self.problem:
            for item in items:
                item.add_marker(pytest.mark.skip(reason=f"NO {self.name.upper()}: {self.problem}"))

    def pytest_report_header(self) -> str:
        """Says which server this run talks to."""
        return f"{self.name}: {self.problem or os.environ[self.variable]}"

    def pytest_unconfigure(self) -> None:
        """Take the server down."""
        if self._server:
            self._server.stop()
            self._server = None

    def _provide(self) -> None:
        if self.given in os.environ:
            os.environ[self.variable] = os.environ[self.given]
            return
        self._server = Server(self.name)
        try:
            os.environ[self.variable] = self._start(self._server)
        except CannotStart as error:
            self._server.stop()
            self._server = None
            self.problem = str(error)
            if os.environ.get("REQUIRE_SERVERS"):
                raise pytest.UsageError(f"{self.name} is required here: {self.problem}") from error


def die_with_parent() -> None:
    """For `preexec_fn`: what a test run starts ends with it, even where that is killed."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGINT)


def _be_killed_with_parent() -> None:
    """For a program that does not react to SIGINT."""
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
