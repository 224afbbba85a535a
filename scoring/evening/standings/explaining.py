"""What a score is made of, down to the deal: every number on the board can be followed to the sheets that made it.

Rules: docs/rules/tournaments.md, "Scores". The parts add up to the score, and a part's changes to its points. Knows
nothing of names or pages.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring.evening.standings.results import Result
from scoring.evening.state.played import Part, Score, What
from scoring.messages import Message, say


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One line of a sheet, as it changed a seat's number. `version` is the fact of the table, 0 for its start."""

    text: Message
    points: int
    version: int = 0
    is_corrected: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatSheet:
    """A seat's number from its table's start on, change by change."""

    starts_with: int
    changes: tuple[Change, ...]

    @property
    def ends_with(self) -> int:
        return self.starts_with + sum(change.points for change in self.changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedPart:
    """A part of a score with the changes behind it; none where a policy or an earlier stage gave it."""

    part: Part
    changes: tuple[Change, ...] = ()


Sheets = Mapping[tuple[int, int], SeatSheet]


def explained(result: Result, sheets: Sheets, *, brought: int = 0) -> tuple[ExplainedPart, ...]:
    """A result with the sheets of its seats by round and table. `brought` is what these sheets count on from."""
    return tuple(
        ExplainedPart(part=part, changes=tuple(_changes(part, sheets, brought)) if part.what is What.TABLE else ())
        for part in result.parts
    )


def total(parts: Sequence[ExplainedPart]) -> Score:
    """What the parts make together: the score."""
    return sum(each.part.amount for each in parts)


def _changes(part: Part, sheets: Sheets, brought: int) -> Iterator[Change]:
    """The lines of a round's tables one after the other; a table that went on starts where the one before ended."""
    stands = brought
    for number in part.tables:
        sheet = sheets.get((part.round or 0, number))
        if sheet is None:
            continue
        if sheet.starts_with != stands:
            text = say("Table {table} starts with {points}", table=number, points=sheet.starts_with)
            yield Change(text=text, points=sheet.starts_with - stands)
        yield from sheet.changes
        stands = sheet.ends_with
