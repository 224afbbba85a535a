"""Entries of a large tournament: the check-in desk and the page of entries hold a page of them, found by name."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from selectolax.lexbor import LexborHTMLParser

from scoring.events import wire
from tests.builders.admin_tournaments import HEATS, Night, a_night
from tournaments.models import Club, Player

pytestmark = pytest.mark.django_db
HTMX: dict[str, Any] = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture
def night(club: Club, monkeypatch: pytest.MonkeyPatch) -> Night:
    """Seven players who are not there; the desk has all rows of four, the pages two."""
    monkeypatch.setattr("tournaments.web.admin.entries.desk_pages.MOST_AT_ONCE", 4)
    monkeypatch.setattr("tournaments.web.admin.entries.desk_pages.PLAYERS_A_PAGE", 2)
    monkeypatch.setattr("tournaments.web.admin.entries.entry_pages.PLAYERS_A_PAGE", 2)
    night = a_night(club, HEATS)
    night.enter("Asha Rao", "Asha Roy", "Bo", "Cy", "Dev", "Esha", "Zoe", is_here=False)
    return night


def read(answer: Any) -> LexborHTMLParser:
    assert answer.status_code == 200
    return LexborHTMLParser(answer.content.decode())


def names(page: LexborHTMLParser) -> list[str]:
    return [each.text() for each in page.css("[data-desk-name]")]


def test_a_desk_of_many_has_a_page_of_rows_and_the_way_to_the_others(dita: Client, night: Night):
    """Planted fault: 5,000 rows of a check-in list, in four megabytes."""
    page = read(dita.get(night.url("desk")))
    assert names(page) == ["Asha Rao", "Asha Roy"]
    assert [each.attributes["href"] for each in page.css(".pager a")] == ["?page=2#desk-list"]
    assert names(read(dita.get(night.url("desk") + "?page=4"))) == ["Zoe"]


def test_a_name_is_found_among_all_players_and_not_only_on_the_page(dita: Client, night: Night):
    page = read(dita.get(night.url("desk/list") + "?q=sha"))
    assert names(page) == ["Asha Rao", "Asha Roy"]
    assert [each.attributes["href"] for each in page.css(".pager a")] == ["?page=2&q=sha#desk-list"]
    part = page.css("#desk-list")[0].attributes
    assert (part["data-desk-found"], part["data-desk-of"], part["data-desk-wanted"]) == ("3", "7", "sha")


def test_the_list_keeps_its_page_and_search_when_it_is_asked_for_again(dita: Client, night: Night):
    """Planted fault: a tag that is the same for each page, so that the second one was never sent."""
    first = dita.get(night.url("desk/list") + "?q=sha")
    again = read(first).css("#desk-list")[0].attributes["hx-get"] or ""
    assert parse_qs(urlsplit(again).query) == {"q": ["sha"], "page": ["1"]}
    assert dita.get(night.url("desk/list") + "?q=sha", headers={"if-none-match": first["ETag"]}).status_code == 304
    assert dita.get(night.url("desk/list") + "?page=2", headers={"if-none-match": first["ETag"]}).status_code == 200


def test_a_tick_answers_with_the_page_that_it_was_made_on(dita: Client, night: Night):
    zoe = Player.objects.get(name="Zoe").pk
    sent = {"version": night.state.version, "do": f"check_in.{zoe}", "q": "", "page": "4"}
    assert names(read(dita.post(night.url("desk"), sent, **HTMX))) == ["Zoe"]
    plain = dita.post(night.url("desk"), {**sent, "do": f"untick.{zoe}", "version": night.state.version})
    assert parse_qs(urlsplit(plain["Location"]).query)["page"] == ["4"]


def test_an_unchanged_list_is_neither_read_nor_sent(dita: Client, night: Night):
    """Planted fault: all names of a tournament read every two seconds, to say that none has changed."""

    def status() -> int:
        return dita.get(night.url("desk/list"), headers={"if-none-match": tag}).status_code

    tag = dita.get(night.url("desk/list"))["ETag"]
    with CaptureQueriesContext(connection) as asked:
        assert status() == 304
    read_rows = ('"state"', '"tournaments_player"')
    assert [each["sql"] for each in asked if any(rows in each["sql"] for rows in read_rows)] == []
    Player.objects.filter(name="Zoe").update(name="Zora")
    assert status() == 200
    tag = dita.get(night.url("desk/list"))["ETag"]
    night.record(wire.CheckedIn(player=str(Player.objects.get(name="Zora").pk)))
    assert status() == 200


def test_a_few_players_are_all_on_the_desk(dita: Client, club: Club):
    night = a_night(club, HEATS)
    night.enter("Asha", "Bo", "Cy", is_here=False)
    page = read(dita.get(night.url("desk") + "?q=bo"))
    assert names(page) == ["Asha", "Bo", "Cy"]
    assert len(page.css("[data-desk-row][hidden]")) == 2
    assert not page.css(".pager, [data-desk-asks], [name=page]")


def test_entries_of_many_are_in_pages(dita: Client, night: Night):
    page = read(dita.get(night.url("entries") + "?page=3"))
    assert [each.text() for each in page.css(".entry-names bdi")] == ["Dev", "Esha"]
    assert [each.attributes["href"] for each in page.css(".pager a")] == ["?page=2#entered", "?page=4#entered"]
    assert "7 entered" in page.css("#entered")[0].text()
