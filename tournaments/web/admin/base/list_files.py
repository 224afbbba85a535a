"""A list of the back office as a file for a spreadsheet: its columns, all of its rows, as they are filtered and sorted.

CSV is written as the club's place writes numbers: with a decimal comma, semicolons part the cells.
"""

from collections.abc import Iterator, Sequence
from html import unescape
from io import BytesIO
from typing import Any, Literal, TypeGuard

from django.contrib.admin.templatetags.admin_list import items_for_result, result_headers
from django.contrib.admin.utils import lookup_field
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest, HttpResponse
from django.utils.html import strip_tags
from django.utils.text import capfirst

from scoring.exports.spreadsheets import Cell, Sheet, write_workbook
from tournaments.printing.files import CONTENT_TYPES, FileKind, csv_text

ASKED = "file"
MOST_ROWS = 10_000
ListFile = Literal["csv", "xlsx"]


def asked_file(request: HttpRequest) -> ListFile | None:
    """The kind of file that the address of a list asks for; None for the page."""
    kind = request.GET.get(ASKED, "")
    return kind if _is_kind(kind) else None


def _is_kind(kind: str) -> TypeGuard[ListFile]:
    return kind in ("csv", "xlsx")


def list_file(
    kind: ListFile, name: str, heading: Sequence[str], rows: Iterator[Sequence[Cell]], *, locale: str
) -> HttpResponse:
    """The file of a list, for download. `locale` is the club's."""
    if kind == "csv":
        content: bytes = csv_text([heading, *rows], locale=locale).encode()
    else:
        file = BytesIO()
        write_workbook(file, [Sheet(title="List", heading=heading, rows=rows)])
        content = file.getvalue()
    disposition = {"Content-Disposition": f'attachment; filename="{name}.{kind}"'}
    return HttpResponse(content, content_type=CONTENT_TYPES[FileKind(kind)], headers=disposition)


def headings_of(rows: ChangeList, left_out: frozenset[str]) -> list[str]:
    """The headings of a list, without the columns that are left out of its file."""
    return [
        capfirst(str(heading["text"]))
        for name, heading in zip(rows.list_display, result_headers(rows), strict=True)
        if name not in left_out
    ]


def cells_of(rows: ChangeList, left_out: frozenset[str], listed: set[Any]) -> Iterator[list[Cell]]:
    """The rows of one page of a list: whole numbers of the database as numbers, all else as the page writes it.

    `listed` are the keys of the pages before: a row that was added meanwhile moves others to the next page.
    """
    for row in rows.result_list:
        if row.pk in listed:
            continue
        listed.add(row.pk)
        shown = zip(rows.list_display, items_for_result(rows, row, None), strict=True)
        yield [_cell(rows, row, name, html) for name, html in shown if name not in left_out]


def _cell(rows: ChangeList, row: Any, name: Any, html: str) -> Cell:
    _, _, value = lookup_field(name, row, rows.model_admin)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    return " ".join(unescape(strip_tags(str(html))).split())
