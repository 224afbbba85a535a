"""What may be recorded in a cash book now: all problems with an event, all at once.

Rules: docs/how-to/books.md, "The cash desk". No one can take out more than there is: not a player beyond balance and
credit, not a till, not the bank. Knows no names: `{seat}` is the placeholder for a player's.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring.cash import CashBook, account_at, account_of_player, counted, entry_of
from scoring.facts import cash as facts
from scoring.facts.table import Fact
from scoring.facts.wire import NEEDS_REASON
from scoring.messages import Seat, format_minor, say
from scoring.money import TILL, AccountKind, AccountRef
from scoring.money.payouts import beyond_limit
from scoring.problems import Problem

# A second press of a button whose action is done: nothing to save, and no error.
ALREADY = "already_done"
# These accounts hold money: their amount cannot be below zero. Owners may put in and take out any amount.
HELD = frozenset({AccountKind.CASH, AccountKind.BANK, AccountKind.LEVY})
UNDOABLE = (
    facts.MoneyReceived,
    facts.MoneyPaidOut,
    facts.MoneyTransferred,
    facts.MoneyMoved,
    facts.DebtWrittenOff,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """The balances of the accounts that an event touches, in the book's currency.

    `balances` are the club's debts (a till with 500 in it is at -500), `credits` how far players may be below zero,
    `staked` what they may lose at tables under way, where the club keeps limits. `deed` is the event to be undone. When
    a book is closed `in_debt` are the players beyond their credit, and `unsettled` what still waits for a worker.
    """

    balances: Mapping[AccountRef, int] = field(default_factory=dict)
    credits: Mapping[str, int] = field(default_factory=dict)
    staked: Mapping[str, int] = field(default_factory=dict)
    deed: Fact | None = None
    in_debt: Mapping[str, int] = field(default_factory=dict)
    unsettled: tuple[str, ...] = ()

    def of(self, account: AccountRef) -> int:
        return self.balances.get(account, 0)

    def in_place(self, place: str) -> int:
        """How much money is at a place."""
        return -self.of(account_at(place))


def problems_with(book: CashBook, fact: Fact, held: Holdings) -> list[Problem]:
    """All problems with recording this event in the book now."""
    problems: list[Problem] = []
    if fact.kind in NEEDS_REASON and not getattr(fact, "reason", "").strip():
        problems.append(Problem("missing_field", say("enter a reason"), field="reason"))
    if book.unreadable and isinstance(fact, facts.CashBookClosed):
        problems += [unreadable_line(version) for version in book.unreadable]
    if book.is_closed:
        detail = say("this cash book is closed: write it in the next one, with a note")
        return [*problems, Problem("night_closed", detail)]
    check = _CHECKS.get(type(fact))
    return problems + (list(check(book, fact, held)) if check else [])


def unreadable_line(version: int) -> Problem:
    """A cash book is not closed while an event in it cannot be read."""
    detail = say("entry {number} of the cash book cannot be read: a director must leave it out first", number=version)
    return Problem("unreadable_fact", detail, field="version")


def _till_opened(book: CashBook, fact: facts.TillOpened, held: Holdings) -> Iterator[Problem]:
    till = book.tills.get(fact.till)
    if till is not None:
        if till.is_open:
            yield Problem(ALREADY, say("this till is open already"), field="till")
        else:
            detail = say("this till was counted and closed: open one in the next cash book")
            yield Problem("till_closed", detail, field="till")
        return
    yield from _not_enough(book, fact, held)


def _received(book: CashBook, fact: facts.MoneyReceived, held: Holdings) -> Iterator[Problem]:
    yield from _not_a_place(book, fact.place, "place", takes_money=True)
    yield from _too_little_for_cash(book, fact)


def _paid_out(book: CashBook, fact: facts.MoneyPaidOut, held: Holdings) -> Iterator[Problem]:
    yield from _not_a_place(book, fact.place, "place", takes_money=True)
    yield from _too_little_for_cash(book, fact) or _not_enough(book, fact, held)


def _too_little_for_cash(book: CashBook, fact: facts.MoneyReceived | facts.MoneyPaidOut) -> list[Problem]:
    """The problem with an amount of which rounding leaves nothing: no money would move, but the balance would."""
    if fact.amount_minor + fact.rounding_minor > 0:
        return []
    detail = say(
        "{asked} cannot be paid in cash: it is less than the smallest note or coin",
        asked=format_minor(fact.amount_minor, book.currency),
    )
    return [Problem("too_little_for_cash", detail, field="amount_minor")]


def _transferred(book: CashBook, fact: facts.MoneyTransferred, held: Holdings) -> Iterator[Problem]:
    if fact.to == fact.player:
        detail = say("{seat} cannot pay for themselves from the same account", seat=Seat(fact.to))
        yield Problem("same_player", detail, field="to")
        return
    yield from _not_enough(book, fact, held)


def _moved(book: CashBook, fact: facts.MoneyMoved, held: Holdings) -> Iterator[Problem]:
    if fact.source == fact.target:
        yield Problem("same_place", say("the money is there already: choose another place"), field="target")
        return
    yield from _not_a_place(book, fact.source, "source")
    yield from _not_a_place(book, fact.target, "target")
    yield from _not_enough(book, fact, held)


def _written_off(book: CashBook, fact: facts.DebtWrittenOff, held: Holdings) -> Iterator[Problem]:
    owed = -held.of(account_of_player(fact.player))
    if fact.amount_minor > owed:
        debt, asked = format_minor(owed, book.currency), format_minor(fact.amount_minor, book.currency)
        seat = Seat(fact.player)
        detail = say("{seat} owes nothing: {asked} cannot be written off", seat=seat, asked=asked)
        if owed > 0:
            detail = say("{seat} owes {sum}: {asked} cannot be written off", seat=seat, sum=debt, asked=asked)
        yield Problem("out_of_range", detail, seat=fact.player, field="amount_minor")


def _credit_granted(book: CashBook, fact: facts.CreditGranted, held: Holdings) -> Iterator[Problem]:
    """Why credit that open tables need cannot be reduced: only once they are settled."""
    risk, granted = held.staked.get(fact.player, 0), held.credits.get(fact.player, 0)
    needed = risk - held.of(account_of_player(fact.player))
    if risk and fact.limit_minor < min(granted, needed):
        staked, least = format_minor(risk, book.currency), format_minor(needed, book.currency)
        detail = say(
            "{seat} has {held} held for open tables: until they are settled, {amount} of credit are needed",
            seat=Seat(fact.player),
            held=staked,
            amount=least,
        )
        yield Problem("not_enough", detail, field="limit_minor")


def _undone(book: CashBook, fact: facts.CashDeedUndone, held: Holdings) -> Iterator[Problem]:
    if fact.version in book.undone:
        yield Problem(ALREADY, say("this was undone already"), field="version")
        return
    deed = held.deed
    if not isinstance(deed, UNDOABLE):
        detail = say("entry {number} of the cash book cannot be undone", number=fact.version)
        yield Problem("not_undoable", detail, field="version")
        return
    places = [getattr(deed, name) for name in ("place", "source", "target") if hasattr(deed, name)]
    for place in places:
        yield from _not_a_place(book, place, "version")
    # A debt that was written off by mistake may be restored, and money that was recorded but never came may have been
    # spent: the player then owes it, and the books show it. A till still gives no more than it holds.
    if not isinstance(deed, facts.DebtWrittenOff):
        may_owe = isinstance(deed, facts.MoneyReceived)
        yield from _not_enough(book, deed, held, sign=-1, may_owe=may_owe)


def _counted(book: CashBook, fact: facts.TillCounted, held: Holdings) -> Iterator[Problem]:
    yield from _not_open(book, fact.till, "till")
    for denomination, number in fact.pieces.items():
        if number > facts.MOST_PIECES:
            detail = say(
                "{name} is entered {number} times: at most {most} of one note or coin",
                name=denomination,
                number=number,
                most=facts.MOST_PIECES,
            )
            yield Problem("out_of_range", detail, field=f"pieces.{denomination}")
    yield from beyond_limit({"pieces": counted(fact.pieces)})


def _difference(book: CashBook, fact: facts.TillDifferenceBooked, held: Holdings) -> Iterator[Problem]:
    yield from _not_open(book, fact.till, "till")
    till = book.open_till(fact.till)
    if till is None:
        return
    if till.counted_minor is None:
        yield Problem("not_counted", say("count the till first to find the difference"), field="till")
        return
    found = till.counted_minor - held.in_place(TILL + fact.till)
    if not found:
        yield Problem(ALREADY, say("the till holds the expected amount"), field="amount_minor")
    elif fact.amount_minor != found:
        entered, wanted = format_minor(fact.amount_minor, book.currency), format_minor(found, book.currency)
        detail = say(
            "the difference is {sum} now, not {asked}: money was taken or paid; check and try again",
            sum=wanted,
            asked=entered,
        )
        yield Problem("counted_meanwhile", detail, field="amount_minor")


def _till_closed(book: CashBook, fact: facts.TillClosed, held: Holdings) -> Iterator[Problem]:
    till = book.tills.get(fact.till)
    if till is not None and not till.is_open:
        yield Problem(ALREADY, say("this till is closed already"), field="till")
        return
    yield from _not_open(book, fact.till, "till")
    if till is None:
        return
    expected = held.in_place(TILL + fact.till)
    if till.counted_minor is None:
        yield Problem("not_counted", say("count the till before it is closed"), field="till")
    elif till.counted_minor != expected:
        counted, should = format_minor(till.counted_minor, book.currency), format_minor(expected, book.currency)
        detail = say(
            "{amount} counted, {sum} expected: count again, or save the difference with a reason",
            amount=counted,
            sum=should,
        )
        yield Problem("till_differs", detail, field="till")


def _book_closed(book: CashBook, fact: facts.CashBookClosed, held: Holdings) -> Iterator[Problem]:
    still = sum(till.is_open for till in book.tills.values())
    if still:
        detail = say("a till is still open: count and close every till first")
        if still > 1:
            detail = say("{number} tills are still open: count and close every till first", number=still)
        yield Problem("till_open", detail, field="till")
    if left := held.in_place("desk"):
        detail = say(
            "{amount} were taken without a till: move them to a till or the bank",
            amount=format_minor(left, book.currency),
        )
        yield Problem("desk_holds_money", detail, field="desk")
    for what in held.unsettled:
        detail = say("{name} is not settled yet: it happens by itself, please wait", name=what)
        yield Problem("not_settled", detail, field="settlement")
    for player, owed in held.in_debt.items():
        text = format_minor(owed, book.currency)
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
    book: CashBook, fact: Fact, held: Holdings, *, sign: int = 1, may_owe: bool = False
) -> Iterator[Problem]:
    """Accounts that would give what they do not have. With `sign` -1 the event is undone.

    `may_owe`: players may be left with a debt, whatever their credit limit.
    """
    entry = entry_of(book, fact)
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
    total, held, left = (format_minor(amount, book.currency) for amount in (balance, risk, max(0, room)))
    detail = say("{seat} has {sum}, and {left} may be paid out", seat=Seat(player), sum=total, left=left)
    if risk:
        detail = say(
            "{seat} has {sum}, {held} of it held for open tables, and {left} may be paid out",
            seat=Seat(player),
            sum=total,
            held=held,
            left=left,
        )
    return Problem("not_enough", detail, field="amount_minor")


def _not_there(book: CashBook, account: AccountRef, holds: int, wanted: int) -> Problem:
    """A till is counted blind: how much it holds is not revealed when too much is asked for."""
    if account.kind is AccountKind.CASH and account.owner:
        detail = say("{asked} are not in the till: add change first", asked=format_minor(wanted, book.currency))
        return Problem("not_enough", detail, field="amount_minor")
    places = {AccountKind.BANK: say("the bank account"), AccountKind.LEVY: say("the levy")}
    detail = say(
        "{where} holds {sum}: less than {asked}",
        where=places.get(account.kind, say("the till")),
        sum=format_minor(holds, book.currency),
        asked=format_minor(wanted, book.currency),
    )
    return Problem("not_enough", detail, field="amount_minor")


_CHECKS: dict[type[Fact], Callable[[CashBook, Any, Holdings], Iterator[Problem]]] = {
    facts.TillOpened: _till_opened,
    facts.MoneyReceived: _received,
    facts.MoneyPaidOut: _paid_out,
    facts.MoneyTransferred: _transferred,
    facts.MoneyMoved: _moved,
    facts.DebtWrittenOff: _written_off,
    facts.CreditGranted: _credit_granted,
    facts.CashDeedUndone: _undone,
    facts.TillCounted: _counted,
    facts.TillDifferenceBooked: _difference,
    facts.TillClosed: _till_closed,
    facts.CashBookClosed: _book_closed,
}
