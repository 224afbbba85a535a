"""The site as `make demo` serves it, in processes of its own and a folder that is thrown away."""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PATIENCE_SECONDS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """Where the site is, and the process above all of its processes."""

    address: str
    pid: int


@contextmanager
def served_site(*options: str, **environment: str) -> Iterator[Served]:
    """The site, served by web and worker until the block ends: with the example club, unless `options` are others."""
    with tempfile.TemporaryDirectory(prefix="rummy-bench-") as folder:
        known = {**os.environ, "VAR_DIR": folder, **environment}
        port = free_port()
        site = subprocess.Popen(
            [sys.executable, "manage.py", "serve", *(options or ("--demo",)), "--port", str(port)],
            env=known,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            yield Served(address=_when_ready(f"http://127.0.0.1:{port}"), pid=site.pid)
        finally:
            site.terminate()
            site.wait(timeout=30)


def web_process(pid: int) -> int:
    """The process below this one that serves the site, with its workers."""
    return next(one for one in family(pid) if "granian" in _called(one))


def worker_process(pid: int) -> int:
    """The process below this one that settles."""
    return next(one for one in family(pid) if "celery" in _called(one))


def _called(pid: int) -> str:
    return " ".join(Path(f"/proc/{pid}/{name}").read_text() for name in ("comm", "cmdline"))


def family(pid: int) -> Iterator[int]:
    """A process and everything it started."""
    yield pid
    for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        yield from family(int(child))


def cpu_seconds(pid: int) -> float:
    """Processor time of a process and everything it started, to the nanosecond."""
    threads = (each for one in family(pid) for each in Path(f"/proc/{one}/task").glob("*/schedstat"))
    return sum(int(each.read_text().split()[0]) for each in threads) / 1e9


def pss_kb(pid: int) -> int:
    """Memory of a process: proportional set size, which counts a shared page once."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def _when_ready(address: str) -> str:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not _is_ready(address):
        if time.monotonic() > deadline:
            raise TimeoutError("the site did not become ready")
        time.sleep(0.5)
    return address


def _is_ready(address: str) -> bool:
    try:
        return bool(urllib.request.urlopen(f"{address}/readyz?worker").status == 200)
    except OSError:
        return False


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
