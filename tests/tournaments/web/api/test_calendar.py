"""A date that is accepted can be shown on every page, in every zone; any other is refused, with field and range.

Planted fault that this catches: `moment_problems` left out of `draft_problems`; the club page, both feeds, the sitemap
and the list in the admin then answer 500 for good.
"""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from tests.builders.api_clients import Device, person
from tests.builders.playing import new_club, new_table, new_tournament
from tournaments.models import Club, Role, Tournament
from tournaments.models.bounds import FIRST_MOMENT, LAST_MOMENT

pytestmark = pytest.mark.django_db

OUTSIDE = (
    "9999-12-31T23:59:59Z",
    "9999-12-31T23:59:59-14:00",
    "0001-01-01T00:00:00Z",
    "0001-01-01T00:00:00+14:00",
    (LAST_MOMENT + timedelta(seconds=1)).isoformat(),
    (FIRST_MOMENT - timedelta(seconds=1)).isoformat(),
)
LISTED = ("", "results.atom", "tournaments.ics", "seasons/", "ratings/", "players/")


def create(club: Club, starts_at: str) -> Any:
    body = {"name": "Sunday", "preset": "pool_101", "starts_at": starts_at}
    return Device(club, Role.DIRECTOR).send(f"/api/v1/clubs/{club.id}/tournaments/", body)


def test_a_tournament_outside_the_calendar_is_refused():
    club = new_club()
    for starts_at in OUTSIDE:
        answer = create(club, starts_at)
        assert answer.status_code == 422, starts_at
        (problem,) = answer.json()["problems"]
        assert (problem["code"], problem["field"]) == ("out_of_range", "starts_at")
        assert "from 2000-01-01 to 2199-12-31" in problem["detail"]
    assert not Tournament.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize("zone", ["Asia/Kolkata", "Pacific/Kiritimati", "Etc/GMT+12"])
def test_the_ends_of_the_calendar_are_told_on_every_list(zone: str, client: Client):
    club = new_club(is_published=True, timezone=zone)
    for moment in (FIRST_MOMENT, LAST_MOMENT):
        assert create(club, moment.isoformat()).status_code == 201
    client.force_login(person(club, Role.OWNER, is_staff=True))
    addresses = [f"/c/{club.slug}/{name}" for name in LISTED]
    addresses += [f"/c/{club.slug}/t/{each.slug}/" for each in club.tournaments.all()]
    addresses += ["/", "/sitemap.xml", "/sitemap-tournaments.xml", "/admin/", "/admin/tournaments/tournament/"]
    assert {at: client.get(at).status_code for at in addresses} == dict.fromkeys(addresses, 200)


def test_an_event_and_a_moment_of_the_past_outside_the_calendar_are_refused():
    table = new_table(new_tournament(new_club()))
    device, path = Device(table.row.tournament.club), f"/api/v1/tables/{table.row.id}/"
    for moment in OUTSIDE:
        body = {"expected_version": 1, "event": {"kind": "seat_left", "seat": "1"}, "occurred_at": moment}
        answer = device.send(f"{path}events/", body)
        assert (answer.status_code, answer.json()["problems"][0]["field"]) == (422, "occurred_at"), moment
    for at in ("9999-12-31T23:59:59.999999Z", "0001-01-01T00:00:00+14:00", "2999-01-01T00:00:00Z"):
        answer = device.get(path, {"at": at})
        assert answer.status_code == 400, at
        assert "2199-12-31" in answer.json()["detail"]


def test_a_period_of_the_books_stays_in_the_calendar(client: Client):
    club = new_club()
    client.force_login(person(club, Role.OWNER, is_staff=True))
    address = f"/admin/tournaments/club/{club.id}/books/"
    for days in ({"last": "9999-12-31"}, {"first": "0001-01-01"}):
        assert client.get(address, days).status_code == 422
    assert client.get(address, {"first": "2000-01-01", "last": "2199-12-31"}).status_code == 200
