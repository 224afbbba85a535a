"""Lists that come in as spreadsheets: what each row would change, saved as it was shown, and undone as one action.

Rules: docs/how-to/importing.md, docs/decisions/0084-lists-that-come-in.md. `columns` finds what each column means,
`matching` whom each row means, a module for each kind of list says what it changes, and `run` previews, saves and
undoes. Knows nothing of pages.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from hashlib import blake2b

from scoring.messages import Message, say, words
from scoring.problems import Problem, RuleError
from tournaments.models import Club, ImportKind, Season, Tournament
from tournaments.people.known_names import Known
from tournaments.spreadsheets import Cell, Worksheet, column_letter, day_of, text_of

# Choices for a row besides a known player.
AS_NEW, LEAVE_OUT = "new", "skip"
# A day in a text: as in ISO 8601, or with the day first.
DAY = re.compile(r"(?<!\d)(?:(\d{4})-(\d{1,2})-(\d{1,2})|(\d{1,2})[./-](\d{1,2})[./-](\d{4}))(?!\d)")


class ImportRejected(RuleError):
    """A list that cannot be saved: every problem, with its row and column."""

    code = "import_rejected"


class Outcome(StrEnum):
    """What becomes of a row. A `similar` one is saved only after a choice."""

    NEW = words("new")
    CHANGED = words("changed")
    SIMILAR = words("similar")
    SAME = words("no change")
    LEFT_OUT = words("left out")
    REFUSED = words("refused")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportDraft:
    """A list and how it is to be read.

    `columns` are the fields by column, counted from 0, as somebody set them; None: as guessed. `has_heading` says
    whether the first row holds headings; None: if one is known. `choices` are a player's id, `new` or `skip` by row
    number, `others` the same for all other similar rows.
    """

    club: Club
    kind: ImportKind
    worksheet: Worksheet
    columns: Mapping[int, str] | None = None
    has_heading: bool | None = None
    choices: Mapping[int, str] = field(default_factory=dict)
    others: str = ""
    tournament: Tournament | None = None
    season: Season | None = None
    file_name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListRow:
    """A row of a list by its fields; only cells with something in them. `columns` are those the fields stand in."""

    number: int
    values: Mapping[str, Cell]
    columns: Mapping[str, int]

    def text(self, name: str) -> str:
        """A field as text; empty where the row has none."""
        return text_of(self.values.get(name, "")).strip()

    @property
    def name(self) -> str:
        """The name, from one column or from first and last name."""
        return self.text("name") or " ".join(filter(None, (self.text("given"), self.text("family"))))

    def day(self, name: str) -> date | None:
        """A field as a day: a date of a workbook, or text as in ISO 8601 or with the day first; None for all else."""
        match = DAY.fullmatch(self.text(name))
        return day_of(self.values.get(name, "")) or (day_in(match) if match else None)

    def problem(self, name: str, code: str, why: Message) -> Problem:
        """A problem with a field of the row."""
        column = self.columns.get(name)
        if column is None:
            return Problem(code, say("row {number}: {why}", number=self.number, why=why), field=f"row {self.number}")
        letter = column_letter(column)
        detail = say("row {number}, column {column}: {why}", number=self.number, column=letter, why=why)
        return Problem(code, detail, field=f"row {self.number}, column {letter}")


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChange:
    """A field of a player that a row changes. `name` is the field of the list."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewRow:
    """What becomes of one row. `player` is empty for a new one; `candidates` are whom a similar row may mean.

    Of several similar rows of one person the first has the candidates: what is chosen for it holds for all.
    """

    number: int
    name: str
    outcome: Outcome
    player: str = ""
    changes: tuple[FieldChange, ...] = ()
    candidates: tuple[Known, ...] = ()
    effects: tuple[Message, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What a list would change. `problems` are those of the list and of its columns; those of rows are with them."""

    rows: tuple[PreviewRow, ...] = ()
    problems: tuple[Problem, ...] = ()

    @property
    def counts(self) -> dict[Outcome, int]:
        """How many rows have each outcome; those that none has are left out."""
        outcomes = [row.outcome for row in self.rows]
        return {outcome: outcomes.count(outcome) for outcome in Outcome if outcome in outcomes}

    @property
    def refusals(self) -> list[Problem]:
        """Everything that must be solved before the list can be saved."""
        similar = (
            Problem(
                "choose_player",
                say("row {number}: {why}", number=row.number, why=say("choose who {name} is", name=row.name)),
                field=f"row {row.number}",
            )
            for row in self.rows
            if row.outcome is Outcome.SIMILAR and row.candidates
        )
        return [*self.problems, *(problem for row in self.rows for problem in row.problems), *similar]

    @property
    def fingerprint(self) -> str:
        """A digest of what was shown: a list is saved only as somebody has seen it."""
        shown_rows = [
            (row.number, row.name, row.outcome, row.player, row.changes, [str(effect) for effect in row.effects])
            for row in self.rows
        ]
        return blake2b(repr(shown_rows).encode(errors="replace"), digest_size=12).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Staying:
    """What an undone import leaves as it is, because something was built on it since."""

    name: str
    why: Message

    @property
    def text(self) -> Message:
        """Who stays, and why."""
        return say("{name}: {why}", name=self.name, why=self.why)


def day_in(match: re.Match[str]) -> date | None:
    """The day that `DAY` found; None where the calendar has none such."""
    parts = [int(part) for part in match.groups() if part]
    year, month, day = parts if match[1] else reversed(parts)
    with suppress(ValueError):
        return date(year, month, day)
    return None


def refused_row(row: ListRow, problems: Iterable[Problem]) -> PreviewRow:
    """A row with problems."""
    return PreviewRow(number=row.number, name=row.name, outcome=Outcome.REFUSED, problems=tuple(problems))
