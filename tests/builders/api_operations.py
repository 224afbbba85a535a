"""Every operation of the API from its URL patterns, with a body that it takes."""

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any

from drf_spectacular.generators import SchemaGenerator

from scoring.events.cash import CashBookClosed
from tests.builders.api_clients import Device, person
from tests.builders.playing import NOW, context, deal, loses, show
from tests.builders.receivers import new_receiver
from tournaments.boxes.keeping import boxes_of, make_box
from tournaments.cash.commands import open_book, write_in_book
from tournaments.models import (
    ApiToken,
    CashBook,
    Club,
    Import,
    ImportKind,
    Invitation,
    Membership,
    Role,
    Table,
    Tournament,
)
from tournaments.people.invitations import invite
from tournaments.people.players import add_players
from tournaments.seasons.commands import SeasonDraft, create_season

SOMEBODY, OTHER = str(uuid.UUID(int=7)), str(uuid.UUID(int=8))
BODIES: dict[str, Any] = {
    "write_cash_line": {"event": {"kind": "till_opened", "till": "user:7"}},
    "create_tournament": {"name": "Sunday", "preset": "pool_101", "starts_at": "2026-01-18T19:00:00Z"},
    "add_players": {"names": ["Esha"]},
    "import_list": {"kind": "players", "rows": [{"name": "Esha"}]},
    "undo_import": {"dry_run": False},
    "open_table": {"number": 9, "seats": []},
    "record_event": {"expected_version": 1, "event": deal(1, show, loses(3), loses(4), loses(5))},
    "enter_players": {"entries": [{"name": "Asha"}]},
    "act_at_desk": {"player": SOMEBODY, "act": "pay"},
    "substitute_player": {"player": SOMEBODY, "by": "Bo", "reason": "went home"},
    "undo_substitution": {"player": SOMEBODY, "reason": "came back"},
    "act_for_many": {"act": "mark_absent"},
    "record_tournament_event": {"expected_version": 1, "event": {"kind": "clock_paused", "round": 1}},
    "set_self_entry": {"takes_entries": True},
    "request_entry": {"name": "Zoya"},
    "decide_entry_request": {"act": "refuse_unconfirmed"},
    "create_token": {"name": "tablet", "role": "display"},
    "revoke_token": {},
    "answer_late_sheets": {"sheets": [SOMEBODY], "answer": "accept"},
    "record_events": {"expected_version": 1, "events": [{"kind": "table_closed"}]},
    "exchange_seats": {"expected_version": 1, "seats": ["1", "2"], "deals": [1], "reason": "mixed up"},
    "make_cards": {"tables": [SOMEBODY]},
    "revoke_cards": {"cards": [SOMEBODY]},
    "pay_players": {"amounts": {SOMEBODY: 100}},
    "allow_credit": {"limits": {SOMEBODY: 100}, "reason": "will bring it"},
    "set_plan": {"plan": {}},
    "check_plan": {"plan": {}, "players": 8},
    "make_cut": {"expected_version": 1},
    "undo_cut": {"reason": "a sheet was wrong"},
    "break_tie": {"players": [SOMEBODY, OTHER], "method": "lots", "seed": "K7QF-2M9X"},
    "set_clock": {"act": "pause"},
    "close_tournament": {"expected_version": 1},
    "abandon_tournament": {"reason": "flooded"},
    "reopen_tournament": {"reason": "a sheet was wrong"},
    "delete_tournament": {"expected_version": 1},
    "restore_tournament": {"expected_version": 1},
    "change_tournament": {"name": "Sunday"},
    "repeat_tournament": {"name": "Sunday again"},
    "settle_tournament": {"expected_version": 1},
    "set_prizes": {"prizes": {"prizes_bp": [6_000, 4_000]}},
    "set_screens": {"message": "Round 3 starts at 21:15"},
    "pin_screen": {"screen": "clock"},
    "skip_screen": {"skips": 0},
    "set_up_tournament": {"name": "Sunday", "preset": "pool_101", "starts_at": "2026-01-18T19:00:00Z"},
    "make_draft": {"rounds": 1},
    "change_draft": {"expected_version": 1, "act": "undo"},
    "discard_draft": {"expected_version": 0},
    "publish_draft": {"expected_version": 1},
    "undo_seating": {"round": 1, "reason": "somebody was forgotten"},
    "move_players": {"expected_version": 1, "player": SOMEBODY, "table": 2},
    "undo_move": {"move": 2, "reason": "they stay"},
    "seat_late_player": {"name": "Bo"},
    "leave_table": {"player": SOMEBODY, "why": "left"},
    "swap_seats": {"one": SOMEBODY, "other": OTHER},
    "undo_seat_change": {"key": "once"},
    "create_season": {"name": "Spring", "starts_on": "2026-01-01", "ends_on": "2026-06-30"},
    "preview_season": {"name": "Spring", "starts_on": "2026-01-01", "ends_on": "2026-06-30"},
    "change_season": {"is_published": True},
    "close_season": {},
    "recalculate_season": {},
    "add_receiver": {
        "channel": "webhook",
        "name": "Website",
        "address": "https://hook.example/in",
        "kinds": ["table_result"],
    },
    "change_receiver": {"name": "Website"},
    "switch_receiver": {"is_on": False},
    "test_receiver": {},
    "rotate_secret": {},
    "remove_receiver": {},
    "make_box": {},
    "change_player": {"email": "asha@example.org"},
    "remove_player": {},
    "merge_player": {"into": SOMEBODY},
    "undo_merge": {},
    "erase_player": {"dry_run": True},
    "change_settings": {"venue": "Club house"},
    "change_role": {"role": "cashier", "expected_role": "scorer"},
    "remove_person": {"revokes_devices": True},
    "make_password_link": {"forgets_second_factor": False},
    "invite_person": {"role": "scorer"},
    "revoke_invitation": {},
    "keep_late_sheet": {"expected_version": 1, "event": deal(1, show, loses(3), loses(4), loses(5))},
}


def operations() -> dict[str, tuple[str, str]]:
    """Method and path of every operation, by its name."""
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    return {found["operationId"]: (method, path) for path, of in paths.items() for method, found in of.items()}


OPERATIONS = operations()


def closed_book(club: Club) -> CashBook:
    """A cash book of a club that was opened and closed."""
    sam = context()
    book = open_book(club.pk, "INR", context=sam)
    write_in_book(book, CashBookClosed(), context=replace(sam, key="closed"))
    return club.cash_books.get(pk=book)


def address_of(path: str, tournament: Tournament, table: Table) -> str:
    """The path of an operation with the ids of a tournament, of a table, and of whatever else it is about.

    What is not there is made: an import that entered nobody, a display, a season, a receiver, a box, a closed cash
    book, a player who is in no record, a scorer of the club, an invitation.
    """
    return path.format(**parts_of(path, tournament, table))


def parts_of(path: str, tournament: Tournament, table: Table) -> dict[str, Any]:
    """The values of the parameters of such a path."""
    club = tournament.club
    parts: dict[str, Any] = {"club_id": club.pk, "tournament_id": tournament.pk, "table_id": table.pk}
    if "{import_id}" in path:
        made, _ = Import.objects.get_or_create(
            club_id=tournament.club_id,
            key=f"entries of {tournament.pk}",
            defaults={"kind": ImportKind.ENTRIES, "tournament": tournament, "actor": "user:sam", "made_at": NOW},
        )
        parts["import_id"] = made.pk
    if "{token_id}" in path:
        display = ApiToken.objects.filter(club=tournament.club_id, role=Role.DISPLAY).first()
        parts["token_id"] = (display or Device(club, Role.DISPLAY).token).pk
    if "{season_id}" in path:
        draft = SeasonDraft(name="Spring", starts_on=NOW.date(), ends_on=NOW.date() + timedelta(days=90))
        parts["season_id"] = (club.seasons.first() or create_season(club, draft)).pk
    if "{receiver_id}" in path:
        parts["receiver_id"] = (club.receivers.first() or new_receiver(club)).pk
    if "{box_name}" in path:
        boxes = boxes_of(club.pk)
        parts["box_name"] = boxes[0].path.name if boxes else make_box(club, now=NOW).name
    if "{book_id}" in path:
        parts["book_id"] = (club.cash_books.order_by("-is_closed").first() or closed_book(club)).pk
    if "{player_id}" in path:
        parts["player_id"] = add_players(club, ["Zora"])[0].pk
    if "{person_id}" in path:
        scorer = person(club, Role.SCORER)
        parts["person_id"] = Membership.objects.get(user=scorer).pk
    if "{invitation_id}" in path:
        invitation = Invitation(club=club, role=Role.SCORER, made_by=person(club, Role.OWNER))
        parts["invitation_id"] = invite(invitation, now=NOW)[0].pk
    return parts
