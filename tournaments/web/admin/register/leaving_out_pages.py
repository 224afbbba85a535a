"""The facts of a club that nobody can read, and the button by which a director leaves one out.

Rules: docs/decisions/0026-facts-that-read-back.md. Only what cannot be read is listed; the command looks again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID, uuid4

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from scoring.problems import FactRejected, KeyReused, Problem
from tournaments.integrity.leaving_out import leave_out
from tournaments.log.evidence.unreadable import UnreadableFact, unreadable_facts
from tournaments.models import Club, Event, StreamKind, Table, Tournament
from tournaments.people.permissions import Deed, may
from tournaments.web.admin.base.request import KEY, order_of
from tournaments.web.admin.base.scoping import actor_in

WHAT_FOLLOWS = {
    StreamKind.TABLE: gettext_noop("The table is cancelled: no winners, and money paid at it goes back."),
    StreamKind.TOURNAMENT: gettext_noop("The tournament goes on without it: entries and prizes are worked out again."),
    StreamKind.CASH: gettext_noop("The cash book goes on without it: the money that it moved moves back."),
}
MOST_WHY = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One of them as the page shows it."""

    fact: UnreadableFact
    where: str
    why: str
    follows: str
    key: UUID


def unreadable(request: HttpRequest, club: Club) -> HttpResponse:
    """The list; once a button is pressed, the fact of that line is left out."""
    if not may(actor_in(request), Deed.DIRECT, club):
        raise PermissionDenied
    if request.method != "POST":
        return _page(request, club)
    key, position = request.POST.get("key", ""), request.POST.get("position", "")
    try:
        order = order_of(request, key if KEY.fullmatch(key) else None)
        leave_out(club.pk, int(position), reason=_reason(request), order=order)
    except FactRejected as refused:
        return _page(request, club, refused.problems)
    except (Event.DoesNotExist, ValueError, OverflowError):
        detail = gettext("Nothing stands at this position.")
        return _page(request, club, [Problem(code="no_such_position", detail=detail)])
    except KeyReused:
        detail = gettext("this form was sent before with other words")
        return _page(request, club, [Problem(code="sent_twice", detail=detail)])
    messages.success(request, gettext("Position {position} is left out.").format(position=position))
    return HttpResponseRedirect(reverse("admin:tournaments_club_unreadable", args=[club.pk]))


def _reason(request: HttpRequest) -> str:
    return " ".join(request.POST.get("reason", "").replace("\x00", "").split())[:500]


def _page(request: HttpRequest, club: Club, problems: Sequence[Problem] = ()) -> TemplateResponse:
    context = {
        **admin.site.each_context(request),
        "opts": Club._meta,
        "club": club,
        "lines": _lines(club),
        "problems": problems,
        "typed_position": request.POST.get("position", ""),
        "typed_reason": request.POST.get("reason", ""),
        "title": gettext("Unreadable facts"),
    }
    return TemplateResponse(request, "admin/tournaments/club/unreadable.html", context, status=422 if problems else 200)


def _lines(club: Club) -> list[Line]:
    found = unreadable_facts(club.pk)
    names = _names([fact.stream for fact in found])
    return [
        Line(
            fact=fact,
            where=names.get(fact.stream, gettext("Cash book")),
            why=fact.why[:MOST_WHY],
            follows=gettext(WHAT_FOLLOWS[StreamKind(fact.stream_kind)]),
            key=uuid4(),
        )
        for fact in found
    ]


def _names(streams: Sequence[UUID]) -> dict[UUID, str]:
    """What the tables and tournaments among some streams are called, in two queries."""
    tables = Table.objects.filter(id__in=streams).select_related("tournament")
    names = {table.pk: f"{table.tournament.name}, {table}" for table in tables}
    return names | dict(Tournament.objects.filter(id__in=streams).values_list("id", "name"))
