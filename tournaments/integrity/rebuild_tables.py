"""Rebuilds the rows of tables from the log, or compares them with it, a range of ids at a time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import F

from scoring.rules.table.table import Table
from tournaments import log
from tournaments.books.commands import REHEARSED
from tournaments.integrity import unequal
from tournaments.integrity.ranges import Found, Range, inside
from tournaments.integrity.rebuild_rows import Opened, Seats, seat_differences, seats_of
from tournaments.log.auditing import as_far_as_it_goes, not_judged
from tournaments.log.parts import Report, one_snapshot
from tournaments.log.reading import table_from_log
from tournaments.models import Scoresheet, Standing
from tournaments.models import Table as TableRow
from tournaments.models.statements import unique_key, upsert
from tournaments.projections.boards import COLUMNS, sheet_values, standings_of, write_standings

Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Folded:
    """One table folded from the log."""

    row: TableRow
    table: Table
    stored: Sequence[log.StoredEvent]

    @property
    def first(self) -> log.StoredEvent:
        return self.stored[0]

    @property
    def last(self) -> log.StoredEvent:
        return self.stored[-1]

    @property
    def not_judged(self) -> list[str]:
        """Its unreadable events, as lines of a proof."""
        return not_judged(f"table {self.row.id}", self.stored, self.table.unreadable)


def write_tables(part: Range, report: Report) -> Found:
    """Write the score sheets and standings of a range again; unreadable events of a stream are skipped."""
    with transaction.atomic():
        folded = [folded_table for folded_table in _written(_rows(part)).values() if folded_table]
    problems = [line for folded_table in folded for line in folded_table.not_judged]
    return Found.of(problems, sum(len(folded_table.stored) for folded_table in folded))


def write_proven_tables(part: Range, report: Report) -> Found:
    """The same, and every difference that remains: in seats and names, which are not written, or in what was stored."""
    with transaction.atomic():
        rows = _rows(part)
        return _compared(rows, _written(rows))


def compare_tables(part: Range, report: Report) -> Found:
    """Every difference between the rows of a range and the log, in one snapshot."""
    with one_snapshot():
        rows = _rows(part)
        return _compared(rows, _folded(rows))


def _rows(part: Range) -> list[TableRow]:
    tables = TableRow.objects.select_related("tournament").only("tournament__club", "round", "number", "name")
    return list(inside(tables, part))


def _compared(rows: Sequence[TableRow], folded: Mapping[UUID, _Folded | None]) -> Found:
    stored_rows = _Kept.of([row.id for row in rows])
    lines = [line for row in rows for line in _differences(row, folded[row.id], stored_rows)]
    return Found.of(lines, sum(len(folded_table.stored) for folded_table in folded.values() if folded_table))


def _folded(rows: Sequence[TableRow]) -> dict[UUID, _Folded | None]:
    """Each table folded from the log; None if it has no events."""
    events_by_table = log.read_clubs({row.id: row.tournament.club_id for row in rows})
    return {
        row.id: _Folded(row=row, table=table_from_log(its), stored=its) if (its := events_by_table[row.id]) else None
        for row in rows
    }


def _written(rows: Sequence[TableRow]) -> dict[UUID, _Folded | None]:
    """Write the rows of tables again; returns the tables as they were folded."""
    # An event that is being stored is either read here, or waits until this transaction ends.
    log.lock_clubs({row.tournament.club_id for row in rows})
    # Settlements hold no club's lock.
    locked = Scoresheet.objects.select_for_update().filter(table_id__in=[row.id for row in rows]).order_by("table_id")
    list(locked.values_list("table_id"))
    folded = _folded(rows)
    _write([folded_table for folded_table in folded.values() if folded_table and not folded_table.table.is_lost])
    return folded


def _write(folded: Sequence[_Folded]) -> None:
    """Write a batch of score sheets and standings, in few statements however many there are."""
    sheets = [tuple(map(_sheet(folded_table).__getitem__, ALL_COLUMNS)) for folded_table in folded]
    upsert("tournaments_scoresheet", ALL_COLUMNS, sheets, key=unique_key("club_id", "table_id"), keeps=SETTLEMENT)
    standings = [
        row
        for folded_table in folded
        for row in standings_of(folded_table.row, folded_table.table, position=folded_table.last.position)
    ]
    write_standings(standings)
    _drop_strays(folded, {(table, seat) for table, seat, *_ in standings})
    owing = [folded_table.row.id for folded_table in folded if folded_table.table.dues()]
    due = Scoresheet.objects.filter(table_id__in=owing, due_version=0).exclude(REHEARSED)
    due.update(due_version=F("version"))


def _sheet(each: _Folded) -> dict[str, Any]:
    """The score sheet's columns. An existing row keeps those of its settlement; a lost one is settled again."""
    return {
        "table_id": each.row.id,
        "club_id": each.row.tournament.club_id,
        "last_position": each.last.position,
        "last_recorded_at": each.last.recorded_at,
        "due_version": each.table.version,
        **SETTLED_NEVER,
        **sheet_values(each.table),
    }


def _drop_strays(folded: Sequence[_Folded], wanted: set[tuple[UUID, int]]) -> None:
    """Delete standings of seats that are not in the log."""
    standings = Standing.objects.filter(table_id__in=[folded_table.row.id for folded_table in folded])
    strays = [
        key for key, *place in standings.values_list("id", "table_id", "seat_number") if tuple(place) not in wanted
    ]
    if strays:
        Standing.objects.filter(id__in=strays).delete()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    """The stored rows of some tables: score sheets, standings by seat, and seats."""

    sheets: Mapping[UUID, Row]
    standings: Mapping[UUID, Mapping[int, Row]]
    seats: Mapping[UUID, Seats]
    opened: Opened

    @classmethod
    def of(cls, ids: Sequence[UUID]) -> "_Kept":
        """Read in one query each, as tuples: creating model instances took longer than folding the tables."""
        sheets = Scoresheet.objects.filter(table_id__in=ids).values_list(*COMPARED)
        standings: dict[UUID, dict[int, Row]] = {}
        for row in Standing.objects.filter(table_id__in=ids).values_list(*COLUMNS):
            standings.setdefault(row[0], {})[row[1]] = row
        return cls(sheets={row[0]: row for row in sheets}, standings=standings, seats=seats_of(ids), opened=Opened())


def _differences(row: TableRow, each: _Folded | None, kept: _Kept) -> Iterator[str]:
    if each is None:
        yield f"table {row.id} has no events"
    elif unread := each.not_judged:
        yield from unread
    else:
        yield from as_far_as_it_goes(f"table {row.id}", partial(_table_differences, each, kept))


def _table_differences(each: _Folded, kept: _Kept) -> Iterator[str]:
    """If a table was cancelled because its opening cannot be read, its seats cannot be checked."""
    expected, which = _sheet(each), each.row.id
    expected_row = tuple(expected[column] for column in COMPARED)
    yield from _unequal_row(f"score sheet of table {which}", COMPARED, kept.sheets.get(which), expected_row)
    if each.table.is_lost:
        return
    yield from kept.opened.differences(each.row, each.table, each.first)
    yield from seat_differences(each.row, each.table, kept.seats.get(which, {}))
    yield from _standing_differences(each, kept.standings.get(which, {}))


def _standing_differences(each: _Folded, kept: Mapping[int, Row]) -> Iterator[str]:
    row_by_seat = {row[1]: row for row in standings_of(each.row, each.table, position=each.last.position)}
    for number, row in row_by_seat.items():
        what = f"standing of seat {number} at table {each.row.id}"
        yield from _unequal_row(what, COLUMNS, kept.get(number), row)
    for number in kept.keys() - row_by_seat.keys():
        yield f"standing of seat {number} at table {each.row.id} belongs to nobody"


def _unequal_row(what: str, columns: Sequence[str], kept: Row | None, wanted: Row) -> Iterator[str]:
    """Each column that differs. Usually none does, so the rows are compared as a whole first."""
    if kept != wanted:
        row = None if kept is None else dict(zip(columns, kept, strict=True))
        yield from unequal(what, row, dict(zip(columns, wanted, strict=True)))


# The settlement columns follow from no event; a lost row has to be settled again.
SETTLED_NEVER = {"settled_version": 0, "settle_problem": "", "settle_attempts": 0, "settled_at": None}
SETTLEMENT = {"due_version", *SETTLED_NEVER}
ALL_COLUMNS = [field.attname for field in Scoresheet._meta.concrete_fields]
SHEET_COLUMNS = [name for name in ALL_COLUMNS if name not in SETTLEMENT and name not in ("table_id", "club_id")]
COMPARED = ("table_id", "club_id", *SHEET_COLUMNS)
