"""Lists that a program brings in: as rows and as files, tried first, once for each key, and undone."""

import uuid

import pytest

from tests.builders.api_clients import Device
from tests.builders.playing import new_club
from tests.builders.spreadsheets import workbook_of
from tournaments.models import Club, Import, Player, Role

pytestmark = pytest.mark.django_db
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


@pytest.fixture
def club() -> Club:
    return new_club()


def at(club: Club, more: str = "") -> str:
    return f"/api/v1/clubs/{club.pk}/imports/{more}"


def test_rows_are_tried_saved_once_listed_and_undone(club: Club):
    device = Device(club, Role.DIRECTOR)
    body = {"kind": "players", "rows": [{"name": "Asha", "number": "00042"}, {"name": "Bo", "number": 7}]}
    tried = device.send(at(club), {**body, "dry_run": True}).json()
    assert (tried["id"], tried["counts"]) == (None, {"new": 2})
    assert not Player.objects.exists()
    saved = device.send(at(club), {**body, "shown": tried["fingerprint"]}, key="k" * 20)
    again = device.send(at(club), {**body, "shown": tried["fingerprint"]}, key="k" * 20)
    assert (saved.status_code, again["Idempotency-Replayed"]) == (201, "true")
    assert set(Player.objects.values_list("name", "member_number")) == {("Asha", "00042"), ("Bo", "7")}
    assert [made["id"] for made in device.get(at(club)).json()["items"]] == [saved.json()["id"]]
    undo = at(club, f"{saved.json()['id']}/undo/")
    assert device.send(undo, {"dry_run": True}).json()["stays"] == []
    assert device.send(undo, {}).json()["undone_at"]
    assert not Player.objects.exists()


def test_a_file_may_be_the_body(club: Club):
    device = Device(club, Role.DIRECTOR)
    for body, media_type in (
        (workbook_of([["Name"], ["Asha"]]), XLSX),
        ("Name\nJürgen\n".encode("cp1252"), "text/csv"),
    ):
        sent = device.post(
            at(club) + "?kind=players",
            body,
            content_type=media_type,
            headers={"Idempotency-Key": uuid.uuid4().hex},
        )
        assert sent.status_code == 201, sent.json()
    assert set(Player.objects.values_list("name", flat=True)) == {"Asha", "Jürgen"}


def test_every_problem_of_a_list_is_in_the_answer(club: Club):
    device = Device(club, Role.DIRECTOR)
    rows = [{"name": "Asha"}, {"name": "asha"}, {"name": "Bo", "email": "bo@"}]
    answer = device.send(at(club), {"kind": "players", "rows": rows})
    assert answer.status_code == 422
    assert [problem["field"] for problem in answer.json()["problems"]] == ["row 2, column A", "row 3, column B"]
    device.send(at(club), {"kind": "players", "rows": [{"name": "Asha"}]})
    assert device.send(at(club), {"kind": "players", "rows": [{"name": "Asha"}], "shown": "x"}).status_code == 422
    unsized = device.post(
        at(club) + "?kind=players", b"PK\x03\x04", content_type=XLSX, headers={"Idempotency-Key": "z"}
    )
    assert unsized.json()["problems"][0]["code"] == "not_a_list"


def test_a_list_needs_the_permission_of_what_is_in_it(club: Club):
    desk = Device(club, Role.CHECKIN)
    assert desk.send(at(club), {"kind": "players", "rows": [{"name": "Asha"}]}).status_code == 403
    made = Device(club, Role.DIRECTOR).send(at(club), {"kind": "players", "rows": [{"name": "Asha"}]}).json()["id"]
    assert desk.send(at(club, f"{made}/undo/"), {}).status_code == 403
    other = Device(new_club(), Role.DIRECTOR)
    assert other.send(at(club, f"{made}/undo/"), {}).status_code == 404
    assert other.send(at(Import.objects.get().club), {"kind": "players", "rows": [{"name": "Bo"}]}).status_code == 404


def test_control_characters_are_a_problem_of_their_cell(club: Club):
    rows = [{"name": "Asha", "phone": "12\x014", "note": "a\x1bb", "number": "7\x02"}, {"name": "B\x07o"}]
    refused = Device(club, Role.DIRECTOR).send(at(club), {"kind": "players", "rows": rows})
    assert refused.status_code == 422
    assert {(problem["field"], problem["code"]) for problem in refused.json()["problems"]} == {
        *((f"row 1, column {column}", "not_text") for column in "BCD"),
        ("row 2, column A", "not_text"),
    }
