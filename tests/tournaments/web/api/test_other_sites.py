"""Pages of other sites read what everybody may read, and nothing else.

Planted faults these catch: a header on what a session reads, a preflight that allows a token, a public read without it.
"""

import json
import re

import pytest
from django.conf import settings
from django.test import Client

from tests.builders.api_clients import Device, person
from tests.builders.playing import new_club, new_table, new_tournament
from tournaments.models import Role

pytestmark = pytest.mark.django_db
ALLOW = "Access-Control-Allow-Origin"
ORIGIN = {"Origin": "https://club.example"}


@pytest.fixture
def table():
    return new_table(new_tournament(new_club(is_published=True)))


def public_addresses(table):
    tournament = table.row.tournament
    club = tournament.club
    page = f"/c/{club.slug}/t/{tournament.slug}/"
    return [
        "/api/v1/variants/",
        "/api/v1/schema/",
        f"/api/v1/clubs/{club.pk}/tournaments/",
        f"/api/v1/tournaments/{tournament.pk}/leaderboard/",
        f"/api/v1/tables/{table.row.pk}/events/",
        f"{page}board.json",
        f"/c/{club.slug}/results.atom",
        f"/c/{club.slug}/tournaments.ics",
    ]


def test_what_is_public_is_read_from_other_sites(table):
    for address in public_addresses(table):
        answer = Client(headers=ORIGIN).get(address)
        assert (answer.status_code, answer.headers[ALLOW]) == (200, "*"), address
        assert "Access-Control-Allow-Credentials" not in answer.headers
        before = Client(headers=ORIGIN).options(address, headers={"Access-Control-Request-Method": "GET"})
        assert (before.status_code, before.headers[ALLOW]) == (204, "*"), address
        assert "authorization" not in before.headers["Access-Control-Allow-Headers"].lower()
    unchanged = Client(headers=ORIGIN).get(address := public_addresses(table)[5])
    again = Client(headers=ORIGIN).get(address, headers={"If-None-Match": unchanged.headers["ETag"]})
    assert (again.status_code, again.headers[ALLOW]) == (304, "*")
    missing = Client(headers=ORIGIN).get("/api/v1/clubs/?no=1")
    assert (missing.status_code, missing.headers[ALLOW]) == (400, "*"), "a page reads why it was refused"


def test_what_needs_a_token_or_a_session_is_not(table):
    club = table.row.tournament.club
    hidden = new_table(new_tournament(club, name="Hidden", is_published=False))
    device, browser = Device(club), Client()
    browser.force_login(person(club, Role.OWNER, is_staff=True))
    for address in public_addresses(hidden)[2:6]:
        for client in (device, browser):
            assert ALLOW not in client.get(address, headers=ORIGIN).headers, address
    for address in ("/api/v1/me/", f"/api/v1/clubs/{club.pk}/players/", f"/api/v1/clubs/{club.pk}/log/", "/admin/"):
        assert ALLOW not in Client(headers=ORIGIN).get(address).headers, address
        before = Client(headers=ORIGIN).options(address, headers={"Access-Control-Request-Method": "GET"})
        assert ALLOW not in before.headers, address
    write = Client(headers=ORIGIN).options(
        f"/api/v1/tables/{table.row.pk}/events/", headers={"Access-Control-Request-Method": "POST"}
    )
    assert (write.status_code, ALLOW in write.headers) == (405, False)


def test_programs_find_feed_calendar_and_board_at_the_address_of_a_page(table):
    tournament = table.row.tournament
    page = Client().get(f"/en-gb/c/{tournament.club.slug}/t/{tournament.slug}/").content.decode()
    links = re.findall(r'<link\s+rel="alternate"\s+type="([^"]+)"\s+title="[^"]+"\s+href="([^"]+)"', page)
    assert [kind for kind, _ in links] == ["application/atom+xml", "text/calendar", "application/json"]
    assert all(Client().get(address).status_code == 200 for _, address in links)


def test_the_examples_of_published_copies_allow_it_too():
    nginx = (settings.EXAMPLES_DIR / "nginx" / "published-copies.conf").read_text()
    assert 'add_header Access-Control-Allow-Origin "*";' in nginx
    (rule,) = json.loads((settings.EXAMPLES_DIR / "s3" / "cors.json").read_text())["CORSRules"]
    assert (rule["AllowedOrigins"], rule["AllowedMethods"]) == (["*"], ["GET", "HEAD"])
