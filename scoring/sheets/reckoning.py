"""One seat's numbers, line by line: what happened, which rule and which option made of it what it cost.

Rules: docs/rules/leaderboard.md, "Every number can be followed". From its start on, the changes add up to where the
seat stands. Knows nothing of names, pages or storage.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from scoring.facts import wire
from scoring.messages import Message
from scoring.rules.table.fields import SeatMark, WrittenSheet
from scoring.rules.table.standing import ADDED, SeatView
from scoring.rules.table.table import Table, steps
from scoring.rules.table.variant import AnySetup, AnyVariant

# Every number of a board that lines add up to.
NUMBERS = tuple(name for name in ADDED if name in SeatView.__struct_fields__)


class ReckonedLine(msgspec.Struct, frozen=True, kw_only=True):
    """One line as it concerns a seat. `changes` by number; `because` may hold `{1}` where a seat is named.

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
    starts: SeatView
    ends: SeatView
    lines: tuple[ReckonedLine, ...]


def reckoned(table: Table, seat: str) -> SeatReckoning:
    """What one seat's numbers are made of."""
    rules, setup = table.rules, table.setup
    starts = rules.seats(setup, rules.start(setup))[seat]
    return SeatReckoning(seat=seat, starts=starts, ends=table.seats()[seat], lines=tuple(_lines(table, seat, starts)))


def _lines(table: Table, seat: str, starts: SeatView) -> Iterator[ReckonedLine]:
    """The lines in which the seat had a part, and those that moved one of its numbers."""
    before = starts
    for entry, game, after_game in steps(table):
        after = before if entry.is_void else table.rules.seats(table.setup, after_game)[seat]
        sheet: WrittenSheet | None = getattr(entry.fact, "sheet", None)
        mark = sheet.marks().get(seat) if sheet is not None else None
        changes = {name: change for name in NUMBERS if (change := _change(before, after, name))}
        is_own = mark is not None or getattr(entry.fact, "seat", None) == seat
        if changes or is_own or sheet is not None:
            told = _Told(table.rules, table.setup, entry.fact, seat)
            yield ReckonedLine(
                version=entry.version,
                kind=entry.fact.kind,
                deal=entry.fact.deal if isinstance(entry.fact, wire.DealFact) else None,
                mark=mark,
                changes=changes,
                because=() if entry.is_void else tuple(told.because(mark, game, after_game)),
                is_void=entry.is_void,
                corrected_at=entry.corrected_at,
                is_own=is_own,
            )
        before = after


class _Told:
    """One fact with the table's rules, from which the reasons are read."""

    def __init__(self, rules: AnyVariant, setup: AnySetup, fact: Any, seat: str) -> None:
        self.rules, self.setup, self.fact, self.seat = rules, setup, fact, seat

    def because(self, mark: SeatMark | None, before: Any, after: Any) -> Iterator[Message]:
        """The option that sets the price, what the sheet says of the whole deal, and what the game says of the seat."""
        if mark is not None:
            yield from self.rules.price_said(self.setup, mark)
        sheet: WrittenSheet | None = getattr(self.fact, "sheet", None)
        yield from sheet.remarks() if sheet is not None else ()
        for note in self.rules.story(self.setup, before, self.fact, after):
            if note.seat in (None, self.seat):
                yield note.text


def _change(before: SeatView, after: SeatView, name: str) -> int:
    return (getattr(after, name) or 0) - (getattr(before, name) or 0)


def sums(reckonings: Mapping[str, SeatReckoning] | list[SeatReckoning]) -> dict[str, int]:
    """Each number over several tables, from the starts and the lines alone."""
    several = list(reckonings.values()) if isinstance(reckonings, Mapping) else reckonings
    return {
        name: sum(
            (getattr(one.starts, name) or 0) + sum(line.changes.get(name, 0) for line in one.lines) for one in several
        )
        for name in NUMBERS
    }
