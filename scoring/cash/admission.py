"""What may be recorded in a cash book now: all problems with an event, all at once.

Rules: docs/how-to/books.md, "The cash desk". No one can take out more than there is: not a player beyond balance and
credit, not a till, not the bank. Knows no names: `{seat}` is the placeholder for a player's.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.cash import CashBook, account_at, account_of_player, counted, entry_of
from scoring.events import cash as events
from scoring.events.table import Event
from scoring.events.wire import NEEDS_REASON
from scoring.messages import Amount, Seat, say
from scoring.money import TILL, AccountKind, AccountRef
from scoring.money.payouts import beyond_limit
from scoring.problems import Problem

# A second press of a button whose action is done: nothing to save, and no error.
ALREADY = "already_done"
# These accounts hold money: their amount cannot be below zero. Owners may put in and take out any amount.
HELD = frozenset({AccountKind.CASH, AccountKind.BANK, AccountKind.LEVY})
UNDOABLE = (
    events.MoneyReceived,
    events.MoneyPaidOut,
    events.MoneyTransferred,
    events.MoneyMoved,
    events.DebtWrittenOff,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """The balances of the accounts that an event touches, in the book's currency.

    `balances` are the club's debts (a till with 500 in it is at -500), `credits` how far players may be below zero,
    `staked` what they may lose at tables under way, where the club keeps limits. `undone` is the event that is undone.
    When a book is closed `in_debt` are the players beyond their credit, and `unsettled` what still waits for a worker.
    """

    balances: Mapping[AccountRef, int] = field(default_factory=dict)
    credits: Mapping[str, int] = field(default_factory=dict)
    staked: Mapping[str, int] = field(default_factory=dict)
    undone: Event | None = None
    in_debt: Mapping[str, int] = field(default_factory=dict)
    unsettled: tuple[str, ...] = ()

    def of(self, account: AccountRef) -> int:
        return self.balances.get(account, 0)

    def in_place(self, place: str) -> int:
        """How much money is at a place."""
        return -self.of(account_at(place))


def problems_with(book: CashBook, event: Event, held: Holdings) -> list[Problem]:
    """All problems with recording this event in the book now."""
    problems: list[Problem] = []
    if event.kind in NEEDS_REASON and not getattr(event, "reason", "").strip():
        problems.append(Problem("missing_field", say("enter a reason"), field="reason"))
    if book.unreadable and isinstance(event, events.CashBookClosed):
        problems += [unreadable_line(version) for version in book.unreadable]
    if book.is_closed:
        detail = say("this cash book is closed: write it in the next one, with a note")
        return [*problems, Problem("night_closed", detail)]
    check = _CHECKS.get(type(event))
    return problems + (list(check(book, event, held)) if check else [])


def unreadable_line(version: int) -> Problem:
    """A cash book is not closed while an event in it cannot be read."""
    detail = say("entry {number} of the cash book cannot be read: a director must leave it out first", number=version)
    return Problem("unreadable_fact", detail, field="version")


def _till_opened(book: CashBook, event: events.TillOpened, held: Holdings) -> Iterator[Problem]:
    till = book.tills.get(event.till)
    if till is not None:
        if till.is_open:
            yield Problem(ALREADY, say("this till is open already"), field="till")
        else:
            detail = say("this till was counted and closed: open one in the next cash book")
            yield Problem("till_closed", detail, field="till")
        return
    yield from _not_enough(book, event, held)


def _received(book: CashBook, event: events.MoneyReceived, held: Holdings) -> Iterator[Problem]:
    yield from _not_a_place(book, event.place, "place", takes_money=True)
    yield from _too_little_for_cash(book, event)


def _paid_out(book: CashBook, event: events.MoneyPaidOut, held: Holdings) -> Iterator[Problem]:
    yield from _not_a_place(book, event.place, "place", takes_money=True)
    yield from _too_little_for_cash(book, event) or _not_enough(book, event, held)


def _too_little_for_cash(book: CashBook, event: events.MoneyReceived | events.MoneyPaidOut) -> list[Problem]:
    """The problem with an amount of which rounding leaves nothing: no money would move, but the balance would."""
    if event.amount_minor + event.rounding_minor > 0:
        return []
    detail = say(
        "{asked} cannot be paid in cash: it is less than the smallest note or coin",
        asked=Amount(event.amount_minor, book.currency),
    )
    return [Problem("too_little_for_cash", detail, field="amount_minor")]


def _transferred(book: CashBook, event: events.MoneyTransferred, held: Holdings) -> Iterator[Problem]:
    if event.to == event.player:
        detail = say("{seat} cannot pay for themselves from the same account", seat=Seat(event.to))
        yield Problem("same_player", detail, field="to")
        return
    yield from _not_enough(book, event, held)


def _moved(book: CashBook, event: events.MoneyMoved, held: Holdings) -> Iterator[Problem]:
    if event.source == event.target:
        yield Problem("same_place", say("the money is there already: choose another place"), field="target")
        return
    yield from _not_a_place(book, event.source, "source")
    yield from _not_a_place(book, event.target, "target")
    yield from _not_enough(book, event, held)


def _written_off(book: CashBook, event: events.DebtWrittenOff, held: Holdings) -> Iterator[Problem]:
    owed = -held.of(account_of_player(event.player))
    if event.amount_minor > owed:
        debt, amount_text = Amount(owed, book.currency), Amount(event.amount_minor, book.currency)
        seat = Seat(event.player)
        detail = say("{seat} owes nothing: {asked} cannot be written off", seat=seat, asked=amount_text)
        if owed > 0:
            detail = say("{seat} owes {sum}: {asked} cannot be written off", seat=seat, sum=debt, asked=amount_text)
        yield Problem("out_of_range", detail, seat=event.player, field="amount_minor")


def _credit_granted(book: CashBook, event: events.CreditGranted, held: Holdings) -> Iterator[Problem]:
    """Why credit that open tables need cannot be reduced: only once they are settled."""
    risk, granted = held.staked.get(event.player, 0), held.credits.get(event.player, 0)
    needed = risk - held.of(account_of_player(event.player))
    if risk and event.limit_minor < min(granted, needed):
        staked, least = Amount(risk, book.currency), Amount(needed, book.currency)
        detail = say(
            "{seat} has {held} held for open tables: until they are settled, {amount} of credit are needed",
            seat=Seat(event.player),
            held=staked,
            amount=least,
        )
        yield Problem("not_enough", detail, field="limit_minor")


def _undone(book: CashBook, event: events.CashEntryUndone, held: Holdings) -> Iterator[Problem]:
    if event.version in book.undone:
        yield Problem(ALREADY, say("this was undone already"), field="version")
        return
    undone = held.undone
    if not isinstance(undone, UNDOABLE):
        detail = say("entry {number} of the cash book cannot be undone", number=event.version)
        yield Problem("not_undoable", detail, field="version")
        return
    places = [getattr(undone, name) for name in ("place", "source", "target") if hasattr(undone, name)]
    for place in places:
        yield from _not_a_place(book, place, "version")
    # A debt that was written off by mistake may be restored, and money that was recorded but never came may have been
    # spent: the player then owes it, and the books show it. A till still gives no more than it holds.
    if not isinstance(undone, events.DebtWrittenOff):
        may_owe = isinstance(undone, events.MoneyReceived)
        yield from _not_enough(book, undone, held, sign=-1, may_owe=may_owe)


def _counted(book: CashBook, event: events.TillCounted, held: Holdings) -> Iterator[Problem]:
    yield from _not_open(book, event.till, "till")
    for denomination, number in event.pieces.items():
        if number > events.MOST_PIECES:
            detail = say(
                "{name} is entered {number} times: at most {most} of one note or coin",
                name=denomination,
                number=number,
                most=events.MOST_PIECES,
            )
            yield Problem("out_of_range", detail, field=f"pieces.{denomination}")
    yield from beyond_limit({"pieces": counted(event.pieces)}, currency=book.currency)


def _difference(book: CashBook, event: events.TillDifferenceBooked, held: Holdings) -> Iterator[Problem]:
    yield from _not_open(book, event.till, "till")
    till = book.open_till(event.till)
    if till is None:
        return
    if till.counted_minor is None:
        yield Problem("not_counted", say("count the till first to find the difference"), field="till")
        return
    difference_minor = till.counted_minor - held.in_place(TILL + event.till)
    if not difference_minor:
        yield Problem(ALREADY, say("the till holds the expected amount"), field="amount_minor")
    elif event.amount_minor != difference_minor:
        entered, difference_text = (
            Amount(event.amount_minor, book.currency),
            Amount(difference_minor, book.currency),
        )
        detail = say(
            "the difference is {sum} now, not {asked}: money was taken or paid; check and try again",
            sum=difference_text,
            asked=entered,
        )
        yield Problem("counted_meanwhile", detail, field="amount_minor")


def _till_closed(book: CashBook, event: events.TillClosed, held: Holdings) -> Iterator[Problem]:
    till = book.tills.get(event.till)
    if till is not None and not till.is_open:
        yield Problem(ALREADY, say("this till is closed already"), field="till")
        return
    yield from _not_open(book, event.till, "till")
    if till is None:
        return
    expected = held.in_place(TILL + event.till)
    if till.counted_minor is None:
        yield Problem("not_counted", say("count the till before it is closed"), field="till")
    elif till.counted_minor != expected:
        counted, should = Amount(till.counted_minor, book.currency), Amount(expected, book.currency)
        detail = say(
            "{amount} counted, {sum} expected: count again, or save the difference with a reason",
            amount=counted,
            sum=should,
        )
        yield Problem("till_differs", detail, field="till")


def _book_closed(book: CashBook, event: events.CashBookClosed, held: Holdings) -> Iterator[Problem]:
    still = sum(till.is_open for till in book.tills.values())
    if still:
        detail = say("a till is still open: count and close every till first")
        if still > 1:
            detail = say("{number} tills are still open: count and close every till first", number=still)
        yield Problem("till_open", detail, field="till")
    if desk_minor := held.in_place("desk"):
        detail = say(
            "{amount} were taken without a till: move them to a till or the bank",
            amount=Amount(desk_minor, book.currency),
        )
        yield Problem("desk_holds_money", detail, field="desk")
    for what in held.unsettled:
        detail = say("{name} is not settled yet: it happens by itself, please wait", name=what)
        yield Problem("not_settled", detail, field="settlement")
    for player, owed in held.in_debt.items():
        text = Amount(owed, book.currency)
        detail = say(
            "{seat} owes {sum}, over the credit limit: take a payment, allow credit, or write it off",
            seat=Seat(player),
            sum=text,
        )
        yield Problem("in_debt", detail, field="player")


def _not_open(book: CashBook, name: str, field_name: str) -> Iterator[Problem]:
    till = book.tills.get(name)
    if till is None:
        yield Problem("no_till", say("this till is not open: open it first"), field=field_name)
    elif not till.is_open:
        yield Problem("till_closed", say("this till was counted and closed"), field=field_name)


def _not_a_place(book: CashBook, place: str, field_name: str, *, takes_money: bool = False) -> Iterator[Problem]:
    """Why a place cannot be used: a till must be open; players' money goes through a till or the bank."""
    if place.startswith(TILL):
        yield from _not_open(book, place.removeprefix(TILL), field_name)
    elif takes_money and place != "bank":
        yield Problem("no_till", say("players' money goes through a till or the bank"), field=field_name)


def _not_enough(
    book: CashBook, event: Event, held: Holdings, *, sign: int = 1, may_owe: bool = False
) -> Iterator[Problem]:
    """Accounts that would give what they do not have. With `sign` -1 the event is undone.

    `may_owe`: players may be left with a debt, whatever their credit limit.
    """
    entry = entry_of(book, event)
    changes: Counter[AccountRef] = Counter()
    for posting in entry.postings if entry else ():
        changes[posting.account] += sign * posting.amount_minor
    for account, change in changes.items():
        after = held.of(account) + change
        if account.kind is AccountKind.PLAYER and change < 0:
            if may_owe:
                continue
            risk = held.staked.get(account.owner, 0)
            room = held.of(account) + held.credits.get(account.owner, 0) - risk
            if -change > room:
                yield _beyond(book, account.owner, held.of(account), risk=risk, room=room)
        elif account.kind is AccountKind.LEVY:
            # A levy is owed to a third party: what is passed on cannot be more than was taken.
            if change < 0 and after < 0:
                yield _not_there(book, account, held.of(account), -change)
        elif account.kind in HELD and change > 0 and after > 0:
            yield _not_there(book, account, -held.of(account), change)


def _beyond(book: CashBook, player: str, balance: int, *, risk: int, room: int) -> Problem:
    total, held_amount, free_amount = (Amount(amount, book.currency) for amount in (balance, risk, max(0, room)))
    detail = say("{seat} has {sum}, and {left} may be paid out", seat=Seat(player), sum=total, left=free_amount)
    if risk:
        detail = say(
            "{seat} has {sum}, {held} of it held for open tables, and {left} may be paid out",
            seat=Seat(player),
            sum=total,
            held=held_amount,
            left=free_amount,
        )
    return Problem("not_enough", detail, field="amount_minor")


def _not_there(book: CashBook, account: AccountRef, holds: int, wanted: int) -> Problem:
    """A till is counted blind: how much it holds is not revealed when too much is asked for."""
    if account.kind is AccountKind.CASH and account.owner:
        detail = say("{asked} are not in the till: add change first", asked=Amount(wanted, book.currency))
        return Problem("not_enough", detail, field="amount_minor")
    places = {AccountKind.BANK: say("the bank account"), AccountKind.LEVY: say("the levy")}
    detail = say(
        "{where} holds {sum}: less than {asked}",
        where=places.get(account.kind, say("the till")),
        sum=Amount(holds, book.currency),
        asked=Amount(wanted, book.currency),
    )
    return Problem("not_enough", detail, field="amount_minor")


_CHECKS: dict[type[Event], Callable[[CashBook, Any, Holdings], Iterator[Problem]]] = {
    events.TillOpened: _till_opened,
    events.MoneyReceived: _received,
    events.MoneyPaidOut: _paid_out,
    events.MoneyTransferred: _transferred,
    events.MoneyMoved: _moved,
    events.DebtWrittenOff: _written_off,
    events.CreditGranted: _credit_granted,
    events.CashEntryUndone: _undone,
    events.TillCounted: _counted,
    events.TillDifferenceBooked: _difference,
    events.TillClosed: _till_closed,
    events.CashBookClosed: _book_closed,
}
