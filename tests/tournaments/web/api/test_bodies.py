"""What is wrong in a body is named by its path, all at once, in words.

Planted faults these catch: `at $[0]`, only the first of several mistakes, an unknown field that is dropped.
"""

from uuid import uuid4

import msgspec
import pytest

from tests.builders.api_clients import Device
from tests.builders.playing import new_club, new_tournament
from tournaments.models import Role, Table
from tournaments.web.api.bodies import BodyRejected, read_body
from tournaments.web.api.table_shapes import TournamentBody
from tournaments.web.api.tournament_shapes import EntriesBody


@pytest.fixture
def club(db: None):
    return new_club()


@pytest.fixture
def director(club):
    return Device(club, Role.DIRECTOR)


def test_a_name_in_a_wrong_place_is_named_by_its_path(club, director):
    """Planted fault: `at $[0]`, and only the first of them."""
    answer = director.send(f"/api/v1/clubs/{club.id}/players/", {"names": ["Asha", 5, ""]})
    problems = {problem["field"]: problem["detail"] for problem in answer.json()["problems"]}
    assert problems == {
        "names[1]": "names[1] cannot be 5: it must be a text of 1 to 200 characters",
        "names[2]": "names[2] cannot be '': it must be a text of 1 to 200 characters",
    }


def test_fields_of_seats_are_named_by_their_path_all_at_once(club, director):
    """Planted fault: an unknown field below the first level is dropped without a word."""
    home = new_tournament(club)
    seats = [{"number": 0, "player": "Asha"}, 7, {"number": 1, "player": str(uuid4()), "chair": 3}, {"number": None}]
    answer = director.send(f"/api/v1/tournaments/{home.id}/tables/", {"number": 1, "seats": seats, "name": None})
    problems = [(problem["code"], problem["field"]) for problem in answer.json()["problems"]]
    assert answer.json()["code"] == "body_rejected"
    assert sorted(problems) == [
        ("missing_field", "seats[3].player"),
        ("unknown_field", "seats[2].chair"),
        ("wrong_type", "name"),
        ("wrong_type", "seats[0].number"),
        ("wrong_type", "seats[0].player"),
        ("wrong_type", "seats[1]"),
        ("wrong_type", "seats[3].number"),
    ]
    assert "$" not in answer.content.decode()
    assert Table.objects.count() == 0


def wording(kind: type[msgspec.Struct], raw: object) -> dict[str | None, str]:
    with pytest.raises(BodyRejected) as refused:
        read_body(kind, raw)
    return {problem.field: problem.text() for problem in refused.value.problems}


def test_each_kind_of_value_is_asked_for_in_words():
    day = "it must be a moment with its offset from UTC, such as 2026-01-17T19:30:00+05:30"
    raw = {
        "name": "",
        "preset": "pool_101",
        "starts_at": "2026-01-17T19:30:00",
        "currency": "rs",
        "fee_bp": True,
        "is_published": 1,
        "levy_on": "all",
        "options": [],
    }
    assert wording(TournamentBody, raw) == {
        "name": "name cannot be '': it must be a text of 1 to 200 characters",
        "starts_at": f"starts_at cannot be '2026-01-17T19:30:00': {day}",
        "currency": "currency cannot be 'rs': it must be a text of the form ^[A-Z]{3}$",
        "fee_bp": "fee_bp cannot be True: it must be a whole number from 0 to 10000",
        "is_published": "is_published cannot be 1: it must be true or false",
        "levy_on": "levy_on cannot be 'all': it must be one of fee, gross",
        "options": "options cannot be a list: it must be a JSON object",
    }
    raw = {"entries": [{"name": "Asha", "rate": 5, "pots": [""]}], "reason": None}
    assert wording(EntriesBody, raw) == {
        "entries[0].rate": "entries[0].rate cannot be 5: it must be one of free, full, member",
        "entries[0].pots[0]": "entries[0].pots[0] cannot be '': it must be a text of 1 to 200 characters",
        "reason": "reason cannot be None: it must be a text of at most 500 characters",
    }
    assert wording(EntriesBody, []) == {None: "the body must be a JSON object"}
    assert wording(EntriesBody, {"entries": []}) == {
        "entries": "entries has 0 items: it must be a list of 1 to 500 items"
    }


def test_what_may_be_null_may_be_left_out_and_null():
    body = read_body(EntriesBody, {"entries": [{"name": "Asha", "rate": None}], "expected_version": None})
    assert body == read_body(EntriesBody, {"entries": [{"name": "Asha"}]})
