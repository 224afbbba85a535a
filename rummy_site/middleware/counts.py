"""Counts of requests, for `/metrics`. Loaded only where somebody may ask for it: it loads a library.

Each process counts in files of its own (PROMETHEUS_MULTIPROC_DIR), which prometheus-client adds up for whoever asks any
of them.
"""

from django.http import HttpRequest
from prometheus_client import Counter, Histogram

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# From "nobody notices" to "given up". Each costs a line for every view.
SECONDS = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)

_requests = Counter(
    "rummy_requests", "Answered requests; a 4xx to a POST is a refused write", ["view", "method", "status"]
)
_seconds = Histogram(
    "rummy_request_seconds", "From a request's arrival at a thread to its answer", ["view"], buckets=SECONDS
)


def count_request(request: HttpRequest, view: str, status: int, seconds: float | None) -> None:
    """Count one answered request."""
    # Anybody can invent a method, and each would be a line for ever.
    method = request.method if request.method in METHODS else "other"
    _requests.labels(view, method, str(status)).inc()
    if seconds is not None:
        _seconds.labels(view).observe(seconds)
