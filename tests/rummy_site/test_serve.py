"""One command opens the club: web and worker come up, a killed one comes back, Ctrl-C closes everything."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.rummy_site.processes import family, is_alive, memory_kb, parent

ROOT = Path(__file__).resolve().parents[2]
MEMORY_LIMIT_KB = 400 * 1024


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Served:
    """A running `manage.py serve`."""

    def __init__(self, process: subprocess.Popen[str], port: int, log: Path) -> None:
        self.process = process
        self.port = port
        self.log = log

    def status(self, path: str) -> int | None:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request("GET", path)
            return connection.getresponse().status
        except (OSError, http.client.HTTPException):
            return None
        finally:
            connection.close()

    def until(self, is_so: Callable[[], bool], *, patience: float = PATIENCE) -> None:
        deadline = time.monotonic() + patience
        while not is_so():
            assert time.monotonic() < deadline, self.log.read_text()[-3000:]
            time.sleep(0.1)

    def child(self, word: str) -> int:
        """The direct child whose command holds a word."""
        return next(
            number
            for number in family(self.process.pid)
            if parent(number) == self.process.pid and word in Path(f"/proc/{number}/cmdline").read_text()
        )


@pytest.fixture
def served(site_environment: dict[str, str], tmp_path: Path) -> Iterator[Served]:
    port, log = free_port(), tmp_path / "serve.log"
    with log.open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            cwd=ROOT,
            env=site_environment,
            stdout=file,
            stderr=subprocess.STDOUT,
            text=True,
        )
    yield Served(process, port, log)
    process.kill()
    process.wait()


def test_the_site_opens_survives_kills_and_closes_on_ctrl_c(served: Served):
    served.until(lambda: served.status("/readyz?worker") == 200)
    served.until(lambda: f"http://127.0.0.1:{served.port}/admin/" in served.log.read_text())
    assert sum(map(memory_kb, family(served.process.pid))) < MEMORY_LIMIT_KB

    os.kill(served.child("granian"), signal.SIGKILL)
    served.until(lambda: "web    | ended" in served.log.read_text())
    served.until(lambda: served.status("/healthz") == 200)

    os.kill(served.child("celery"), signal.SIGKILL)
    served.until(lambda: served.log.read_text().count(" ready.") == 2)

    everybody = family(served.process.pid)
    served.process.send_signal(signal.SIGINT)
    assert served.process.wait(PATIENCE) == 0
    assert [number for number in everybody if is_alive(number)] == []


def test_a_port_that_is_taken_is_told_at_once(manage: Callable[..., "subprocess.CompletedProcess[str]"]):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        answer = manage("serve", "--port", str(other.getsockname()[1]))
    assert answer.returncode == 1
    assert "cannot listen on 127.0.0.1" in answer.stderr
