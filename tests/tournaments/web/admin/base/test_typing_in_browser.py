"""Typing in a browser: a number is typed over, and requests of a page while typing cause no console messages."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.builders.admin_tables import club_called, person
from tests.builders.browser_checks import sign_in
from tournaments.models import Club, Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NEW = "/admin/tournaments/tournament/add/"


@pytest.fixture
def club(transactional_db: None) -> Club:
    return club_called("Asha's club", "asha")


@pytest.fixture
def at(live_server: Any, page: Any, club: Club) -> Callable[[str], Any]:
    sign_in(page.context, live_server.url, person("dita", Role.DIRECTOR, club))

    def go(path: str) -> Any:
        page.goto(f"{live_server.url}{path}")
        return page

    return go


@pytest.mark.slow
def test_a_number_that_is_pressed_is_typed_over(at: Callable[[str], Any]):
    page = at(NEW)
    for label, typed in (("Entry fee", "500"), ("Rounds", "4")):
        page.get_by_label(label).first.click()
        page.keyboard.type(typed)
        assert page.get_by_label(label).first.input_value() == typed


@pytest.mark.slow
def test_a_second_press_puts_the_caret_where_it_was_pressed(at: Callable[[str], Any]):
    field = at(NEW).get_by_label("Entry fee").first
    field.fill("500")
    field.blur()
    field.click()
    field.click()
    assert field.evaluate("field => field.selectionStart === field.selectionEnd")


@pytest.mark.slow
def test_a_number_that_a_script_goes_to_is_typed_over(at: Callable[[str], Any]):
    page = at(NEW)
    page.get_by_label("Rounds").first.focus()
    page.keyboard.type("4")
    assert page.get_by_label("Rounds").first.input_value() == "4"


@pytest.mark.slow
def test_answers_that_change_while_the_plan_is_asked_for_leave_the_console_quiet(at: Callable[[str], Any]):
    page = at(NEW)
    page.get_by_label("Or: players expected").fill("20")
    page.evaluate(
        "for (let times = 0; times < 3; times++)"
        " document.querySelector('.new-tournament').dispatchEvent(new Event('change', { bubbles: true }))"
    )
    page.wait_for_selector("text=The plan with 20 players")
    assert page.complaints == []


@pytest.mark.slow
def test_of_rounds_and_minutes_the_one_that_ends_it_is_asked_for(at: Callable[[str], Any]):
    page = at(NEW)
    assert [page.locator(f"[name={name}]").is_visible() for name in ("rounds", "minutes")] == [True, False]
    page.get_by_label("It ends").select_option("time")
    assert [page.locator(f"[name={name}]").is_visible() for name in ("rounds", "minutes")] == [False, True]
