"""A club's books for export, and as plain text for beancount, which any accountant's program can read.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md; docs/how-to/books.md, "Plain text". A positive amount is what
the club owes from then on; beancount has every sign reversed. Knows nothing of how entries were read, nor of names:
owners are ids. Pure: entries come in, lines and cells go out.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from scoring.messages import format_minor
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
    """One balanced entry; `posted_at` is in the club's time zone. `reverses` names the entry it reverses, if any."""

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
    """The balance of one account before a period, and its movements in it: debits lower a balance, credits raise it."""

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
        """The account's kind and owner."""
        return self.kind, self.owner, self.currency


Balances = dict[tuple[AccountKind, str, str], AccountBalance]


def brought_forward(balance: AccountBalance) -> AccountBalance:
    """The balance as it was before the period: nothing has moved yet."""
    return replace(balance, debit_minor=0, credit_minor=0)


def after(balances: Mapping[tuple[AccountKind, str, str], AccountBalance], entry: BookedEntry) -> Balances:
    """The balances of the accounts in an entry, after it is posted."""
    changed: Balances = {}
    for posting in entry.postings:
        key = posting.kind, posting.owner, entry.currency
        balance = changed.get(key) or balances.get(key)
        balance = balance or AccountBalance(kind=posting.kind, owner=posting.owner, currency=entry.currency)
        changed[key] = _moved(balance, posting.amount_minor)
    return changed


def _moved(held: AccountBalance, amount_minor: int) -> AccountBalance:
    if amount_minor < 0:
        return replace(held, debit_minor=held.debit_minor - amount_minor)
    return replace(held, credit_minor=held.credit_minor + amount_minor)


# The chart of accounts as an accountant expects it: each account of ours under its root, by a name that never changes.

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
    AccountKind.ROUNDING: "Expenses:Cash-Rounding",
    AccountKind.WRITE_OFF: "Expenses:Write-Offs",
    AccountKind.OPENING: "Equity:Opening-Balances",
}

DESK = "Desk"
PLAIN = re.compile(r"[A-Za-z0-9-]+")


def account_name(kind: AccountKind, owner: str) -> str:
    """The full name of an account; no two owners share one, and none is the parent of another.

    A parent's balance is the sum of its children: money that is in no till has a name of its own.
    """
    if kind is AccountKind.CASH and not owner:
        return f"{ROOTS[kind]}:{DESK}"
    return f"{ROOTS[kind]}:{_component(owner)}" if owner else ROOTS[kind]


def _component(owner: str) -> str:
    """An id as a part of an account's name, which begins with a capital and may contain letters, digits and dashes."""
    return f"Id-{owner}" if PLAIN.fullmatch(owner) else f"Hex-{owner.encode().hex()}"


# The plain text that beancount reads. There a debit is positive, so every sign is reversed: what the club owes a player
# is -540.00 on a liability. The file ends in one assertion for each balance, which the reader's program checks.

WIDTH = 60
# Characters that change the text direction: a name must not rearrange the line it is on.
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
UNPRINTABLE = frozenset(("Cc", "Cs", "Zl", "Zp"))
Account = tuple[AccountKind, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """The title of the file, and the first and last day of the period in the club's time zone, where it has them."""

    title: str
    currency: str
    first: date | None = None
    last: date | None = None


def beancount_lines(
    heading: Heading,
    opening: Sequence[AccountBalance],
    entries: Iterable[BookedEntry],
    names: Mapping[str, str],
) -> Iterator[str]:
    """The file line by line. `opening` are the balances before the first day."""
    yield ";; -*- mode: beancount; coding: utf-8 -*-"
    yield ";; A debit is positive: a player's account at -540.00 is owed 540.00 by the club."
    yield f'option "title" {text(heading.title)}'
    yield f'option "operating_currency" {text(heading.currency)}'
    opened_accounts: set[Account] = set()
    balances = {balance.key: balance for balance in opening}
    latest = heading.first
    if heading.first is not None:
        yield from _brought_forward(heading.first, opening, opened_accounts, names)
    for entry in entries:
        latest = entry.posted_at.date()
        yield from _opened(
            latest, [(posting.kind, posting.owner) for posting in entry.postings], opened_accounts, names
        )
        yield from _entry(entry, names)
        balances |= after(balances, entry)
    latest = heading.last or latest
    if latest is not None:
        yield from _assertions(latest + timedelta(days=1), balances.values(), opened_accounts)


def text(value: str) -> str:
    """A quoted text of the format, on one line."""
    return '"' + one_line(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


def one_line(value: str) -> str:
    """The text without line ends, control characters and marks that change the text direction."""
    characters = (character for character in value if character not in TURNING)
    return "".join(" " if unicodedata.category(character) in UNPRINTABLE else character for character in characters)


def _opened(day: date, accounts: Iterable[Account], known: set[Account], names: Mapping[str, str]) -> Iterator[str]:
    """Accounts are opened on the day on which they are first used."""
    for account in accounts:
        if account in known:
            continue
        known.add(account)
        kind, owner = account
        yield ""
        yield f"{day} open {account_name(kind, owner)}"
        if owner in names:
            yield f"  name: {text(names[owner])}"


def _brought_forward(
    day: date, opening: Sequence[AccountBalance], known: set[Account], names: Mapping[str, str]
) -> Iterator[str]:
    """The balances before the first day: one transaction per currency, which sums to zero like all others."""
    carried_balances = [balance for balance in opening if balance.opening_minor]
    yield from _opened(day, [(balance.kind, balance.owner) for balance in carried_balances], known, names)
    for currency in sorted({balance.currency for balance in carried_balances}):
        yield ""
        yield f'{day} * "Balances brought forward" #brought-forward'
        for balance in carried_balances:
            if balance.currency == currency:
                yield _posted((balance.kind, balance.owner), balance.opening_minor, currency, names)


def _entry(entry: BookedEntry, names: Mapping[str, str]) -> Iterator[str]:
    because = entry.memo.splitlines()
    narration = because[0] if because else entry.slot
    tags = f" #reversal ^entry-{entry.reverses_id}" if entry.reverses_id else ""
    yield ""
    yield f"{entry.posted_at.date()} * {text(entry.cause)} {text(narration)} ^entry-{entry.id}{tags}"
    yield f"  reference: {text(entry.reference)}"
    yield f"  slot: {text(entry.slot)}"
    yield f"  version: {entry.version}"
    yield f"  posted: {text(entry.posted_at.isoformat(timespec='seconds'))}"
    if entry.reverses:
        yield f"  reverses: {text(entry.reverses)}"
    for number, line in enumerate(because[1:], start=2):
        yield f"  because-{number}: {text(line)}"
    for posting in entry.postings:
        yield from _posting(posting, entry.currency, names)


def _posting(posting: BookedPosting, currency: str, names: Mapping[str, str]) -> Iterator[str]:
    yield _posted((posting.kind, posting.owner), posting.amount_minor, currency, names)
    yield f"    purpose: {text(posting.purpose)}"


def _posted(account: Account, amount_minor: int, currency: str, names: Mapping[str, str]) -> str:
    kind, owner = account
    remark = f" ; {one_line(names[owner])}" if owner in names else ""
    return f"  {account_name(kind, owner):<{WIDTH}} {format_minor(-amount_minor, currency):>16} {currency}{remark}"


def _assertions(day: date, balances: Iterable[AccountBalance], known: set[Account]) -> Iterator[str]:
    """The balance of every account at the end, to the unit."""
    yield ""
    for row in balances:
        if (row.kind, row.owner) in known:
            amount = format_minor(-row.closing_minor, row.currency)
            yield f"{day} balance {account_name(row.kind, row.owner):<{WIDTH}} {amount:>16} ~ 0 {row.currency}"
    yield ""
    yield ";; The end: a file without this line was cut off."
