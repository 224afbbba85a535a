"""Pages of other sites read what everybody may read, and nothing else.

Planted faults these catch: a header on what a session reads, a preflight that allows a token, a public read without it.
"""

import json
from collections import Counter

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from selectolax.lexbor import LexborHTMLParser

from tests.builders.api_clients import Device, person
from tests.builders.api_operations import OPERATIONS, address_of
from tests.builders.playing import loses, new_club, new_table, new_tournament, show
from tests.builders.seasons import caught_up, played, season
from tests.builders.there import there
from tournaments.models import Role
from tournaments.tasks import settle_owed
from tournaments.web.public import urls
from tournaments.web.public.base.search_engines import SITEMAPS

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


@pytest.mark.slow
def test_every_public_file_and_every_public_read_may_be_read_from_other_sites():
    """Planted faults: a view of the API that forgets `is_public`; a file whose route is among the pages."""
    club = new_club(is_published=True)
    table = played(club, "Asha", "Bo", is_published=True).row
    tournament, published_season = table.tournament, season(club)
    caught_up(club)
    # A cash book can be closed then.
    list(settle_owed())
    words = {"club_slug": club.slug, "section": next(iter(SITEMAPS)), "round": table.round, "number": table.number}
    words["player"] = there(table.seats.first()).player_id
    for pattern in urls.FILES:
        slug = published_season.slug if "seasons" in str(pattern.pattern) else tournament.slug
        named = {name: {**words, "slug": slug}[name] for name in pattern.pattern.converters}
        answer = Client(headers=ORIGIN).get(address := reverse(f"files:{pattern.name}", kwargs=named))
        assert (answer.status_code, answer.headers.get(ALLOW)) == (200, "*"), address
    statuses: Counter[int] = Counter()
    for name, (method, path) in OPERATIONS.items():
        if method == "get":
            answer = Client(headers=ORIGIN).get(address_of(path, tournament, table))
            assert (answer.headers.get(ALLOW) == "*") == (answer.status_code == 200), (name, answer.status_code)
            statuses[answer.status_code] += 1
    assert statuses[200] >= 9
    assert statuses[401] >= 15


def test_programs_find_feed_calendar_and_numbers_at_the_address_of_every_page_of_a_club(table):
    """Planted fault: feeds only at the address of the leaderboard."""
    tournament = table.row.tournament
    club, board = f"/en-gb/c/{tournament.club.slug}/", f"/en-gb/c/{tournament.club.slug}/t/{tournament.slug}/"
    player = there(table.row.seats.first()).player_id
    feeds = ["application/atom+xml", "text/calendar"]
    bare = [club, f"{club}seasons/", f"{club}players/", f"{board}rounds/", f"{board}rules/", f"{board}proof/"]
    of_numbers = [board, f"{board}r1/table-1/", f"{club}ratings/", f"{club}p/{player}/"]
    table.deal(1, show, loses(20), loses(30), loses(40))
    for address in (*bare, *of_numbers):
        page = LexborHTMLParser(Client().get(address).content)
        links = [link.attributes for link in page.css("head link[rel=alternate][type]")]
        wanted = feeds if address in bare else [*feeds, "application/json"]
        assert [link["type"] for link in links] == wanted, address
        assert all(link["title"] and Client().get(link["href"] or "").status_code == 200 for link in links), address
    unpublished = new_tournament(new_club(is_published=False))
    browser = Client()
    browser.force_login(person(unpublished.club, Role.OWNER, is_staff=True))
    answer = browser.get(f"/en-gb/c/{unpublished.club.slug}/")
    assert answer.status_code == 200
    assert LexborHTMLParser(answer.content).css("head link[rel=alternate][type]") == [], "they would be 404"


def test_the_examples_of_published_copies_allow_it_too():
    nginx = (settings.EXAMPLES_DIR / "nginx" / "published-copies.conf").read_text()
    assert 'add_header Access-Control-Allow-Origin "*" always;' in nginx
    (rule,) = json.loads((settings.EXAMPLES_DIR / "s3" / "cors.json").read_text())["CORSRules"]
    assert (rule["AllowedOrigins"], rule["AllowedMethods"]) == (["*"], ["GET", "HEAD"])
