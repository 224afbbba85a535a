"""A board of the past: its banner, the stops of its slider, and how it is requested.

Rules: docs/how-to/publishing.md, "The past". Knows nothing of how a board is folded.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from itertools import groupby
from urllib.parse import quote

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_safe

from scoring.sheets.event_messages import KIND_TITLES
from tournaments.boards import Board, board
from tournaments.boards.past import TurningPoint, board_at, turning_points
from tournaments.boards.seats import TableLine
from tournaments.models import Tournament
from tournaments.rendering.i18n.formatting import in_sentence, zone_of
from tournaments.rendering.i18n.translating import translate
from tournaments.tables.queries.moments import (
    MOST_AT,
    AfterRound,
    At,
    WithCorrections,
    position_at,
    read_at,
    readings_of,
    recorded_at,
)
from tournaments.web.public.base.answers import PRIVATE, SHARED, Context, is_public, seen_tournament
from tournaments.web.public.base.words import moment, plain

MANY_DIGITS = 10
AS_SHOWN = gettext_noop("Nothing recorded later is included.")
AS_KNOWN = gettext_noop("Later corrections are included.")
STEP_TITLES = {
    "deal_recorded": "",
    "deal_corrected": gettext_noop("corrected"),
    "deal_voided": gettext_noop("cancelled"),
    "table_opened": gettext_noop("opened"),
    "table_closed": gettext_noop("closed"),
    "table_cancelled": gettext_noop("cancelled"),
    "table_moved_on": gettext_noop("broken up"),
    "round_seated": gettext_noop("Round {round} seated"),
    "seating_withdrawn": gettext_noop("Seating of round {round} undone"),
    "seats_changed": gettext_noop("Seats changed before the first deal"),
    "players_moved": gettext_noop("Players moved to other tables"),
    "move_undone": gettext_noop("Move undone"),
    "cut_made": gettext_noop("Cut made"),
    "cut_withdrawn": gettext_noop("Cut undone"),
    "tie_settled": gettext_noop("Tie resolved"),
    "player_left": gettext_noop("A player left"),
    "player_returned": gettext_noop("A player returned"),
    "player_reentered": gettext_noop("A player re-entered"),
    "player_substituted": gettext_noop("Substitute added"),
    "substitution_undone": gettext_noop("Substitution undone"),
    "reentry_undone": gettext_noop("Re-entry undone"),
    "tournament_closed": gettext_noop("Tournament closed"),
    "tournament_cancelled": gettext_noop("Tournament abandoned"),
    "tournament_reopened": gettext_noop("Tournament reopened"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestedMoment:
    """The requested moment. `text` is as typed; `at` None means now."""

    text: str = ""
    at: At | None = None

    @property
    def suffix(self) -> str:
        """The query string for an address that is to show the same moment."""
        return f"?at={quote(self.text, safe=':')}" if self.at is not None else ""

    @property
    def tag(self) -> tuple[str, ...]:
        """The part of the ETag that distinguishes moments."""
        return (self.text,) if self.at is not None else ()

    def board_of(self, tournament: Tournament) -> Board:
        return board(tournament) if self.at is None else board_at(tournament, self.at)

    def sheet_suffix(self, table: TableLine) -> str:
        """The query string for one of the board's tables: its version then, or the same `known:` time."""
        if isinstance(self.at, int | datetime):
            return f"?at={table.version}"
        return self.suffix if isinstance(self.at, WithCorrections) and isinstance(self.at.by, datetime) else ""


class BadMoment(Exception):
    """`?at=` is not a number, a time or a round; or it is a time that the club's clock shows twice or never."""

    def __init__(self, text: str, zone: tzinfo) -> None:
        super().__init__(text)
        self.readings = readings_of(text, zone)


NOW = RequestedMoment()


@require_safe
def past(request: HttpRequest, club_slug: str, slug: str) -> HttpResponse:
    """Redirect the slider's form without JavaScript to the board of the chosen stop, or of the latest one."""
    tournament = seen_tournament(request, club_slug, slug)
    step = request.GET.get("step", "")
    number = (
        int(step) if step.isdecimal() and step.isascii() and len(step) <= MANY_DIGITS else tournament.board_position
    )
    at = f"known:{number}" if request.GET.get("view") == "known" else str(number)
    answer = HttpResponseRedirect(reverse("pages:tournament", args=(club_slug, slug), query={"at": at}))
    answer.headers["Cache-Control"] = SHARED if is_public(tournament) else PRIVATE
    return answer


def asked_of(request: HttpRequest, tournament: Tournament) -> RequestedMoment:
    """Parse the request's `?at=`; a time without a zone is on the club's clock. Raises BadMoment."""
    text = request.GET.get("at", "")
    if not text:
        return NOW
    at = read_at(text, zone_of(tournament.club.timezone))
    if at is None:
        raise BadMoment(text, zone_of(tournament.club.timezone))
    return RequestedMoment(text=text, at=at)


def no_such_moment(request: HttpRequest, error: BadMoment) -> HttpResponse:
    """Return the page that explains what `?at=` may hold."""
    context = {"at": str(error)[:MOST_AT], "title": gettext("Time not found"), "readings": error.readings}
    answer = render(request, "pages/bad_moment.html", context, status=400)
    answer.headers["Cache-Control"] = PRIVATE
    return answer


def shown_position(tournament: Tournament, asked: RequestedMoment) -> int:
    """Return the last log position that a board as of then depends on; for `known:` and `round:` the current one."""
    current, at = tournament.board_position, asked.at
    if isinstance(at, datetime):
        return min(current, position_at(tournament, at, current=current))
    return min(current, at) if isinstance(at, int) else current


def past_banner(tournament: Tournament, asked: RequestedMoment) -> Context:
    """Return the banner above a board of the past; at most one query."""
    zone = zone_of(tournament.club.timezone)
    match asked.at:
        case AfterRound(number=number):
            text = gettext("After round {round}, with later corrections").format(round=plain(number))
            return {"title": text, "note": gettext(AS_KNOWN)}
        case WithCorrections(by=by):
            text = gettext("At {moment}, with later corrections").format(moment=_moment_text(tournament, by, zone))
            return {"title": text, "note": gettext(AS_KNOWN)}
        case int() | datetime() as by:
            text = gettext("As shown at {moment}").format(moment=_moment_text(tournament, by, zone))
            return {"title": text, "note": gettext(AS_SHOWN)}
    return {"title": gettext("Current standings"), "note": ""}


def slider_of(tournament: Tournament, asked: RequestedMoment) -> Context:
    """Return every stop by day on the club's calendar, the chosen stop of the board, and the ends of rounds."""
    points = turning_points(tournament)
    rounds = sorted({point.round for point in points if point.table is not None and point.round is not None})
    chosen = _chosen(points, asked.at)
    zone = zone_of(tournament.club.timezone)
    stops = [(p, _stop(p, zone, is_chosen=i == chosen, has_rounds=len(rounds) > 1)) for i, p in enumerate(points)]
    days = groupby(stops, key=lambda stop: moment(stop[0].recorded_at, zone).day)
    return {
        "days": tuple((day, tuple(stop for _, stop in of_day)) for day, of_day in days),
        "rounds": tuple(rounds) if len(rounds) > 1 else (),
        "last_index": max(0, len(points) - 1),
        "marks": tuple(index for index, point in enumerate(points) if point.is_change),
    }


def _moment_text(tournament: Tournament, by: int | datetime, zone: tzinfo) -> str:
    if isinstance(by, datetime):
        return moment(by, zone).text
    when = recorded_at(tournament.club_id, min(by, tournament.board_position))
    position = gettext("log position {position}").format(position=plain(by))
    return f"{moment(when, zone).text} ({position})" if when else position


def _chosen(points: Sequence[TurningPoint], at: At | None) -> int:
    """Return the last stop that the board includes; the first where it includes none."""
    by = at.by if isinstance(at, WithCorrections) else at
    match by:
        case AfterRound(number=number):
            later = (i for i, point in enumerate(points) if point.round is not None and point.round > number)
            return max(0, next(later, len(points)) - 1)
        case datetime():
            return max(0, sum(point.recorded_at <= by for point in points) - 1)
        case int():
            return max(0, sum(point.position <= by for point in points) - 1)
    return max(0, len(points) - 1)


def _stop(point: TurningPoint, zone: tzinfo, *, is_chosen: bool, has_rounds: bool) -> Context:
    clock = moment(point.recorded_at, zone).clock
    return {
        "position": point.position,
        "label": f"{clock} · {' '.join(_titles(point, has_rounds=has_rounds))}",
        "is_chosen": is_chosen,
        "is_change": point.is_change,
    }


def _titles(point: TurningPoint, *, has_rounds: bool) -> Iterator[str]:
    """Yield the parts of a title: Round 2, table 3, deal 4 corrected."""
    title = _step_title(point.kind)
    if point.table is None:
        yield title.format(round=point.round)
        return
    text = gettext("Round {round}, table {table}") if has_rounds else gettext("Table {table}")
    where = text.format(round=point.round, table=point.table)
    yield where if point.deal is None and point.kind in STEP_TITLES else f"{where},"
    if point.deal is not None:
        yield gettext("deal {deal}").format(deal=plain(point.deal))
    if title:
        yield in_sentence(title)


def _step_title(kind: str) -> str:
    """Describe what happened: in the words of the slider, else in those of the log."""
    title = STEP_TITLES.get(kind)
    if title is None:
        return translate(KIND_TITLES.get(kind, kind.replace("_", " ").capitalize()))
    return gettext(title) if title else ""
