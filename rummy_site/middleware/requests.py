"""Each request: its number, its line in the log, and how often and how long, for whoever watches the site."""

import re
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from rummy_site.middleware.secret_paths import without_secrets

# A number that a proxy or a program gave; anything else could forge lines of the log.
GIVEN_NUMBER = re.compile(r"[A-Za-z0-9._:-]{8,64}")
# Machines ask for these every few seconds and read the answer.
PROBES = frozenset({"/healthz", "/readyz", "/metrics"})

access_log = structlog.get_logger("rummy_site.access")


class RequestMiddleware:
    """Numbers each request, by the caller's X-Request-ID if there is one: in its log lines and in its answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer a request, and record that it was answered."""
        began = time.perf_counter()
        with numbered(request) as number:
            response = self.get_response(request)
            response.headers["X-Request-ID"] = number
            if request.path_info not in PROBES:
                seconds = time.perf_counter() - began
                record_answer(request, view=view_name(request), status=response.status_code, seconds=seconds)
        return response


@contextmanager
def numbered(request: HttpRequest) -> Iterator[str]:
    """The number of a request; until it ends it is in every line, with method and path."""
    given = request.headers.get("X-Request-ID", "")
    number = given if GIVEN_NUMBER.fullmatch(given) else uuid.uuid4().hex
    path = without_secrets(request.path)
    with structlog.contextvars.bound_contextvars(request_id=number, method=request.method, path=path):
        yield number


def record_answer(request: HttpRequest, *, view: str, status: int, seconds: float | None = None) -> None:
    """Write the line of an answered request (LOG_REQUESTS) and count it (METRICS_TOKEN, METRICS_FROM).

    Without `seconds` it was refused before it had a thread: that is not how long an answer takes.
    """
    if settings.LOG_REQUESTS:
        took = {} if seconds is None else {"milliseconds": round(seconds * 1000, 1)}
        access_log.info("request", view=view, status=status, **took)
    if settings.HAS_METRICS:
        from rummy_site.middleware.counts import count_request  # noqa: PLC0415 (loads a library)

        count_request(request, view, status, seconds)


def view_name(request: HttpRequest) -> str:
    """The name of an address, as `admin:index`; `file` for a static file, and `none` where no page is."""
    if request.resolver_match is not None:
        return request.resolver_match.view_name or "unnamed"
    return "file" if request.path_info.startswith(settings.STATIC_URL) else "none"
