"""The books in the plain text that beancount reads: an accountant opens them with a program we did not write.

Rules: docs/how-to/books.md, "Plain text". There a debit is positive, so every sign is turned: what the club owes a
player is -540.00 on a liability. The file ends in one assertion for each balance, which the reader's program checks.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from scoring.exports.booked import AccountBalance, BookedEntry, BookedPosting, account_name, after
from scoring.money import AccountKind, format_minor

WIDTH = 60
# Marks that turn the direction of what follows: a name must not rearrange the line it stands on.
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
UNPRINTABLE = frozenset(("Cc", "Cs", "Zl", "Zp"))
Account = tuple[AccountKind, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """What the file is called, and its first and last day on the club's clock where the period has them."""

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
    """The file line by line. `opening` is what accounts held before the first day."""
    yield from _head(heading)
    known: set[Account] = set()
    balances = {each.key: each for each in opening}
    latest = heading.first
    if heading.first is not None:
        yield from _brought_forward(heading.first, opening, known, names)
    for entry in entries:
        latest = entry.posted_at.date()
        yield from _opened(latest, [(each.kind, each.owner) for each in entry.postings], known, names)
        yield from _entry(entry, names)
        balances |= after(balances, entry)
    latest = heading.last or latest
    if latest is not None:
        yield from _assertions(latest + timedelta(days=1), balances.values(), known)


def text(value: str) -> str:
    """A quoted text of the format, on one line."""
    return '"' + one_line(value).replace("\\", "\\\\").replace('"', '\\"') + '"'


def one_line(value: str) -> str:
    """The text without line ends, control characters and marks that would turn the line round."""
    kept = (character for character in value if character not in TURNING)
    return "".join(" " if unicodedata.category(character) in UNPRINTABLE else character for character in kept)


def _head(heading: Heading) -> Iterator[str]:
    yield ";; -*- mode: beancount; coding: utf-8 -*-"
    yield ";; A debit is positive: a player's account at -540.00 is owed 540.00 by the club."
    yield f'option "title" {text(heading.title)}'
    yield f'option "operating_currency" {text(heading.currency)}'


def _opened(day: date, accounts: Iterable[Account], known: set[Account], names: Mapping[str, str]) -> Iterator[str]:
    """Accounts open on the day on which they are first used."""
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
    """What accounts held before the first day: one transaction a currency, which sums to nothing like all others."""
    held = [each for each in opening if each.opening_minor]
    yield from _opened(day, [(each.kind, each.owner) for each in held], known, names)
    for currency in sorted({each.currency for each in held}):
        yield ""
        yield f'{day} * "Balances brought forward" #brought-forward'
        for each in held:
            if each.currency == currency:
                yield _posted((each.kind, each.owner), each.opening_minor, currency, names)


def _entry(entry: BookedEntry, names: Mapping[str, str]) -> Iterator[str]:
    because = entry.memo.splitlines()
    said = because[0] if because else entry.slot
    tags = f" #reversal ^entry-{entry.reverses_id}" if entry.reverses_id else ""
    yield ""
    yield f"{entry.posted_at.date()} * {text(entry.cause)} {text(said)} ^entry-{entry.id}{tags}"
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
    """What every account holds at the end, to the unit."""
    yield ""
    for each in balances:
        if (each.kind, each.owner) in known:
            amount = format_minor(-each.closing_minor, each.currency)
            yield f"{day} balance {account_name(each.kind, each.owner):<{WIDTH}} {amount:>16} ~ 0 {each.currency}"
    yield ""
    yield ";; The end: a file without this line was cut off."
