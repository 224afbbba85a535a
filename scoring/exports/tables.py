"""The journal and the balances as rows for a spreadsheet: one row for each posting, one for each account.

Rules: docs/how-to/books.md, "Spreadsheets". Debits and credits stand in columns of their own, as accountants write
them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from scoring.amounts import decimals
from scoring.exports.booked import AccountBalance, BookedEntry, BookedPosting, account_name
from scoring.money import format_minor

# What a cell of a spreadsheet may hold: text, a number, a day, or an amount that is a number.


@dataclass(frozen=True, slots=True)
class Money:
    """An amount in one currency."""

    amount_minor: int
    currency: str

    @property
    def exact(self) -> Decimal:
        return Decimal(format_minor(self.amount_minor, self.currency))

    @property
    def picture(self) -> str:
        """How a spreadsheet shows it."""
        places = decimals(self.currency)
        return f"0.{'0' * places}" if places else "0"

    def __str__(self) -> str:
        return format_minor(self.amount_minor, self.currency)


Cell = str | int | Decimal | date | Money | None


# The journal and the balances as rows for a spreadsheet: one row for each posting, one for each account.


JOURNAL_HEADING = (
    *("date", "time", "reference", "account", "name", "purpose", "debit", "credit", "currency", "amount_minor"),
    *("cause", "slot", "version", "reverses", "because"),
)


BALANCE_HEADING = ("account", "name", "currency", "opening", "debit", "credit", "closing", "closing_minor")


STATEMENT_HEADING = (
    *("date", "time", "reference", "purpose", "amount", "balance", "currency"),
    *("amount_minor", "balance_minor", "taken_back", "because"),
)


def journal_rows(entries: Iterable[BookedEntry], names: Mapping[str, str]) -> Iterator[Sequence[Cell]]:
    """One row for each posting, in the order in which they were booked."""
    for entry in entries:
        for posting in entry.postings:
            yield _journal_row(entry, posting, names)


def balance_rows(balances: Iterable[AccountBalance], names: Mapping[str, str]) -> Iterator[Sequence[Cell]]:
    """One row for each account. What the club owes is positive."""
    for each in balances:
        yield (
            account_name(each.kind, each.owner),
            names.get(each.owner, ""),
            each.currency,
            Money(each.opening_minor, each.currency),
            Money(each.debit_minor, each.currency),
            Money(each.credit_minor, each.currency),
            Money(each.closing_minor, each.currency),
            each.closing_minor,
        )


def _journal_row(entry: BookedEntry, posting: BookedPosting, names: Mapping[str, str]) -> Sequence[Cell]:
    amount = posting.amount_minor
    return (
        entry.posted_at.date(),
        f"{entry.posted_at:%H:%M:%S}",
        entry.reference,
        account_name(posting.kind, posting.owner),
        names.get(posting.owner, ""),
        posting.purpose,
        Money(-amount, entry.currency) if amount < 0 else None,
        Money(amount, entry.currency) if amount > 0 else None,
        entry.currency,
        amount,
        entry.cause,
        entry.slot,
        entry.version,
        entry.reverses,
        entry.memo,
    )
