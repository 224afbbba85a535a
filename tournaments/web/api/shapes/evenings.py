"""The answers and bodies of a tournament's evening: who takes part, the rounds, the clock and what comes next.

Rules: docs/reference/api.md, "An evening". A field that is left out of an answer has the default given here.
"""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from tournaments.models.bounds import MOST_COUNT
from tournaments.web.api.shapes.tables import EventAnswer, Text, Version

# The answers and bodies of a club's cash desk: the night's book, its tills and lines, and what players have.

SeenLine = Annotated[int, Meta(ge=0, le=MOST_COUNT)]


class TillAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Somebody's till. What it should hold is told to whoever directs, and to everybody once it was counted."""

    till: str
    name: str
    float_minor: int
    is_open: bool
    counted_minor: int | None = None
    held_minor: int | None = None


class CashAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The book that is open now, with its lines after a version. `book` is null before the first line."""

    club: UUID
    currency: str
    book: UUID | None
    version: int
    tills: list[TillAnswer]
    lines: list[EventAnswer]
    next_after: int | None


class CashLineBody(msgspec.Struct, kw_only=True):
    """A line to write in the open book. What its fields mean: docs/events.md, "Cash books"."""

    event: dict[str, Any]
    expected_version: SeenLine = 0
    book: UUID | None = None


class CashLineAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The line that was written; a deed that was done already names the book as it stands."""

    book: UUID
    line: int
    version: int
    is_closed: bool


class BalanceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a player has in the club; below nought they owe it. `credit_minor` is how far they may."""

    player: str
    name: str
    balance_minor: int
    credit_minor: int


class BalancesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody who has or owes something, or was granted credit, A to Z."""

    club: UUID
    currency: str
    items: list[BalanceAnswer]


Reason = Annotated[str, Meta(max_length=500)]


class PersonAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody of an evening."""

    player: str
    name: str


class EveningTable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table of a round, its players in seat order. `is_over` after they went on at others."""

    table: UUID | None
    number: int
    seats: list[PersonAnswer]
    is_over: bool = False


class EveningRound(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A round as it was seated. The `seed` repeats its draw (docs/how-to/seating.md)."""

    stage: int
    round: int
    method: str
    tables: list[EveningTable]
    seed: str = ""
    sitting_out: list[PersonAnswer] = []


class EveningStage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stage of the plan, how many of its rounds are seated, and who went on from it, seeded."""

    number: int
    name: str
    rounds: int
    seated: int
    is_cut: bool = False
    advancing: list[PersonAnswer] = []


class TableClock(msgspec.Struct, frozen=True, kw_only=True):
    """A table that has longer than the round."""

    number: int
    extra_seconds: int


class ClockAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The time of the round that was seated last. While it runs `ends_at` stands, while it is paused `left_seconds`.

    A table with extra time ends that much later. `seconds` of 0: only the last deal was called.
    """

    round: int
    seconds: int
    is_running: bool
    ends_at: datetime | None = None
    left_seconds: int | None = None
    last_deal_at: datetime | None = None
    tables: list[TableClock] = []


class StepAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the director does next. `table` is where, if it is about one."""

    name: str
    title: str
    button: str
    table: UUID | None = None


class EveningAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tournament between the tables. `stage` is the one being played, or seated next.

    `next_step` only those see who direct. `version` is what `expected_version` of a deed at the desk means.
    """

    tournament: UUID
    version: int
    stage: int
    is_planned: bool = False
    is_started: bool = False
    is_closed: bool = False
    is_rehearsal: bool = False
    stages: list[EveningStage] = []
    rounds: list[EveningRound] = []
    clock: ClockAnswer | None = None
    next_step: StepAnswer | None = None


class EntryAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entrant. `plays_for` is whose place a substitute took, `replaced_by` who took theirs.

    `paid_minor` was taken, `due_minor` is still to be paid, re-entries included.
    """

    player: str
    name: str
    standing: Literal["entered", "standby", "withdrawn", "absent", "left", "substituted"]
    is_checked_in: bool
    paid_minor: int
    due_minor: int
    plays_for: str | None = None
    replaced_by: str | None = None
    reentries: list[int] = []
    rate: Literal["full", "member", "free"] = "full"
    pots: list[str] = []


class EntriesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Everybody who entered a tournament, A to Z, whatever became of them."""

    tournament: UUID
    version: int
    entry_minor: int
    currency: str
    items: list[EntryAnswer]


class EntryBody(msgspec.Struct, kw_only=True):
    """A name as the club has it; letters of the id behind it tell two of one name apart."""

    name: Text
    is_standby: bool = False
    is_paid: bool = False
    rate: Annotated[
        Literal["full", "member", "free"] | None, Meta(description="Left out: members' for members, else the full fee")
    ] = None
    pots: Annotated[list[Text], Meta(max_length=8, description="Side pots that are joined by wish")] = []


class EntriesBody(msgspec.Struct, kw_only=True):
    """Players to enter, all or none. A name that nobody in the club bears is refused unless `adds_new`."""

    entries: Annotated[list[EntryBody], Meta(min_length=1, max_length=500)]
    adds_new: bool = False
    expected_version: Version | None = None


class DeskBody(msgspec.Struct, kw_only=True):
    """One deed at the desk for one player. What each does: docs/reference/api.md, "An evening"."""

    player: UUID
    act: Literal[
        "check_in",
        "untick",
        "pay",
        "give_back",
        "promote",
        "wait",
        "absent",
        "not_absent",
        "arrived",
        "withdraw",
        "enter",
        "stand_by",
        "left",
        "returned",
        "reenter",
        "take_reentry_back",
    ]
    expected_version: Version | None = None


class SubstituteBody(msgspec.Struct, kw_only=True):
    """Somebody of the name `by` plays on in the place of `player`."""

    player: UUID
    by: Text
    reason: Reason
    adds_new: bool = False
    expected_version: Version | None = None


class UndoSubstituteBody(msgspec.Struct, kw_only=True):
    """Nobody plays in the place of `player` after all."""

    player: UUID
    reason: Reason
    expected_version: Version | None = None


class DeskAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The entries that were meant, as they stand now, and the deed that takes it back where there is one."""

    tournament: UUID
    version: int
    items: list[EntryAnswer]
    undo: str = ""
