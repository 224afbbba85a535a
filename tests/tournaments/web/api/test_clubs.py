"""Clubs, tournaments and players over HTTP.

Planted faults these catch: a list that shows other clubs, a tournament made twice by a resend, a player added twice.
"""

from uuid import uuid4

import pytest
from django.test import Client

from tests.builders.api_clients import Device, person
from tests.builders.playing import CAST, new_club, new_tournament
from tournaments.models import Player, Role, Table, Tournament
from tournaments.people.players import add_players
from tournaments.web.admin.register.clubs import ClubForm
from tournaments.web.api.club_shapes import SettingsAnswer, SettingsFields

pytestmark = pytest.mark.django_db

DRAFT = {"name": "Sunday", "preset": "pool_101", "starts_at": "2026-01-18T19:00:00+05:30", "entry_minor": 10_000}


@pytest.fixture
def club():
    return new_club()


@pytest.fixture
def director(club):
    return Device(club, Role.DIRECTOR)


def test_a_list_shows_what_is_published_and_what_one_works_for(club, director):
    shown = new_club("Shown", is_published=True)
    new_club("Hidden")
    names = [item["name"] for item in Client().get("/api/v1/clubs/").json()["items"]]
    assert names == [shown.name]
    names = [item["name"] for item in director.get("/api/v1/clubs/").json()["items"]]
    assert names == [club.name, shown.name]
    assert Client().get(f"/api/v1/clubs/{club.id}/").status_code == 404
    told = director.get(f"/api/v1/clubs/{club.id}/").json()
    assert (told["name"], told["locale"]) == (club.name, "en_IN")


def test_players_are_for_those_who_work_for_the_club(club, director):
    path = f"/api/v1/clubs/{club.id}/players/"
    add_players(club, CAST)
    assert Client().get(path).status_code == 401
    assert Device(new_club("Dita's")).get(path).status_code == 404
    assert [item["name"] for item in director.get(path).json()["items"]] == list(CAST)
    shown = director.get(path, {"limit": 3}).json()
    assert (len(shown["items"]), shown["next_offset"]) == (3, 3)


@pytest.mark.parametrize("other", [["Asha", "Bo", "Cy"], ["Cy", "Dev"], ["Asha"], ["Bo", "Asha"], ["Asha", "Bob"]])
def test_another_list_under_the_key_of_an_earlier_one_is_refused(club, director, other):
    """Planted faults: 201 and Cy is not added; 201 and Cy is added under the key of Asha and Bo."""
    path, key = f"/api/v1/clubs/{club.id}/players/", uuid4().hex
    assert director.send(path, {"names": ["Asha", "Bo"]}, key=key).status_code == 201
    refused = director.send(path, {"names": other}, key=key)
    assert (refused.status_code, refused.json()["code"]) == (422, "key_reused")
    again = director.send(path, {"names": ["Asha", "Bo"]}, key=key)
    assert [item["name"] for item in again.json()["items"]] == ["Asha", "Bo"]
    assert Player.objects.filter(club=club).count() == 2
    assert director.send(path, {"names": other}, key=f"{key}2").status_code == 201


def test_players_are_added_once_however_often_they_are_sent(club, director):
    path = f"/api/v1/clubs/{club.id}/players/"
    assert director.send(path, {"names": ["Asha", "Bo"]}).status_code == 201
    answer = director.send(path, {"names": ["asha ", "Cy"]}, key=None)
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (422, "known_name")
    assert Player.objects.filter(club=club).count() == 2
    assert director.send(path, {"names": ["Asha"], "are_namesakes": True}).status_code == 201
    assert Device(club).send(path, {"names": ["Dev"]}).status_code == 403


def test_names_that_cannot_be_are_refused(club, director):
    for names in ([], "Asha", [""], ["x" * 201], [5], None):
        assert director.send(f"/api/v1/clubs/{club.id}/players/", {"names": names}).status_code == 422, names
    assert Player.objects.count() == 0


def test_a_tournament_is_made_once_by_a_key(club, director):
    path = f"/api/v1/clubs/{club.id}/tournaments/"
    first = director.send(path, DRAFT, key="t")
    again = director.send(path, DRAFT, key="t")
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert again.headers["Idempotency-Replayed"] == "true"
    Tournament.objects.update(name="Sunday cup", entry_minor=20_000)
    assert director.send(path, DRAFT, key="t").json()["id"] == first.json()["id"], "it was changed since"
    other = director.send(path, {**DRAFT, "name": "Monday"}, key="t")
    assert (other.status_code, other.json()["code"]) == (422, "key_reused")
    assert Tournament.objects.count() == 1


def test_a_tournament_that_cannot_be_is_refused_with_every_problem(club, director):
    sent = {**DRAFT, "options": {"limit": 5, "jokers": 3}, "fee_bp": 10_000}
    answer = director.send(f"/api/v1/clubs/{club.id}/tournaments/", sent)
    assert {problem["code"] for problem in answer.json()["problems"]} == {"out_of_range", "unknown_option"}
    answer = director.send(f"/api/v1/clubs/{club.id}/tournaments/", {**DRAFT, "fee_bp": 10_001, "currency": "rs"})
    assert {problem["field"] for problem in answer.json()["problems"]} == {"fee_bp", "currency"}
    answer = director.send(f"/api/v1/clubs/{club.id}/tournaments/", {**DRAFT, "currency": "INX"})
    (problem,) = answer.json()["problems"]
    assert (answer.status_code, problem["code"], problem["field"]) == (422, "unknown_currency", "currency")
    assert "INX" in problem["detail"]
    assert Tournament.objects.count() == 0


def test_the_bounds_of_the_fee_and_a_levy_come_back_as_they_were_sent(club, director):
    terms = {"fee_floor_minor": 400, "fee_cap_minor": 2_500, "levy_bp": 1_800, "levy_name": "GST", "levy_on": "fee"}
    answer = director.send(f"/api/v1/clubs/{club.id}/tournaments/", {**DRAFT, **terms})
    assert answer.status_code == 201
    assert {name: answer.json()[name] for name in terms} == terms
    refused = director.send(f"/api/v1/clubs/{club.id}/tournaments/", {**DRAFT, **terms, "fee_cap_minor": 300}, key="x")
    assert [problem["field"] for problem in refused.json()["problems"]] == ["fee_cap_minor"]


def test_a_tournament_without_a_currency_is_played_in_the_clubs():
    """Planted fault: rupees, whatever the club's currency."""
    club = new_club(currency="EUR")
    device, path = Device(club, Role.DIRECTOR), f"/api/v1/clubs/{club.id}/tournaments/"
    first = device.send(path, DRAFT, key="once")
    again = device.send(path, DRAFT, key="once")
    assert [answer.json()["currency"] for answer in (first, again)] == ["EUR", "EUR"]
    assert again.headers["Idempotency-Replayed"] == "true"
    assert device.send(path, {**DRAFT, "name": "Guests", "currency": "CHF"}).json()["currency"] == "CHF"


def test_hidden_tournaments_are_listed_for_members_only(club, director):
    club.is_published = True
    club.save()
    new_tournament(club, name="Shown")
    new_tournament(club, name="Hidden", is_published=False)
    path = f"/api/v1/clubs/{club.id}/tournaments/"
    assert [item["name"] for item in Client().get(path).json()["items"]] == ["Shown"]
    assert {item["name"] for item in director.get(path).json()["items"]} == {"Shown", "Hidden"}


def test_a_table_is_opened_once_by_a_key(club, director):
    home = new_tournament(club)
    seats = [{"number": seat, "player": str(p.id)} for seat, p in enumerate(add_players(club, CAST), start=1)]
    path = f"/api/v1/tournaments/{home.id}/tables/"
    first = director.send(path, {"number": 1, "seats": seats}, key="o")
    again = director.send(path, {"number": 1, "seats": seats}, key="o")
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert again.headers["Idempotency-Replayed"] == "true"
    assert first.json()["version"] == 1
    assert Table.objects.count() == 1
    assert [item["number"] for item in director.get(path).json()["items"]] == [1]


def test_a_table_that_cannot_be_is_refused_with_every_problem(club, director):
    home = new_tournament(club)
    (player,) = add_players(club, ["Asha"])
    stranger = add_players(new_club("Dita's"), ["Dita"])[0]
    seats = [
        {"number": 1, "player": str(player.id)},
        {"number": 2, "player": str(player.id)},
        {"number": 2, "player": str(stranger.id)},
        {"number": 3, "player": str(uuid4())},
    ]
    answer = director.send(f"/api/v1/tournaments/{home.id}/tables/", {"number": 1, "seats": seats})
    assert answer.status_code == 422
    assert {problem["code"] for problem in answer.json()["problems"]} == {
        "seat_taken_twice",
        "player_seated_twice",
        "unknown_player",
    }
    assert Table.objects.count() == 0


def test_a_member_of_two_clubs_has_in_each_its_own_role(club):
    other = new_club("Dita's")
    user = person(club, Role.DIRECTOR)
    other.memberships.create(user=user, role=Role.DISPLAY)
    browser = Client()
    browser.force_login(user)
    for home, status in ((club, 201), (other, 403)):
        path = f"/api/v1/clubs/{home.id}/tournaments/"
        answer = browser.post(path, DRAFT, content_type="application/json", headers={"Idempotency-Key": uuid4().hex})
        assert answer.status_code == status


def test_variants_and_their_options_are_told_to_everybody():
    items = Client().get("/api/v1/variants/").json()["items"]
    assert {"points", "deals", "pool"} <= {item["name"] for item in items}


def test_a_program_reads_and_changes_every_setting_that_the_page_has():
    """Planted fault: a setting added to the page alone."""
    of_page = {name for name, field in ClubForm.base_fields.items() if not field.widget.is_hidden}
    assert set(SettingsFields.__struct_fields__) == set(SettingsAnswer.__struct_fields__) - {"club"} == of_page
