"""The state of a cash book: its tills, what was counted in them, and the journal entries that its events require.

Rules: docs/how-to/books.md, "The cash desk". The expected amount of a till comes from the ledger, not from the book:
entry fees taken at the desk are posted there by another way. Pure: the caller passes in account balances.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from scoring.events import cash as events
from scoring.events.reading import Unreadable
from scoring.events.table import Event, EventLeftOut
from scoring.json_text import kept_as
from scoring.messages import decimals
from scoring.money import TILL, AccountKind, AccountRef, PlannedEntry, PlannedPosting, Purpose

# The notes and coins that a till is counted in, largest first, in minor units of their currency.

# Notes and coins in everyday use; withdrawn ones are entered as another denomination.
_PIECES: dict[str, tuple[int, ...]] = {
    "INR": (50000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100),
    "EUR": (50000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1),
    "GBP": (5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1),
    "USD": (10000, 5000, 2000, 1000, 500, 200, 100, 50, 25, 10, 5, 1),
    "CHF": (100000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5),
    "JPY": (10000, 5000, 2000, 1000, 500, 100, 50, 10, 5, 1),
    "KWD": (20000, 10000, 5000, 1000, 500, 250, 100, 50, 20, 10, 5),
    "AED": (100000, 50000, 20000, 10000, 5000, 2000, 1000, 500, 100, 50, 25),
    "AUD": (10000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5),
    "BDT": (100000, 50000, 20000, 10000, 5000, 2000, 1000, 500, 200, 100),
    "CAD": (10000, 5000, 2000, 1000, 500, 200, 100, 25, 10, 5),
    "LKR": (500000, 100000, 50000, 10000, 5000, 2000, 1000, 500, 200, 100),
    "NPR": (100000, 50000, 10000, 5000, 2000, 1000, 500, 200, 100),
    "PKR": (500000, 100000, 50000, 10000, 5000, 2000, 1000, 500, 200, 100),
    "SGD": (100000, 10000, 5000, 1000, 500, 200, 100, 50, 20, 10, 5),
}

# A thousand of the currency's units is the largest step of a currency that is not in the list.
_STEPS_ABOVE_ONE = 3


def pieces_of(currency: str) -> tuple[int, ...]:
    """The denominations to count, the largest first."""
    return _PIECES.get(currency) or _steps(decimals(currency))


def _steps(places: int) -> tuple[int, ...]:
    """1, 2, 5, 10 and so on, from one minor unit up to a thousand units."""
    steps = [lead * 10**power for power in range(places + _STEPS_ABOVE_ONE) for lead in (1, 2, 5)]
    return (10 ** (places + _STEPS_ABOVE_ONE), *reversed(steps))


# Cash is rounded to the smallest note or coin that a club handles.

IN_PLAYERS_FAVOUR = "player"


def rounding_of(amount_minor: int, piece_minor: int, method: str, *, is_paid_out: bool) -> int:
    """What is to be added to an amount to be paid in notes and coins of `piece_minor`, in minor units.

    To the nearest, half of one up; or in the player's favour: payouts up, payments down. 0 where there is no piece.
    """
    if not piece_minor:
        return 0
    below = amount_minor % piece_minor
    if method == IN_PLAYERS_FAVOUR:
        return -amount_minor % piece_minor if is_paid_out else -below
    return piece_minor - below if 2 * below >= piece_minor else -below


def in_cash(event: Event, piece_minor: int, method: str) -> Event:
    """A payment or a payout with what its cash is rounded by: only in a till, a transfer to the bank is exact."""
    if not isinstance(event, events.MoneyReceived | events.MoneyPaidOut):
        return event
    is_paid_out, piece = isinstance(event, events.MoneyPaidOut), piece_minor if event.place.startswith(TILL) else 0
    return replace(event, rounding_minor=rounding_of(event.amount_minor, piece, method, is_paid_out=is_paid_out))


PLACES = ("place", "source", "target")
replace = msgspec.structs.replace


class Till(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One person's till for one night. `pieces` by denomination in minor units; None until it was counted."""

    float_minor: int = 0
    pieces: dict[str, int] | None = None
    difference_minor: int = 0
    closed_with_minor: int | None = None

    @property
    def is_open(self) -> bool:
        return self.closed_with_minor is None

    @property
    def counted_minor(self) -> int | None:
        """The counted amount."""
        return None if self.pieces is None else counted(self.pieces)


class CashBook(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A night's book as of one version of its stream. `undone` are the versions that were undone."""

    version: int = 0
    currency: str = ""
    is_closed: bool = False
    tills: dict[str, Till] = {}
    undone: tuple[int, ...] = ()
    # Versions of events that cannot be read; they move to the second list when a director has left them out.
    unreadable: tuple[int, ...] = ()
    left_out: tuple[int, ...] = ()

    @property
    def has_uncounted_till(self) -> bool:
        """Whether an open till has not been counted yet."""
        return any(till.is_open and till.pieces is None for till in self.tills.values())

    def open_till(self, name: str) -> Till | None:
        """A person's till, while it is open."""
        till = self.tills.get(name)
        return till if till is not None and till.is_open else None

    def reaches(self, event: Event) -> bool:
        """Whether every till that a movement uses is open."""
        places = [getattr(event, name, "") for name in PLACES]
        return all(self.open_till(place.removeprefix(TILL)) for place in places if place.startswith(TILL))


def counted(pieces: Mapping[str, int]) -> int:
    """The value of counted notes and coins, in minor units."""
    return sum(int(denomination) * number for denomination, number in pieces.items())


def fold_book(book: CashBook, stored: Iterable[tuple[int, Event]]) -> CashBook:
    """The book after some more events of its stream, each with its version."""
    for version, event in stored:
        step = _STEPS.get(type(event))
        after = step(book, event) if step else book
        if isinstance(event, Unreadable):
            after = replace(after, unreadable=(*after.unreadable, version))
        book = replace(after, version=version)
    return book


def _opened(book: CashBook, event: events.CashBookOpened) -> CashBook:
    return replace(book, currency=event.currency)


def _till_opened(book: CashBook, event: events.TillOpened) -> CashBook:
    return _with_till(book, event.till, Till(float_minor=event.float_minor))


def _till_counted(book: CashBook, event: events.TillCounted) -> CashBook:
    # In the order in which the log stores them, whatever order they were typed in: equal books give equal text.
    pieces = dict(sorted(event.pieces.items()))
    return _with_till(book, event.till, replace(book.tills[event.till], pieces=pieces))


def _till_difference(book: CashBook, event: events.TillDifferenceBooked) -> CashBook:
    till = book.tills[event.till]
    return _with_till(book, event.till, replace(till, difference_minor=till.difference_minor + event.amount_minor))


def _till_closed(book: CashBook, event: events.TillClosed) -> CashBook:
    till = book.tills[event.till]
    return _with_till(book, event.till, replace(till, closed_with_minor=till.counted_minor))


def _undone(book: CashBook, event: events.CashEntryUndone) -> CashBook:
    return replace(book, undone=(*book.undone, event.version))


def _closed(book: CashBook, event: events.CashBookClosed) -> CashBook:
    return replace(book, is_closed=True)


def _left_out(book: CashBook, event: EventLeftOut) -> CashBook:
    """Where a book's opening cannot be read its currency is unknown: no further event is recorded in it."""
    unreadable = tuple(version for version in book.unreadable if version != event.version)
    is_closed = book.is_closed or not book.currency
    return replace(book, unreadable=unreadable, left_out=(*book.left_out, event.version), is_closed=is_closed)


def _with_till(book: CashBook, name: str, till: Till) -> CashBook:
    return replace(book, tills=book.tills | {name: till})


_STEPS: dict[type[Event], Callable[[CashBook, Any], CashBook]] = {
    events.CashBookOpened: _opened,
    events.TillOpened: _till_opened,
    events.TillCounted: _till_counted,
    events.TillDifferenceBooked: _till_difference,
    events.TillClosed: _till_closed,
    events.CashEntryUndone: _undone,
    events.CashBookClosed: _closed,
    EventLeftOut: _left_out,
}

# Keys keep the order in which tills were opened, and every fold opens them in the same one.
dump_book, load_book = kept_as(CashBook)

# In the ledger money in a box has a negative balance, because the club owes it to others: what leaves a place raises
# its balance, what comes in lowers it.

SLOT = "deed"
_KINDS = {
    "desk": AccountKind.CASH,
    "bank": AccountKind.BANK,
    "owner": AccountKind.OWNER,
    "levy": AccountKind.LEVY,
}
ROUNDING = AccountRef(kind=AccountKind.ROUNDING)
Two = tuple[PlannedPosting, PlannedPosting]
Postings = tuple[PlannedPosting, ...]


def entry_of(book: CashBook, event: Event) -> PlannedEntry | None:
    """The journal entry for an event, with `book` as it was before. None where no money changes its account."""
    plan = _PLANS.get(type(event))
    postings = plan(book, event) if plan else None
    return PlannedEntry(slot=SLOT, currency=book.currency, postings=postings) if postings else None


def account_at(place: str) -> AccountRef:
    """The account of a place."""
    if place.startswith(TILL):
        return AccountRef(kind=AccountKind.CASH, owner=place.removeprefix(TILL))
    return AccountRef(kind=_KINDS[place])


def account_of_player(player: str) -> AccountRef:
    """A player's account in the club."""
    return AccountRef(kind=AccountKind.PLAYER, owner=player)


def _float_taken(book: CashBook, event: events.TillOpened) -> Two | None:
    return _moved(event.source, TILL + event.till, event.float_minor) if event.float_minor else None


def _received(book: CashBook, event: events.MoneyReceived) -> Postings:
    """What the till took, then the rounding, so that the player has the whole amount."""
    player, cash = account_of_player(event.player), event.amount_minor + event.rounding_minor
    cash_postings = _between(account_at(event.place), player, cash, Purpose.CASH)
    rounded = _between(player, ROUNDING, event.rounding_minor, Purpose.ROUNDING)
    return (*cash_postings, *rounded) if event.rounding_minor else cash_postings


def _paid_out(book: CashBook, event: events.MoneyPaidOut) -> Postings:
    """The rounding, then what the till gave: no balance on the way is below what it is after both."""
    player, cash = account_of_player(event.player), event.amount_minor + event.rounding_minor
    cash_postings = _between(player, account_at(event.place), cash, Purpose.CASH)
    rounded = _between(ROUNDING, player, event.rounding_minor, Purpose.ROUNDING)
    return (*rounded, *cash_postings) if event.rounding_minor else cash_postings


def _transferred(book: CashBook, event: events.MoneyTransferred) -> Two:
    from_, to = account_of_player(event.player), account_of_player(event.to)
    return _between(from_, to, event.amount_minor, Purpose.TRANSFER)


def _money_moved(book: CashBook, event: events.MoneyMoved) -> Two:
    return _moved(event.source, event.target, event.amount_minor)


def _written_off(book: CashBook, event: events.DebtWrittenOff) -> Two:
    from_, to = AccountRef(kind=AccountKind.WRITE_OFF), account_of_player(event.player)
    return _between(from_, to, event.amount_minor, Purpose.WRITE_OFF)


def _difference(book: CashBook, event: events.TillDifferenceBooked) -> Two:
    from_, to = account_at(TILL + event.till), AccountRef(kind=AccountKind.CASH_DIFFERENCE)
    return _between(from_, to, event.amount_minor, Purpose.DIFFERENCE)


def _till_emptied(book: CashBook, event: events.TillClosed) -> Two | None:
    till = book.tills.get(event.till)
    counted_minor = till.counted_minor if till else None
    return _moved(TILL + event.till, event.target, counted_minor) if counted_minor else None


def _moved(source: str, target: str, amount_minor: int) -> Two:
    return _between(account_at(target), account_at(source), amount_minor, Purpose.CASH)


def _between(lowered: AccountRef, raised: AccountRef, amount_minor: int, purpose: Purpose) -> Two:
    """An entry between two accounts: what the club owes to one falls, and to the other rises, by the same amount."""
    return (
        PlannedPosting(account=lowered, amount_minor=-amount_minor, purpose=purpose),
        PlannedPosting(account=raised, amount_minor=amount_minor, purpose=purpose),
    )


_PLANS: dict[type[Event], Callable[[CashBook, Any], Postings | None]] = {
    events.TillOpened: _float_taken,
    events.MoneyReceived: _received,
    events.MoneyPaidOut: _paid_out,
    events.MoneyTransferred: _transferred,
    events.MoneyMoved: _money_moved,
    events.DebtWrittenOff: _written_off,
    events.TillDifferenceBooked: _difference,
    events.TillClosed: _till_emptied,
}
