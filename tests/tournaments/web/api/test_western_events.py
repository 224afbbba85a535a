"""Events of the Western games over HTTP: accepted as described, described as accepted, refused with seat and field.

Planted faults these catch: a game without a shape in the schema, an example refused by its own shape, a form with
paths that do not exist, a refusal that forgets the seat.
"""

from typing import Any

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from jsonschema import Draft202012Validator

from scoring.rules.variants import VARIANTS
from tests.builders.api_clients import Device, events_of
from tests.builders.playing import new_club, new_table, new_tournament
from tournaments.web.api.answers import example_deals

pytestmark = pytest.mark.django_db


def table_of(preset: str, *names: str) -> Any:
    return new_table(new_tournament(new_club(is_published=True), preset), names or ("Asha", "Bo", "Cy"))


def form_of(table: Any) -> dict[str, Any]:
    told: dict[str, Any] = Client().get(f"/api/v1/tables/{table.row.id}/form/").json()
    return told


def test_every_game_has_a_shape_and_an_example_that_fits_it():
    schema = SchemaGenerator().get_schema(request=None, public=True)
    body = schema["paths"]["/api/v1/tables/{table_id}/events/"]["post"]["requestBody"]
    assert body["content"]["application/json"]["examples"].keys() == example_deals().keys() == VARIANTS.keys()
    told = Draft202012Validator({"$ref": "#/components/schemas/Event", "components": schema["components"]})
    for event in example_deals().values():
        told.validate(event)
    hands = [{"knocker": "1", "defender": "2", "ending": "gin", "defender_deadwood": 20}]
    told.validate({"kind": "deal_recorded", "deal": 1, "hands": hands})
    told.validate(example_deals()["rummy_royal"] | {"boxes": {"678": ["1", "2"]}})
    assert not told.is_valid(example_deals()["rum"] | {"melded": {"1": 5}})


def test_the_form_names_boxes_with_the_path_at_which_they_stand():
    boxes = [field for field in form_of(table_of("rummy_royal"))["fields"] if field["path"][0] == "boxes"]
    assert ["boxes", "AH"] in [field["path"] for field in boxes]
    assert boxes[0]["note"] == "0 chips"


def test_the_form_says_what_is_due_after_a_void_and_after_the_end():
    table = table_of("gin", "Asha", "Bo")
    table.record({"kind": "deal_recorded", "deal": 1, "knocker": "1", "ending": "gin", "defender_deadwood": 90})
    assert (form_of(table)["due"], form_of(table)["fields"], form_of(table)["seats"]) == ("nothing", [], {})
    table.record({"kind": "deal_voided", "deal": 1, "reason": "misdeal"})
    assert (form_of(table)["due"], form_of(table)["deals_to_replay"]) == ("deal_recorded", [1])


def test_a_form_that_is_known_is_not_sent_again():
    table = table_of("rum")
    path = f"/api/v1/tables/{table.row.id}/form/"
    tag = Client().get(path).headers["ETag"]
    assert Client(headers={"If-None-Match": tag}).get(path).status_code == 304
    table.record({"kind": "deal_recorded", "deal": 1, "out": "1", "counts": {"2": 5, "3": 6}})
    assert Client(headers={"If-None-Match": tag}).get(path).status_code == 200


def test_a_table_tells_which_way_its_number_is_good_and_what_stands_beside_it():
    table = table_of("rum")
    shown = Client().get(f"/api/v1/tables/{table.row.id}/").json()
    assert (shown["ranked_by"], shown["low_is_good"], shown["finish_line"], shown["panels"]) == ("total", True, 100, [])
    royal = table_of("rummy_royal")
    royal.record({"kind": "deal_recorded", **example_deals()["rummy_royal"], "boxes": {}})
    shown = Client().get(f"/api/v1/tables/{royal.row.id}/").json()
    assert (shown["ranked_by"], shown["panels"][0]["rows"][0]) == ("chips", ["10♥", "3"])
    assert shown["lines"][0]["remarks"] == ["Bo bought the extra hand for 4"]


def test_a_refused_deal_names_seat_and_field():
    table = table_of("rum")
    device = Device(table.row.tournament.club)
    event = {"kind": "deal_recorded", "deal": 1, "out": "1", "counts": {"1": 7, "2": 5}}
    refused = device.send(events_of(table), {"expected_version": 1, "event": event})
    assert refused.status_code == 422
    told = {(problem["code"], problem["seat"], problem["field"]) for problem in refused.json()["problems"]}
    assert told == {("winner_has_points", "1", "counts"), ("missing_count", "3", "counts")}


def test_the_board_of_a_gin_tournament_tells_the_number_that_decides():
    table = table_of("gin", "Asha", "Bo")
    table.record({"kind": "deal_recorded", "deal": 1, "knocker": "1", "knocker_deadwood": 4, "defender_deadwood": 14})
    rows = Client().get(f"/api/v1/tournaments/{table.row.tournament_id}/leaderboard/").json()["rows"]
    assert [(row["name"], row["total"], row["net_points"]) for row in rows] == [("Asha", 10, 35), ("Bo", 0, -35)]
