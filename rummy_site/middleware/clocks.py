"""The clock and the amounts of a page: one about a club activates its time zone and locale, until the request ends."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase
from django.utils import timezone

from tournaments.rendering.i18n.translating import no_locale


class ClockMiddleware:
    """Begins and ends each request without time zone and locale: the next one in this thread is of another club."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with timezone.override(None), no_locale():
            return self.get_response(request)
