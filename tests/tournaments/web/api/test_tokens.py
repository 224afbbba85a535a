"""Who one is, and device links over the API: never above one's own role, and with an end that is told.

Planted faults these catch: a director's link that makes an owner's, a link that renews itself for ever, a secret that
is shown twice, a link of another club that is revoked.
"""

from datetime import timedelta
from typing import Any, get_args
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.utils.timezone import now

from tests.builders.api_clients import Device, person, send
from tests.builders.playing import new_club, new_table, new_tournament
from tests.builders.there import there
from tournaments.models import ApiToken, Club, Role, Table
from tournaments.tables.commands.table_tokens import issue_cards
from tournaments.web.api.club_shapes import RoleName

pytestmark = pytest.mark.django_db
ME = "/api/v1/me/"


@pytest.fixture
def club():
    return new_club()


def test_a_link_may_have_any_role_of_a_person():
    assert set(get_args(RoleName)) == set(Role.values)


def path(club: Club, *more: object) -> str:
    return "/".join(map(str, ("/api/v1/clubs", club.pk, "tokens", *more, "")))


def test_a_device_is_told_who_it_is_and_when_its_link_ends(club):
    device = Device(club, Role.CASHIER)
    me = device.get(ME).json()
    assert (me["actor"], me["name"]) == (f"token:{device.token.pk}", "tablet")
    assert me["roles"] == [{"club": str(club.pk), "name": club.name, "role": "cashier"}]
    assert (me["token"]["role"], "ends_soon" in me["token"], "tills" in me) == ("cashier", False, False)
    with time_machine.travel(there(device.token.expires_at) - timedelta(days=13), tick=False):
        assert device.get(ME).json()["token"]["ends_soon"] is True
    cash = f"/api/v1/clubs/{club.pk}/cash/"
    opened = {"event": {"kind": "till_opened", "till": me["actor"], "float_minor": 500}}
    assert device.send(cash, opened).status_code == 201
    (till,) = device.get(ME).json()["tills"]
    assert (till["till"], till["currency"], till["float_minor"]) == (me["actor"], "INR", 500)
    assert "tills" not in Device(club, Role.CASHIER).get(ME).json()


def test_a_person_is_told_their_role_in_each_club(club):
    user = person(club, Role.DIRECTOR, first_name="Dita")
    other = new_club("Bo's club")
    other.memberships.create(user=user, role=Role.SCORER)
    browser = Client()
    browser.force_login(user)
    me = browser.get(ME).json()
    assert (me["actor"], me["name"], "token" in me) == (f"user:{user.pk}", "Dita", False)
    assert [(item["name"], item["role"]) for item in me["roles"]] == [
        (club.name, "director"),
        ("Bo's club", "scorer"),
    ]
    assert Client().get(ME).status_code == 401


def test_the_card_of_a_seat_is_told_its_table(club):
    table = new_table(new_tournament(club))
    director, seats = person(club, Role.DIRECTOR), {table.row.pk: [1]}
    row = Table.objects.select_related("tournament__club", "scoresheet").get(pk=table.row.pk)
    (card,) = issue_cards([row], key=uuid4(), user_id=director.pk, now=now(), seats=seats)
    me = Client(headers={"Authorization": f"Bearer {card.secret}"}).get(ME).json()
    assert (me["table"], "roles" in me) == (str(table.row.pk), False)


def test_a_link_whose_maker_directs_no_longer_makes_no_cards(club):
    """Planted faults: a failure where the maker's login is gone; cards that open nothing."""
    tournament = new_tournament(club)
    new_table(tournament)
    cards = f"/api/v1/tournaments/{tournament.pk}/cards/"
    left, gone = Device(club, Role.DIRECTOR), Device(club, Role.DIRECTOR)
    assert left.send(cards, {}).status_code == 201
    there(left.token.user).memberships.all().delete()
    there(gone.token.user).delete()
    for device in (left, gone):
        refused = device.send(cards, {})
        assert (refused.status_code, "no longer" in refused.json()["detail"]) == (403, True)
    root = Device(club, Role.DIRECTOR, owner=person(is_superuser=True))
    assert root.send(cards, {}).status_code == 201


def test_a_link_is_made_once_shown_once_listed_and_revoked(club):
    director, key = Device(club, Role.DIRECTOR), uuid4().hex
    body = {"name": "Screen at the bar", "role": "display"}
    first = director.send(path(club), body, key=key)
    assert first.status_code == 201, first.content
    again = director.send(path(club), body, key=key)
    assert (again.status_code, again["Idempotency-Replayed"], "secret" in again.json()) == (201, "true", False)
    assert director.send(path(club), {**body, "name": "Other"}, key=key).json()["code"] == "key_reused"
    screen = Client(headers={"Authorization": f"Bearer {first.json()['secret']}"})
    assert screen.get(ME).json()["roles"][0]["role"] == "display"
    listed = director.get(path(club), {"status": "active"}).json()["items"]
    assert [item["name"] for item in listed] == ["Screen at the bar", "tablet"]
    assert "secret" not in listed[0]
    assert listed[0]["made_by"] == there(director.token.user).get_username()
    for _ in range(2):
        revoked = director.send(path(club, first.json()["id"], "revoke"), {})
        assert (revoked.status_code, revoked.json()["revoked_at"] is not None) == (200, True)
    assert screen.get(ME).status_code == 401
    assert [item["name"] for item in director.get(path(club), {"status": "revoked"}).json()["items"]] == [body["name"]]


def test_no_link_is_made_or_revoked_above_ones_own_role(club):
    owner, director, scorer = (Device(club, role) for role in (Role.OWNER, Role.DIRECTOR, Role.SCORER))
    refused = director.send(path(club), {"name": "x", "role": "owner"})
    assert (refused.status_code, "owner" in refused.json()["detail"]) == (403, True)
    assert director.send(path(club, owner.token.pk, "revoke"), {}).status_code == 403
    assert scorer.send(path(club), {"name": "x", "role": "display"}).status_code == 403
    assert owner.send(path(club), {"name": "x", "role": "owner"}).status_code == 201
    assert director.send(path(club, scorer.token.pk, "revoke"), {}).status_code == 200
    assert ApiToken.objects.get(pk=owner.token.pk).revoked_at is None


def test_a_link_is_revoked_with_the_one_that_made_it(club):
    """Planted fault: whoever has a director's lost tablet makes a link that goes on when the tablet's is revoked."""
    tablet, other = Device(club, Role.DIRECTOR), Device(club, Role.DIRECTOR)
    body = {"name": "copy", "role": "director"}
    copy = tablet.send(path(club), body).json()
    thief = Client(headers={"Authorization": f"Bearer {copy['secret']}"})
    again = send(thief, path(club), body).json()
    assert other.send(path(club, tablet.token.pk, "revoke"), {}).status_code == 200
    for secret in (copy["secret"], again["secret"]):
        assert Client(headers={"Authorization": f"Bearer {secret}"}).get(ME).status_code == 401
    assert other.get(ME).status_code == 200


def test_another_clubs_link_does_not_exist(club):
    stranger = Device(new_club("Bo's club"), Role.OWNER)
    token = Device(club).token
    assert stranger.get(path(club)).status_code == 404
    assert stranger.send(path(club, token.pk, "revoke"), {}).status_code == 404
    assert stranger.send(path(stranger.token.club, token.pk, "revoke"), {}).status_code == 404
    assert ApiToken.objects.get(pk=token.pk).revoked_at is None


@pytest.mark.parametrize(("days", "is_taken"), [(-1, False), (0, False), (10, True), (181, False)])
def test_a_link_ends_no_later_than_the_club_says(club, days, is_taken):
    owner = person(club, Role.OWNER)
    browser = Client()
    browser.force_login(owner)
    end = (ApiToken(club=club).created_at + timedelta(days=days)).isoformat()
    answer = send(browser, path(club), {"name": "tablet", "role": "scorer", "expires_at": end})
    assert answer.status_code == (201 if is_taken else 422), answer.content
    if not is_taken:
        assert [problem["field"] for problem in answer.json()["problems"]] == ["expires_at"]


def test_a_link_that_a_link_makes_ends_with_it_at_the_latest(club):
    Club.objects.update(token_days=None)
    club.refresh_from_db()
    director: Any = Device(club, Role.DIRECTOR)
    assert director.token.expires_at is None
    end = director.token.created_at + timedelta(days=3)
    ApiToken.objects.filter(pk=director.token.pk).update(expires_at=end)
    made = director.send(path(club), {"name": "tablet", "role": "director"}).json()
    assert ApiToken.objects.get(pk=made["id"]).expires_at == end
    later = (end + timedelta(hours=1)).isoformat()
    assert director.send(path(club), {"name": "t", "role": "director", "expires_at": later}).status_code == 422
