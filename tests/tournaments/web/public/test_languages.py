"""Pages are completely in the visitor's language, without English; and how a visitor chooses one."""

import re

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from tests.builders.public_languages import pages_of, said_in_latin
from tests.builders.public_tables import Seated, address, seat
from tournaments.models import Club, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(tournament: Tournament) -> Seated:
    return (
        seat(tournament)
        .deal("show", 34, 12, "first_drop")
        .deal("wrong_show", "show", 3, "middle_drop")
        .correct(1, "show", 1, 2, 3)
    )


def in_language(code: str) -> Client:
    client = Client()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = code
    return client


@pytest.mark.slow
def test_german_pages_share_no_sentence_with_english_ones(tournament: Tournament, table: Seated):
    """Planted fault: a message whose translation is the English text."""
    english, german = in_language("en-gb"), in_language("de")
    for path in pages_of(tournament):
        words = [one for one in said_in_latin(english, path) if len(one.split()) > 2]
        assert set(words) & set(said_in_latin(german, path)) == set(), path


@pytest.mark.slow
def test_a_drawing_has_the_same_points_in_every_language(tournament: Tournament, table: Seated):
    """Planted fault: coordinates written with a decimal comma, which no browser draws."""
    sheets = [
        in_language(code).get(address(tournament, "r1/table-1/")).content.decode() for code, _ in settings.LANGUAGES
    ]
    drawn = [re.findall(r' (?:d|points|x|y)="[^"]*"', sheet) for sheet in sheets]
    assert len(drawn[0]) > 20
    assert all(one == drawn[0] for one in drawn)


def test_each_language_has_its_tag_and_caches_are_told(tournament: Tournament, table: Seated):
    answers = [in_language(code).get(address(tournament)) for code, _ in settings.LANGUAGES]
    assert len({answer["ETag"] for answer in answers}) == len(answers)
    assert {answer["Vary"] for answer in answers} == {"Accept-Encoding"}


def test_a_bare_page_leads_uncached_to_the_language_of_its_visitor(client: Client, tournament: Tournament):
    client.sees_redirects = True  # type: ignore[attr-defined]  # read in tests/conftest.py
    page = address(tournament, "rounds/")
    for asked, code in (("de-AT,de;q=0.9,hi;q=0.5", "de"), ("ta, hi;q=0.8", "hi"), ("fr", "en-gb"), ("", "en-gb")):
        answer = client.get(f"{page}?at=1", headers={"Accept-Language": asked})
        assert (answer.status_code, answer["Location"]) == (302, f"/{code}{page}?at=1")
        assert answer["Cache-Control"] == "no-store"
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "hi"
    assert client.get(page, headers={"Accept-Language": "de"})["Location"] == f"/hi{page}"


def test_an_address_has_its_language_whoever_asks_and_names_the_others(tournament: Tournament, table: Seated):
    page = address(tournament)
    said = in_language("hi").get(f"/de{page}", headers={"Accept-Language": "hi"}).content.decode()
    assert '<html lang="de"' in said
    found = LexborHTMLParser(said).css("link[rel=alternate][hreflang]")
    there = {node.attributes["hreflang"]: node.attributes["href"] for node in found}
    assert there == {
        "x-default": f"http://testserver{page}",
        **{code: f"http://testserver/{code}{page}" for code, _ in settings.LANGUAGES},
    }


def test_frames_and_feeds_speak_the_language_of_the_club(tournament: Tournament, table: Seated):
    Club.objects.filter(pk=tournament.club_id).update(locale="hi_IN")
    own = ("embed/", "embed/part/")
    for path in [*(address(tournament, part) for part in own), "/c/circle/results.atom", "/c/circle/tournaments.ics"]:
        answers = [in_language(code).get(path, headers={"Accept-Language": code}) for code in ("de", "en-gb")]
        # The date of an empty feed is the present.
        bodies = [re.sub(rb"<updated>[^<]*", b"", answer.content) for answer in answers]
        assert bodies[0] == bodies[1]
        assert {answer.get("Vary", "Accept-Encoding") for answer in answers} == {"Accept-Encoding"}
    assert said_in_latin(in_language("de"), address(tournament, "embed/")) == []


def test_who_has_signed_in_is_no_reason_to_ask_again(client: Client, tournament: Tournament, table: Seated):
    """Planted fault: the session's own `Vary: Cookie`, which caches a page once for each visitor."""
    client.force_login(User.objects.create_user("somebody"))
    pages = (address(tournament, part) for part in ("", "r1/table-1/", "board/", "board.json", "embed/"))
    for path in (*pages, "/c/circle/"):
        answer = client.get(path)
        assert (answer["Cache-Control"], answer["Vary"]) == ("public, no-cache", "Accept-Encoding"), path


@pytest.mark.slow
def test_machines_are_told_the_same_in_every_language(tournament: Tournament, table: Seated):
    for part in ("board.json", "board.csv", "r1/table-1/sheet.json", "r1/table-1/sheet.csv"):
        [told] = {in_language(code).get(address(tournament, part)).content for code, _ in settings.LANGUAGES}
        assert b"first_drop" in told or b"Asha" in told
    german = in_language("de").get("/api/v1/clubs/nobody/", headers={"Accept-Language": "de"})
    assert german.content == in_language("en-gb").get("/api/v1/clubs/nobody/").content


def test_a_choice_is_kept_on_the_device_and_leads_back(client: Client, tournament: Tournament):
    home = f"http://testserver/de{address(tournament)}?at=1"
    answer = client.get("/language/", {"language": "hi", "next": ""}, headers={"Referer": home})
    assert (answer.status_code, answer["Location"], answer["Cache-Control"]) == (
        302,
        home.replace("/de/", "/hi/"),
        "no-store",
    )
    assert 'lang="hi"' in client.get(address(tournament)).content.decode()


def test_a_choice_never_leads_to_another_site_and_a_language_that_is_not_spoken_is_no_page(client: Client):
    """Planted fault: the address to return to used without a check."""
    sites = ("https://elsewhere.example/", "//elsewhere.example/", "http:///elsewhere.example", r"\\elsewhere")
    for elsewhere in (*sites, "javascript:alert(1)"):
        answer = client.get("/language/", {"language": "de", "next": elsewhere}, headers={"Referer": elsewhere})
        assert answer["Location"] == "/", elsewhere
    assert client.get("/language/", {"language": "xx"}).status_code == 404
    assert client.post("/language/", {"language": "de"}).status_code == 405
