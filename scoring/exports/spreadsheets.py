"""The journal and the balances as rows for a spreadsheet, and any rows as a workbook in XLSX.

Rules: docs/how-to/books.md, "Spreadsheets".
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import IO, TYPE_CHECKING

from scoring.exports import AccountBalance, BookedEntry, BookedPosting, account_name
from scoring.messages import decimals, format_minor

if TYPE_CHECKING:
    import xlsxwriter
MOST_ROWS = 1_048_576
MOST_CHARACTERS = 32_767
WIDTH = 16
JOURNAL_HEADING = (
    *("date", "time", "reference", "account", "name", "purpose", "debit", "credit", "currency", "amount_minor"),
    *("cause", "slot", "version", "reverses", "because"),
)
BALANCE_HEADING = ("account", "name", "currency", "opening", "debit", "credit", "closing", "closing_minor")
STATEMENT_HEADING = (
    *("date", "time", "reference", "purpose", "amount", "balance", "currency"),
    *("amount_minor", "balance_minor", "taken_back", "because"),
)


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
        """The number format in a spreadsheet."""
        places = decimals(self.currency)
        return f"0.{'0' * places}" if places else "0"

    def __str__(self) -> str:
        return format_minor(self.amount_minor, self.currency)


# The values that a spreadsheet cell may have.
Cell = str | int | Decimal | date | Money | None


def journal_rows(entries: Iterable[BookedEntry], names: Mapping[str, str]) -> Iterator[Sequence[Cell]]:
    """One row for each posting, in the order in which they were posted."""
    for entry in entries:
        for posting in entry.postings:
            yield _journal_row(entry, posting, names)


def balance_rows(balances: Iterable[AccountBalance], names: Mapping[str, str]) -> Iterator[Sequence[Cell]]:
    """One row for each account. What the club owes is positive."""
    for balance in balances:
        yield (
            account_name(balance.kind, balance.owner),
            names.get(balance.owner, ""),
            balance.currency,
            Money(balance.opening_minor, balance.currency),
            Money(balance.debit_minor, balance.currency),
            Money(balance.credit_minor, balance.currency),
            Money(balance.closing_minor, balance.currency),
            balance.closing_minor,
        )


def time_of_day(local: datetime) -> str:
    """The time of a line; with its offset from UTC in the hour that occurs twice when clocks change."""
    is_twice = local.replace(fold=1 - local.fold).utcoffset() != local.utcoffset()
    return local.isoformat(timespec="seconds")[11:] if is_twice else f"{local:%H:%M:%S}"


def _journal_row(entry: BookedEntry, posting: BookedPosting, names: Mapping[str, str]) -> Sequence[Cell]:
    amount = posting.amount_minor
    return (
        entry.posted_at.date(),
        time_of_day(entry.posted_at),
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One sheet of a workbook. Its rows are read once, when the sheets before it are written."""

    title: str
    heading: Sequence[str]
    rows: Iterable[Sequence[Cell]]


class TooManyRows(Exception):
    """A sheet has at most MOST_ROWS rows."""


class _Pictures:
    """The cell formats of a workbook, which wants each format once."""

    def __init__(self, workbook: "xlsxwriter.Workbook") -> None:
        self._workbook = workbook
        self._known: dict[str, object] = {}
        self.bold = workbook.add_format({"bold": True})

    def of(self, picture: str) -> "xlsxwriter.format.Format":
        if picture not in self._known:
            self._known[picture] = self._workbook.add_format({"num_format": picture})
        return self._known[picture]


def write_workbook(file: IO[bytes], sheets: Iterable[Sheet], *, made_at: datetime | None = None) -> None:
    """Write the sheets one after the other; with `made_at` the same cells give the same bytes. Raises TooManyRows."""
    # Most processes never write a workbook, and need not load the 17 MB that it takes.
    import xlsxwriter  # noqa: PLC0415

    with xlsxwriter.Workbook(file, {"constant_memory": True}) as workbook:
        if made_at is not None:
            workbook.set_properties({"created": made_at})
        pictures = _Pictures(workbook)
        for sheet in sheets:
            _write_sheet(workbook.add_worksheet(sheet.title), sheet, pictures)


def _write_sheet(page: "xlsxwriter.worksheet.Worksheet", sheet: Sheet, pictures: _Pictures) -> None:
    page.freeze_panes(1, 0)
    page.set_column(0, len(sheet.heading) - 1, WIDTH)
    for column, title in enumerate(sheet.heading):
        page.write_string(0, column, title, pictures.bold)
    for number, row in enumerate(sheet.rows, start=1):
        if number >= MOST_ROWS:
            raise TooManyRows(f"a sheet holds {MOST_ROWS - 1} rows: choose a shorter period")
        for column, cell in enumerate(row):
            _write_cell(page, (number, column), cell, pictures)


def _write_cell(
    page: "xlsxwriter.worksheet.Worksheet", place: tuple[int, int], cell: Cell, pictures: _Pictures
) -> None:
    match cell:
        case None | "":
            return
        case Money():
            page.write_number(*place, cell.exact, pictures.of(cell.picture))
        case int() | Decimal():
            page.write_number(*place, cell)
        case date():
            page.write_datetime(*place, cell, pictures.of("yyyy-mm-dd"))
        case str():
            page.write_string(*place, cell[:MOST_CHARACTERS])
