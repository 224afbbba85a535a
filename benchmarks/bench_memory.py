"""What the served site holds in memory: web and worker together, after pages were read and a worker has worked.

Proportional set size, which counts a shared page once. The site is served as `make demo` serves it, in a folder of
its own.

    python -m benchmarks.bench_memory [--json]
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import tell

LIMIT_MB = 400
PATIENCE_SECONDS = 90
READINGS = 200


def main() -> None:
    """Print the figures."""
    tell(__doc__, figures)


def figures() -> dict[str, float]:
    """Memory in MB of the supervisor and everything below it, and the limit."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "VAR_DIR": folder}
        for words in (["migrate", "--verbosity", "0"], ["demo_data"]):
            _manage(words, environment)
        port = _free_port()
        site = subprocess.Popen(
            [sys.executable, "manage.py", "serve", "--port", str(port)],
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            _read_pages(port)
            return {"everything_mb": sum(_pss_kb(pid) for pid in _family(site.pid)) / 1024, "limit_mb": LIMIT_MB}
        finally:
            site.terminate()
            site.wait(timeout=30)


def _manage(words: list[str], environment: dict[str, str]) -> None:
    subprocess.run([sys.executable, "manage.py", *words], env=environment, check=True, stdout=subprocess.DEVNULL)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _read_pages(port: int) -> None:
    """Wait until the site is ready, then read boards as an evening's spectators would."""
    base = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not _is_ready(base):
        if time.monotonic() > deadline:
            raise TimeoutError("the site did not become ready")
        time.sleep(0.5)
    for _ in range(READINGS):
        for path in ("/", "/c/marine-drive/", "/c/marine-drive/t/pool-101-evening/", "/admin/login/"):
            urllib.request.urlopen(base + path).read()


def _is_ready(base: str) -> bool:
    try:
        return bool(urllib.request.urlopen(f"{base}/readyz").status == 200)
    except OSError:
        return False


def _family(pid: int) -> Iterator[int]:
    """A process and everything it started."""
    yield pid
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for child in children:
        yield from _family(int(child))


def _pss_kb(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


if __name__ == "__main__":
    main()
