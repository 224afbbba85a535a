"""Deeds: everything that changes something, as verbs. Doors call one of these and translate the answer.

Each takes the time and the acting person as arguments, refuses before it does anything, and does all or nothing.
"""

from tournaments.commands.changing import change_tournament
from tournaments.commands.closing import cancel_tournament, close_tournament, reopen_tournament
from tournaments.commands.creating import TournamentDraft, create_tournament
from tournaments.commands.erasing import erase_player
from tournaments.commands.evening import EveningRecorded, record_all_in_evening, record_in_evening
from tournaments.commands.moving import move_players, undo_move
from tournaments.commands.openings import SeatedPlayer, TableDraft, open_table
from tournaments.commands.orders import Order
from tournaments.commands.players import add_players, likely_duplicates
from tournaments.commands.rebuilding import rebuild, rebuild_differences
from tournaments.commands.recording import Recorded, record_wire_event
from tournaments.commands.seating_rounds import RoundOpened, seat_round, withdraw_seating
from tournaments.commands.settling import Settled, settle_table, tables_to_settle
from tournaments.commands.settling_evenings import settle_evening
from tournaments.commands.tokens import issue_token, revoke_token, token_digest

__all__ = [
    "EveningRecorded",
    "Order",
    "Recorded",
    "RoundOpened",
    "SeatedPlayer",
    "Settled",
    "TableDraft",
    "TournamentDraft",
    "add_players",
    "cancel_tournament",
    "change_tournament",
    "close_tournament",
    "create_tournament",
    "erase_player",
    "issue_token",
    "likely_duplicates",
    "move_players",
    "open_table",
    "rebuild",
    "rebuild_differences",
    "record_all_in_evening",
    "record_in_evening",
    "record_wire_event",
    "reopen_tournament",
    "revoke_token",
    "seat_round",
    "settle_evening",
    "settle_table",
    "tables_to_settle",
    "token_digest",
    "undo_move",
    "withdraw_seating",
]
