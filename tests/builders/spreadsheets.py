"""Lists as clubs hand them in: pasted cells, and workbooks as spreadsheets write them."""

import io
from collections.abc import Sequence
from typing import Any

import openpyxl

from tests.builders.playing import context
from tournaments.importing import ImportDraft
from tournaments.importing.run import Saved, save_import
from tournaments.models import Club, ImportKind
from tournaments.spreadsheets import Worksheet, read_pasted_cells


def workbook_of(rows: Sequence[Sequence[Any]], *, merged: Sequence[str] = ()) -> bytes:
    """An XLSX with these rows, and these ranges as one cell each."""
    book = openpyxl.Workbook()
    page: Any = book.active
    for row in rows:
        page.append(list(row))
    for cells in merged:
        page.merge_cells(cells)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def draft_of(club: Club, cells: str | Worksheet, kind: ImportKind = ImportKind.PLAYERS, **how: Any) -> ImportDraft:
    """A list of a club, from pasted cells."""
    worksheet = read_pasted_cells(cells) if isinstance(cells, str) else cells
    return ImportDraft(club=club, kind=kind, worksheet=worksheet, **how)


def imported(club: Club, cells: str | Worksheet, kind: ImportKind = ImportKind.PLAYERS, **how: Any) -> Saved:
    """The same, saved."""
    key = {"key": how.pop("key")} if "key" in how else {}
    return save_import(draft_of(club, cells, kind, **how), context=context(**key))
