"""The schedule of a tournament on the club's clock: rounds played, breaks, and what is to come.

Rules: docs/how-to/publishing.md, "A tournament's pages". Knows nothing of scores.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

from babel.dates import get_timezone_name
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_noop, ngettext, to_locale
from django.views.decorators.http import require_safe

from scoring.evening.plans import Plan
from scoring.evening.state import RoundSeating
from tournaments.boards.winners import evidence_of
from tournaments.evenings.queries.night import Tonight, evening_tonight
from tournaments.evenings.queries.schedule import RoundTimes, RoundToCome, Schedule, schedule_of
from tournaments.evenings.queries.tonight import clock_face
from tournaments.models import Tournament
from tournaments.rendering.i18n.formatting import page_language, zone_of
from tournaments.rendering.i18n.translating import stands_in
from tournaments.web.public.base.answers import (
    PRIVATE,
    Context,
    Subpage,
    answer_subpage,
    evidence_context,
    is_public,
    page_tag,
    seen_tournament,
    unless_unchanged,
)
from tournaments.web.public.base.words import Moment, moment
from tournaments.web.public.boards.plan_words import length_text, stage_title

# The room page: a big countdown, the round, the last call, and the seating, for the projector and every phone.

ORDERS = {"table": gettext_noop("By table"), "name": gettext_noop("A to Z"), "clock": gettext_noop("Clock alone")}
SCALES = ("s", "m", "l", "xl")


@require_safe
def room(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Show the whole page."""
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
    """Return the part that changes; 304 if unchanged."""
    tonight = evening_tonight(seen_tournament(request, club_slug, slug), now=now())

    def make() -> HttpResponse:
        return render(request, "pages/room_part.html", _context(request, tonight))

    return unless_unchanged(request, _tag(request, tonight), make, is_shared=False)


def _tag(request: HttpRequest, tonight: Tonight) -> str:
    return page_tag(*tonight.marks(), tonight.tournament.club.timezone, _chosen(request, "by", ORDERS))


def _context(request: HttpRequest, tonight: Tonight) -> Context:
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


def _tables(tonight: Tonight, seated: RoundSeating) -> list[Context]:
    return [
        {"number": table.number, "names": tuple(_called(tonight, seated, player) for player in table.players)}
        for table in sorted(seated.running, key=lambda table: table.number)
    ]


def _called(tonight: Tonight, seated: RoundSeating, player: str) -> str:
    """Return a player's name; for a substitute with the player they replace."""
    now, first = tonight.evening.seat_holder(player, seated.round)
    return tonight.names[now] if now == first else stands_in(tonight.names[now], tonight.names[first])


def _seats(tonight: Tonight, seated: RoundSeating) -> list[Context]:
    """List the seated players from A to Z."""
    found = [
        {"name": _called(tonight, seated, player), "table": table.number, "seat": place}
        for table in seated.running
        for place, player in enumerate(table.players, start=1)
    ]
    return sorted(found, key=lambda seat: (seat["name"].casefold(), seat["table"]))


def _chosen(request: HttpRequest, name: str, choices: Any) -> str:
    """Return the choice in the address, or the first."""
    wanted = request.GET.get(name, "")
    known = list(choices)
    return wanted if wanted in known else known[0] if name == "by" else "m"


SHORTEST_BREAK = timedelta(minutes=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the schedule: start, end, title, and details.

    `kind` is `start`, `round`, `break`, `coming` or `end`; `round` the number of a round that was seated, else 0.
    """

    kind: str
    title: str
    begins: Moment | None = None
    ends: Moment | None = None
    notes: tuple[str, ...] = ()
    round: int = 0
    is_running: bool = False


@require_safe
def schedule(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Show the schedule so far, and the rounds to come."""
    found = seen_tournament(request, club_slug, slug)
    return answer_subpage(request, found, lambda: _page(found))


def _page(tournament: Tournament) -> Subpage:
    course = schedule_of(tournament)
    return Subpage(
        template="pages/schedule.html",
        title=gettext("Schedule"),
        description=gettext("When %(name)s begins, and when its rounds are played.") % {"name": tournament.name},
        context={
            "lines": list(_lines(tournament, course)),
            "zone": _zone_text(tournament.club.timezone),
            **evidence_context(tournament, evidence_of(tournament)),
        },
    )


def _lines(tournament: Tournament, course: Schedule) -> Iterator[Line]:
    zone = zone_of(tournament.club.timezone)
    plan = course.evening.plan if course.evening is not None else None
    yield Line(kind="start", title=gettext("Planned start"), begins=moment(tournament.starts_at, zone))
    for before, times in pairwise([None, *course.played]):
        if before is not None and times is not None:
            yield from _break(before, times, zone)
        if times is not None:
            yield _played(plan, times, zone)
    for one in course.to_come:
        yield _coming(plan, one, zone)
    if tournament.closed_at is not None:
        title = gettext("Abandoned") if tournament.is_cancelled else gettext("Closed")
        yield Line(kind="end", title=title, begins=moment(tournament.closed_at, zone))


def _zone_text(name: str) -> str:
    """Return the name of the club's time zone in the language."""
    zone = zone_of(name)
    if not isinstance(zone, ZoneInfo) or name.endswith("UTC"):
        return "UTC"
    return get_timezone_name(zone, locale=to_locale(page_language()))


def _break(before: RoundTimes, after: RoundTimes, zone: tzinfo) -> Iterator[Line]:
    """Return the break between the last deal of a round and the next one, if any."""
    if before.ends is None or after.begins is None or after.begins - before.ends < SHORTEST_BREAK:
        return
    minutes = round((after.begins - before.ends).total_seconds() / 60)
    text = ngettext("%(number)s minute", "%(number)s minutes", minutes) % {"number": minutes}
    yield Line(
        kind="break",
        title=gettext("Break"),
        begins=moment(before.ends, zone),
        ends=moment(after.begins, zone),
        notes=(text,),
    )


def _played(plan: Plan | None, times: RoundTimes, zone: tzinfo) -> Line:
    return Line(
        kind="round",
        title=_round_title(plan, times.number, times.stage),
        begins=_at(times.begins, zone),
        ends=_at(times.ends, zone),
        notes=tuple(_notes(plan, times, zone)),
        round=times.number,
        is_running=not times.is_over,
    )


def _notes(plan: Plan | None, times: RoundTimes, zone: tzinfo) -> Iterator[str]:
    text = ngettext("%(over)s of %(tables)s table finished", "%(over)s of %(tables)s tables finished", times.tables)
    yield text % {"over": times.finished, "tables": times.tables}
    if plan is not None and times.stage:
        yield length_text(plan.stages[times.stage - 1])
    for begins, ends in times.pauses:
        if ends is None and times.is_over:
            continue
        words = {"from": moment(begins, zone).short, "to": moment(ends, zone).short if ends else ""}
        if ends is None:
            yield gettext("Clock paused since %(from)s.") % words
        else:
            yield gettext("Clock paused from %(from)s to %(to)s.") % words


def _coming(plan: Plan | None, one: RoundToCome, zone: tzinfo) -> Line:
    return Line(
        kind="coming",
        title=_round_title(plan, one.number, one.stage),
        begins=_at(one.earliest, zone),
        notes=(length_text(one.plan),),
    )


def _round_title(plan: Plan | None, number: int, stage: int) -> str:
    title = gettext("Round %(number)s") % {"number": number}
    name = stage_title(plan, stage) if stage else ""
    return f"{title} · {name}" if name and name != title else title


def _at(when: datetime | None, zone: tzinfo) -> Moment | None:
    return moment(when, zone) if when is not None else None
