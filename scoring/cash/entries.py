"""What a fact of the cash book does to the accounts: one balanced entry, or none.

Rules: docs/how-to/books.md, "The cash desk". In the books money in a box is below nought, because the club owes it to
everybody else: what leaves a place raises it, what comes in lowers it.
"""

from collections.abc import Callable
from typing import Any

from scoring.cash.state import CashBook
from scoring.facts import cash as facts
from scoring.facts.table import Fact
from scoring.money import AccountKind, AccountRef, PlannedEntry, PlannedPosting, Purpose
from scoring.money.entries import TILL

SLOT = "deed"
_KINDS = {
    "desk": AccountKind.CASH,
    "bank": AccountKind.BANK,
    "owner": AccountKind.OWNER,
    "levy": AccountKind.LEVY,
}
Two = tuple[PlannedPosting, PlannedPosting]


def entry_of(book: CashBook, fact: Fact) -> PlannedEntry | None:
    """The entry that a fact asks for, `book` being as it stood before. None where no money changes its account."""
    plan = _PLANS.get(type(fact))
    postings = plan(book, fact) if plan else None
    return PlannedEntry(slot=SLOT, currency=book.currency, postings=postings) if postings else None


def account_at(place: str) -> AccountRef:
    """The account of a place."""
    if place.startswith(TILL):
        return AccountRef(kind=AccountKind.CASH, owner=place.removeprefix(TILL))
    return AccountRef(kind=_KINDS[place])


def account_of_player(player: str) -> AccountRef:
    """A player's account in the club."""
    return AccountRef(kind=AccountKind.PLAYER, owner=player)


def _till_opened(book: CashBook, fact: facts.TillOpened) -> Two | None:
    return _moved(fact.source, TILL + fact.till, fact.float_minor) if fact.float_minor else None


def _received(book: CashBook, fact: facts.MoneyReceived) -> Two:
    return _between(account_at(fact.place), account_of_player(fact.player), fact.amount_minor, Purpose.CASH)


def _paid_out(book: CashBook, fact: facts.MoneyPaidOut) -> Two:
    return _between(account_of_player(fact.player), account_at(fact.place), fact.amount_minor, Purpose.CASH)


def _transferred(book: CashBook, fact: facts.MoneyTransferred) -> Two:
    from_, to = account_of_player(fact.player), account_of_player(fact.to)
    return _between(from_, to, fact.amount_minor, Purpose.TRANSFER)


def _money_moved(book: CashBook, fact: facts.MoneyMoved) -> Two:
    return _moved(fact.source, fact.target, fact.amount_minor)


def _written_off(book: CashBook, fact: facts.DebtWrittenOff) -> Two:
    from_, to = AccountRef(kind=AccountKind.WRITE_OFF), account_of_player(fact.player)
    return _between(from_, to, fact.amount_minor, Purpose.WRITE_OFF)


def _difference(book: CashBook, fact: facts.TillDifferenceBooked) -> Two:
    from_, to = account_at(TILL + fact.till), AccountRef(kind=AccountKind.CASH_DIFFERENCE)
    return _between(from_, to, fact.amount_minor, Purpose.DIFFERENCE)


def _till_closed(book: CashBook, fact: facts.TillClosed) -> Two | None:
    till = book.tills.get(fact.till)
    held = till.counted_minor if till else None
    return _moved(TILL + fact.till, fact.target, held) if held else None


def _moved(source: str, target: str, amount_minor: int) -> Two:
    return _between(account_at(target), account_at(source), amount_minor, Purpose.CASH)


def _between(lowered: AccountRef, raised: AccountRef, amount_minor: int, purpose: Purpose) -> Two:
    """What the club owes to one falls, and to the other rises, by the same."""
    return (
        PlannedPosting(account=lowered, amount_minor=-amount_minor, purpose=purpose),
        PlannedPosting(account=raised, amount_minor=amount_minor, purpose=purpose),
    )


_PLANS: dict[type[Fact], Callable[[CashBook, Any], Two | None]] = {
    facts.TillOpened: _till_opened,
    facts.MoneyReceived: _received,
    facts.MoneyPaidOut: _paid_out,
    facts.MoneyTransferred: _transferred,
    facts.MoneyMoved: _money_moved,
    facts.DebtWrittenOff: _written_off,
    facts.TillDifferenceBooked: _difference,
    facts.TillClosed: _till_closed,
}
