"""The room page: a big countdown, the round, the last call, and who sits where, for the projector and every phone.

Rules: docs/evening.md, "The clock and the room page". The countdown works from the server's time; without JavaScript
the page says when time is up. The whole page is never kept by a browser: an old one would carry an old time.
"""

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_safe

from scoring.evening.state.state import RoundSeating
from tournaments.evenings.queries.clock_faces import clock_face
from tournaments.evenings.queries.night import Tonight, evening_tonight
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.web.public.base.answers import PRIVATE, page_tag
from tournaments.web.public.base.doors import is_public, seen_tournament

ORDERS = {"table": gettext_noop("By table"), "name": gettext_noop("A to Z"), "clock": gettext_noop("Clock alone")}
SCALES = ("s", "m", "l", "xl")


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomTable:
    """A table with its players in seat order."""

    number: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomSeat:
    """Where a player sits."""

    name: str
    table: int
    seat: int


@require_safe
def room(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """The whole page."""
    tournament = seen_tournament(request, club_slug, slug)
    tonight = evening_tonight(tournament, now=now())
    context = {
        **_context(request, tonight),
        "title": gettext("Room: {name}").format(name=tournament.name),
        "is_public": is_public(tournament),
    }
    answer = render(request, "pages/room.html", context)
    answer.headers["Cache-Control"] = PRIVATE
    return answer


@require_safe
def room_part(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """The part that changes; 304 where nothing has."""
    tonight = evening_tonight(seen_tournament(request, club_slug, slug), now=now())
    tag = _tag(request, tonight)
    answer = get_conditional_response(request, etag=tag)
    if answer is None:
        answer = render(request, "pages/room_part.html", _context(request, tonight))
    answer.headers["ETag"] = tag
    answer.headers["Cache-Control"] = PRIVATE
    return answer


def _tag(request: HttpRequest, tonight: Tonight) -> str:
    return page_tag(*tonight.marks(), tonight.tournament.club.timezone, _chosen(request, "by", ORDERS))


def _context(request: HttpRequest, tonight: Tonight) -> dict[str, Any]:
    tournament, evening = tonight.tournament, tonight.evening
    seated = evening.last_round
    plan = evening.plan
    stage = plan.stages[seated.stage - 1] if plan and seated and seated.stage <= len(plan.stages) else None
    by, scale = _chosen(request, "by", ORDERS), _chosen(request, "scale", SCALES)
    return {
        "tournament": tournament,
        "club": tournament.club,
        "tag": _tag(request, tonight),
        "round": seated,
        "stage": stage,
        "clock": clock_face(tonight.clock, zone_of(tournament.club.timezone)),
        "tables": _tables(tonight, seated) if seated else [],
        "seats": _seats(tonight, seated) if seated else [],
        "sitting_out": [tonight.names[player] for player in seated.sitting_out] if seated else [],
        "by": by,
        "scale": scale,
        "orders": [{"name": name, "title": gettext(title), "is_current": name == by} for name, title in ORDERS.items()],
        "scales": [{"name": name, "is_current": name == scale} for name in SCALES],
        "server_now": int(now().timestamp() * 1000),
        "summary": gettext("The room page has changed."),
    }


def _tables(tonight: Tonight, seated: RoundSeating) -> list[RoomTable]:
    return [
        RoomTable(number=table.number, names=tuple(tonight.names[player] for player in table.players))
        for table in sorted(seated.running, key=lambda table: table.number)
    ]


def _seats(tonight: Tonight, seated: RoundSeating) -> list[RoomSeat]:
    """Everybody at a table, A to Z."""
    found = [
        RoomSeat(name=tonight.names[player], table=table.number, seat=place)
        for table in seated.running
        for place, player in enumerate(table.players, start=1)
    ]
    return sorted(found, key=lambda seat: (seat.name.casefold(), seat.table))


def _chosen(request: HttpRequest, name: str, choices: Any) -> str:
    """What the address asks for, or the first."""
    wanted = request.GET.get(name, "")
    known = list(choices)
    return wanted if wanted in known else known[0] if name == "by" else "m"
