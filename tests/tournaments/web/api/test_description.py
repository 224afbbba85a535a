"""The description as programs read it: closed, unambiguous, with examples that run.

Planted faults these catch: two schemas under one title, so that a generator drops an operation; an object that takes
any field; a status that is not declared; an example that the API refuses.
"""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from django.db import transaction
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema
from jsonschema import Draft202012Validator

from tests.builders.api_clients import Device, person, send
from tests.builders.api_operations import parts_of
from tests.builders.playing import NOW, Playing, context, new_club, new_tournament
from tournaments.models import Invitation, Membership, Role
from tournaments.people.invitations import invite
from tournaments.people.players import add_players
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
from tournaments.web.api import schema as describing
from tournaments.web.api.schema import EXAMPLE_IDS, EXAMPLE_PLAYERS
from tournaments.web.api.table_shapes import TournamentEventJson

Schema = dict[str, Any]
DESCRIPTION: Schema = SchemaGenerator().get_schema(request=None, public=True)
SCHEMAS: dict[str, Schema] = DESCRIPTION["components"]["schemas"]
OPERATIONS = {
    operation["operationId"]: (method, path, operation)
    for path, methods in DESCRIPTION["paths"].items()
    for method, operation in methods.items()
}
NAMES = ("Asha", "Bo", "Cy", "Dev", "Ed", "Fay")


def parts(schema: Any) -> Iterator[Schema]:
    """Every schema in a schema."""
    if isinstance(schema, dict):
        yield schema
        for name, part in schema.items():
            yield from parts(part) if name not in ("default", "enum", "const", "mapping", "examples") else ()
    if isinstance(schema, list):
        for part in schema:
            yield from parts(part)


def test_every_title_is_given_once():
    titles = Counter(part["title"] for part in parts(SCHEMAS) if isinstance(part.get("title"), str))
    assert {title for title, number in titles.items() if number > 1} == set()
    assert titles.keys() >= {"EventBody", "Gin rummy", "Gin rummy: a single hand", "DealEvent", "CashEvent"}


def test_every_object_with_named_fields_is_closed():
    described = [part for part in parts(SCHEMAS) if "properties" in part and part.get("type") == "object"]
    assert [part.get("title") for part in described if part.get("additionalProperties") is not False] == []
    assert len(described) > 70


def test_every_page_of_a_list_says_where_the_next_one_is():
    """Planted fault it catches: a page described on its own, without what every list answers."""
    pages = [part for part in SCHEMAS.values() if "next_offset" in part.get("properties", {})]
    assert [page["title"] for page in pages if not {"items", "next", "left_out"} <= page["properties"].keys()] == []
    assert len(pages) > 15


def test_every_other_object_says_what_it_may_hold():
    """Planted fault: a plan described as `object` and no more, which TypeScript takes for one without fields."""
    described = [part for part in parts(SCHEMAS) if part.get("type") == "object" and "anyOf" not in part]
    assert [part for part in described if "additionalProperties" not in part] == []
    assert SCHEMAS["SetUpBody"]["properties"]["plan"]["anyOf"][0] == {"type": "object", "additionalProperties": True}


def test_events_are_told_apart_by_their_kind():
    for name in ("TableAct", "CashEvent"):
        union = SCHEMAS[name]
        mapping = union["discriminator"]["mapping"]
        assert union["discriminator"]["propertyName"] == "kind"
        assert [part["$ref"] for part in union["oneOf"]] == list(mapping.values())
        for kind, reference in mapping.items():
            assert SCHEMAS[reference.rpartition("/")[2]]["properties"]["kind"] == {"type": "string", "const": kind}


@pytest.mark.slow
def test_events_of_a_tournament_are_described_where_a_body_takes_them(monkeypatch):
    class EventOfTournament(msgspec.Struct, kw_only=True):
        """An event of a tournament."""

        event: TournamentEventJson

    monkeypatch.setitem(describing.SHAPES, "EventOfTournament", EventOfTournament)
    described = SchemaGenerator().get_schema(request=None, public=True)
    schemas = described["components"]["schemas"]
    assert schemas["EventOfTournament"]["properties"]["event"] == {"$ref": "#/components/schemas/TournamentEvent"}
    assert schemas["TournamentEvent"]["discriminator"]["mapping"].keys() >= {"round_seated", "cut_made"}
    assert not [part for part in parts(schemas) if part.get("items") is False]
    validate_schema(described)


def test_it_says_where_the_server_is_and_what_may_be_answered():
    assert DESCRIPTION["servers"][0]["url"] == "/"
    assert DESCRIPTION["info"]["license"]["name"]
    for name, (method, _, operation) in OPERATIONS.items():
        statuses = operation["responses"].keys()
        assert statuses >= {"400", "401", "403", "404", "405", "429", "503"}, name
        assert method == "get" or (statuses >= {"409", "413", "415", "422"} and statuses & {"200", "201"}), name
        assert operation.get("requestBody", {"required": True})["required"], name
        assert operation["summary"], name
        assert operation["description"], name


def test_every_parameter_says_what_it_is():
    for name, (_, path, operation) in OPERATIONS.items():
        parameters = operation.get("parameters", [])
        assert {word["name"] for word in parameters if word["in"] == "path"} == {
            part.strip("{}") for part in path.split("/") if part.startswith("{")
        }, name
        for parameter in parameters:
            assert parameter["schema"], name
            assert parameter["in"] == "path" or parameter["description"], (name, parameter["name"])


def examples_of(operation: Schema) -> list[Any]:
    """The bodies that are given as examples; for what takes none, that."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    return [None] if content is None else [example["value"] for example in content.get("examples", {}).values()]


def test_every_operation_has_an_example_for_what_it_takes():
    for name, (_, _, operation) in OPERATIONS.items():
        assert examples_of(operation), f"{name}: give `describes` an example"
        for parameter in operation.get("parameters", []):
            assert parameter["in"] != "path" or parameter["example"], f"{name}: add the id to EXAMPLE_IDS"


def test_every_example_is_what_its_operation_describes():
    """Planted fault: two structs of one name, so that an operation is described with the body of another."""
    for name, (_, _, operation) in OPERATIONS.items():
        for media, content in operation.get("requestBody", {}).get("content", {}).items():
            validator = Draft202012Validator({**content["schema"], "components": DESCRIPTION["components"]})
            for example in content.get("examples", {}).values():
                errors = validator.iter_errors(example["value"])
                assert [error.message for error in errors] == [], (name, media)


def test_two_structs_of_one_name_are_refused():
    class ClubAnswer(msgspec.Struct):
        """Another one of this name."""

    with pytest.raises(TypeError, match="ClubAnswer"):
        describing.describes("read_it", ClubAnswer)


@pytest.fixture
def world(db: None) -> tuple[Device, dict[str, str]]:
    """An owner's device, and what the ids of the examples stand for: among others a table and somebody replaced."""
    club = new_club()
    tournament = new_tournament(club, entry_minor=30_000)
    players = add_players(club, NAMES)
    owner = Device(club, Role.OWNER)
    entries = f"/api/v1/tournaments/{tournament.pk}/entries/"
    assert send(owner, entries, {"entries": [{"name": name} for name in NAMES[:4]]}).status_code == 201
    replaced = {"player": str(players[3].pk), "by": "Ines", "reason": "went home", "adds_new": True}
    desk = f"/api/v1/tournaments/{tournament.pk}/desk/substitute/"
    assert send(owner, desk, replaced).status_code == 201
    seats = [SeatedPlayer(number=seat, player=player.pk) for seat, player in enumerate(players[:3], start=1)]
    table = Playing(row=open_table(tournament, TableDraft(number=1, seats=seats), context=context()))
    path = "/{season_id}/{receiver_id}/{box_name}/{book_id}/"
    real = parts_of(path, tournament, table.row) | {
        "club_id": club.pk,
        "tournament_id": tournament.pk,
        "table_id": table.row.pk,
        "token_id": owner.token.pk,
        "person_id": Membership.objects.get(user=person(club, Role.SCORER)).pk,
        "invitation_id": invite(Invitation(club=club, role=Role.SCORER, made_by=owner.token.user), now=NOW)[0].pk,
    }
    return owner, {EXAMPLE_IDS[name]: str(key) for name, key in real.items()} | {
        example: str(player.pk) for example, player in zip(EXAMPLE_PLAYERS, players, strict=True)
    }


# Operations whose examples need a tournament in another state than that of `world`, whose refusal must say so; with
# theirs they are sent by test_plan_to_prizes.py, test_running.py, test_players.py and their neighbours.
IN_ANOTHER_STATE = frozenset(
    {
        *("pay_players", "undo_import", "record_events", "exchange_seats", "answer_late_sheets", "revoke_cards"),
        *("abandon_tournament", "close_tournament", "delete_tournament", "reopen_tournament", "restore_tournament"),
        *("make_cut", "undo_cut", "break_tie", "set_plan", "set_prizes", "settle_tournament", "request_entry"),
        *("change_draft", "publish_draft", "undo_seating", "move_players", "undo_move", "swap_seats"),
        *("undo_seat_change", "close_season", "undo_merge", "keep_late_sheet"),
    }
)
OF_THE_SHAPE = {"wrong_type", "unknown_field", "missing_field", "not_an_object"}


@pytest.mark.slow
def test_every_example_is_run(world: tuple[Device, dict[str, str]]):
    """Planted fault: an example with a field that was renamed."""
    owner, ids = world

    def real(text: str) -> str:
        for example, key in ids.items():
            text = text.replace(example, key)
        return text

    for name, (method, path, operation) in OPERATIONS.items():
        examples = examples_of(operation)
        if name == "record_event":
            # The others are deals of other games: tests/nights/test_every_variant.py plays them.
            examples = [operation["requestBody"]["content"]["application/json"]["examples"]["pool"]["value"]]
        for example in examples:
            address = real(path.format(**EXAMPLE_IDS))
            with transaction.atomic():
                if method == "get":
                    answer = owner.get(address)
                else:
                    headers = {"Idempotency-Key": uuid4().hex}
                    body = real(json.dumps(example))
                    answer = owner.generic(
                        method.upper(), address, body, content_type="application/json", headers=headers
                    )
                transaction.set_rollback(True)
            if name in IN_ANOTHER_STATE:
                assert answer.status_code in (404, 409, 422), (name, answer.content)
                assert not OF_THE_SHAPE & {problem["code"] for problem in answer.json()["problems"]}, name
            else:
                assert answer.status_code in (200, 201), (name, answer.content)
