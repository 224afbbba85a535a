"""Cards of a seat in a real browser: tapped on a phone, typed with the keyboard alone, and entered without scripts."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.builders.admin_tables import Evening, person
from tests.builders.browser_checks import looks_right, sign_in
from tournaments.models import Club, Role
from tournaments.models.log import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 844}
HAND = "[data-hand='2']"


def says(page: Any, text: str) -> None:
    """Wait until the ruling on Bo's cards is this."""
    page.wait_for_function("text => document.querySelector('#ruling-2').innerText.includes(text)", arg=text)


def tap(page: Any, *cards: str) -> None:
    names = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
    for card in cards:
        page.locator(f"{HAND} [data-suit='{card[1].upper()}']").click()
        page.locator(f"{HAND} [data-rank='{card[0]}']").click()
        assert names[card[1]] in page.locator(f"{HAND} [data-rank='{card[0]}']").get_attribute("aria-label")


def stored(table: Evening) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Event.objects.get(stream_id=table.table.pk, version=2).body)["sheet"][
        "outcomes"
    ]["2"]
    return found


def test_a_hand_is_tapped_on_a_phone_and_no_key_moves_from_under_the_thumb(at_desk: Callable[..., Any], pool: Evening):
    page = at_desk(pool.score_url)
    page.set_viewport_size(PHONE)
    page.locator("[data-row='2'] .name").click()
    page.locator(f"{HAND} > summary").click()
    key = page.locator(f"{HAND} [data-rank='A']")
    place = key.evaluate("key => key.getBoundingClientRect().top + scrollY")
    for group in (("Ah", "2h", "3h"), ("4s", "5d", "6s"), ("9c", "9d", "Kh")):
        tap(page, *group)
        page.locator(f"{HAND} [data-next]").click()
    page.locator(f"{HAND} [data-next]").click()
    tap(page, "9s", "Qd", "2c", "7c")
    page.wait_for_selector("#note-group-2-2.note-bad")
    assert page.get_attribute("#group-2-2", "aria-invalid") == "true"
    assert key.evaluate("key => key.getBoundingClientRect().top + scrollY") == place
    # The wild card changes the ruling at once.
    page.fill("[name=wild]", "5H")
    page.wait_for_selector("#note-group-2-2.note-good")
    assert page.get_attribute("#group-2-2", "aria-invalid") is None
    says(page, "Laid down like this: 56 points")
    says(page, "Hint: 29 is possible.")
    assert page.input_value("#group-2-3") == "9C 9D KH"
    assert page.is_checked('input[name="how-2"][value="loss"]')
    page.locator(f"{HAND} [data-use]").click()
    says(page, "Laid down like this: 29 points")
    assert page.input_value("#group-2-3") == "9S 9D 9C"
    page.locator("[data-row='1'] .name").click()
    page.locator(".key:has([name=how-1][value=show])").click()
    page.fill("#count-3", "10")
    page.fill("#count-4", "20")
    page.locator("[data-save]").click()
    page.wait_for_selector("text=Save deal 2")
    outcome = stored(pool)
    assert outcome["groups"] == ["AH 2H 3H", "4S 5D 6S", "9S 9D 9C"]
    assert outcome["loose"] == "KH QD 2C 7C"
    assert page.complaints == []


@pytest.mark.slow
def test_cards_are_typed_with_the_keyboard_alone_and_are_no_keys_of_the_row(at_desk: Callable[..., Any], pool: Evening):
    page = at_desk(pool.score_url)
    page.focus(f"{HAND} > summary")
    page.keyboard.press("Enter")
    page.wait_for_selector("#group-2-1:focus")
    for group in ("ah 2h 3h", "4s 5s 6s", "9c 9d 9s"):
        page.keyboard.type(group)
        page.keyboard.press("Enter")
    says(page, "9 of 13 cards")
    assert page.is_checked('input[name="how-2"][value="loss"]')
    assert not page.is_checked('input[name="how-2"][value="show"]')
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.matches('summary')")
    assert page.locator(f"{HAND} > summary").inner_text().endswith("9 of 13")
    page.keyboard.type("s")
    assert page.is_checked('input[name="how-2"][value="loss"]')


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_open_panel_fits_a_phone_and_can_be_read(at_desk: Callable[..., Any], pool: Evening, scheme: str):
    page = at_desk(pool.score_url)
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size(PHONE)
    page.fill("[name=wild]", "5H")
    page.locator("[data-row='2'] .name").click()
    page.locator(f"{HAND} > summary").click()
    page.fill("#group-2-1", "7h 8h 9x")
    page.fill("#loose-2", "ah 2h 3h 4s 5d 6s 9c 9d 9s kh qd 2c 7c")
    page.fill("#group-2-1", "")
    says(page, "is possible")
    looks_right(page)
    sizes = page.evaluate(
        f'[...document.querySelectorAll("{HAND} button, {HAND} input[type=text]")]'
        ".filter(e => e.offsetParent).map(e => e.getBoundingClientRect()).map(r => Math.min(r.width, r.height))"
    )
    assert min(sizes) >= 44
    assert page.complaints == []


@pytest.mark.slow
def test_without_scripts_check_says_the_same_and_takes_the_arrangement_asked_for(
    chromium: Any, live_server: Any, club: Club, pool: Evening
):
    context = chromium.new_context(java_script_enabled=False)
    sign_in(context, live_server.url, person("sam", Role.SCORER, club))
    page = context.new_page()
    page.goto(f"{live_server.url}{pool.score_url}")
    page.locator(f"{HAND} > summary").click()
    page.fill("[name=wild]", "5H")
    page.fill("#loose-2", "ah 2h 3h 4s 5d 6s 9c 9d 9s kh qd 2c 7c")
    with page.expect_navigation():
        page.locator("[data-check]").click()
    assert "Hint: 29 is possible." in page.inner_text("#ruling-2")
    page.check("[name=arrange]")
    with page.expect_navigation():
        page.locator("[data-check]").click()
    assert "Laid down like this: 29 points" in page.inner_text("#ruling-2")
    assert page.input_value("#loose-2") == "KH QD 2C 7C"
    context.close()
