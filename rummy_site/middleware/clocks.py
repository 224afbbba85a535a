"""The clock of a page: a page about a club activates the club's time zone, and it ends with the request."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone


class ClockMiddleware:
    """Begins and ends each request without a time zone of its own: the next one in this thread is of another club."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with timezone.override(None):
            return self.get_response(request)
