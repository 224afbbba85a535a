"""The course of a tournament on the club's clock: what was played when, with its breaks, and what is to come.

Rules: docs/publishing.md, "A tournament's pages". Knows nothing of scores.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from itertools import pairwise
from zoneinfo import ZoneInfo

from babel.dates import get_timezone_name
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, ngettext, to_locale
from django.views.decorators.http import require_safe

from scoring.evening.plans.plan import Plan
from tournaments.boards.rounds import evidence_of
from tournaments.evenings.queries.schedule import RoundTimes, RoundToCome, Schedule, schedule_of
from tournaments.models import Tournament
from tournaments.rendering.i18n.local_times import zone_of
from tournaments.rendering.i18n.places import page_language
from tournaments.web.public.base.doors import seen_tournament
from tournaments.web.public.base.subpages import Subpage, answer_subpage, evidence_context
from tournaments.web.public.base.words import Moment, moment
from tournaments.web.public.boards.plan_words import length_said, stage_title

SHORTEST_BREAK = timedelta(minutes=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of the course: from when until when, what it was, and what else there is to say of it.

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
    """The course so far, and the rounds to come."""
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
            "zone": _zone_said(tournament.club.timezone),
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
        title = gettext("Given up") if tournament.is_cancelled else gettext("Closed")
        yield Line(kind="end", title=title, begins=moment(tournament.closed_at, zone))


def _zone_said(name: str) -> str:
    """The club's time as the people of the language call it."""
    zone = zone_of(name)
    if not isinstance(zone, ZoneInfo) or name.endswith("UTC"):
        return "UTC"
    return get_timezone_name(zone, locale=to_locale(page_language()))


def _break(before: RoundTimes, after: RoundTimes, zone: tzinfo) -> Iterator[Line]:
    """The time between the last deal of a round and the next one, where there was any."""
    if before.ends is None or after.begins is None or after.begins - before.ends < SHORTEST_BREAK:
        return
    said = _minutes_said(after.begins - before.ends)
    yield Line(
        kind="break",
        title=gettext("Break"),
        begins=moment(before.ends, zone),
        ends=moment(after.begins, zone),
        notes=(said,),
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
    said = ngettext("%(over)s of %(tables)s table finished", "%(over)s of %(tables)s tables finished", times.tables)
    yield said % {"over": times.finished, "tables": times.tables}
    if plan is not None and times.stage:
        yield length_said(plan.stages[times.stage - 1])
    for begins, ends in times.pauses:
        if ends is None and times.is_over:
            continue
        words = {"from": _clock(begins, zone), "to": _clock(ends, zone) if ends else ""}
        if ends is None:
            yield gettext("The clock stands still since %(from)s.") % words
        else:
            yield gettext("The clock stood still from %(from)s to %(to)s.") % words


def _coming(plan: Plan | None, one: RoundToCome, zone: tzinfo) -> Line:
    return Line(
        kind="coming",
        title=_round_title(plan, one.number, one.stage),
        begins=_at(one.earliest, zone),
        notes=(length_said(one.plan),),
    )


def _round_title(plan: Plan | None, number: int, stage: int) -> str:
    title = gettext("Round %(number)s") % {"number": number}
    name = stage_title(plan, stage) if stage else ""
    return f"{title} · {name}" if name and name != title else title


def _minutes_said(time: timedelta) -> str:
    minutes = round(time.total_seconds() / 60)
    return ngettext("%(number)s minute", "%(number)s minutes", minutes) % {"number": minutes}


def _at(when: datetime | None, zone: tzinfo) -> Moment | None:
    return moment(when, zone) if when is not None else None


def _clock(when: datetime, zone: tzinfo) -> str:
    return moment(when, zone).short
