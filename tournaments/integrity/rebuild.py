"""Rebuilds the read models from the log alone, or compares them with it.

Whatever cannot be rebuilt from the log is not true; this is the proof. It is done in parts, each with the locks that an
append takes, or in one snapshot if it only compares; so a club may play on meanwhile.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Max, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest
from django.utils.timezone import now

from scoring.tournament import TournamentState
from tournaments import log
from tournaments.integrity import unequal
from tournaments.integrity.ranges import Found, OfClub, Once, Range, all_clubs, inside, of_each, ranges
from tournaments.integrity.rebuild_readings import (
    cash_differences,
    past_differences,
    reading_differences,
    rebuild_cash,
    rebuild_past,
    rebuild_readings,
)
from tournaments.integrity.rebuild_rows import (
    frame_differences,
    merge_differences,
    name_differences,
    rebuild_merges,
    stray_rows,
)
from tournaments.integrity.rebuild_tables import compare_tables, write_proven_tables, write_tables
from tournaments.log.auditing import as_far_as_it_goes, not_judged
from tournaments.log.parts import InTurn, Report, one_snapshot
from tournaments.models import EveningSheet, Scoresheet, Tournament
from tournaments.models import Table as TableRow
from tournaments.models.statements import unique_key
from tournaments.projections.shown import show_anew, show_club_anew
from tournaments.running.commands.record import sheet_values as state_values
from tournaments.running.commands.record import tournament_state_from_log

# What a club stores besides tables and tournaments. The names of the checks are part of the output.
MERGED, NAMES, READINGS, CASH = "merged players", "the names of players", "seasons and ratings", "the cash books"
PAST = "imported tournaments"


@dataclass(frozen=True, kw_only=True)
class _Folded:
    """One tournament with its own stream, and its stored row."""

    row: Tournament
    stored: list[log.StoredEvent]
    kept: EveningSheet | None

    @cached_property
    def state(self) -> TournamentState:
        return tournament_state_from_log(self.stored)

    def values(self) -> dict[str, Any]:
        return state_values(self.row, self.state, self.stored[-1].position)

    @property
    def not_judged(self) -> list[str]:
        """Its unreadable events, as lines of a proof."""
        return not_judged(f"tournament {self.row.id}", self.stored, self.state.unreadable)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """The number of events read, and those that could not be read."""

    events: int
    problems: tuple[str, ...]


def rebuild(*, run: InTurn | None = None) -> int:
    """Write every read model again from the log. Returns the number of events read."""
    return rebuild_all(run=run).events


def rebuild_all(*, run: InTurn | None = None, club: UUID | None = None) -> Rebuilt:
    """The same with its problems, of one club or of all: unreadable events stop nothing; boards of such a stream show
    the rest and say so.

    Of one club, whose other rows were brought in, each table is compared with the log while it is folded.
    """
    run, clubs = run or InTurn(), all_clubs() if club is None else [club]
    write = write_tables if club is None else write_proven_tables
    findings = [
        *run("Tables", write, ranges(log.StreamKind.TABLE, club), Found),
        *run("Tournaments", write_tournaments, ranges(log.StreamKind.TOURNAMENT, club), Found),
        *run("Players", write_of_club, of_each(clubs, MERGED, PAST), Found),
    ]
    if club is None:
        show_anew(connection)
    else:
        show_club_anew(club)
    findings += run("Clubs", write_of_club, of_each(clubs, READINGS, CASH), Found)
    return Rebuilt(
        events=sum(finding.events for finding in findings),
        problems=tuple(line for finding in findings for line in finding.typed_lines()),
    )


def rebuild_differences(*, run: InTurn | None = None, club: UUID | None = None) -> list[str]:
    """Every difference between a read model and the log, of one club or of all.

    Of one club without its tables, which `rebuild_all` has compared, and without the rows that belong to nothing, whose
    club nobody knows.
    """
    run, clubs = run or InTurn(), all_clubs() if club is None else [club]
    stages = [
        run("Tables", compare_tables, ranges(log.StreamKind.TABLE) if club is None else [], Found),
        run("Tournaments", compare_tournaments, ranges(log.StreamKind.TOURNAMENT, club), Found),
        run("Rest", compare_once, [Once(what=what) for what in ONCE if club is None], Found),
        run("Clubs", compare_of_club, of_each(clubs, MERGED, NAMES, PAST, READINGS, CASH), Found),
    ]
    return [line for stage in stages for each in stage for line in each.typed_lines()]


# --- Writing ----------------------------------------------------------------------------------------------


def write_tournaments(part: Range, report: Report) -> Found:
    """Write the tournament sheets of a range of tournaments again, and the positions of their boards."""
    with transaction.atomic():
        rows = list(inside(Tournament.objects.all(), part))
        log.lock_clubs({row.club_id for row in rows})
        locked = EveningSheet.objects.select_for_update().filter(tournament__in=rows)
        list(locked.values_list("tournament_id"))
        events_by_tournament = log.read_clubs({row.id: row.club_id for row in rows})
        states = [
            _Folded(row=row, stored=events_by_tournament[row.id], kept=None)
            for row in rows
            if events_by_tournament[row.id]
        ]
        EveningSheet.objects.bulk_create(
            [EveningSheet(tournament=state.row, **state.values()) for state in states],
            update_conflicts=True,
            unique_fields=unique_key("club", "tournament"),
            update_fields=["version", "state", "has_plan", "is_rehearsal", "last_position"],
        )
        _raise_board_positions(inside(Tournament.objects.all(), part))
    problems = [line for state in states for line in state.not_judged]
    return Found.of(problems, sum(len(state.stored) for state in states))


def _raise_board_positions(tournaments: "QuerySet[Tournament]") -> None:
    """Never lower a position: an old ETag must not become valid again."""
    newest = Scoresheet.objects.filter(table__tournament=OuterRef("id")).values("table__tournament")
    position = Subquery(newest.annotate(newest=Max("last_position")).values("newest")[:1])
    tournaments.order_by().update(board_position=Greatest("board_position", Coalesce(position, 0)))


def write_of_club(part: OfClub, report: Report) -> Found:
    """Rebuild one kind of a club's data."""
    if part.what == MERGED:
        rebuild_merges(part.club, now())
        return Found()
    if part.what == PAST:
        rebuild_past(part.club)
        return Found()
    if part.what == READINGS:
        return Found.of(rebuild_readings(part.club))
    cash = rebuild_cash(part.club)
    return Found.of(cash.problems, cash.events)


# --- Comparing --------------------------------------------------------------------------------------------


def compare_tournaments(part: Range, report: Report) -> Found:
    """Every difference between the tournaments of a range and their streams, and every wrong board position."""
    with one_snapshot():
        states = _folded(list(inside(Tournament.objects.all(), part)))
        lines = [line for state in states for line in _tournament_differences(state)]
        lines += _boards_astray([state.row for state in states])
    return Found.of(lines, sum(len(state.stored) for state in states))


def _folded(rows: list[Tournament]) -> list[_Folded]:
    events_by_tournament = log.read_clubs({row.id: row.club_id for row in rows})
    sheet_by_tournament = {sheet.tournament_id: sheet for sheet in EveningSheet.objects.filter(tournament__in=rows)}
    return [_Folded(row=row, stored=events_by_tournament[row.id], kept=sheet_by_tournament.get(row.id)) for row in rows]


def _tournament_differences(found: _Folded) -> Iterator[str]:
    if not found.stored:
        yield f"tournament {found.row.id} has no events"
    elif unread := found.not_judged:
        yield from unread
    else:
        what = f"evening of tournament {found.row.id}"
        yield from as_far_as_it_goes(what, partial(_unequal_tournament, what, found))


def _unequal_tournament(what: str, found: _Folded) -> Iterator[str]:
    yield from unequal(what, found.kept, found.values())
    yield from frame_differences(found.row, found.stored)


def _boards_astray(rows: list[Tournament]) -> Iterator[str]:
    """Boards with another position than that of their latest event."""
    tables = TableRow.objects.filter(tournament__in=rows).values_list("id", "tournament_id")
    tournament_of = dict(tables) | {row.id: row.id for row in rows}
    newest: dict[UUID, int] = {}
    for stream, position in log.last_positions(tournament_of).items():
        newest[tournament_of[stream]] = max(newest.get(tournament_of[stream], 0), position)
    for row in rows:
        if row.board_position != newest.get(row.id, 0):
            yield f"board of tournament {row.id} names position {row.board_position}, not {newest.get(row.id, 0)}"


def compare_once(part: Once, report: Report) -> Found:
    """The differences found by a single check."""
    with one_snapshot():
        return Found.of(as_far_as_it_goes(part.what, ONCE[part.what]))


def compare_of_club(part: OfClub, report: Report) -> Found:
    """The differences in one kind of a club's data."""
    with one_snapshot():
        return Found.of(as_far_as_it_goes(part.what, partial(OF_A_CLUB[part.what], part.club)))


def _stray_streams() -> Iterator[str]:
    for stream_id in log.streams_without(log.StreamKind.TABLE, TableRow.objects.values("id")):
        yield f"the log has a table {stream_id} that has no row"


ONCE: dict[str, Callable[[], Iterator[str]]] = {
    "streams without a row": _stray_streams,
    "rows without an owner": stray_rows,
}
OF_A_CLUB: dict[str, Callable[[UUID], Iterator[str]]] = {
    MERGED: merge_differences,
    NAMES: name_differences,
    PAST: past_differences,
    READINGS: reading_differences,
    CASH: cash_differences,
}
