"""A board, or a season, as a workbook for a spreadsheet: text stays text, amounts and points are numbers.

Rules: docs/publishing.md, "Feeds". The columns are those of the CSV. Knows nothing of requests.
"""

from collections.abc import Iterator
from io import BytesIO

from scoring.exports.cells import Cell, Money
from scoring.exports.workbook import Sheet, write_workbook
from tournaments.boards.boards import Board
from tournaments.web.public.base.exports import BOARD_HEADING, board_cells

# The amount is one cell that knows its currency.
PAYOUT = BOARD_HEADING.index("payout_minor")
WORKBOOK_HEADING = tuple("payout" if title == "payout_minor" else str(title) for title in BOARD_HEADING)


def board_workbook(board: Board) -> bytes:
    """A leaderboard in XLSX."""
    file = BytesIO()
    sheet = Sheet(title="Leaderboard", heading=WORKBOOK_HEADING, rows=_rows(board))
    write_workbook(file, [sheet], made_at=board.recorded_at or board.tournament.created_at)
    return file.getvalue()


def _rows(board: Board) -> Iterator[list[Cell]]:
    for cells in board_cells(board):
        payout, currency = cells[PAYOUT], str(cells[PAYOUT + 1])
        yield [*cells[:PAYOUT], Money(payout, currency) if isinstance(payout, int) else None, *cells[PAYOUT + 1 :]]
