"""The answers about the books of a club: accounts, journal, statements, what a tournament comes to, cash books.

Rules: docs/reference/api.md, "The books". Amounts are minor units. A balance above 0 is what the club owes. A field
that is left out of an answer has the default given here.
"""

from datetime import date, datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import Meta

from scoring.money import AccountKind, Purpose
from tournaments.books.queries import Settlement
from tournaments.printing.report import EntryFees
from tournaments.web.api.table_shapes import EventAnswer, Page
from tournaments.web.api.tournament_shapes import BalanceAnswer, ProblemPart

Owner = Annotated[
    str, Meta(description="A player's or tournament's id, a till, or a side pot; empty where there is one account")
]


class AccountAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An account and what it holds now. `name` is that of its owner."""

    id: UUID
    kind: AccountKind
    owner: Owner
    name: str
    currency: str
    balance_minor: int


class AccountPage(Page[AccountAnswer], frozen=True, kw_only=True):
    """A page of accounts, by kind, owner and currency."""


class PostingAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """An amount on an account: above 0 the club owes it from then on."""

    account: UUID
    kind: AccountKind
    owner: Owner
    name: str
    purpose: Purpose
    amount_minor: int


class EntryOfJournal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An entry, whose postings add up to 0. `cause` is what it was posted for, such as `table:ID`, `slot` a part of it.

    `reverses` is the reference of the entry that it undoes; `is_undone`: another one undoes it.
    """

    id: UUID
    reference: str
    posted_at: datetime
    currency: str
    cause: str
    slot: str
    version: int
    memo: str
    postings: list[PostingAnswer]
    reverses: str = ""
    is_undone: bool = False


class JournalPage(Page[EntryOfJournal], frozen=True, kw_only=True):
    """A page of the journal, the newest entry first."""


class TrialBalanceLine(msgspec.Struct, frozen=True, kw_only=True):
    """All accounts of a kind; players who owe the club at the end are a line of their own (`is_owing`).

    A debit is held by the club or owed to it, a credit is owed by it: before the period, moved in it, and after it.
    """

    currency: str
    kind: AccountKind
    is_owing: bool
    opening_debit_minor: int
    opening_credit_minor: int
    debit_minor: int
    credit_minor: int
    closing_debit_minor: int
    closing_credit_minor: int


class TrialBalanceAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The trial balance of a period; `is_balanced` if both sides of every currency have one sum."""

    club: UUID
    first: date | None
    last: date | None
    is_balanced: bool
    lines: list[TrialBalanceLine]


class StatementLineAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An amount on a player's account, and the balance in its currency after it. `number` counts from 1."""

    number: int
    posted_at: datetime
    reference: str
    cause: str
    slot: str
    purpose: Purpose
    currency: str
    amount_minor: int
    balance_minor: int
    memo: str
    is_reversal: bool = False


class StatementPage(Page[StatementLineAnswer], frozen=True, kw_only=True):
    """A page of a player's statement, the oldest line first."""


class SettlementAnswer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far the money of a table is in the books, or of entries and prizes, which have no `table`.

    `problem` says why it is not settled.
    """

    state: Settlement
    table: UUID | None = None
    round: int | None = None
    attempts: int = 0
    settled_at: datetime | None = None
    problem: str = ""


class ShareAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What a tournament comes to for a player: paid in and won, less charged.

    `balance_minor` is the whole balance in the club now: above 0 it waits to be paid, below 0 the player owes it.
    """

    player: str
    name: str
    charged_minor: int
    paid_in_minor: int
    won_minor: int
    share_minor: int
    balance_minor: int


class PaidOut(msgspec.Struct, frozen=True, kw_only=True):
    """Money that was handed out to a player: from where, and by whom."""

    player: str
    amount_minor: int
    at: datetime
    place: str
    by: str


class TournamentMoney(msgspec.Struct, frozen=True, kw_only=True):
    """The money of a tournament: how far it is settled, what each player is owed or owes, and what was paid out."""

    tournament: UUID
    currency: str
    settlements: list[SettlementAnswer]
    players: list[ShareAnswer]
    paid_out: list[PaidOut]


class CashBookAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A cash book that was closed. `difference_minor`: more was counted in its tills than expected; below 0 less."""

    id: UUID
    number: int
    currency: str
    opened_at: datetime
    closed_at: datetime | None
    difference_minor: int


class CashBookPage(Page[CashBookAnswer], frozen=True, kw_only=True):
    """A page of cash books, the newest first."""


class PastTill(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A till of a cash book. `difference_minor` is what was booked of counted beyond expected."""

    till: str
    name: str
    float_minor: int
    expected_minor: int
    counted_minor: int | None = None
    difference_minor: int = 0


class WholeCashBook(CashBookAnswer, frozen=True, kw_only=True):
    """A cash book with its tills and every entry. `rounding_minor`: gained by rounding cash; below 0 lost."""

    version: int
    rounding_minor: int
    tills: list[PastTill]
    lines: list[EventAnswer]


class WaitingTournament(msgspec.Struct, frozen=True, kw_only=True):
    """A tournament whose money is not settled."""

    tournament: UUID
    name: str


class CashUpAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What to do before the open cash book is closed. `places` is the money at each place that has any.

    Who counts tills blind reads the desk's place alone until every till is counted.
    """

    club: UUID
    currency: str
    book: UUID | None
    ready: bool
    problems: list[ProblemPart]
    places: dict[str, int]
    waiting: list[WaitingTournament]
    debtors: list[BalanceAnswer]


class HandAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A player's result in one deal."""

    player: str
    table: UUID
    deal: int
    points: int


class SplitAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Players who shared the pot of a table."""

    table: UUID
    players: list[str]


class ChangeAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A change to an earlier entry: at a table, or of the tournament itself."""

    recorded_at: datetime
    table: UUID | None
    kind: str
    deal: int | None
    reason: str
    by: str


class BookDifference(msgspec.Struct, frozen=True, kw_only=True):
    """What the tills of a cash book differed by, and what cash was rounded by."""

    book: UUID
    number: int
    difference_minor: int
    rounding_minor: int


class ReportAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """The report of a tournament. Places are on its leaderboard, prizes have a request of their own.

    `booked_minor` is what was booked by kind of account, `result_minor` what the club has gained: house fee, what it
    added to prizes or kept of them, and the differences of its tills. `names` are those of all players in it.
    """

    tournament: UUID
    currency: str
    is_closed: bool
    fingerprint: str
    players: int
    tables: int
    deals: int
    corrected_deals: int
    names: dict[str, str]
    winners: list[str]
    biggest_hands: list[HandAnswer]
    most_deals_won: int
    most_deals_won_by: list[str]
    absent: list[str]
    late: list[str]
    substitutes: dict[str, str]
    reentries: dict[str, int]
    rejoins: dict[str, int]
    splits: list[SplitAnswer]
    changes: list[ChangeAnswer]
    unsettled: list[str]
    entry_fees: EntryFees | None
    charged_minor: int
    won_minor: int
    booked_minor: dict[str, int]
    cash_books: list[BookDifference]
    result_minor: int
    to_pay_out_minor: int
    owed_minor: int
    in_tills_minor: int
