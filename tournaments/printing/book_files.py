"""A club's books as files: the journal of a period or a tournament, the balances, and what one player paid and got.

Rules: docs/books.md; docs/paper.md for those that are printed. A file is written whole before anybody gets it, row by
row, in a handful of queries.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import IO

from scoring import exports
from scoring.exports import Cell, Money, Sheet
from scoring.ledger import postings_with_balance, statement_line
from scoring.ledger.journal import account_balances, booked_entries
from scoring.models import Account
from scoring.money import AccountKind
from tournaments.books.extracts import Extract, names_of, scope_of
from tournaments.models import Player
from tournaments.printing.books import journal_document
from tournaments.printing.cells import BYTE_ORDER_MARK, inert
from tournaments.rendering.pdf import PageSize, pdf_of

CHUNK = 2_000


class FileKind(StrEnum):
    """What program a journal is for."""

    CSV = "csv"
    XLSX = "xlsx"
    BEANCOUNT = "beancount"
    PDF = "pdf"


def write_journal(file: IO[bytes], extract: Extract, kind: FileKind, paper: PageSize = PageSize.A4) -> None:
    """The journal with its balances, as a file of this kind."""
    match kind:
        case FileKind.CSV:
            _write_csv(file, exports.JOURNAL_HEADING, _journal_rows(extract))
        case FileKind.XLSX:
            exports.write_workbook(file, _sheets(extract))
        case FileKind.BEANCOUNT:
            _write_beancount(file, extract)
        case FileKind.PDF:
            file.write(pdf_of(journal_document(extract), paper))


def write_balances(file: IO[bytes], extract: Extract) -> None:
    """Every account with what it held before, what moved, and what it holds, as CSV."""
    rows = exports.balance_rows(account_balances(scope_of(extract)), names_of(extract.club))
    _write_csv(file, exports.BALANCE_HEADING, rows)


def write_statement(file: IO[bytes], player: Player) -> None:
    """Everything a player ever paid and got in the club, as CSV."""
    _write_csv(file, exports.STATEMENT_HEADING, _statement_rows(player))


def _journal_rows(extract: Extract, names: Mapping[str, str] | None = None) -> Iterator[Sequence[Cell]]:
    found = names_of(extract.club) if names is None else names
    return exports.journal_rows(booked_entries(scope_of(extract), extract.zone), found)


def _sheets(extract: Extract) -> Iterator[Sheet]:
    names = names_of(extract.club)
    balances = exports.balance_rows(account_balances(scope_of(extract)), names)
    yield Sheet(title="Journal", heading=exports.JOURNAL_HEADING, rows=_journal_rows(extract, names))
    yield Sheet(title="Balances", heading=exports.BALANCE_HEADING, rows=balances)


def _write_beancount(file: IO[bytes], extract: Extract) -> None:
    scope = scope_of(extract)
    heading = exports.Heading(
        title=extract.title, currency=extract.club.currency, first=extract.first, last=extract.last
    )
    opening = account_balances(scope) if extract.first and scope.causes is None else ()
    before = [exports.brought_forward(each) for each in opening]
    entries = booked_entries(scope, extract.zone)
    for line in exports.beancount_lines(heading, before, entries, names_of(extract.club)):
        file.write(f"{line}\n".encode())


def _statement_rows(player: Player) -> Iterator[Sequence[Cell]]:
    zone = Extract(club=player.club).zone
    accounts = Account.objects.filter(club=player.club_id, kind=AccountKind.PLAYER, owner=str(player.pk)).values("id")
    for posting in postings_with_balance(accounts).order_by("entry__posted_at", "id").iterator(chunk_size=CHUNK):
        line = statement_line(posting)
        posted = line.posted_at.astimezone(zone)
        yield (
            posted.date(),
            f"{posted:%H:%M:%S}",
            line.reference,
            line.purpose,
            Money(line.amount_minor, line.currency),
            Money(line.balance_minor, line.currency),
            line.currency,
            line.amount_minor,
            line.balance_minor,
            "yes" if line.is_reversal else "",
            line.memo,
        )


def _write_csv(file: IO[bytes], heading: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """As `cells` has it, a row at a time: a byte order mark, commas, and text that no spreadsheet calculates."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    text.write(BYTE_ORDER_MARK)
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow(heading)
    for row in rows:
        writer.writerow([inert(cell) if isinstance(cell, str) else cell for cell in row])
    text.detach()
