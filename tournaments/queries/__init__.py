"""Readings: questions that doors ask. Nothing here changes anything."""

from tournaments.queries.boards import Board, board, board_tag
from tournaments.queries.history import HistoryLine, history
from tournaments.queries.money import SettlementState, settlement_state
from tournaments.queries.past import table_at
from tournaments.queries.sheets import SheetPage, sheet_page, table_tag

__all__ = [
    "Board",
    "HistoryLine",
    "SettlementState",
    "SheetPage",
    "board",
    "board_tag",
    "history",
    "settlement_state",
    "sheet_page",
    "table_at",
    "table_tag",
]
