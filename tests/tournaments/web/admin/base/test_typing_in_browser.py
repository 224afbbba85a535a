"""Typing in a browser: a number is typed over, and requests of a page while typing cause no console messages."""

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NEW = "/admin/tournaments/tournament/add/"


@pytest.mark.slow
def test_a_number_that_is_pressed_or_gone_to_is_typed_over_and_a_second_press_puts_the_caret(
    at_desk: Callable[..., Any],
):
    page = at_desk(NEW)
    fee, rounds = (page.get_by_label(label).first for label in ("Entry fee", "Rounds"))
    for field, typed in ((fee, "500"), (rounds, "4")):
        field.click()
        page.keyboard.type(typed)
        assert field.input_value() == typed
    # As a script goes there.
    fee.focus()
    page.keyboard.type("400")
    assert fee.input_value() == "400"
    fee.blur()
    fee.click()
    fee.click()
    assert fee.evaluate("field => field.selectionStart === field.selectionEnd")


@pytest.mark.slow
def test_answers_that_change_while_the_plan_is_asked_for_leave_the_console_quiet(at_desk: Callable[..., Any]):
    """Of rounds and minutes the one that ends it is asked for."""
    page = at_desk(NEW)
    page.get_by_label("Or: players expected").fill("20")
    page.evaluate(
        "for (let times = 0; times < 3; times++)"
        " document.querySelector('.new-tournament').dispatchEvent(new Event('change', { bubbles: true }))"
    )
    page.wait_for_selector("text=The plan with 20 players")
    assert page.complaints == []
    assert [page.locator(f"[name={name}]").is_visible() for name in ("rounds", "minutes")] == [True, False]
    page.get_by_label("It ends").select_option("time")
    assert [page.locator(f"[name={name}]").is_visible() for name in ("rounds", "minutes")] == [False, True]
