"""A checked list of entries: what its rows would change, its problems, and what there is to choose."""

from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b

from scoring.events import wire
from scoring.messages import words
from scoring.problems import Problem
from tournaments.entries.commands.lists import EntryRow
from tournaments.people.known_names import Known


class Change(StrEnum):
    """What a row of a list changes."""

    ENTERS = words("enters")
    STANDS_BY = words("is added to the standby list")
    PROMOTED = words("comes in from the standby list")
    PAYS = words("has entered already, and pays")
    TERMS = words("has entered already, now with another fee")
    NOTHING = words("has entered already")


ENTERING = frozenset({Change.ENTERS, Change.STANDS_BY, Change.PROMOTED})


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedRow:
    """One row as it was understood. A new player's id is only a placeholder until the list is saved.

    `has_been_in`: the row enters somebody who was in the tournament before, or is on its standby list.
    """

    row: EntryRow
    player: str
    change: Change
    pays_minor: int = 0
    terms: wire.EntryTermsSet | None = None
    is_new: bool = False
    has_been_in: bool = False

    @property
    def is_chosen(self) -> bool:
        """Whether the user chose who the row means."""
        return bool(self.row.player) or self.row.is_namesake

    @property
    def rate(self) -> str:
        """The rate that the row sets; empty if it sets none."""
        return self.terms.rate if self.terms is not None else ""

    @property
    def pots(self) -> tuple[str, ...]:
        """The optional side pots that are joined, if the row changes the terms."""
        return self.terms.pots if self.terms is not None else ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A row that may mean several people: one of `players`, a new player, or none if the row is a duplicate."""

    row: EntryRow
    players: tuple[Known, ...] = ()

    @property
    def is_open(self) -> bool:
        """Whether neither a player nor "new" was chosen."""
        return not self.row.player and not self.row.is_namesake


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedList:
    """What a list would change, all its problems, and what there is to choose, by row."""

    rows: tuple[CheckedRow, ...] = ()
    problems: tuple[Problem, ...] = ()
    questions: tuple[Question, ...] = ()

    @property
    def new_names(self) -> tuple[str, ...]:
        """Names of players to be added to the club."""
        return tuple(checked.row.name for checked in self.rows if checked.is_new)

    @property
    def fingerprint(self) -> str:
        """A hash of what was shown: a list is saved only as the user has seen it.

        The choice of a row's player is not part of it, unless money is taken: the amount must have been seen.
        """
        open_numbers = {question.row.number for question in self.questions if question.is_open}
        shown_rows = [
            (checked_row.row.number, "" if checked_row.is_new else checked_row.player, checked_row.pays_minor)
            if checked_row.is_chosen
            else (
                replace(checked_row.row, reason=""),
                "" if checked_row.is_new else checked_row.player,
                checked_row.change,
                checked_row.pays_minor,
                checked_row.rate,
                checked_row.pots,
            )
            for checked_row in self.rows
            if checked_row.row.number not in open_numbers and (checked_row.row.is_paid or not checked_row.is_chosen)
        ]
        return blake2b(repr(shown_rows).encode(errors="replace"), digest_size=12).hexdigest()

    @property
    def has_open_questions(self) -> bool:
        """Whether a choice is still open."""
        return any(question.is_open for question in self.questions)

    @property
    def refusals(self) -> list[Problem]:
        """The problems of the list, without those that a choice will solve."""
        open_fields = {f"row {question.row.number}" for question in self.questions if question.is_open}
        return [problem for problem in self.problems if problem.field not in open_fields]

    def count(self, change: Change) -> int:
        return sum(checked.change is change for checked in self.rows)
