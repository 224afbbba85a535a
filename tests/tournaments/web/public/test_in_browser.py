"""The public pages in a real browser: updated without reloading, no console errors, any width, also without scripts."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.builders.public_tables import Seated, address, seat
from tournaments.models import Club, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ASKING = re.compile(r"/board/\?since=")
HOW_OFTEN = re.compile(r"every (\d+)ms")
LONG_NAMES = tuple(f"Subrahmanyam Venkataraghavan Krishnamurthy the {n}th" for n in range(1, 11))


@pytest.mark.parametrize("path", ["", "r1/table-1/"])
def test_board_and_sheet_look_for_news_more_often_than_every_two_seconds(
    page: Any, at: Callable[[str], str], tournament: Tournament, table: Seated, path: str
):
    page.goto(at(address(tournament, path)))
    [often] = HOW_OFTEN.findall(page.get_attribute("[data-live]", "hx-trigger"))
    assert 0 < int(often) < 2_000


def test_a_saved_deal_comes_to_the_board_without_a_reload(
    page: Any, at: Callable[[str], str], tournament: Tournament, table: Seated
):
    page.goto(at(address(tournament)))
    page.evaluate("window.isTheSamePage = true")
    table.deal(20, "show", 3, 47)
    page.wait_for_selector(".standings .is-fresh >> text=67")
    assert page.evaluate("window.isTheSamePage")
    assert "leads" in page.inner_text("[data-live-summary]")
    assert page.complaints == []


@pytest.mark.slow
def test_a_saved_deal_comes_to_the_sheet_and_the_reader_stays_where_they_are(
    page: Any, at: Callable[[str], str], tournament: Tournament
):
    table = seat(tournament, *LONG_NAMES).deal("show", *range(2, 11))
    page.set_viewport_size({"width": 375, "height": 700})
    page.goto(at(address(tournament, "r1/table-1/")))
    page.evaluate("document.querySelector('[data-keep-scroll=deals]').scrollLeft = 200")
    table.deal("show", *range(30, 39))
    page.wait_for_function("() => document.querySelectorAll('.sheet tbody tr').length > 1")
    page.wait_for_function("() => document.querySelector('[data-keep-scroll=deals]').scrollLeft === 200")
    assert page.complaints == []


@pytest.mark.slow
def test_live_places_come_to_the_clubs_page_without_a_reload(
    page: Any, at: Callable[[str], str], tournament: Tournament, table: Seated
):
    page.goto(at("/c/circle/"))
    page.evaluate("window.isTheSamePage = true")
    table.deal(20, "show", 3, 47)
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    page.wait_for_selector(".card-running .is-fresh >> text=67")
    assert page.locator(".card-running .is-first .front-name").inner_text() == "Cy"
    assert page.evaluate("window.isTheSamePage")
    assert page.inner_text("[data-live-summary]") == "Current leaders: Friday: \u2068Cy\u2069."
    assert page.complaints == []


@pytest.mark.slow
def test_an_unchanged_board_is_asked_for_with_its_tag_and_not_sent_again(
    page: Any, at: Callable[[str], str], tournament: Tournament, table: Seated
):
    answers: list[tuple[int, str | None]] = []
    page.on(
        "response",
        lambda answer: (
            answers.append((answer.status, answer.request.headers.get("if-none-match")))
            if "/board/" in answer.url
            else None
        ),
    )
    page.goto(at(address(tournament)))
    while len(answers) < 2:
        page.wait_for_event("response")
    assert {status for status, _ in answers} == {304}
    assert all(re.fullmatch(r'"[0-9a-f]+"', tag or "") for _, tag in answers)


def test_a_lost_connection_is_reported_with_the_time_of_what_is_shown(
    page: Any, at: Callable[[str], str], tournament: Tournament, table: Seated
):
    page.goto(at(address(tournament)))
    page.route(ASKING, lambda route: route.abort())
    page.wait_for_selector("[data-live-lost]:not([hidden])")
    assert re.search(r"Connection lost\. Shown as of \d\d:\d\d, trying again", page.inner_text("[data-live-lost]"))
    page.unroute(ASKING)
    page.wait_for_selector("[data-live-lost][hidden]", state="attached")


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 375, 768, 1280])
def test_no_page_scrolls_sideways_and_the_console_stays_silent(
    page: Any, at: Callable[[str], str], tournament: Tournament, width: int
):
    seat(tournament, *LONG_NAMES).deal("show", *range(2, 11)).deal(80, "show", *range(60, 68))
    page.set_viewport_size({"width": width, "height": 800})
    club = Club.objects.get()
    Club.objects.update(about="W" * 90, venue="W" * 90, website=f"https://club.example/{'w' * 90}")
    subpages = ("", "rounds/", "seating/", "schedule/", "prizes/", "rules/", "r1/table-1/")
    for path in ("/", f"/c/{club.slug}/", *(address(tournament, part) for part in subpages)):
        page.goto(at(path))
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert (path, wide) == (path, 0)
    assert page.complaints == []


@pytest.mark.slow
def test_without_scripts_the_page_is_whole_and_refreshes_itself(
    chromium: Any, at: Callable[[str], str], tournament: Tournament, table: Seated
):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(at(address(tournament)))
    assert "Asha" in page.inner_text(".standings")
    assert page.locator('noscript meta[http-equiv="refresh"], meta[http-equiv="refresh"]').count() == 1
    page.click(".table-link")
    assert "Deal 1" in page.inner_text(".sheet")
    context.close()


def test_a_player_is_found_by_typing_and_stays_found_when_the_board_changes(
    page: Any, at: Callable[[str], str], tournament: Tournament, table: Seated
):
    page.goto(at(address(tournament)))
    page.fill("[data-find-input]", "CY")
    table.deal(20, "show", 3, 47)
    page.wait_for_selector(".standings .is-fresh >> text=67", state="attached")
    assert page.locator(".standings tbody tr:visible").count() == 1
    assert page.input_value("[data-find-input]") == "CY"


def test_the_chosen_colours_are_kept(page: Any, at: Callable[[str], str], tournament: Tournament, table: Seated):
    page.goto(at(address(tournament)))
    button = page.locator("[data-theme-button]")
    button.click()
    button.click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.goto(at(address(tournament, "r1/table-1/")))
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.complaints == []
