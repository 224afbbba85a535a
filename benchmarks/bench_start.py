"""What a start costs: processor time of all processes from `manage.py serve` to the first page of the example club.

Medians of several starts on one database. A start before makes it and writes byte code, and is not counted. The unit is
`django.setup()` in a process of its own, measured before each start: how fast a machine is, and how busy, changes both.

    python -m benchmarks.bench_start [--json]
"""

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from statistics import median

from benchmarks.figures import sized, tell
from benchmarks.serving import family, free_port, pss_kb

STARTS = sized(5, smallest=1)
PATIENCE_SECONDS = 300
# From the start of the processes to their rest, with the worker's first look at what is due.
REST_SECONDS = sized(5, smallest=0)
PAGE = "/en-gb/c/marine-drive/"
SETUP = "import time, django; a = time.process_time(); django.setup(); print(time.process_time() - a)"
TICKS = os.sysconf("SC_CLK_TCK")
# Of a machine on which `django.setup()` takes 0.62 s: 2.5 s of processor time.
AT_MOST = {"first_page_setups": 4, "everything_mb": 200, "supervisor_mb": 15}


def main() -> None:
    """Print the figures."""
    tell(__doc__, figures, at_most=AT_MOST)


def figures(starts: int = STARTS) -> dict[str, float]:
    """Seconds and setups to the first page, and the memory of the processes at rest."""
    with tempfile.TemporaryDirectory(prefix="rummy-bench-") as folder:
        known = {"PYTHONPYCACHEPREFIX": f"{folder}/code", **os.environ, "VAR_DIR": folder}
        known.pop("PYTHONDONTWRITEBYTECODE", None)
        _start(known, "--demo")
        rounds = [(_setup(known), *_start(known)) for _ in range(starts)]
    setup, page, supervisor, everything = map(median, zip(*rounds, strict=True))
    return {
        "setup_s": setup,
        "first_page_s": page,
        "first_page_setups": page / setup,
        "supervisor_mb": supervisor,
        "everything_mb": everything,
    }


def _setup(environment: dict[str, str]) -> float:
    known = {**environment, "DJANGO_SETTINGS_MODULE": "rummy_site.settings"}
    return float(subprocess.run([sys.executable, "-c", SETUP], env=known, capture_output=True, check=True).stdout)


def _start(environment: dict[str, str], *more: str) -> tuple[float, float, float]:
    """Seconds to the first page; memory in MB of the supervisor and of all processes."""
    port = free_port()
    called = [sys.executable, "manage.py", "serve", "--port", str(port), *more]
    site = subprocess.Popen(called, env=environment, stdout=subprocess.DEVNULL)
    try:
        _wait_for_page(f"http://127.0.0.1:{port}{PAGE}")
        spent = sum(map(_cpu_seconds, family(site.pid)))
        time.sleep(REST_SECONDS)
        memory = [pss_kb(pid) / 1024 for pid in family(site.pid)]
        return spent, memory[0], sum(memory)
    finally:
        site.terminate()
        site.wait(timeout=30)


def _wait_for_page(address: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            urllib.request.urlopen(address).read()
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return


def _cpu_seconds(pid: int) -> float:
    """Of a process, its ended threads, and its children that ended: a start has such."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


if __name__ == "__main__":
    main()
