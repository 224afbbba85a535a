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
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.timezone import now
from django.utils.translation import gettext, gettext_noop, ngettext, to_locale
from django.views.decorators.http import require_safe

from scoring.tournament.plans import Plan
from scoring.tournament.state import RoundSeating, TableSeating
from scoring.tournament.steps import ShownClock, shown_clock
from tournaments.boards.winners import evidence_of
from tournaments.models import Tournament
from tournaments.models.people import search_key
from tournaments.projections.cached import cached_object
from tournaments.projections.shown import Shown, tournament_at_address
from tournaments.rendering.i18n.formatting import page_language, zone_of
from tournaments.rendering.i18n.translating import stands_in
from tournaments.running.queries.room import Room, room_of
from tournaments.running.queries.schedule import RoundTimes, RoundToCome, Schedule, schedule_of
from tournaments.running.queries.today import clock_face
from tournaments.web.public.base.answers import (
    PRIVATE,
    Context,
    Subpage,
    answer_subpage,
    evidence_context,
    is_public,
    seen_tournament,
    shown_tag,
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
    context = {
        **_context(request, tournament, _shown(request, club_slug, slug)),
        "title": gettext("Room: {name}").format(name=tournament.name),
        "is_public": is_public(tournament),
    }
    answer = render(request, "pages/room.html", context)
    answer.headers["Cache-Control"] = PRIVATE
    return answer


@require_safe
def room_part(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Return the part that changes; 304 if unchanged. Every phone in the hall asks each two seconds."""
    shown_state = _shown(request, club_slug, slug)

    def make() -> HttpResponse:
        tournament = seen_tournament(request, club_slug, slug)
        return render(request, "pages/room_part.html", _context(request, tournament, shown_state))

    clock = shown_clock(room_of(shown_state).state, int(now().timestamp()))
    return unless_unchanged(request, _tag(request, shown_state, clock), make, is_shared=False)


def _shown(request: HttpRequest, club_slug: str, slug: str) -> Shown:
    """Return the numbers of what the page shows, if the visitor may see it. Raises Http404."""
    shown_state = tournament_at_address(club_slug, slug)
    if shown_state is None:
        raise Http404
    if not shown_state.is_public:
        seen_tournament(request, club_slug, slug)
    return shown_state


def _tag(request: HttpRequest, shown: Shown, clock: ShownClock | None) -> str:
    return shown_tag(shown, "room", _chosen(request, "by", ORDERS), clock is not None and clock.is_over)


def _context(request: HttpRequest, tournament: Tournament, shown: Shown) -> Context:
    state, moment_now = room_of(shown).state, now()
    seated = state.last_round
    plan = state.plan
    stage = plan.stages[seated.stage - 1] if plan and seated and seated.stage <= len(plan.stages) else None
    by, scale = _chosen(request, "by", ORDERS), _chosen(request, "scale", SCALES)
    clock = shown_clock(state, int(moment_now.timestamp()))
    return {
        "tournament": tournament,
        "club": tournament.club,
        "tag": _tag(request, shown, clock),
        "round": seated,
        "stage": stage,
        "clock": clock_face(clock, zone_of(tournament.club.timezone)),
        "people": cached_object(f"people/{shown.tournament}/{by}/{page_language()}", shown, lambda: _people(shown, by)),
        "by": by,
        "scale": scale,
        "orders": [{"name": name, "title": gettext(title), "is_current": name == by} for name, title in ORDERS.items()],
        "scales": [{"name": name, "is_current": name == scale} for name in SCALES],
        "server_now": int(moment_now.timestamp() * 1000),
        "summary": gettext("The room page has changed."),
    }


def _people(shown: Shown, by: str) -> str:
    """Render the seats and who sits out."""
    room = room_of(shown)
    seated = room.state.last_round
    if seated is None:
        return ""
    context = {
        "tables": _tables(room, seated) if by == "table" else [],
        "seats": _seats(room, seated) if by == "name" else [],
        "sitting_out": [room.names[player] for player in seated.sitting_out if player not in room.state.hidden],
        "by": by,
    }
    return render_to_string("pages/room_people.html", context)


def _tables(room: Room, seated: RoundSeating) -> list[Context]:
    return [
        {"number": table.number, "names": _names_at(room, seated, table)}
        for table in sorted(seated.running, key=lambda table: table.number)
    ]


def _names_at(room: Room, seated: RoundSeating, table: TableSeating) -> tuple[str, ...]:
    """Return the names in seat order, empty where a player is hidden from the public: the others keep their seats."""
    hidden, holder = room.state.hidden, room.state.seat_holder
    return tuple(
        "" if holder(player, seated.round)[0] in hidden else _called(room, seated, player) for player in table.players
    )


def _called(room: Room, seated: RoundSeating, player: str) -> str:
    """Return a player's name; for a substitute with the player they replace."""
    now, first = room.state.seat_holder(player, seated.round)
    return room.names[now] if now == first else stands_in(room.names[now], room.names[first])


def _seats(room: Room, seated: RoundSeating) -> list[Context]:
    """List the seated players from A to Z."""
    seats = [
        {"name": name, "table": table.number, "seat": place}
        for table in seated.running
        for place, name in enumerate(_names_at(room, seated, table), start=1)
        if name
    ]
    return sorted(seats, key=lambda seat: (search_key(seat["name"]), seat["table"]))


def _chosen(request: HttpRequest, name: str, choices: Any) -> str:
    """Return the choice in the address, or the first."""
    choice = request.GET.get(name, "")
    known_choices = list(choices)
    return choice if choice in known_choices else known_choices[0] if name == "by" else "m"


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
    tournament = seen_tournament(request, club_slug, slug)
    return answer_subpage(request, tournament, lambda: _page(tournament))


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
    plan = course.state.plan if course.state is not None else None
    yield Line(kind="start", title=gettext("Planned start"), begins=moment(tournament.starts_at, zone))
    for before, times in pairwise([None, *course.played]):
        if before is not None and times is not None:
            yield from _break(before, times, zone)
        if times is not None:
            yield _played(plan, times, zone)
    for coming_round in course.to_come:
        yield _coming(plan, coming_round, zone)
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
