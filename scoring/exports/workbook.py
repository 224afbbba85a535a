"""A workbook in XLSX: text stays text, amounts are numbers with the places of their currency.

Rules: docs/how-to/books.md, "Spreadsheets". Rows go to the disk as they come, so a long journal needs no more memory
than a short one. No cell is ever a formula or a link, whatever it says.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import IO, TYPE_CHECKING

from scoring.exports.tables import Cell, Money

if TYPE_CHECKING:
    import xlsxwriter

MOST_ROWS = 1_048_576
MOST_CHARACTERS = 32_767
WIDTH = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One sheet of a workbook. Its rows are read once, when the sheets before it are written."""

    title: str
    heading: Sequence[str]
    rows: Iterable[Sequence[Cell]]


class TooManyRows(Exception):
    """A sheet holds no more than MOST_ROWS."""


class _Pictures:
    """How kinds of cells look; a workbook wants each look once."""

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
    # Most processes never write a workbook, and need not hold the 17 MB that do.
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
