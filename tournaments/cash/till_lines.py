"""What came into the tills of a cash book and went out of them: entries of the book, entry fees and refunds.

Rules: docs/how-to/books.md, "The cash book". Entry fees are recorded with their tournament, not in the cash book, so
the lines of a till are read from the ledger, where both are.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple
from uuid import UUID

from scoring.cash import account_at
from scoring.events import cash as events
from scoring.ledger.readings import Movement, movements
from scoring.messages import Message, say, say_many
from scoring.money import TILL, AccountRef
from tournaments.books import ENTRIES
from tournaments.cash import cause_of
from tournaments.cash.queries import CashDesk, CashLine, DeskTill
from tournaments.models import Player, Tournament

LAST_POSITION = 2**63 - 1
# Money that is in no till, but may be taken for an entry.
ELSEWHERE = ("desk", "bank")


class Flow(StrEnum):
    """Why money came into a till or went out of it, as in files."""

    BEFORE = "before"
    FLOAT = "float"
    ENTRY_FEE = "entry_fee"
    RECEIVED = "received"
    PAID_OUT = "paid_out"
    MOVED = "moved"
    UNDONE = "undone"
    DIFFERENCE = "difference"
    CLOSED = "closed"


# Between these the till was worked with: what it should hold is the float and all of them.
WORKED = frozenset({Flow.BEFORE, Flow.ENTRY_FEE, Flow.RECEIVED, Flow.PAID_OUT, Flow.MOVED, Flow.UNDONE})
_FLOWS = {
    events.TillOpened: Flow.FLOAT,
    events.MoneyReceived: Flow.RECEIVED,
    events.MoneyPaidOut: Flow.PAID_OUT,
    events.MoneyMoved: Flow.MOVED,
    events.TillDifferenceBooked: Flow.DIFFERENCE,
    events.TillClosed: Flow.CLOSED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FeeLine:
    """An entry fee that was taken into a place while the book was open, or refunded from it: then below 0.

    `position` is its place in the club's log; names are those of today.
    """

    position: int
    at: datetime
    place: str
    amount_minor: int
    player: str
    name: str
    tournament: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TillLine:
    """What one entry moved into a till, below 0 out of it, and what the till held after it, in minor units.

    `source` is None for money that the till held before its book.
    """

    flow: Flow
    amount_minor: int
    balance_minor: int
    source: CashLine | FeeLine | None


@dataclass(frozen=True, slots=True)
class FlowSum:
    """All lines of a till for one purpose in one direction: how many, and their sum, below 0 if it went out."""

    flow: Flow
    count: int
    amount_minor: int

    @property
    def title(self) -> Message:
        return _title(self.flow, self.count, is_in=self.amount_minor > 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class TillSheet:
    """A till of a cash book, line by line."""

    till: DeskTill
    lines: tuple[TillLine, ...]

    @property
    def in_minor(self) -> int:
        """What came in after the float."""
        return sum(line.amount_minor for line in self._worked if line.amount_minor > 0)

    @property
    def out_minor(self) -> int:
        """What went out before the till was closed, above 0."""
        return -sum(line.amount_minor for line in self._worked if line.amount_minor < 0)

    @property
    def expected_minor(self) -> int:
        """The float, what came in, less what went out."""
        return self.till.till.float_minor + self.in_minor - self.out_minor

    @property
    def sums(self) -> tuple[FlowSum, ...]:
        """What came in and went out after the float, by purpose."""
        return flow_sums(self._worked)

    @property
    def _worked(self) -> list[TillLine]:
        return [line for line in self.lines if line.flow in WORKED]


class BookLines(NamedTuple):
    """The tills of a book by name, and every entry fee taken or refunded while it was open, oldest first."""

    sheets: Mapping[str, TillSheet]
    fees: tuple[FeeLine, ...]


def book_lines(desk: CashDesk) -> BookLines:
    """The lines of every till of a book, in three queries besides those of the desk."""
    if desk.row is None:
        return BookLines({}, ())
    places = {account_at(place): place for place in (*(TILL + name for name in desk.book.tills), *ELSEWHERE)}
    first, last = desk.lines[0].position, desk.lines[-1].position if desk.book.is_closed else LAST_POSITION
    causes = {cause_of(desk.row.pk, ""): (1, desk.lines[-1].version), ENTRIES: (first, last)}
    moved = movements(desk.club.pk, desk.currency, list(places), causes)
    fees = tuple(sorted(_fees(moved, places), key=lambda fee: (fee.position, fee.name)))
    by_version = {line.version: line for line in desk.lines}
    in_book: defaultdict[tuple[str, int], int] = defaultdict(int)
    for movement in moved:
        if not movement.cause.startswith(ENTRIES):
            in_book[places[movement.account], movement.version] -= movement.amount_minor
    sources: defaultdict[str, list[tuple[CashLine | FeeLine, int]]] = defaultdict(list)
    for (place, version), amount in in_book.items():
        sources[place].append((by_version[version], amount))
    for fee in fees:
        sources[fee.place].append((fee, fee.amount_minor))
    return BookLines({till.name: _sheet(till, sources[TILL + till.name]) for till in desk.tills}, fees)


def flow_sums(lines: Sequence[TillLine]) -> tuple[FlowSum, ...]:
    """Lines summed up by purpose and direction: what came in before what went out."""
    amounts: defaultdict[tuple[bool, Flow], list[int]] = defaultdict(list)
    for line in lines:
        amounts[line.amount_minor < 0, line.flow].append(line.amount_minor)
    order = list(Flow)
    keys = sorted(amounts, key=lambda key: (key[0], order.index(key[1])))
    return tuple(FlowSum(key[1], len(amounts[key]), sum(amounts[key])) for key in keys)


def _sheet(till: DeskTill, sources: Sequence[tuple[CashLine | FeeLine, int]]) -> TillSheet:
    """The lines of a till up to its closing. A till that is closed holds nothing, an open one what the books say."""
    listed = sorted(sources, key=lambda source: source[0].position)
    closed = [at for at, (source, _) in enumerate(listed) if _flow(source) is Flow.CLOSED]
    listed = listed[: closed[-1] + 1] if closed else listed
    balance_minor = till.held_minor if till.till.is_open else 0
    before = balance_minor - sum(amount for _, amount in listed)
    return TillSheet(till=till, lines=tuple(_lines(before, listed)))


def _lines(before: int, listed: Sequence[tuple[CashLine | FeeLine, int]]) -> Iterator[TillLine]:
    balance = before
    if before:
        yield TillLine(flow=Flow.BEFORE, amount_minor=before, balance_minor=balance, source=None)
    for source, amount in listed:
        balance += amount
        yield TillLine(flow=_flow(source), amount_minor=amount, balance_minor=balance, source=source)


def _flow(source: CashLine | FeeLine) -> Flow:
    """What a line of the book does to a till; any other line has undone an earlier one."""
    return Flow.ENTRY_FEE if isinstance(source, FeeLine) else _FLOWS.get(type(source.event), Flow.UNDONE)


def _fees(moved: Sequence[Movement], places: Mapping[AccountRef, str]) -> Iterator[FeeLine]:
    fees = [movement for movement in moved if movement.cause.startswith(ENTRIES)]
    named = {fee.cause: [UUID(part) for part in fee.cause.removeprefix(ENTRIES).split(":")] for fee in fees}
    tournaments = Tournament.objects.filter(pk__in={tournament for tournament, _ in named.values()})
    players = Player.objects.filter(pk__in={player for _, player in named.values()})
    names = {**dict(tournaments.values_list("pk", "name")), **players.names_in_books()} if fees else {}
    for fee in fees:
        tournament, player = named[fee.cause]
        yield FeeLine(
            position=fee.version,
            at=fee.posted_at,
            place=places[fee.account],
            amount_minor=-fee.amount_minor,
            player=str(player),
            name=names.get(player, ""),
            tournament=names.get(tournament, ""),
        )


def _title(flow: Flow, count: int, *, is_in: bool) -> Message:
    titles: dict[Flow, Message] = {
        Flow.BEFORE: say("In the till before"),
        Flow.FLOAT: say("Opening float"),
        Flow.ENTRY_FEE: say_many("{count} payment of an entry fee", "{count} payments of entry fees", count=count)
        if is_in
        else say_many("{count} refund of an entry fee", "{count} refunds of entry fees", count=count),
        Flow.RECEIVED: say_many("{count} payment from a player", "{count} payments from players", count=count),
        Flow.PAID_OUT: say_many("{count} payout to a player", "{count} payouts to players", count=count),
        Flow.MOVED: say("Moved in") if is_in else say("Moved out"),
        Flow.UNDONE: say_many("{count} entry undone", "{count} entries undone", count=count),
        Flow.DIFFERENCE: say("Saved difference"),
        Flow.CLOSED: say("Handed over"),
    }
    return titles[flow]
