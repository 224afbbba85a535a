"""Which methods an address takes: reading everywhere, POST where something can be sent, and nothing else.

Anything else is 405 before a form is looked at, so that it does not look like a form that is too old. The API's views
say it themselves.
"""

import re
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from rummy_site.middleware.failures import Misfit, is_for_machines, refusal

READING = ("GET", "HEAD")
WRITING = (*READING, "POST")
# By the name of the address. Public pages take nothing; in the back office these are what is looked at or printed.
READ_ONLY = re.compile(
    r"""
    pages:.* | favicon | language
    | admin:(
        index | app_list | autocomplete | jsi18n | password_change_done | view_on_site | \w+_history
        | scoring_\w+ | tournaments_event_\w+
        | tournaments_club_(books\w* | cash_(balances | nights | past | receipt))
        | tournaments_player_statement\w*
        | tournaments_season_progress
        | tournaments_table_(log | sheet)
        | tournaments_tournament_(
            clock_part | desk_list | entries_print | money\w* | night_part | paper\w*
        )
    )
    """,
    re.VERBOSE,
)


class MethodMiddleware:
    """Refuses a method that an address does not take."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Nothing is known yet of where the address leads."""
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponseBase | None:
        """405 with what would be taken."""
        if is_for_machines(request) or request.resolver_match is None:
            return None
        taken = methods_of(request.resolver_match.view_name)
        if request.method in taken:
            return None
        answer = refusal(request, Misfit.METHOD)
        answer.headers["Allow"] = ", ".join(taken)
        return answer


def methods_of(name: str) -> tuple[str, ...]:
    """What the address of this name takes."""
    return READING if READ_ONLY.fullmatch(name) else WRITING
