"""Every operation of the API for every role, another club and anonymous clients. A new operation must be entered here.

Planted faults these catch: a view without a permission, a list not restricted to the club, a token of another club.
"""

import uuid
from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator

from tests.builders.api_clients import Device
from tests.builders.api_operations import BODIES, OPERATIONS, SOMEBODY, address_of
from tests.builders.playing import new_club, new_table, new_tournament
from tests.builders.seasons import season
from tournaments.entries.commands.check_in import DESK_ACTS
from tournaments.models import Role
from tournaments.people.permissions import MATRIX, Permission

pytestmark = pytest.mark.django_db

SEEN_BY_ALL = {"list_variants", "list_clubs"}
# Of whoever asks, and of no club.
OWN = {"read_me"}
DEEDS = {
    "read_club": Permission.WATCH,
    "list_tournaments": Permission.WATCH,
    "read_tournament": Permission.WATCH,
    "list_players": Permission.SEE,
    "list_tables": Permission.WATCH,
    "read_leaderboard": Permission.WATCH,
    "read_table": Permission.WATCH,
    "read_entry_form": Permission.SEE,
    "read_events": Permission.SEE,
    "create_tournament": Permission.DIRECT,
    "add_players": Permission.DIRECT,
    "list_imports": Permission.CHECK_IN,
    # Of the kind that is sent here, players.
    "import_list": Permission.DIRECT,
    "undo_import": Permission.CHECK_IN,
    "open_table": Permission.DIRECT,
    "record_event": Permission.RECORD,
    "read_evening": Permission.WATCH,
    "read_cash_book": Permission.SEE_MONEY,
    "write_cash_line": Permission.HANDLE_CASH,
    "list_balances": Permission.SEE_MONEY,
    "list_entries": Permission.TAKE_ENTRY,
    "enter_players": Permission.CHECK_IN,
    "act_at_desk": Permission.TAKE_ENTRY,
    "substitute_player": Permission.CHECK_IN,
    "undo_substitution": Permission.CHECK_IN,
    "act_for_many": Permission.CHECK_IN,
    "list_tournament_events": Permission.SEE,
    "record_tournament_event": Permission.DIRECT,
    "read_self_entry": Permission.CHECK_IN,
    "set_self_entry": Permission.DIRECT,
    "list_entry_requests": Permission.CHECK_IN,
    "request_entry": Permission.CHECK_IN,
    "decide_entry_request": Permission.CHECK_IN,
    "read_log": Permission.SEE,
    "list_tokens": Permission.DIRECT,
    "create_token": Permission.DIRECT,
    "revoke_token": Permission.DIRECT,
    "answer_late_sheets": Permission.DIRECT,
    "record_events": Permission.RECORD,
    "exchange_seats": Permission.DIRECT,
    "make_cards": Permission.DIRECT,
    "revoke_cards": Permission.DIRECT,
    "pay_players": Permission.HANDLE_CASH,
    "allow_credit": Permission.DIRECT,
    "list_late_sheets": Permission.DIRECT,
    "list_cards": Permission.DIRECT,
    "set_plan": Permission.DIRECT,
    "check_plan": Permission.DIRECT,
    "make_cut": Permission.DIRECT,
    "undo_cut": Permission.DIRECT,
    "break_tie": Permission.DIRECT,
    "set_clock": Permission.DIRECT,
    "close_tournament": Permission.DIRECT,
    "abandon_tournament": Permission.DIRECT,
    "reopen_tournament": Permission.DIRECT,
    "delete_tournament": Permission.DIRECT,
    "restore_tournament": Permission.DIRECT,
    "change_tournament": Permission.DIRECT,
    "repeat_tournament": Permission.DIRECT,
    "settle_tournament": Permission.SETTLE,
    "set_prizes": Permission.DIRECT,
    "set_screens": Permission.DIRECT,
    "pin_screen": Permission.DIRECT,
    "skip_screen": Permission.DIRECT,
    "set_up_tournament": Permission.DIRECT,
    "make_draft": Permission.DIRECT,
    "change_draft": Permission.DIRECT,
    "discard_draft": Permission.DIRECT,
    "publish_draft": Permission.DIRECT,
    "undo_seating": Permission.DIRECT,
    "move_players": Permission.DIRECT,
    "undo_move": Permission.DIRECT,
    "seat_late_player": Permission.DIRECT,
    "leave_table": Permission.DIRECT,
    "swap_seats": Permission.DIRECT,
    "undo_seat_change": Permission.DIRECT,
    "read_plan": Permission.SEE,
    "list_formats": Permission.SEE,
    "read_cut": Permission.DIRECT,
    "read_closing": Permission.DIRECT,
    "read_prizes": Permission.SEE_MONEY,
    "read_screens": Permission.WATCH,
    "read_draft": Permission.DIRECT,
    "read_moves": Permission.DIRECT,
    "list_seasons": Permission.WATCH,
    "read_season": Permission.WATCH,
    "list_season_standings": Permission.WATCH,
    "download_season": Permission.WATCH,
    "list_ratings": Permission.WATCH,
    "download_ratings": Permission.WATCH,
    "download_leaderboard": Permission.WATCH,
    **dict.fromkeys(("create_season", "preview_season", "change_season", "recalculate_season"), Permission.DIRECT),
    **dict.fromkeys(("read_season_closing", "close_season"), Permission.DIRECT),
    **dict.fromkeys(("list_receivers", "add_receiver", "list_deliveries", "change_receiver"), Permission.DIRECT),
    **dict.fromkeys(("switch_receiver", "test_receiver", "rotate_secret", "remove_receiver"), Permission.DIRECT),
    **dict.fromkeys(("list_boxes", "make_box", "fetch_box"), Permission.MANAGE),
    **dict.fromkeys(("list_accounts", "list_journal", "read_trial_balance"), Permission.SEE_BOOKS),
    **dict.fromkeys(("download_journal", "download_balances", "read_report", "download_report"), Permission.SEE_BOOKS),
    **dict.fromkeys(("list_statement", "download_statement", "read_tournament_money"), Permission.SEE_MONEY),
    **dict.fromkeys(("download_payouts", "read_cash_up"), Permission.SEE_MONEY),
    **dict.fromkeys(("list_cash_books", "read_closed_cash_book", "download_cash_book"), Permission.SEE_MONEY),
    "read_player": Permission.SEE,
    "change_player": Permission.DIRECT,
    "remove_player": Permission.DIRECT,
    "merge_player": Permission.DIRECT,
    "undo_merge": Permission.DIRECT,
    "erase_player": Permission.MANAGE,
    "read_player_data": Permission.MANAGE,
    "read_settings": Permission.SEE,
    "change_settings": Permission.MANAGE,
    "list_people": Permission.MANAGE,
    "change_role": Permission.MANAGE,
    "remove_person": Permission.MANAGE,
    "make_password_link": Permission.MANAGE,
    "list_invitations": Permission.MANAGE,
    "invite_person": Permission.MANAGE,
    "revoke_invitation": Permission.MANAGE,
    "keep_late_sheet": Permission.RECORD,
}
# Never published: an anonymous client is asked to sign in.
FOR_MEMBERS = {
    *("list_imports", "import_list", "undo_import"),
    *("list_players", "create_tournament", "add_players", "open_table", "record_event"),
    *("list_entries", "enter_players", "act_at_desk", "act_for_many", "substitute_player", "undo_substitution"),
    *("read_cash_book", "write_cash_line", "list_balances"),
    *("list_tournament_events", "record_tournament_event"),
    *("read_self_entry", "set_self_entry", "list_entry_requests", "request_entry", "decide_entry_request"),
    *("read_log", "list_tokens", "create_token", "revoke_token"),
    *("answer_late_sheets", "record_events", "exchange_seats", "make_cards", "revoke_cards"),
    *("pay_players", "allow_credit", "list_late_sheets", "list_cards"),
    *("set_plan", "check_plan", "make_cut", "undo_cut", "break_tie"),
    *("set_clock", "close_tournament", "abandon_tournament", "reopen_tournament", "delete_tournament"),
    *("restore_tournament", "change_tournament", "repeat_tournament", "settle_tournament", "set_prizes"),
    *("set_screens", "pin_screen", "skip_screen", "set_up_tournament", "make_draft"),
    *("change_draft", "discard_draft", "publish_draft", "undo_seating", "move_players"),
    *("undo_move", "seat_late_player", "leave_table", "swap_seats", "undo_seat_change"),
    *("read_plan", "list_formats", "read_cut", "read_closing", "read_prizes"),
    *("read_screens", "read_draft", "read_moves"),
    *("create_season", "preview_season", "change_season", "recalculate_season", "read_season_closing", "close_season"),
    *("list_receivers", "add_receiver", "list_deliveries", "change_receiver", "switch_receiver", "test_receiver"),
    *("rotate_secret", "remove_receiver", "list_boxes", "make_box", "fetch_box"),
    *("list_accounts", "list_journal", "read_trial_balance", "download_journal", "download_balances"),
    *("list_statement", "download_statement", "read_tournament_money", "download_payouts"),
    *("read_report", "download_report", "read_cash_up"),
    *("list_cash_books", "read_closed_cash_book", "download_cash_book"),
    *("read_screens", "read_draft", "read_moves", "keep_late_sheet"),
    *("read_player", "change_player", "remove_player", "merge_player", "undo_merge"),
    *("erase_player", "read_player_data", "read_settings", "change_settings"),
    *("list_people", "change_role", "remove_person", "make_password_link"),
    *("list_invitations", "invite_person", "revoke_invitation"),
}
EVENTS = {
    "deal_recorded": Permission.RECORD,
    "totals_recorded": Permission.RECORD,
    "totals_corrected": Permission.CORRECT,
    "tiebreak_recorded": Permission.RECORD,
    "rejoined": Permission.RECORD,
    "split_agreed": Permission.RECORD,
    "seat_left": Permission.RECORD,
    "bought_in": Permission.RECORD,
    "table_closed": Permission.RECORD,
    "deal_corrected": Permission.CORRECT,
    "deal_voided": Permission.CORRECT,
    "penalty_given": Permission.DIRECT,
    "fact_withdrawn": Permission.DIRECT,
    "table_cancelled": Permission.DIRECT,
    "deal_confirmed": Permission.RECORD,
    "deal_disputed": Permission.RECORD,
    "dispute_settled": Permission.DIRECT,
}


@pytest.fixture
def table():
    return new_table(new_tournament(new_club()))


def ask(client: Client, name: str, table: Any) -> int:
    method, path = OPERATIONS[name]
    home = table.row.tournament
    address = address_of(path, home, table.row)
    if method == "get":
        return client.get(address).status_code
    headers = {"Idempotency-Key": uuid.uuid4().hex}
    return client.post(address, BODIES[name], content_type="application/json", headers=headers).status_code


def test_every_operation_has_an_action():
    assert set(OPERATIONS) == SEEN_BY_ALL | OWN | DEEDS.keys()


def test_the_description_says_where_nobody_need_sign_in():
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    is_open = {found["operationId"]: {} in found["security"] for of in paths.values() for found in of.values()}
    assert {name for name in is_open if not is_open[name]} == FOR_MEMBERS | OWN


@pytest.mark.slow
@pytest.mark.parametrize("role", Role)
def test_a_role_may_what_the_matrix_says_and_nothing_else(table, role):
    device = Device(table.row.tournament.club, role)
    for name, permission in DEEDS.items():
        status = ask(device, name, table)
        assert (status == 403) == (permission not in MATRIX[role]), (name, status)
        assert status not in (401, 404), name


def test_to_a_neighbour_nothing_of_the_club_exists(table):
    neighbour = Device(new_club("Dita's club"), Role.OWNER)
    assert {name: ask(neighbour, name, table) for name in DEEDS} == dict.fromkeys(DEEDS, 404)


def test_a_stranger_sees_nothing_that_is_not_published(table):
    for name in DEEDS:
        assert ask(Client(), name, table) == (401 if name in FOR_MEMBERS else 404), name


def test_what_is_published_is_read_by_strangers_and_neighbours_and_written_by_neither():
    table = new_table(new_tournament(new_club(is_published=True)))
    neighbour = Device(new_club("Dita's club"), Role.OWNER)
    season(table.row.tournament.club)
    for name in (*DEEDS, *SEEN_BY_ALL):
        assert ask(Client(), name, table) == (401 if name in FOR_MEMBERS else 200), name
        assert ask(neighbour, name, table) == (404 if name in FOR_MEMBERS else 200), name


@pytest.mark.parametrize("role", [Role.SCORER, Role.DIRECTOR, Role.CASHIER])
def test_each_kind_of_event_takes_its_action(table, role):
    device = Device(table.row.tournament.club, role)
    path = OPERATIONS["record_event"][1].format(table_id=table.row.id)
    for kind, permission in EVENTS.items():
        answer = device.send(path, {"expected_version": 1, "event": {"kind": kind}})
        assert (answer.status_code == 403) == (permission not in MATRIX[role]), kind


@pytest.mark.slow
@pytest.mark.parametrize("role", Role)
def test_each_action_at_the_desk_takes_what_it_takes_on_its_page(table, role):
    device = Device(table.row.tournament.club, role)
    path = OPERATIONS["act_at_desk"][1].format(tournament_id=table.row.tournament_id)
    for act in DESK_ACTS.values():
        status = device.send(path, {"player": SOMEBODY, "act": act.name}).status_code
        assert (status == 403) == (act.permission not in MATRIX[role]), (act.name, status)
