"""Search engines: every published page is listed with its own title and description, and nothing else."""

import re
from datetime import date
from typing import Any
from xml.etree import ElementTree

import pytest
from django.test import Client

from scoring.rules.variants import VARIANTS
from tests.builders.admin_tables import club_called, person
from tests.builders.flat import flat
from tests.builders.public_tables import a_club, a_tournament, address, english, seat
from tournaments.models import Role
from tournaments.seasons.commands import SeasonDraft, create_season

pytestmark = pytest.mark.django_db

LOC = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"
JUDGED = tuple(name for name, rules in VARIANTS.items() if rules.judge)
PAGES = ("", "rounds/", "seating/", "schedule/", "prizes/", "rules/", "proof/", "r1/table-1/")


def places(client: Client, path: str) -> list[str]:
    found = ElementTree.fromstring(client.get(path).content)  # noqa: S314 - our own answer
    return [place.text or "" for place in found.iter(LOC)]


def head(client: Client, path: str) -> str:
    return flat(client.get(path).content.decode()).partition("</head>")[0]


def test_the_map_leads_to_everything_that_is_published_and_to_nothing_else(client: Client):
    """Planted fault: without the club's own switch the tournaments of an unpublished club are listed."""
    club = a_club(slug="circle")
    tournament = a_tournament(club, name="Friday")
    seat(tournament)
    a_tournament(club, name="Secret", is_published=False)
    a_tournament(a_club(slug="hidden", is_published=False), name="Behind doors")
    days: dict[str, Any] = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    season = create_season(club, SeasonDraft(name="League", is_published=True, **days))
    create_season(club, SeasonDraft(name="Secret league", **days))
    maps = places(client, "/sitemap.xml")
    found = [place for each in maps for place in places(client, each.removeprefix("http://testserver"))]
    pages = ["/", "/judge/", *(f"/judge/{game}/" for game in JUDGED), "/c/circle/", address(tournament)]
    pages.append(f"/c/circle/seasons/{season.slug}/")
    assert sorted(found) == sorted(
        f"http://testserver/{code}{page}" for page in pages for code in ("en-gb", "hi", "de")
    )
    assert {client.get(place.removeprefix("http://testserver")).status_code for place in found} == {200}


def test_robots_are_told_where_the_map_is_and_what_to_leave_alone(client: Client):
    answer = client.get("/robots.txt")
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.content.decode().splitlines() == [
        "User-agent: *",
        "Disallow: /admin/",
        "Disallow: /api/",
        "Disallow: /table/",
        "Disallow: /join/",
        "Disallow: /setup/",
        "Disallow: /me/",
        "",
        "Sitemap: http://testserver/sitemap.xml",
    ]


@pytest.mark.slow
def test_every_page_has_a_title_a_description_and_one_address_of_its_own(client: Client):
    tournament = a_tournament(a_club(slug="circle"))
    seat(tournament).deal("show", 34, 12, "first_drop")
    said = set()
    judges = [f"/judge/{game}/" for game in JUDGED]
    for path in ("/", "/judge/", *judges, "/c/circle/", *(address(tournament, part) for part in PAGES)):
        page = head(client, path)
        assert re.findall('<link rel="canonical" href="([^"]*)">', page) == [f"http://testserver{english(path)}"]
        [description] = re.findall('<meta name="description" content="([^"]+)">', page)
        [title] = re.findall("<title>([^<]+)</title>", page)
        assert "noindex" not in page
        said.add((title, description))
    assert len({title for title, _ in said}) == len(PAGES) + len(JUDGED) + 3


def test_a_moment_of_the_past_is_not_found_and_names_the_page_it_belongs_to(client: Client):
    tournament = a_tournament(a_club())
    seat(tournament).deal("show", 34, 12, "first_drop")
    page = head(client, f"{address(tournament)}?at=1")
    assert '<meta name="robots" content="noindex">' in page
    assert f'<link rel="canonical" href="http://testserver{english(address(tournament))}">' in page


def test_a_part_of_a_page_is_no_page(client: Client):
    tournament = a_tournament(a_club())
    seat(tournament)
    for part in ("board/", "embed/", "embed/part/", "share/", "room/part/", "screen/part/", "r1/table-1/sheet/"):
        answer = client.get(address(tournament, part))
        assert (answer.status_code, answer["X-Robots-Tag"]) == (200, "noindex"), part


def test_what_is_not_published_says_itself_that_it_is_not_to_be_found(client: Client):
    club = club_called("Rummy Circle", "circle")
    tournament = a_tournament(club, is_published=False)
    seat(tournament)
    client.force_login(person("dita", Role.OWNER, club))
    assert '<meta name="robots" content="noindex">' in head(client, address(tournament))
    assert '<meta name="robots" content="noindex">' not in head(client, "/c/circle/")
