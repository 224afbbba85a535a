"""Readings: questions that doors ask. Nothing here changes anything."""

from tournaments.evenings import setup_of
from tournaments.queries.boards import Board, TableLine, board, seat_lines
from tournaments.queries.fingerprints import board_fingerprint_at, table_fingerprint
from tournaments.queries.history import HistoryLine, history
from tournaments.queries.money import SettlementState, settlement_state
from tournaments.queries.past import board_at, sheet_at
from tournaments.queries.published import (
    ClubPage,
    TournamentCard,
    board_names,
    club_page,
    published_clubs,
    sheet_by_address,
    tournament_by_address,
)
from tournaments.queries.sheets import SheetPage, seat_names, seats_told, sheet_page

__all__ = [
    "Board",
    "ClubPage",
    "HistoryLine",
    "SettlementState",
    "SheetPage",
    "TableLine",
    "TournamentCard",
    "board",
    "board_at",
    "board_fingerprint_at",
    "board_names",
    "club_page",
    "history",
    "published_clubs",
    "seat_lines",
    "seat_names",
    "seats_told",
    "settlement_state",
    "setup_of",
    "sheet_at",
    "sheet_by_address",
    "sheet_page",
    "table_fingerprint",
    "tournament_by_address",
]
