"""Followed players: their rows above the board, by the address or by a list that stays on the device."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import expect
from selectolax.lexbor import LexborHTMLParser

from tests.builders.public_tables import Seated, address, seat
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db(transaction=True)
ROWS = "#board .stacked tbody tr"
FOLLOWED = "[data-followed] tbody tr"
# How far each cell of a row lies inside the window, and whether all of it is shown.
CUT = """rows => rows.flatMap(row => [...row.children]).filter(cell => {
    const box = cell.getBoundingClientRect();
    return box.width > 0 && (box.left < 0 || box.right > innerWidth || cell.scrollWidth > cell.clientWidth + 1);
}).map(cell => cell.outerHTML.slice(0, 90))"""


@pytest.fixture
def tables(tournament: Tournament) -> list[Seated]:
    """Twelve players at two tables, the last of them far behind."""
    first = seat(tournament, "Asha Rao", "Bo", "Cy", "Dev", "Esha", "Farid").deal("show", 2, 4, 6, 8, 10)
    second = seat(tournament, "Gita", "Hari", "Isa", "Jo", "Kiran", "Lata").deal("show", 3, 5, 7, 9, 70)
    return [first, second]


@pytest.fixture
def phone(page: Any, live_server: Any, tournament: Tournament, tables: list[Seated]) -> Callable[[str], Any]:
    def go(query: str = "") -> Any:
        page.set_viewport_size({"width": 360, "height": 760})
        page.goto(f"{live_server.url}{address(tournament)}{query}")
        return page

    return go


@pytest.fixture
def without_scripts(chromium: Any) -> Iterator[Any]:
    context = chromium.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


def follow_last(page: Any) -> None:
    page.locator(f"{ROWS} .c-name a").last.click()
    page.wait_for_selector("[data-follow]")
    page.click("[data-follow]")


@pytest.mark.browser
def test_the_first_ten_and_whom_one_follows_are_on_the_first_screen_of_a_phone(
    phone: Callable[..., Any], tables: list[Seated]
):
    """Planted faults: other content above the places, rows of three lines, a list that is not kept."""
    page = phone()
    assert not page.is_visible("[data-followed]")
    follow_last(page)
    assert page.inner_text("[data-follow]") == "Unfollow"
    page = phone()
    assert page.locator(f"{FOLLOWED} .c-name").all_inner_texts() == ["Lata"]
    boxes = [page.locator(f"{ROWS} >> nth=9").bounding_box(), page.locator(FOLLOWED).bounding_box()]
    assert max(box["y"] + box["height"] for box in boxes) <= 760
    tables[1].deal(20, 20, 20, 20, 20, "show")
    page.wait_for_selector(f"{FOLLOWED} [data-title=Won]:text-is('1')")
    page.goto(f"{page.url}seating/")
    expect(page.locator("[data-followed] li")).to_have_text(re.compile("Lata.*Table 2"))
    page.click("#seating .a-to-z-list >> text=Asha Rao")
    expect(page.locator("[data-follow]")).to_have_text("Follow")


@pytest.mark.slow
@pytest.mark.browser
def test_no_cell_of_a_leaderboard_is_cut_on_a_phone(phone: Callable[..., Any]):
    """Planted fault: columns side by side, the fourth one beyond the edge."""
    assert phone().eval_on_selector_all(ROWS, CUT) == []


@pytest.mark.slow
@pytest.mark.browser
def test_a_browser_that_keeps_nothing_is_led_to_a_leaderboard_that_names_the_player(phone: Callable[..., Any]):
    page = phone()
    page.add_init_script("Object.defineProperty(window, 'localStorage', {get() { throw new Error('private'); }})")
    follow_last(page)
    page.wait_for_url("**/?follow=*")
    assert page.locator(f"{FOLLOWED} .c-name").all_inner_texts() == ["Lata"]


@pytest.mark.slow
@pytest.mark.browser
def test_without_scripts_the_address_keeps_who_is_followed(
    without_scripts: Any, live_server: Any, tournament: Tournament, tables: list[Seated]
):
    without_scripts.goto(f"{live_server.url}{address(tournament)}")
    follow_last(without_scripts)
    without_scripts.wait_for_url("**/?follow=*")
    assert without_scripts.locator(f"{FOLLOWED} .c-name").all_inner_texts() == ["Lata"]


@pytest.mark.slow
def test_who_is_followed_changes_the_page_and_not_the_board_that_all_share(
    client: Client, tournament: Tournament, tables: list[Seated]
):
    """Planted fault: the names of the address in the ETag of the board."""
    whole = client.get(address(tournament))
    key = LexborHTMLParser(whole.content).css(ROWS)[3].attributes["data-key"]
    named = client.get(address(tournament, f"?follow={key}"))
    boards = [LexborHTMLParser(answer.content).css("#board")[0].html for answer in (whole, named)]
    assert boards[0] == boards[1]
    assert whole["ETag"] != named["ETag"]
    assert client.get(address(tournament, "?follow=zz,<b>"))["ETag"] == whole["ETag"]
