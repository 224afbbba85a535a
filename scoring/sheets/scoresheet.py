"""The score sheet of a table, line by line: what each fact gave each seat, and where everybody stood after it.

Rules: docs/events.md, "Reading a sheet". Corrected and voided deals stay visible where they stood.
Knows nothing of names or pages.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from scoring.facts import wire
from scoring.messages import Message
from scoring.rules.table.fields import SeatMark, WrittenSheet
from scoring.rules.table.standing import SeatView
from scoring.rules.table.table import Note, Table, steps
from scoring.rules.table.written_hands import HandShown


class Cell(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One seat on one line: how it ended, the points it cost, and the standing after it.

    `mark` is what the sheet says of a seat that took part in the deal.
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
    """One fact in its place. `deal` is None for acts between deals; `remarks` is what a sheet says of the deal."""

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
        fact = entry.fact
        notes = () if entry.is_void else rules.story(setup, game, fact, after_game)
        lines.append(
            SheetLine(
                version=entry.version,
                kind=fact.kind,
                deal=fact.deal if isinstance(fact, wire.DealFact) else None,
                cells=_cells(fact, before, after),
                notes=notes,
                is_void=entry.is_void,
                corrected_at=entry.corrected_at,
                remarks=_remarks(fact),
            )
        )
        before = after
    return tuple(lines)


def race(table: Table, lines: tuple[SheetLine, ...] | None = None) -> tuple[RaceSeries, ...]:
    """The number that decides, seat by seat, after each deal: for the chart of the race."""
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


def _cells(fact: Any, before: Mapping[str, SeatView], after: Mapping[str, SeatView]) -> dict[str, Cell]:
    """Each seat's part in one fact, read from the standings around it."""
    sheet: WrittenSheet | None = getattr(fact, "sheet", None)
    marks = sheet.marks() if sheet is not None else {}
    playing = {seat: mark for seat, mark in marks.items() if mark.takes_part}
    acting = getattr(fact, "seat", None)
    return {
        seat: Cell(
            how=playing[seat].how if seat in playing else fact.kind if seat == acting and seat not in marks else "",
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


def _remarks(fact: Any) -> tuple[Message, ...]:
    sheet: WrittenSheet | None = getattr(fact, "sheet", None)
    return sheet.remarks() if sheet is not None else ()


def _points(before: SeatView, after: SeatView) -> int | None:
    return None if after.total is None or before.total is None else after.total - before.total


def hands_shown(table: Table) -> Mapping[int, tuple[HandShown, ...]]:
    """The hands of each deal by the version that stands on the sheet. Deals without cards are left out."""
    written = {
        entry.version: table.rules.hands_shown(table.setup, entry.fact.sheet)
        for entry in table.timeline
        if isinstance(entry.fact, wire.DealFact)
    }
    return {version: hands for version, hands in written.items() if hands}
