"""Our export files read by other programs: beancount's balances, and a workbook's cells."""

import io
from collections.abc import Iterable, Mapping
from datetime import UTC, date, tzinfo
from decimal import Decimal
from typing import Any
from uuid import UUID

import openpyxl
from beancount import loader
from beancount.core import realization
from beancount.core.data import Transaction

from scoring.exports import AccountBalance, Heading, beancount_lines
from scoring.ledger.readings import Scope, booked_entries

Held = dict[tuple[str, str], Decimal]


def exported(
    club: UUID,
    *,
    names: Mapping[str, str] | None = None,
    first: date | None = None,
    opening: Iterable[AccountBalance] = (),
    zone: tzinfo = UTC,
    **scope: Any,
) -> str:
    """A club's books as a beancount file."""
    heading = Heading(title="Thursday club", currency="INR", first=first)
    entries = booked_entries(Scope(club=club, **scope), zone)
    return "\n".join([*beancount_lines(heading, tuple(opening), entries, names or {}), ""])


def read(text: str) -> tuple[Any, ...]:
    """The entries that beancount reads; a file with errors fails."""
    entries, errors, _options = loader.load_string(text)
    assert [error.message for error in errors] == []
    return tuple(entries)


def complaints(text: str) -> list[str]:
    """The errors that beancount reports for a file."""
    _entries, errors, _options = loader.load_string(text)
    return [error.message for error in errors]


def transactions(text: str) -> list[Transaction]:
    return [entry for entry in read(text) if isinstance(entry, Transaction)]


def held_by_beancount(text: str) -> Held:
    """The balance of every account according to beancount, zero balances left out; a debit is positive."""
    root = realization.realize(read(text))
    return {
        (account.account, position.units.currency): position.units.number
        for account in realization.iter_children(root)
        for position in account.balance.get_positions()
        if position.units.number
    }


def workbook_rows(file: bytes, sheet: str) -> list[tuple[Any, ...]]:
    """The cells of a sheet as another library reads them."""
    book = openpyxl.load_workbook(io.BytesIO(file))
    return [tuple(cell.value for cell in row) for row in book[sheet].iter_rows()]
