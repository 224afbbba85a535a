"""A paper score sheet as a table of cells: what clubs keep by hand, read line by line.

Rules: docs/how-to/importing.md. Nothing here looks anything up or stores anything; `importing` does.
"""

from tournaments.sheet_import.forms import Played
from tournaments.sheet_import.heading import Heading
from tournaments.sheet_import.rows import Row, SheetRejected, read_rows
from tournaments.sheet_import.sheets import PaperDraft, PaperSheet, SheetLine, open_paper, read_paper

__all__ = [
    "Heading",
    "PaperDraft",
    "PaperSheet",
    "Played",
    "Row",
    "SheetLine",
    "SheetRejected",
    "open_paper",
    "read_paper",
    "read_rows",
]
