"""The slider of a board in a real browser: by keyboard and on a phone, and as a form without scripts."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.builders.browser_steps import At
from tests.builders.public_tables import a_club, a_tournament, address, seat
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SHOWS = "(total) => [...document.querySelectorAll('#board td')].some((cell) => cell.innerText.trim() === total)"


@pytest.fixture
def tournament(transactional_db: None) -> Tournament:
    home = a_tournament(a_club(slug="circle"))
    seat(home).deal("show", 34, 12, "first_drop").deal("show", 6, 5, 4).correct(1, "show", 44, 12, "first_drop")
    return home


def test_the_keys_move_through_the_past_without_a_reload(page: Any, at: At, tournament: Tournament):
    page.goto(at(address(tournament)))
    page.click(".look-back a")
    page.wait_for_function(SHOWS, arg="50")
    page.evaluate("window.isTheSamePage = true")
    page.focus("[data-past-range]")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(SHOWS, arg="40")
    page.keyboard.press("ArrowLeft")
    page.wait_for_function(SHOWS, arg="34")
    assert "deal 1" in page.get_attribute("[data-past-range]", "aria-valuetext")
    page.check("input[value=known]")
    page.wait_for_function(SHOWS, arg="44")
    assert ", with later corrections" in page.inner_text(".notice-past")
    assert "at=known:" in page.url
    assert page.evaluate("window.isTheSamePage")
    page.click("text=Back to now")
    page.wait_for_selector("[data-live]")
    assert page.complaints == []


@pytest.mark.slow
def test_a_phone_steps_through_the_past_with_a_thumb(page: Any, at: At, tournament: Tournament):
    page.set_viewport_size({"width": 375, "height": 700})
    page.goto(at(address(tournament, "past/")))
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    page.click("[aria-label='One step back']")
    page.wait_for_function(SHOWS, arg="40")
    page.click(".why >> nth=0")
    page.wait_for_selector(".reckoning")
    assert "As shown at " in page.inner_text(".notice-past")
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    assert page.complaints == []


@pytest.mark.slow
def test_without_scripts_a_list_and_a_button_do_the_same(chromium: Any, at: At, tournament: Tournament):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(at(address(tournament, "past/")))
    expect(page.locator("[data-past-range]")).not_to_be_visible()
    page.select_option("select", index=1)
    page.check("input[value=known]")
    with page.expect_navigation():
        page.click("button:has-text('Show')")
    assert "44" in page.inner_text("#board")
    assert ", with later corrections" in page.inner_text(".notice-past")
    context.close()
