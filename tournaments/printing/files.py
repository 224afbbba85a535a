"""A club's books as files: the journal of a period or a tournament, the balances, and the statement of one player.

Rules: docs/how-to/books.md; docs/how-to/paper.md for those that are printed. A file is completely written, row by row
and in a handful of queries, before it is sent.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from itertools import chain, islice
from typing import IO

from django.utils.translation import gettext, pgettext

from scoring.exports import Heading, beancount_lines, brought_forward
from scoring.exports.spreadsheets import (
    BALANCE_HEADING,
    JOURNAL_HEADING,
    STATEMENT_HEADING,
    Cell,
    Money,
    Sheet,
    balance_rows,
    journal_rows,
    time_of_day,
    write_workbook,
)
from scoring.ledger import player_statement
from scoring.ledger.readings import account_balances, booked_entries, count_postings
from scoring.messages import say
from scoring.money.formatting import DEFAULT_LOCALE, marks_of, money
from scoring.problems import Problem
from tournaments.books.queries import BookScope, names_of, scope_of
from tournaments.models import Player
from tournaments.people.players import rows_of
from tournaments.printing import counts, fingerprint_text, local_moment
from tournaments.printing.books import PLACE_HEADING, entry_places, journal_document
from tournaments.rendering.pdf import Document, Facts, PageSize, Paragraph, Signatures, pdf_of

# Text in the cells of a spreadsheet: a name is shown and never run as a formula.

FORMULA_STARTS = "=+-@\t\r\n|＝＋－＠﹢﹣﹦﹫−"
# Before the separators start at all, a spreadsheet has to know that this is UTF-8.
BYTE_ORDER_MARK = "\ufeff"
MUTE = "'"
Value = str | int | None
PLACES_AT_ONCE = 100
# Points of a season may have decimals; no float is ever written.
Exact = Value | Decimal


def inert(text: str) -> str:
    """Return the text without NUL, which ends a file, and with an apostrophe where a cell might be calculated.

    Where lists are separated by semicolons, as in German, a spreadsheet begins a cell after one inside a name too.
    """
    return _CELL_OF_FORMULA.sub(MUTE, text.replace("\x00", ""))


def csv_text(rows: Iterable[Sequence[Cell]], *, locale: str = "") -> str:
    """Return rows as CSV for a spreadsheet: with byte order mark, commas, line ends as in RFC 4180, and text inert.

    With a `locale` numbers have the decimal sign of that place, and semicolons stand between cells if it is a comma.
    """
    file = io.StringIO()
    _write_rows(file, rows, decimal_mark=marks_of(locale).decimal if locale else ".")
    return file.getvalue()


def _write_rows(file: IO[str], rows: Iterable[Sequence[object]], *, decimal_mark: str = ".") -> None:
    file.write(BYTE_ORDER_MARK)
    writer = csv.writer(file, lineterminator="\r\n", delimiter=";" if decimal_mark == "," else ",")
    for row in rows:
        writer.writerow([_csv_cell(value, decimal_mark) for value in row])


def _csv_cell(value: object, decimal_mark: str) -> object:
    if isinstance(value, Decimal | Money):
        return str(value).replace(".", decimal_mark)
    return inert(value) if isinstance(value, str) else value


# Blanks of any width, and invisible marks of bidirectional text.
_PASSED_OVER = (
    " \u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u3000\u200b\u200c\u200d"
    "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
# Where a cell begins, and a formula in it: after any separator that a spreadsheet knows.
_CELL_OF_FORMULA = re.compile(rf"(?:^|(?<=[,;\t\r\n]))(?=[{_PASSED_OVER}]*[{re.escape(FORMULA_STARTS)}])")


# A receipt for money paid at the cash desk: from whom, how much, for what, and the cashier.


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Money taken from a player, or handed to one. `at` is on the club's clock; `number` is never used twice.

    `place` is where the money went, or came from; `payer` is who brought it for the player. `locale` is the club's, for
    the format of amounts.
    """

    number: str
    club: str
    player: str
    amount_minor: int
    currency: str
    what_for: tuple[str, ...]
    cashier: str
    at: datetime
    place: str = ""
    payer: str = ""
    is_paid_out: bool = False
    fingerprint: str = ""
    locale: str = DEFAULT_LOCALE


def receipt_pdf(receipt: Receipt, size: PageSize = PageSize.A4) -> bytes:
    """Return the receipt as a PDF; printed again in the same language it is identical."""
    return pdf_of(receipt_document(receipt), size)


def receipt_document(receipt: Receipt) -> Document:
    """Build the document of a receipt."""
    gives, takes = (receipt.cashier, receipt.player) if receipt.is_paid_out else (receipt.player, receipt.cashier)
    signed = gettext("Given: {name}").format(name=gives), gettext("Received: {name}").format(name=takes)
    return Document(
        house=receipt.club,
        title=gettext("Receipt {number}").format(number=receipt.number),
        parts=(
            Paragraph(text=money(receipt.amount_minor, receipt.currency, receipt.locale), is_large=True),
            Facts(pairs=tuple(_facts(receipt))),
            Signatures(who=signed),
        ),
        foot=fingerprint_text(receipt.fingerprint),
        counts=counts(),
    )


def _facts(receipt: Receipt) -> Iterator[tuple[str, str]]:
    """The lines of a receipt: player, purpose, till, time and cashier."""
    yield pgettext("on a receipt", "Paid out to") if receipt.is_paid_out else gettext("Received from"), receipt.player
    if receipt.payer:
        yield pgettext("on a receipt", "Paid by"), receipt.payer
    for at, what in enumerate(receipt.what_for):
        yield "" if at else pgettext("what a receipt is for", "For"), what
    if receipt.place:
        yield _which_way(receipt), receipt.place
    yield gettext("When"), local_moment(receipt.at)
    yield gettext("Cashier"), receipt.cashier


def _which_way(receipt: Receipt) -> str:
    if receipt.is_paid_out:
        return pgettext("a till that money came from", "Out of")
    return pgettext("a till that money went to", "Into")


# A club's books as files: the journal of a period or a tournament, the balances, and the statement of one player.


class FileKind(StrEnum):
    """The program that a journal is exported for."""

    CSV = "csv"
    XLSX = "xlsx"
    BEANCOUNT = "beancount"
    PDF = "pdf"


CONTENT_TYPES = {
    FileKind.CSV: "text/csv; charset=utf-8",
    FileKind.XLSX: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    FileKind.BEANCOUNT: "text/plain; charset=utf-8",
    FileKind.PDF: "application/pdf",
}


# As many postings as can be written in half a minute; workbooks are four times as slow, and paper is for people.
MOST_POSTINGS = {FileKind.CSV: 100_000, FileKind.BEANCOUNT: 100_000, FileKind.XLSX: 25_000, FileKind.PDF: 10_000}


def download_problems(extract: BookScope, kind: FileKind) -> list[Problem]:
    """Why a journal is too long to be downloaded as a file of this kind."""
    length = count_postings(scope_of(extract))
    if length <= MOST_POSTINGS[kind]:
        return []
    text = say(
        "{length} entries, at most {most} per download. Choose a shorter period, or run manage.py "
        "export_books on the server.",
        length=length,
        most=MOST_POSTINGS[kind],
    )
    return [Problem(code="too_long", detail=text)]


def write_journal(file: IO[bytes], extract: BookScope, kind: FileKind, paper: PageSize = PageSize.A4) -> None:
    """Write the journal with its balances, as a file of this kind."""
    match kind:
        case FileKind.CSV:
            write_csv(file, (*JOURNAL_HEADING, *PLACE_HEADING), _journal_rows(extract))
        case FileKind.XLSX:
            write_workbook(file, _sheets(extract))
        case FileKind.BEANCOUNT:
            scope = scope_of(extract)
            heading = Heading(
                title=extract.title, currency=extract.club.currency, first=extract.first, last=extract.last
            )
            opening = account_balances(scope) if extract.first and scope.causes is None else ()
            before = [brought_forward(balance) for balance in opening]
            entries = booked_entries(scope, extract.zone)
            for line in beancount_lines(heading, before, entries, names_of(extract.club)):
                file.write(f"{line}\n".encode())
        case FileKind.PDF:
            file.write(pdf_of(journal_document(extract), paper))


def write_balances(file: IO[bytes], extract: BookScope) -> None:
    """Write every account with its opening balance, movements and closing balance, as CSV."""
    rows = balance_rows(account_balances(scope_of(extract)), names_of(extract.club))
    write_csv(file, BALANCE_HEADING, rows)


def write_statement(file: IO[bytes], player: Player) -> None:
    """Write everything a player ever paid and received in the club, as CSV."""
    write_csv(file, (*STATEMENT_HEADING, *PLACE_HEADING), _statement_rows(player))


def _journal_rows(extract: BookScope, names: Mapping[str, str] | None = None) -> Iterator[Sequence[Cell]]:
    account_names = names_of(extract.club) if names is None else names
    entries = iter(booked_entries(scope_of(extract), extract.zone))
    # A long journal is written as it is read: places are looked up for a hundred entries at once.
    while some := list(islice(entries, PLACES_AT_ONCE)):
        places = entry_places(some)
        for entry in some:
            yield from ((*row, *places[entry.reference]) for row in journal_rows([entry], account_names))


def _sheets(extract: BookScope) -> Iterator[Sheet]:
    names = names_of(extract.club)
    balances = balance_rows(account_balances(scope_of(extract)), names)
    yield Sheet(title="Journal", heading=(*JOURNAL_HEADING, *PLACE_HEADING), rows=_journal_rows(extract, names))
    yield Sheet(title="Balances", heading=BALANCE_HEADING, rows=balances)


def _statement_rows(player: Player) -> Iterator[Sequence[Cell]]:
    zone = BookScope(club=player.club).zone
    lines = player_statement(player.club_id, rows_of(player.club_id, [str(player.pk)]))
    places = entry_places(lines)
    for line in lines:
        posted = line.posted_at.astimezone(zone)
        yield (
            posted.date(),
            time_of_day(posted),
            line.reference,
            line.purpose,
            Money(line.amount_minor, line.currency),
            Money(line.balance_minor, line.currency),
            line.currency,
            line.amount_minor,
            line.balance_minor,
            "yes" if line.is_reversal else "",
            line.memo,
            *places[line.reference],
        )


def write_csv(file: IO[bytes], heading: Sequence[str], rows: Iterable[Sequence[Cell]]) -> None:
    """Write rows to a file as `csv_text` does, one at a time."""
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    _write_rows(text, chain([heading], rows))
    text.detach()
