"""Forks the site's programs from the command that starts them, which has loaded Django once for all of them.

A forked process shares that memory. It waits for its environment, which the supervisor has: it supervises the process
and starts a new one, without any of this, after a crash. Linux alone. Rules: docs/decisions/0057-loaded-when-used.md.
"""

import contextlib
import ctypes
import gc
import json
import os
import runpy
import signal
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

PR_SET_PDEATHSIG, PR_SET_NAME = 1, 15
FIRST_OF_OTHERS = 3
MOST_FILES = 1 << 20

_libc = ctypes.CDLL(None, use_errno=True)


class Waiting(NamedTuple):
    """A forked process that waits for its environment. The numbers are our ends of two pipes; they outlive `exec`."""

    pid: int
    output: int
    environment: int

    def start(self, environment: Mapping[str, str]) -> "Forked":
        """Let it run the program."""
        # It may have been killed while it waited: then it counts as crashed, and a new one is started.
        with contextlib.suppress(BrokenPipeError), open(self.environment, "w", encoding="ascii") as pipe:
            json.dump(dict(environment), pipe)
            pipe.write("\n")
        return Forked(self)

    def end(self) -> None:
        """End a process that is not needed any more."""
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


class Forked:
    """As much of `subprocess.Popen` as the supervisor uses."""

    def __init__(self, waiting: Waiting) -> None:
        self.pid = waiting.pid
        self.stdout = open(waiting.output, "rb", buffering=0)  # noqa: SIM115 (open for as long as the process runs)
        self._status: int | None = None

    def poll(self) -> int | None:
        """Its exit status; None while it runs."""
        return self._reap(os.WNOHANG)

    def wait(self) -> int | None:
        """Its exit status, once it has ended."""
        return self._reap(0)

    def _reap(self, options: int) -> int | None:
        if self._status is None:
            pid, status = os.waitpid(self.pid, options)
            self._status = os.waitstatus_to_exitcode(status) if pid else None
        return self._status


def can_fork() -> bool:
    """Whether a fork of this process is safe: no thread that may hold a lock, and a system that forks whole programs.

    On macOS, system libraries fail in forked processes.
    """
    return sys.platform == "linux" and threading.active_count() == 1


def fork(command: Sequence[str], begin: Callable[[], None], *, files: Sequence[int] = ()) -> Waiting:
    """Fork a process that will run a command, `python -m MODULE ...`, when it gets its environment.

    There it first calls `begin`, and of our open files has only `files`. No database connection may be open.
    """
    sys.stdout.flush()
    environment, environment_end = os.pipe()
    output_end, output = os.pipe()
    parent = os.getpid()
    # What is loaded now stays, and a collection would write to memory that is shared. The program goes on loading, and
    # turns collections on when it has (server/reception.py, worker/periodic.py).
    gc.disable()
    gc.freeze()
    if pid := os.fork():
        os.close(environment)
        os.close(output)
        for number in (output_end, environment_end):
            os.set_inheritable(number, True)  # noqa: FBT003 (its own signature)
        return Waiting(pid, output_end, environment_end)
    _detach(parent, stdin=environment, output=output, name=command[2].rpartition(".")[2], files=files)
    _wait_for_environment()
    begin()
    sys.argv = list(command[2:])
    runpy.run_module(command[2], run_name="__main__", alter_sys=True)
    raise SystemExit(0)


def _detach(parent: int, *, stdin: int, output: int, name: str, files: Sequence[int]) -> None:
    """In the forked process: a session, a name and files of its own, and no life without its parent."""
    os.setsid()
    die_with_parent()
    if os.getppid() != parent:
        os._exit(1)
    _libc.prctl(PR_SET_NAME, name.encode())
    for number, end in enumerate((stdin, output, output)):
        os.dup2(end, number)
    first = FIRST_OF_OTHERS
    for number in sorted(files):
        os.closerange(first, number)
        first = number + 1
    os.closerange(first, MOST_FILES)


def _wait_for_environment() -> None:
    """Read the environment, then leave nothing to read."""
    with open(0, encoding="ascii", closefd=False) as pipe:
        environment_line = pipe.readline()
    if not environment_line:
        os._exit(1)
    os.environ.clear()
    os.environ.update(json.loads(environment_line))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)


def die_with_parent() -> None:
    """Have the kernel signal this process should its parent be killed outright: it would keep the port for ever."""
    if hasattr(_libc, "prctl"):
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
