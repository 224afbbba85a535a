"""People who enter by themselves, at the API: a club's own website asks, a device of the desk decides."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils.timezone import now

from tests.builders.api_clients import Device
from tests.builders.playing import CAST, new_club, new_tournament
from tournaments.models import EntryRequest, Player, Role
from tournaments.people.players import add_players
from tournaments.running.commands.record import tournament_state

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def has_mail(settings: Any) -> None:
    settings.HAS_MAIL_SERVER = True


@pytest.fixture
def tournament():
    club = new_club(is_published=True)
    add_players(club, CAST)
    return new_tournament(club, starts_at=now() + timedelta(days=1))


def url(tournament, end=""):
    return f"/api/v1/tournaments/{tournament.pk}/entry-requests/{end}"


def opened(tournament, **settings):
    director = Device(tournament.club, Role.DIRECTOR)
    return director.send(f"/api/v1/tournaments/{tournament.pk}/self-entry/", {"takes_entries": True, **settings})


def test_a_website_asks_and_the_desk_decides(client, tournament):
    answer = opened(tournament, places=1).json()
    assert (answer["takes_entries"], answer["places"], answer["why_closed"]) == (True, 1, "")
    desk = Device(tournament.club, Role.CHECKIN)
    made = desk.send(url(tournament), {"name": "asha", "email": "asha@example.org"}, key="one")
    again = desk.send(url(tournament), {"name": "asha", "email": "asha@example.org"}, key="one")
    assert (made.status_code, made.json()["is_mailed"], len(mail.outbox)) == (201, True, 1)
    assert (again["Idempotency-Replayed"], again.json()["request"]) == ("true", made.json()["request"])
    status_url, secret = made.json()["status_url"].split("#")
    page = client.post(status_url, {"code": secret})
    assert page.context["status"].row.code == made.json()["request"]["code"]
    (waiting,) = desk.get(url(tournament)).json()["items"]
    assert ([person["name"] for person in waiting["same"]], waiting["email"]) == (["Asha"], "asha@example.org")
    asha = waiting["same"][0]["player"]
    decision = {"act": "enter_as", "request": waiting["id"], "player": asha, "seen": waiting["seen"]}
    decided = desk.send(url(tournament, "decide/"), decision)
    assert (decided.status_code, decided.json()["is_standby"]) == (201, False)
    assert desk.send(url(tournament, "decide/"), decision)["Idempotency-Replayed"] == "true"
    assert list(tournament_state(tournament).entrants) == [asha]
    other = desk.send(url(tournament), {"name": "Zoya"}).json()["request"]
    assert desk.send(url(tournament, "decide/"), {"act": "enter", "request": other["id"]}).json()["is_standby"]


def test_what_a_body_lacks_is_named_by_its_field(tournament):
    opened(tournament)
    desk = Device(tournament.club, Role.CHECKIN)
    answer = desk.send(url(tournament), {"name": "", "email": "x", "phone": "y"})
    assert [problem["field"] for problem in answer.json()["problems"]] == ["name", "email", "phone"]
    answer = desk.send(url(tournament, "decide/"), {"act": "enter_as"})
    assert [problem["field"] for problem in answer.json()["problems"]] == ["request", "player"]
    row = desk.send(url(tournament), {"name": "Zoya"}).json()["request"]
    answer = desk.send(url(tournament, "decide/"), {"act": "refuse", "request": row["id"]})
    assert (answer.status_code, answer.json()["problems"][0]["field"]) == (422, "reason")
    assert EntryRequest.objects.get().state == "unconfirmed"


def test_another_clubs_request_does_not_exist(tournament):
    opened(tournament)
    row = Device(tournament.club, Role.CHECKIN).send(url(tournament), {"name": "Zoya"}).json()["request"]
    other = new_tournament(new_club(), starts_at=now() + timedelta(days=1))
    stranger = Device(other.club, Role.CHECKIN)
    assert stranger.get(url(tournament)).status_code == 404
    assert stranger.send(url(other, "decide/"), {"act": "enter", "request": row["id"]}).status_code == 404
    assert not Player.objects.filter(name="Zoya").exists()


def test_a_closed_door_says_why(tournament):
    desk = Device(tournament.club, Role.CHECKIN)
    answer = desk.send(url(tournament), {"name": "Zoya"})
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (422, "entries_closed")
    answer = opened(tournament, places=0)
    assert (answer.status_code, re.search("places", answer.content.decode()) is not None) == (422, True)
