"""Building a night's cash book: its facts, and the balances of its places and players."""

from typing import Any

from scoring.cash import CashBook, account_at, account_of_player, entry_of, fold_book
from scoring.cash.admission import Holdings, problems_with
from scoring.facts import cash as facts
from scoring.facts.table import Fact
from tests.builders.wording import refusal

PLACES = ("bank", "desk", "owner", "levy")
SAM, DITA = "till:sam", "till:dita"


def book_of(*written: Fact) -> CashBook:
    """A book in rupees with these facts after its opening."""
    return fold_book(CashBook(), enumerate([facts.CashBookOpened(currency="INR"), *written], 1))


def with_tills(*written: Fact) -> CashBook:
    """Sam and Dita each have a till."""
    return book_of(facts.TillOpened(till="sam"), facts.TillOpened(till="dita"), *written)


def held(money: dict[str, int], **more: Any) -> Holdings:
    """The balances of places and players. The levy is what is owed, like a player's balance."""
    balances = {}
    for name, amount in money.items():
        is_box = name.startswith("till:") or (name in PLACES and name != "levy")
        account = account_at(name) if is_box or name == "levy" else account_of_player(name)
        balances[account] = -amount if is_box else amount
    return Holdings(balances=balances, **more)


def refused(book: CashBook, fact: Fact, money: dict[str, int] | None = None, **more: Any) -> list[str]:
    """All problems with a fact."""
    return [refusal(problem) for problem in problems_with(book, fact, held(money or {}, **more))]


def moved(book: CashBook, fact: Fact) -> dict[str, int]:
    """By how much a fact changes each account, as the club's debt, with the purpose of its postings."""
    entry = entry_of(book, fact)
    return {f"{e.account.kind} {e.account.owner}".strip(): e.amount_minor for e in entry.postings} if entry else {}
