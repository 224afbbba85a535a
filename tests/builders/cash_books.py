"""Building a night's cash book: its events, and the balances of its places and players."""

from typing import Any

from scoring.cash import CashBook, account_at, account_of_player, entry_of, fold_book
from scoring.cash.admission import Holdings, problems_with
from scoring.events import cash as events
from scoring.events.table import Event
from tests.builders.wording import refusal

PLACES = ("bank", "desk", "owner", "levy")
SAM, DITA = "till:sam", "till:dita"


def book_of(*written: Event) -> CashBook:
    """A book in rupees with these events after its opening."""
    return fold_book(CashBook(), enumerate([events.CashBookOpened(currency="INR"), *written], 1))


def with_tills(*written: Event) -> CashBook:
    """Sam and Dita each have a till."""
    return book_of(events.TillOpened(till="sam"), events.TillOpened(till="dita"), *written)


def held(money: dict[str, int], **more: Any) -> Holdings:
    """The balances of places and players. The levy is what is owed, like a player's balance."""
    balances = {}
    for name, amount in money.items():
        is_box = name.startswith("till:") or (name in PLACES and name != "levy")
        account = account_at(name) if is_box or name == "levy" else account_of_player(name)
        balances[account] = -amount if is_box else amount
    return Holdings(balances=balances, **more)


def refused(book: CashBook, event: Event, money: dict[str, int] | None = None, **more: Any) -> list[str]:
    """All problems with an event."""
    return [refusal(problem) for problem in problems_with(book, event, held(money or {}, **more))]


def moved(book: CashBook, event: Event) -> dict[str, int]:
    """By how much an event changes each account, as the club's debt, with the purpose of its postings."""
    entry = entry_of(book, event)
    return {f"{e.account.kind} {e.account.owner}".strip(): e.amount_minor for e in entry.postings} if entry else {}
