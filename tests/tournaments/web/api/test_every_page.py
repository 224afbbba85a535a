"""What each page of the back office shows or does is an operation of the API too, or a line here says why not.

`test_every_command.py` compares commands, and sees nothing that is only read. Planted faults this catches: a page that
is added without an operation or a reason, an operation here that is gone.
"""

from tests.builders.admin_addresses import CLUB_PAGES
from tests.builders.api_operations import OPERATIONS

# Django's own views of a row, which show nothing or answer 403.
DJANGOS_OWN = ("_history", "_delete")
PAPER = "paper for the hall, printed where people are"
OF_A_PHONE = "a phone's own work at a table"
PART = "a part of a page that follows it"
OF_A_LINK = "what the desk shows or prints for somebody who stands there"
# By the name of the page without its application: operations by their names, or a reason, which has blanks in it.
PAGES: dict[str, tuple[str, ...] | str] = {
    "index": ("list_clubs", "read_me", "list_tournaments"),
    "app_list": ("list_clubs",),
    "account_changelist": ("list_accounts",),
    "account_change": ("list_journal", "list_statement"),
    "journalentry_changelist": ("list_journal",),
    "journalentry_change": ("list_journal",),
    "event_changelist": ("read_log",),
    "event_change": ("read_log",),
    "apitoken_changelist": ("list_tokens",),
    "apitoken_add": ("create_token",),
    "apitoken_change": ("list_tokens",),
    "apitoken_revoke": ("revoke_token",),
    "club_changelist": ("list_clubs",),
    "club_add": "a site administrator's, by hand",
    "club_change": ("read_settings", "change_settings"),
    "club_unbox": "a site administrator brings a club in by hand, with the code that its maker reads out",
    "club_unreadable": "an act of the installation, by hand and rare",
    "club_books": ("read_trial_balance",),
    "club_books_balances": ("download_balances",),
    "club_books_journal": ("download_journal",),
    # Changes are ended by hand, with the coming in elsewhere.
    "club_box": ("list_boxes", "make_box"),
    "club_box_file": ("fetch_box",),
    "club_cash": ("read_cash_book", "write_cash_line"),
    "club_cash_balances": ("list_balances", "pay_players"),
    "club_cash_count": ("write_cash_line",),
    "club_cash_file": ("download_cash_book",),
    "club_cash_line": ("write_cash_line",),
    "club_cash_night": ("read_cash_up", "allow_credit", "write_cash_line"),
    "club_cash_nights": ("list_cash_books",),
    "club_cash_past": ("read_closed_cash_book",),
    "club_cash_player": ("list_balances", "list_statement", "write_cash_line"),
    "club_cash_receipt": PAPER,
    "club_imports": ("list_imports", "import_list", "undo_import"),
    "club_messages": (
        *("list_receivers", "add_receiver", "change_receiver", "switch_receiver", "test_receiver", "rotate_secret"),
        *("remove_receiver", "list_deliveries"),
    ),
    "club_people": ("list_people", "list_invitations"),
    "club_person": ("list_people", "change_role", "make_password_link"),
    "club_invite": ("invite_person",),
    "club_remove_person": ("remove_person",),
    "club_revoke_link": ("revoke_invitation",),
    "player_changelist": ("list_players",),
    "player_add": ("add_players",),
    "player_statement": ("list_statement",),
    "player_statement_file": ("download_statement",),
    "player_change": ("read_player", "change_player"),
    "player_data_file": ("read_player_data",),
    "player_erase": ("erase_player",),
    "player_link": OF_A_LINK,
    "player_merge": ("merge_player",),
    "player_remove": ("remove_player",),
    "player_unmerge": ("undo_merge",),
    "season_changelist": ("list_seasons",),
    "season_add": ("create_season", "preview_season"),
    "season_change": ("read_season", "change_season", "list_season_standings", "preview_season"),
    "season_close": ("read_season_closing", "close_season"),
    "season_again": ("recalculate_season",),
    "season_progress": ("read_season",),
    "table_changelist": ("list_tables",),
    "table_change": ("read_table",),
    "table_score": ("read_entry_form", "record_event"),
    "table_sheet": ("read_table",),
    "table_log": ("read_events",),
    "table_exchange": ("exchange_seats",),
    "table_keying": ("record_events",),
    "table_late": ("list_late_sheets", "answer_late_sheets"),
    "table_cards": ("list_cards", "make_cards"),
    "table_card_revoke": ("revoke_cards",),
    "table_time": ("set_clock",),
    "table_preview": "the answer to the event says what it did, and a correction undoes it",
    "table_hand": "the judge counts a hand on a public page, and `python -m scoring hand` for programs",
    "table_device": OF_A_PHONE,
    **dict.fromkeys(
        (
            *("table_buy_in", "table_cancel", "table_close", "table_confirm", "table_correct", "table_dispute"),
            *("table_leave", "table_penalty", "table_rejoin", "table_settle_dispute", "table_split", "table_totals"),
            *("table_void", "table_withdraw", "table_words"),
        ),
        ("record_event",),
    ),
    "tournament_changelist": ("list_tournaments",),
    "tournament_add": ("set_up_tournament", "create_tournament"),
    "tournament_change": ("read_tournament", "change_tournament"),
    "tournament_night": ("read_evening",),
    "tournament_results": ("read_leaderboard", "read_tournament_money"),
    "tournament_many": ("act_for_many",),
    "tournament_settle": ("settle_tournament",),
    "tournament_settle_all": ("settle_tournament",),
    "tournament_till": ("write_cash_line",),
    "tournament_desk": ("list_entries", "act_at_desk"),
    "tournament_desk_list": ("list_entries",),
    "tournament_desk_player": ("act_at_desk", "substitute_player", "undo_substitution"),
    "tournament_entries": ("list_entries", "enter_players"),
    "tournament_requests": ("list_entry_requests", "decide_entry_request"),
    "tournament_self_entry": ("read_self_entry", "set_self_entry"),
    "tournament_seat": ("open_table",),
    "tournament_seating": ("make_draft", "read_draft", "change_draft", "publish_draft", "undo_seating"),
    "tournament_seats": ("seat_late_player", "leave_table", "swap_seats", "undo_seat_change"),
    "tournament_moves": ("read_moves", "move_players", "undo_move"),
    "tournament_clock": ("set_clock", "read_evening"),
    "tournament_ties": ("break_tie", "read_cut"),
    "tournament_cut": ("read_cut", "make_cut", "undo_cut"),
    "tournament_plan": ("read_plan", "set_plan", "check_plan", "list_formats"),
    "tournament_prizes": ("read_prizes", "set_prizes"),
    "tournament_money": ("read_tournament_money",),
    "tournament_money_journal": ("download_journal",),
    "tournament_money_payouts": ("download_payouts",),
    "tournament_money_summary": ("read_report", "download_report"),
    "tournament_screens": ("read_screens", "set_screens", "pin_screen", "skip_screen"),
    "tournament_cards": ("list_cards", "make_cards", "revoke_cards"),
    "tournament_close": ("read_closing", "close_tournament"),
    "tournament_cancel": ("abandon_tournament",),
    "tournament_reopen": ("reopen_tournament",),
    "tournament_repeat": ("repeat_tournament",),
    "tournament_restore": ("restore_tournament",),
    "tournament_delete_unused": ("delete_tournament",),
    "tournament_player_links": OF_A_LINK,
    "tournament_static_site": "the public pages themselves, to be put on another server by hand",
    **dict.fromkeys(("tournament_night_part", "tournament_clock_part"), PART),
    **dict.fromkeys(
        (
            *("tournament_paper", "tournament_paper_certificates", "tournament_paper_seating"),
            *("tournament_paper_sheets", "tournament_paper_standings", "tournament_paper_winners"),
            "tournament_entries_print",
        ),
        PAPER,
    ),
}
# Nothing is added there: rows of the books and of the log are made by commands, tables with their tournament.
NEVER_ADDED = {"account_add", "journalentry_add", "event_add", "table_add"}


def test_each_page_has_its_operations_or_a_reason():
    pages = {name.removeprefix("tournaments_").removeprefix("scoring_") for name in CLUB_PAGES}
    assert {page for page in pages if not page.endswith(DJANGOS_OWN)} - NEVER_ADDED == PAGES.keys()


def test_the_operations_that_are_named_exist():
    named = {name for operations in PAGES.values() if isinstance(operations, tuple) for name in operations}
    assert named <= set(OPERATIONS)
