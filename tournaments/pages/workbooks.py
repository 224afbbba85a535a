"""A board as a workbook for a spreadsheet: text stays text, amounts are numbers.

Rules: docs/publishing.md, "Feeds". The columns are those of the CSV. Knows nothing of requests.
"""

from collections.abc import Iterator
from io import BytesIO

from scoring.exports.cells import Cell, Money
from scoring.exports.workbook import Sheet, write_workbook
from tournaments.pages.exports import BOARD_HEADING, board_cells
from tournaments.queries import Board

# The amount is one cell that knows its currency.
WORKBOOK_HEADING = (*map(str, BOARD_HEADING[:-2]), "payout", "currency")


def board_workbook(board: Board) -> bytes:
    """A leaderboard in XLSX."""
    file = BytesIO()
    write_workbook(file, [Sheet(title="Leaderboard", heading=WORKBOOK_HEADING, rows=_rows(board))])
    return file.getvalue()


def _rows(board: Board) -> Iterator[list[Cell]]:
    for *cells, payout, currency in board_cells(board):
        yield [*cells, Money(payout, str(currency)) if isinstance(payout, int) else None, currency]
