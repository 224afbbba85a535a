"""The score sheet of a table, line by line: each event's effect on each seat, the standings, and the reasons.

Rules: docs/events.md, "Reading a sheet"; docs/rules/leaderboard.md, "Every number can be followed". Corrected and
voided deals stay visible where they stood.
Knows nothing of names or pages.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from scoring.events import wire
from scoring.messages import Message
from scoring.rules.table.fields import SeatMark, WrittenSheet
from scoring.rules.table.questions import HandShown
from scoring.rules.table.standing import ADDED, SeatStanding
from scoring.rules.table.table import Note, Table, steps


class Cell(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One seat on one line: how it ended, the points it cost, and the standing after it.

    `mark` is what the sheet shows for a seat that took part in the deal.
    """

    how: str = ""
    mark: SeatMark | None = None
    points: int | None = None
    total: int | None = None
    chips: int | None = None
    net_points: int | None = None
    is_out: bool = False
    went_out: bool = False


class SheetLine(msgspec.Struct, frozen=True, kw_only=True):
    """One event in its place. `deal` is None for acts between deals; `remarks` are the sheet's remarks on the deal."""

    version: int
    kind: str
    deal: int | None
    cells: dict[str, Cell]
    notes: tuple[Note, ...]
    is_void: bool
    corrected_at: int
    remarks: tuple[Message, ...] = ()


class RaceSeries(msgspec.Struct, frozen=True, kw_only=True):
    """One seat's number after every counting deal, from the start on."""

    seat: str
    values: tuple[int, ...]


def sheet_lines(table: Table) -> tuple[SheetLine, ...]:
    """Every line of the sheet in the order in which it counts."""
    rules, setup = table.rules, table.setup
    before = rules.seats(setup, rules.start(setup))
    lines: list[SheetLine] = []
    for entry, game, after_game in steps(table):
        after = before if entry.is_void else rules.seats(setup, after_game)
        event = entry.event
        notes = () if entry.is_void else rules.story(setup, game, event, after_game)
        lines.append(
            SheetLine(
                version=entry.version,
                kind=event.kind,
                deal=event.deal if isinstance(event, wire.DealEvent) else None,
                cells=_cells(event, before, after),
                notes=notes,
                is_void=entry.is_void,
                corrected_at=entry.corrected_at,
                remarks=_remarks(event),
            )
        )
        before = after
    return tuple(lines)


def race(table: Table, lines: tuple[SheetLine, ...] | None = None) -> tuple[RaceSeries, ...]:
    """The deciding number, seat by seat, after each deal: for the chart of the race."""
    name = table.rules.race
    start = table.rules.seats(table.setup, table.rules.start(table.setup))
    counted = [line for line in lines or sheet_lines(table) if not line.is_void]
    return tuple(
        RaceSeries(
            seat=seat,
            values=(getattr(start[seat], name) or 0, *(getattr(line.cells[seat], name) or 0 for line in counted)),
        )
        for seat in table.setup.seats
    )


def _cells(event: Any, before: Mapping[str, SeatStanding], after: Mapping[str, SeatStanding]) -> dict[str, Cell]:
    """Each seat's part in one event, read from the standings around it."""
    marks = _marks(event)
    playing = {seat: mark for seat, mark in marks.items() if mark.takes_part}
    acting = getattr(event, "seat", None)
    return {
        seat: Cell(
            how=playing[seat].how if seat in playing else event.kind if seat == acting and seat not in marks else "",
            mark=playing.get(seat),
            points=_points(before[seat], now) if seat in playing or now.total != before[seat].total else None,
            total=now.total,
            chips=now.chips,
            net_points=now.net_points,
            is_out=not now.is_in,
            went_out=before[seat].is_in and not now.is_in,
        )
        for seat, now in after.items()
    }


def _sheet_of(event: Any) -> WrittenSheet | None:
    return getattr(event, "sheet", None)


def _marks(event: Any) -> dict[str, SeatMark]:
    sheet = _sheet_of(event)
    return {} if sheet is None else sheet.marks()


def _remarks(event: Any) -> tuple[Message, ...]:
    sheet = _sheet_of(event)
    return () if sheet is None else sheet.remarks()


def _points(before: SeatStanding, after: SeatStanding) -> int | None:
    return None if after.total is None or before.total is None else after.total - before.total


def hands_shown(table: Table) -> Mapping[int, tuple[HandShown, ...]]:
    """The hands of each deal by the version that is on the sheet. Deals without cards are left out."""
    hands_by_version = {
        entry.version: table.rules.hands_shown(table.setup, entry.event.sheet)
        for entry in table.timeline
        if isinstance(entry.event, wire.DealEvent)
    }
    return {version: hands for version, hands in hands_by_version.items() if hands}


# Every number of a leaderboard as the sum of lines.
NUMBERS = tuple(name for name in ADDED if name in SeatStanding.__struct_fields__)


class ReckonedLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line as it concerns a seat. `changes` by number; `because` may contain `{1}` where a seat is named.

    `deal` is None for acts between deals. A void line changes nothing.
    """

    version: int
    kind: str
    deal: int | None
    mark: SeatMark | None
    changes: dict[str, int]
    because: tuple[Message, ...]
    is_void: bool
    corrected_at: int
    is_own: bool


class SeatReckoning(msgspec.Struct, frozen=True, kw_only=True):
    """A seat from its table's start on. Starts and changes add up to `ends`, number by number."""

    seat: str
    starts: SeatStanding
    ends: SeatStanding
    lines: tuple[ReckonedLine, ...]


def reckoned(table: Table, seat: str) -> SeatReckoning:
    """The parts of one seat's numbers."""
    rules, setup = table.rules, table.setup
    starts = rules.seats(setup, rules.start(setup))[seat]
    return SeatReckoning(seat=seat, starts=starts, ends=table.seats()[seat], lines=tuple(_lines(table, seat, starts)))


def _lines(table: Table, seat: str, starts: SeatStanding) -> Iterator[ReckonedLine]:
    """The lines in which the seat had a part, and those that changed one of its numbers."""
    before = starts
    for entry, game, after_game in steps(table):
        after = before if entry.is_void else table.rules.seats(table.setup, after_game)[seat]
        mark = _marks(entry.event).get(seat)
        changes = {name: change for name in NUMBERS if (change := _change(before, after, name))}
        is_own = mark is not None or getattr(entry.event, "seat", None) == seat
        is_own = is_own or isinstance(entry.event, wire.TotalsRecorded)
        if changes or is_own or _sheet_of(entry.event) is not None:
            yield ReckonedLine(
                version=entry.version,
                kind=entry.event.kind,
                deal=entry.event.deal if isinstance(entry.event, wire.DealEvent) else None,
                mark=mark,
                changes=changes,
                because=() if entry.is_void else tuple(_because(table, entry.event, seat, game, after_game)),
                is_void=entry.is_void,
                corrected_at=entry.corrected_at,
                is_own=is_own,
            )
        before = after


def _because(table: Table, event: Any, seat: str, game: Any, after: Any) -> Iterator[Message]:
    """The option that sets the price, the sheet's remarks on the whole deal, and the game's notes on the seat."""
    rules, setup, marks = table.rules, table.setup, _marks(event)
    if seat in marks:
        yield from rules.price_messages(setup, marks[seat])
    yield from _remarks(event)
    yield from (note.text for note in rules.story(setup, game, event, after) if note.seat in (None, seat))


def _change(before: SeatStanding, after: SeatStanding, name: str) -> int:
    return (getattr(after, name) or 0) - (getattr(before, name) or 0)
