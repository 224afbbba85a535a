"""A paper score sheet as a table of cells: what clubs keep by hand, read line by line.

Rules: docs/importing.md. Nothing here looks anything up or stores anything; `importing` does.
"""

from tournaments.commands.paper.heading import Heading
from tournaments.commands.paper.rows import Row, SheetRejected, read_rows
from tournaments.commands.paper.sheets import PaperSheet, SheetLine, read_paper

__all__ = ["Heading", "PaperSheet", "Row", "SheetLine", "SheetRejected", "read_paper", "read_rows"]
