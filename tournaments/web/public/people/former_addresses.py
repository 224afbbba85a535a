"""A club that has another slug now: its old addresses lead on for ever, pages, files, feeds and frames alike.

Rules: docs/how-to/publishing.md, "Addresses". Looked up only where there is nothing at an address.
"""

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponseBase, HttpResponsePermanentRedirect
from django.urls import Resolver404, resolve

from tournaments.models import ClubSlug
from tournaments.web.public.base.answers import sees_hidden

PREFIX = "/c/"
# For ever, but not out of a browser's own memory: a club may go back to the slug that it had.
KEPT_FOR = "max-age=3600"


class FormerAddressMiddleware:
    """Sends on whoever comes to a former address of a club that they may see."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """What is found is answered as ever."""
        answer = self.get_response(request)
        if answer.status_code != HTTPStatus.NOT_FOUND or not request.path_info.startswith(PREFIX):
            return answer
        return _sent_on(request) or answer


def _sent_on(request: HttpRequest) -> HttpResponsePermanentRedirect | None:
    """The redirect to the same page below the slug of today."""
    try:
        former = resolve(request.path_info).kwargs.get("club_slug", "")
    except Resolver404:
        return None
    row = ClubSlug.objects.select_related("club").filter(slug=former).first()
    if row is None or row.club.slug == former or not (row.club.is_published or sees_hidden(request, row.club)):
        return None
    there = request.get_full_path().replace(f"{PREFIX}{former}/", f"{PREFIX}{row.club.slug}/", 1)
    answer = HttpResponsePermanentRedirect(there)
    answer.headers["Cache-Control"] = KEPT_FOR if row.club.is_published else "private, no-store"
    return answer
