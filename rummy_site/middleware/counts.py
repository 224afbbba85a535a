"""Counts of requests, for `/metrics`. Loaded only where somebody may ask for it: it loads a library.

Each process counts in files of its own (PROMETHEUS_MULTIPROC_DIR), which prometheus-client adds up for whoever asks any
of them.
"""

import logging
import os
import threading
import time
from contextlib import suppress
from pathlib import Path

from django.http import HttpRequest
from prometheus_client import Counter, Histogram

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# From "nobody notices" to "given up". Each costs a line for every view.
SECONDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)

# Every line of a process: 400 views with the statuses that each answers. What is not used is not in memory.
ROOM_BYTES = 1 << 21
AGAIN_SECONDS = 60

logger = logging.getLogger(__name__)

_requests = Counter(
    "rummy_requests", "Answered requests; a 4xx to a POST is a refused write", ["view", "method", "status"]
)
_seconds = Histogram(
    "rummy_request_seconds", "From a request's arrival at a thread to its answer", ["view"], buckets=SECONDS
)
# By process; a forked one makes its own.
_with_files: set[int] = set()
_failed_at: dict[int, float] = {}
_making = threading.Lock()


def count_request(request: HttpRequest, view: str, status: int, seconds: float | None) -> None:
    """Count one answered request; none where the files of this process cannot be made."""
    if os.getpid() not in _with_files and not _make_files(os.getpid()):
        return
    # Anybody can invent a method, and each would be a line for ever.
    method = request.method if request.method in METHODS else "other"
    _requests.labels(view, method, str(status)).inc()
    if seconds is not None:
        _seconds.labels(view).observe(seconds)


def _make_files(process: int) -> bool:
    """Make the files in which a process counts, with all their room. False where that fails; tried again each minute.

    prometheus-client would make them as holes and map them into memory: the kernel kills a process that writes to a
    hole for which its disk has no room.
    """
    with _making:
        return process in _with_files or _made_files(process)


def _made_files(process: int) -> bool:
    if time.monotonic() - _failed_at.get(process, float("-inf")) < AGAIN_SECONDS:
        return False
    for metric in ("counter", "histogram"):
        path = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"], f"{metric}_{process}.db")
        try:
            with path.open("ab") as file:
                file.write(bytes(max(0, ROOM_BYTES - file.tell())))
        except OSError as error:
            _failed_at[process] = time.monotonic()
            logger.warning("requests are not counted: %s (%s)", error.strerror, path.parent)
            # Cut short it cannot be read, and /metrics reads every file.
            with suppress(OSError):
                path.unlink()
            return False
    _with_files.add(process)
    return True
