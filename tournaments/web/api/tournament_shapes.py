"""The answers and bodies of a running tournament: who takes part, the rounds, the clock and what comes next.

Rules: docs/reference/api.md, "A running tournament". A field that is left out of an answer has the default given here.
"""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from tournaments.models.bounds import MOST_COUNT
from tournaments.models.play import MOST_PLACES
from tournaments.web.api.table_shapes import CashEventJson, EventAnswer, Minor, Page, TableAnswer, Text, Version


class ProblemPart(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One problem to correct: a stable code, the seat and field it concerns, and a message."""

    code: str
    detail: str
    seat: str | None = None
    field: str | None = None
    event: int | None = None


FieldName = Annotated[str, Meta(max_length=200)]
CellText = Annotated[str, Meta(max_length=2_000)]
CellNumber = Annotated[int, Meta(ge=-MOST_COUNT, le=MOST_COUNT)]


class ImportBody(msgspec.Struct, kw_only=True):
    """A list to import: rows by the names of their fields, such as name, number and email.

    `choices` says by row, counted from 1, who a similar name is: a player's id, `new` or `skip`; `similar` says it for
    all others. `shown` is the fingerprint of a dry run: another preview by now is refused. Numbers with decimals are
    texts, written as in the club's place.
    """

    kind: Literal["players", "entries", "balances", "standings"]
    rows: Annotated[
        list[Annotated[dict[FieldName, CellText | CellNumber], Meta(max_length=60)]], Meta(max_length=20_000)
    ]
    tournament: Annotated[UUID | None, Meta(description="For entries")] = None
    season: Annotated[UUID | None, Meta(description="For standings")] = None
    choices: Annotated[
        dict[Annotated[str, Meta(max_length=9)], Annotated[str, Meta(max_length=36)]], Meta(max_length=20_000)
    ] = {}
    similar: Literal["", "new", "skip"] = ""
    dry_run: bool = False
    shown: Annotated[str, Meta(max_length=100)] | None = None
    file_name: Annotated[str, Meta(max_length=200)] = ""


class ImportChange(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a player that a row changes."""

    field: str
    before: str
    after: str


class ImportRowAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What becomes of a row. `candidates` are the players whom a similar name may mean, by id."""

    number: int
    name: str
    outcome: Literal["new", "changed", "similar", "same", "left_out", "refused"]
    player: UUID | None = None
    changes: list[ImportChange] = []
    candidates: dict[str, str] = {}
    effects: list[str] = []


class ImportAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An import, with how many rows had each outcome. A dry run has no id, and every row."""

    id: UUID | None
    kind: str
    counts: dict[str, int]
    made_at: datetime | None = None
    undone_at: datetime | None = None
    file_name: str = ""
    fingerprint: str = ""
    rows: list[ImportRowAnswer] = []
    problems: list[ProblemPart] = []


class UndoImportBody(msgspec.Struct, kw_only=True):
    """An import to undo."""

    dry_run: bool = False


class StayingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What an undone import leaves as it is, and why."""

    name: str
    why: str


class UndoImportAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An import that was undone, and what stays as it is. A dry run undoes nothing."""

    id: UUID
    undone_at: datetime | None
    stays: list[StayingAnswer] = []


class ImportPage(Page[ImportAnswer], frozen=True, kw_only=True):
    """Imports, the latest first."""


# Responses and bodies of a club's cash desk: the cash book, its tills and lines, and players' balances.

SeenLine = Annotated[int, Meta(ge=0, le=MOST_COUNT)]


class TillAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A till. `held_minor` is the expected amount; before the till is counted, only directors see it."""

    till: str
    name: str
    float_minor: int
    is_open: bool
    counted_minor: int | None = None
    held_minor: int | None = None


class CashAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The open cash book, with its entries after a version. `book` is null if no book is open."""

    club: UUID
    currency: str
    book: UUID | None
    version: int
    tills: list[TillAnswer]
    lines: list[EventAnswer]
    next_after: int | None


class CashLineBody(msgspec.Struct, kw_only=True):
    """An entry for the open cash book. Its fields: docs/events.md, "Cash books"."""

    event: CashEventJson
    expected_version: SeenLine = 0
    book: UUID | None = None


class CashLineAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The stored entry, and its book now. If another request had done it already, `line` is the last entry."""

    book: UUID
    line: int
    version: int
    is_closed: bool


class BalanceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A player's balance; a negative one is a debt. `credit_minor` is the credit limit."""

    player: str
    name: str
    balance_minor: int
    credit_minor: int


class BalancesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """All players with a balance, a debt or a credit limit, A to Z."""

    club: UUID
    currency: str
    items: list[BalanceAnswer]


Reason = Annotated[str, Meta(max_length=500)]


class PersonAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A player of a tournament."""

    player: str
    name: str


class EveningTable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table of a round, its players in seat order. `is_over` once they were moved to other tables.

    A seat whose player is hidden from the public has an empty `player` and `name` for those without a login.
    """

    table: UUID | None
    number: int
    seats: list[PersonAnswer]
    is_over: bool = False


class EveningRound(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A round and its seating. The `seed` is its draw code (docs/how-to/seating.md)."""

    stage: int
    round: int
    method: str
    tables: list[EveningTable]
    seed: str = ""
    sitting_out: list[PersonAnswer] = []


class EveningStage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A stage of the plan, how many of its rounds are seated, and who qualified from it, in seeding order.

    `preset` and `variant` are set if the stage plays another game than the tournament.
    """

    number: int
    name: str
    rounds: int
    seated: int
    is_cut: bool = False
    advancing: list[PersonAnswer] = []
    preset: str = ""
    variant: str = ""


class TableClock(msgspec.Struct, frozen=True, kw_only=True):
    """A table with extra time."""

    number: int
    extra_seconds: int


class ClockAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The clock of the last seated round: `ends_at` while it runs, `left_seconds` while it is paused.

    A table with extra time ends that much later. `seconds` of 0: no time limit, only the last deal was called.
    """

    round: int
    seconds: int
    is_running: bool
    ends_at: datetime | None = None
    left_seconds: int | None = None
    last_deal_at: datetime | None = None
    tables: list[TableClock] = []


class StepAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The next step for the director. `table` is the table that it concerns, if any."""

    name: str
    title: str
    button: str
    table: UUID | None = None


class EveningAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tournament's stages, rounds and clock. `stage` is the number of the one being played, or seated next.

    Only directors get `next_step`. Check-in actions may send `version` as `expected_version`.
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
    """A player who entered. `plays_for`: as a substitute, whom they replaced. `replaced_by`: who substitutes for them.

    `paid_minor` is paid, `due_minor` is still to be paid, re-entries and side pots included; `overpaid_minor` is what a
    player who plays has paid beyond that. `is_hidden`: left, and not shown to the public.
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
    overpaid_minor: int = 0
    is_hidden: bool = False


class EntriesAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """All players who entered a tournament, A to Z, including withdrawn ones."""

    tournament: UUID
    version: int
    entry_minor: int
    currency: str
    items: list[EntryAnswer]


class EntryBody(msgspec.Struct, kw_only=True):
    """A player by name. If several have it, add the first four characters of the id: `Asha (3f2a)`."""

    name: Text
    is_standby: bool = False
    is_paid: bool = False
    rate: Annotated[
        Literal["full", "member", "free"] | None, Meta(description="Left out: member fee for members, else full fee")
    ] = None
    pots: Annotated[list[Text], Meta(max_length=8, description="Optional side pots that the player joins")] = []


class EntriesBody(msgspec.Struct, kw_only=True):
    """Players to enter, all or none. A name that no player of the club has is refused unless `adds_new`."""

    entries: Annotated[list[EntryBody], Meta(min_length=1, max_length=500)]
    adds_new: bool = False
    reason: Annotated[str, Meta(max_length=500, description="Needed for free and reduced fees")] = ""
    ask_first: bool = False
    expected_version: Version | None = None


class DeskBody(msgspec.Struct, kw_only=True):
    """One action at check-in for one player. What each does: docs/reference/api.md, "A running tournament"."""

    player: UUID
    act: Literal[
        "check_in",
        "untick",
        "pay",
        "give_back",
        "promote",
        "undo_promotion",
        "wait",
        "absent",
        "not_absent",
        "arrived",
        "withdraw",
        "enter",
        "undo_withdrawal",
        "stand_by",
        "left",
        "returned",
        "hide",
        "show",
        "reenter",
        "take_reentry_back",
    ]
    reason: Annotated[str, Meta(max_length=500, description="Needed for a refund, optional for `hide`")] = ""
    amount_minor: Annotated[Minor, Meta(description="Of a refund: this much; 0 is everything")] = 0
    ask_first: bool = False
    expected_version: Version | None = None


class SubstituteBody(msgspec.Struct, kw_only=True):
    """The player named `by` is a substitute for `player`."""

    player: UUID
    by: Text
    reason: Reason
    adds_new: bool = False
    ask_first: bool = False
    expected_version: Version | None = None


class UndoSubstituteBody(msgspec.Struct, kw_only=True):
    """Undo the substitution for `player`."""

    player: UUID
    reason: Reason
    expected_version: Version | None = None


class DeskAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The current entries of the players concerned. `undo` is the act that undoes the action, or empty.

    After `pay`, `undo_amount_minor` is what was taken: with it, `give_back` refunds that payment alone.
    """

    tournament: UUID
    version: int
    items: list[EntryAnswer]
    undo: str = ""
    undo_amount_minor: int = 0
    # The questions that `ask_first` would have returned.
    warnings: list[ProblemPart] = []


class SelfEntryBody(msgspec.Struct, kw_only=True):
    """How players enter by themselves. `until` left out: until the start; `places` left out: no limit."""

    takes_entries: bool
    until: datetime | None = None
    places: Annotated[int, Meta(ge=1, le=MOST_PLACES)] | None = None
    shows: Annotated[
        Literal["nothing", "number", "names"], Meta(description="What the public sees of those who come")
    ] = "number"
    asks_email: bool = True
    asks_phone: bool = False


class SelfEntryAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """How players enter by themselves. `why_closed` says why nobody can now; it is empty where they can."""

    tournament: UUID
    takes_entries: bool
    until: datetime
    places: int | None
    shows: Literal["nothing", "number", "names"]
    asks_email: bool
    asks_phone: bool
    why_closed: str


class EntryRequestBody(msgspec.Struct, kw_only=True):
    """Who wants to enter, as typed on a form of the club's own. With an address a mail asks to confirm it."""

    name: Annotated[str, Meta(max_length=200)]
    email: Annotated[str, Meta(max_length=254)] = ""
    phone: Annotated[str, Meta(max_length=40)] = ""
    wants_mail: Annotated[bool, Meta(description="Further messages, once the address is confirmed")] = False
    note: Annotated[str, Meta(max_length=200)] = ""


class EntryRequestAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A request of somebody who wants to enter. `code` is what they say at the desk; `player` who they are.

    `same` are the club's players of this name, `similar` those who may be meant; `seen` is a digest of both, to be sent
    with a decision. `is_proven`: a browser did the work that keeps machines out.
    """

    id: UUID
    code: str
    name: str
    state: Literal["unconfirmed", "confirmed", "entered", "refused", "withdrawn"]
    made_at: datetime
    is_proven: bool
    email: str = ""
    phone: str = ""
    wants_mail: bool = False
    note: str = ""
    player: UUID | None = None
    reason: str = ""
    same: list[PersonAnswer] = []
    similar: list[PersonAnswer] = []
    seen: str = ""


class EntryRequestsAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The requests that wait, at most 500, confirmed ones first; and how many play and stand by."""

    tournament: UUID
    places: int | None
    playing: int
    standby: int
    items: list[EntryRequestAnswer]


class EntryRequestMade(msgspec.Struct, frozen=True, kw_only=True):
    """The request, and the address at which its sender sees what becomes of it: give it to nobody else."""

    request: EntryRequestAnswer
    status_url: str
    is_mailed: bool


class DecisionBody(msgspec.Struct, kw_only=True):
    """A decision: `enter` as a new player, `enter_as` a `player` of the club, `refuse` with a `reason`.

    `refuse_unconfirmed` takes no `request`: it is about all that nobody has confirmed.
    """

    act: Literal["enter", "enter_as", "refuse", "refuse_unconfirmed"]
    request: UUID | None = None
    player: UUID | None = None
    reason: Annotated[str, Meta(max_length=200, description="Its sender reads it")] = ""
    seen: Annotated[
        Annotated[str, Meta(max_length=16)] | None,
        Meta(description="Of the request: refused if other players look like it now"),
    ] = None


class DecisionAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The request as decided, or how many were refused together. `is_standby`: all places are taken."""

    request: EntryRequestAnswer | None
    refused: int
    is_standby: bool


class ManyBody(msgspec.Struct, kw_only=True):
    """One action for all that are ready, or for those in `only`.

    `undo`: the Idempotency-Key of the request to undo. `confirm_deals` cannot be undone: correct the deal.
    """

    act: Literal["close_tables", "confirm_deals", "check_in", "take_entries", "mark_absent"]
    only: Annotated[
        Annotated[list[Text], Meta(max_length=2_000)] | None,
        Meta(description="Ids of tables or players; of deals, a table's id, a dot and the number"),
    ] = None
    undo: Text | None = None
    reason: Annotated[str, Meta(max_length=500, description="Needed for an undo that refunds entry fees")] = ""


class ManyItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A table, deal or player by its id. `why_not` is the reason if it was left out."""

    id: str
    name: str
    amount_minor: int = 0
    why_not: str = ""


class ManyAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The items for which the action was done, and those left out. A resend returns neither."""

    tournament: UUID
    done: list[ManyItem]
    left_out: list[ManyItem]
    # The questions that the desk would have asked about those of `done`.
    warnings: list[ProblemPart] = []


class RecordedEvent(EventAnswer, frozen=True, kw_only=True):
    """The event that was stored. `warnings` say what no longer fits: a cut that would be made otherwise now."""

    warnings: list[ProblemPart] = []


class OpenedTable(TableAnswer, frozen=True, kw_only=True):
    """The table that was opened. `warnings` are the problems for which `ask_first` would have refused it."""

    warnings: list[ProblemPart] = []
