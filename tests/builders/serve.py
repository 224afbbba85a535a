"""`manage.py serve` in a process of its own, and a free port for it."""

import http.client
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from tests.builders.patience import PATIENCE
from tests.builders.processes import called, family, parent

ROOT = Path(__file__).resolve().parents[2]


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

    def status(self, path: str, *, host: str = "127.0.0.1", name: str = "") -> int | None:
        connection = http.client.HTTPConnection(host, self.port, timeout=30)
        try:
            connection.request("GET", path, headers={"Host": name} if name else {})
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
        """The direct child whose name or command contains a word."""
        return next(
            number
            for number in family(self.process.pid)
            if parent(number) == self.process.pid and word in called(number)
        )
