"""Every operation of the API from its URL patterns, with a body that it takes."""

import uuid
from typing import Any

from drf_spectacular.generators import SchemaGenerator

from tests.builders.api_clients import Device
from tests.builders.playing import NOW, deal, loses, show
from tournaments.models import ApiToken, Import, ImportKind, Role, Table, Tournament

SOMEBODY = str(uuid.UUID(int=7))
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
}


def operations() -> dict[str, tuple[str, str]]:
    """Method and path of every operation, by its name."""
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    return {found["operationId"]: (method, path) for path, of in paths.items() for method, found in of.items()}


OPERATIONS = operations()


def address_of(path: str, tournament: Tournament, table: Table) -> str:
    """The path of an operation with the ids of a tournament, a table, an import that entered nobody and a display."""
    parts = {"club_id": tournament.club_id, "tournament_id": tournament.pk, "table_id": table.pk}
    if "{import_id}" in path:
        made, _ = Import.objects.get_or_create(
            club_id=tournament.club_id,
            key=f"entries of {tournament.pk}",
            defaults={"kind": ImportKind.ENTRIES, "tournament": tournament, "actor": "user:sam", "made_at": NOW},
        )
        parts["import_id"] = made.pk
    if "{token_id}" in path:
        display = ApiToken.objects.filter(club=tournament.club_id, role=Role.DISPLAY).first()
        parts["token_id"] = (display or Device(tournament.club, Role.DISPLAY).token).pk
    return path.format(**parts)
