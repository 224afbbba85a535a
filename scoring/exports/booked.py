"""What stands in a club's books: an entry with its postings, and what an account held before and after.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. A positive amount is what the club owes from then on.
Knows nothing of how it was read, nor of names: owners are ids.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from scoring.money import AccountKind


@dataclass(frozen=True, slots=True, kw_only=True)
class BookedPosting:
    """One amount on one account."""

    kind: AccountKind
    owner: str
    purpose: str
    amount_minor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BookedEntry:
    """One balanced entry; `posted_at` is on the club's clock. `reverses` names what it takes back, or nothing."""

    id: str
    reference: str
    cause: str
    slot: str
    version: int
    currency: str
    memo: str
    posted_at: datetime
    postings: tuple[BookedPosting, ...]
    reverses: str = ""
    reverses_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountBalance:
    """What one account held before a period, and what moved in it: debits lower a balance, credits raise it."""

    kind: AccountKind
    owner: str
    currency: str
    opening_minor: int = 0
    debit_minor: int = 0
    credit_minor: int = 0

    @property
    def closing_minor(self) -> int:
        return self.opening_minor - self.debit_minor + self.credit_minor

    @property
    def key(self) -> tuple[AccountKind, str, str]:
        """Which account this is."""
        return self.kind, self.owner, self.currency


Balances = dict[tuple[AccountKind, str, str], AccountBalance]


def brought_forward(balance: AccountBalance) -> AccountBalance:
    """The balance as it was before the period: nothing has moved yet."""
    return replace(balance, debit_minor=0, credit_minor=0)


def after(balances: Mapping[tuple[AccountKind, str, str], AccountBalance], entry: BookedEntry) -> Balances:
    """The balances of the accounts that an entry touches, once it is booked."""
    changed: Balances = {}
    for posting in entry.postings:
        key = posting.kind, posting.owner, entry.currency
        held = changed.get(key) or balances.get(key)
        held = held or AccountBalance(kind=posting.kind, owner=posting.owner, currency=entry.currency)
        changed[key] = _moved(held, posting.amount_minor)
    return changed


def _moved(held: AccountBalance, amount_minor: int) -> AccountBalance:
    if amount_minor < 0:
        return replace(held, debit_minor=held.debit_minor - amount_minor)
    return replace(held, credit_minor=held.credit_minor + amount_minor)


# The chart of accounts as an accountant expects it: each account of ours under its root, by a name that never moves.

ROOTS: dict[AccountKind, str] = {
    AccountKind.PLAYER: "Liabilities:Players",
    AccountKind.PRIZE_POOL: "Liabilities:Prize-Pool",
    AccountKind.SIDE_POT: "Liabilities:Side-Pots",
    AccountKind.CLUB_FEE: "Income:House-Fee",
    AccountKind.LEVY: "Liabilities:Levies",
    AccountKind.GUARANTEE: "Expenses:Guarantees",
    AccountKind.CASH: "Assets:Cash",
    AccountKind.BANK: "Assets:Bank",
    AccountKind.OWNER: "Equity:Owners",
    AccountKind.CASH_DIFFERENCE: "Expenses:Cash-Differences",
    AccountKind.WRITE_OFF: "Expenses:Write-Offs",
}

DESK = "Desk"
PLAIN = re.compile(r"[A-Za-z0-9-]+")


def account_name(kind: AccountKind, owner: str) -> str:
    """The full name of an account; no two owners share one, and none is the parent of another.

    What a program holds for a parent is the sum of its children: money that is in nobody's till has a name of its own.
    """
    if kind is AccountKind.CASH and not owner:
        return f"{ROOTS[kind]}:{DESK}"
    return f"{ROOTS[kind]}:{_component(owner)}" if owner else ROOTS[kind]


def _component(owner: str) -> str:
    """An id as a part of an account's name, which begins with a capital and knows letters, digits and dashes."""
    return f"Id-{owner}" if PLAIN.fullmatch(owner) else f"Hex-{owner.encode().hex()}"
