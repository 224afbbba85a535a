"""What the pages of an evening have in common: an address each, and a row of tabs from one to the next.

The tabs are for whoever directs; the desk sees its own pages only. Knows nothing of what a page shows.
"""

from collections.abc import Mapping
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext, gettext_noop

from tournaments.models import Tournament
from tournaments.people.permissions import Deed, may
from tournaments.web.admin.base.scoping import actor_in

TITLES = {
    "night": gettext_noop("Night board"),
    "plan": gettext_noop("Plan"),
    "entries": gettext_noop("Entries"),
    "desk": gettext_noop("Check-in"),
    "seating": gettext_noop("Seating"),
    "moves": gettext_noop("Moves"),
    "clock": gettext_noop("Clock"),
    "screens": gettext_noop("Screens"),
    "ties": gettext_noop("Ties"),
    "cut": gettext_noop("Cut"),
    "prizes": gettext_noop("Prizes"),
    "paper": gettext_noop("Paper"),
}


def evening_page(
    request: HttpRequest, tournament: Tournament, name: str, context: Mapping[str, Any], *, status: int = 200
) -> TemplateResponse:
    """A page by the name of its template; the first word of the name is the tab that it belongs to."""
    directs = may(actor_in(request), Deed.DIRECT, tournament.club_id)
    whole = {
        **admin.site.each_context(request),
        "opts": Tournament._meta,
        "tournament": tournament,
        "tabs": _tabs(tournament, name.partition("_")[0]) if directs else [],
        **context,
    }
    return TemplateResponse(request, f"admin/tournaments/tournament/{name}.html", whole, status=status)


def page_url(page: str, tournament: Tournament) -> str:
    """The address of a page of a tournament; empty where there is no such page."""
    try:
        return reverse(f"admin:tournaments_tournament_{page}", args=[tournament.pk])
    except NoReverseMatch:
        return ""


def _tabs(tournament: Tournament, current: str) -> list[dict[str, Any]]:
    """The pages of an evening, as far as there are any."""
    found = [(page, gettext(title), page_url(page, tournament)) for page, title in TITLES.items()]
    return [{"title": title, "url": url, "is_current": page == current} for page, title, url in found if url]
