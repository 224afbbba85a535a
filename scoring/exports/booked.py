"""What stands in a club's books: an entry with its postings, and what an account held before and after.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. A positive amount is what the club owes from then on.
Knows nothing of how it was read, nor of names: owners are ids.
"""

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
