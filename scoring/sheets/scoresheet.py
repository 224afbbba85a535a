"""The score sheet of a table, line by line: what each fact gave each seat, and where everybody stood after it.

Rules: docs/events.md, "Reading a sheet". Corrected and voided deals stay visible where they stood.
Knows nothing of names or pages.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from scoring.facts import wire
from scoring.rules.cards import parse_cards, parse_wild
from scoring.rules.hands.judging import GroupShown, group_shown
from scoring.rules.hands.words import Face, faces
from scoring.rules.table.fields import SeatMark, WrittenSheet
from scoring.rules.table.table import Note, SeatView, Table, steps
from scoring.rules.variants.indian.outcomes import COUNTED, DealOptions, DealSheet, How, hand_points


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
    remarks: tuple[str, ...] = ()


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
    playing = {seat: mark for seat, mark in marks.items() if mark.how != How.NOT_IN_DEAL}
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


def _remarks(fact: Any) -> tuple[str, ...]:
    sheet: WrittenSheet | None = getattr(fact, "sheet", None)
    return sheet.remarks() if sheet is not None else ()


def _points(before: SeatView, after: SeatView) -> int | None:
    return None if after.total is None or before.total is None else after.total - before.total


# The hands that were written down as cards, deal by deal, for a sheet that shows them as card faces.


@dataclass(frozen=True, slots=True, kw_only=True)
class HandShown:
    """One seat's cards in one deal. `points` is what they cost, where the sheet or the rules say so."""

    seat: str
    title: str
    points: int | None
    groups: list[GroupShown]
    loose: list[Face]


def hands_shown(table: Table) -> Mapping[int, tuple[HandShown, ...]]:
    """The hands of each deal by the version that stands on the sheet. Deals without cards are left out."""
    written = {
        entry.version: _hands(table, entry.fact.sheet)
        for entry in table.timeline
        if isinstance(entry.fact, wire.DealFact)
    }
    return {version: hands for version, hands in written.items() if hands}


def _hands(table: Table, sheet: WrittenSheet) -> tuple[HandShown, ...]:
    """Every seat whose cards stand on the sheet."""
    options = table.setup.options
    in_cards = {seat: mark for seat, mark in sheet.marks().items() if mark.groups or mark.loose}
    if isinstance(sheet, DealSheet) and isinstance(options, DealOptions):
        return tuple(_judged(seat, mark, sheet, options) for seat, mark in in_cards.items())
    return tuple(_plain(seat, mark) for seat, mark in in_cards.items())


def _judged(seat: str, mark: SeatMark, sheet: DealSheet, options: DealOptions) -> HandShown:
    """A hand of Indian rummy under the wild card of its deal."""
    wild = parse_wild(sheet.wild, printed_as_wild=options.printed_as_wild)
    groups = [parse_cards(group, "groups") for group in mark.groups]
    outcome = sheet.outcomes[seat]
    return HandShown(
        seat=seat,
        title=mark.title,
        points=hand_points(outcome, options, sheet.wild) if outcome.how in COUNTED else None,
        groups=[group_shown(number, cards, wild, options) for number, cards in enumerate(groups, start=1)],
        loose=faces(parse_cards(mark.loose, "loose"), wild),
    )


def _plain(seat: str, mark: SeatMark) -> HandShown:
    """The cards of any other game, as they were written."""
    groups = [
        GroupShown(title=f"Group {number}", kind="", faces=faces(parse_cards(group, "groups"), None))
        for number, group in enumerate(mark.groups, start=1)
    ]
    loose = faces(parse_cards(mark.loose, "loose"), None)
    return HandShown(seat=seat, title=mark.title, points=mark.count, groups=groups, loose=loose)
