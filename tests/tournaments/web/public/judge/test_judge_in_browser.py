"""The judge in a real browser: keys, typing, pasting, the updated address, and all of it without scripts."""

from typing import Any

import pytest

from tests.builders.browser_steps import At
from tests.builders.samples import crossed

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

KEY = 44
PHONE = {"width": 375, "height": 740}
LOSER = "?wild=5&cards=AH+2H+3H+4S+5D+6S+9C+9D+9S+KH+QD+2C+7C"
BROKEN = "?ask=show&wild=4&group=QH+KH+AH&group=5C+6C+4S&group=8D+8D+8S&group=2S+3S+JD+TD"


@pytest.fixture
def at(live_server: Any) -> At:
    def address(query: str = "") -> str:
        return f"{live_server.url}/judge/{query}"

    return address


def until(page: Any, text: str) -> None:
    page.wait_for_function("text => document.querySelector('#ruling').innerText.includes(text)", arg=text)


def test_a_hand_tapped_on_a_phone_is_counted_while_it_grows(page: Any, at: At):
    page.set_viewport_size(PHONE)
    page.goto(at(""))
    page.locator("label.tap", has_text="5").first.click()
    for suit, ranks in {"hearts": "A23", "spades": "469", "diamonds": "59Q", "clubs": "9", "hearts ": "K"}.items():
        page.get_by_role("button", name=suit.strip(), exact=True).click()
        for rank in ranks:
            page.locator(f"[data-rank='{rank}']").click()
    until(page, "11 of 13 cards")
    page.get_by_role("button", name="clubs", exact=True).click()
    page.locator("[data-rank='2']").click()
    page.locator("[data-rank='8']").click()
    page.locator("[data-undo]").click()
    page.locator("[data-rank='7']").click()
    until(page, "29")
    page.wait_for_function("() => document.querySelector('[data-said]').textContent.includes('counts 29')")
    assert "wild=5" in page.url
    page.goto(page.url)
    until(page, "29")
    assert page.complaints == []


@pytest.mark.slow
def test_a_card_in_the_tray_is_taken_away_and_the_focus_stays(page: Any, at: At):
    page.goto(at(LOSER))
    page.get_by_role("button", name="Remove 7C").focus()
    page.keyboard.press("Enter")
    until(page, "12 of 13 cards")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Remove 2C"


@pytest.mark.slow
def test_typing_a_wrong_card_marks_the_field_and_mending_it_clears_it(page: Any, at: At):
    page.goto(at(""))
    page.fill("#cards", "7h 8h 9x")
    page.wait_for_selector("#cards[aria-invalid=true]")
    assert "“9x” in the hand is not a card" in page.inner_text("#note-cards")
    page.fill("#cards", "7h 8h 9h")
    page.wait_for_selector("#cards:not([aria-invalid])")
    assert page.inner_text("#note-cards") == "3 cards, but a hand has 13."
    assert page.complaints == []


@pytest.mark.slow
def test_a_whole_show_pasted_is_dealt_out_to_the_groups(page: Any, at: At):
    page.goto(at("?ask=show&wild=9"))
    page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.setData("text", "A♦ 2♦ 3♦ 4♦\\n6♠ 7♠ 9♥\\nK♣ K♦ K♥\\nJ♣ Q♣ PJ");
          const paste = new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true});
          document.querySelector("#group-1").dispatchEvent(paste);
        }"""
    )
    until(page, "A valid show")
    assert page.inner_text("#note-group-3") == "Set."
    assert page.get_attribute("[data-tab=count]", "href").count("cards=AD") == 1


@pytest.mark.slow
def test_the_keys_write_to_the_group_in_hand_and_move_on(page: Any, at: At):
    page.goto(at("?ask=show"))
    page.locator("[data-rank='7']").click()
    page.locator("[data-next]").click()
    page.locator("[data-joker]").click()
    assert (page.input_value("#group-1"), page.input_value("#group-2")) == ("7S", "PJ")
    page.locator("#loose").focus()
    page.locator("[data-rank='K']").click()
    assert page.input_value("#loose") == "KS"


@pytest.mark.slow
def test_a_lost_connection_is_told_and_the_button_still_asks(page: Any, at: At):
    page.goto(at(LOSER))
    page.route("**/judge/ruling/**", lambda route: route.abort())
    page.fill("#cards", "7h")
    page.wait_for_selector("[data-lost]:not([hidden])")
    page.unroute("**/judge/ruling/**")
    page.get_by_role("button", name="Judge", exact=True).click()
    until(page, "1 of 13 cards")
    page.wait_for_selector("[data-lost]", state="hidden")


@pytest.mark.slow
@pytest.mark.parametrize(("query", "width"), crossed(["", LOSER, BROKEN, "?wild=zz&cards=7X&cap=0"], [320, 1280]))
def test_every_key_is_large_enough_and_nothing_runs_out_of_the_window(page: Any, at: At, query: str, width: int):
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(at(query))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.evaluate(
        """least => [...document.querySelectorAll(
             ".tap, .tray button, .ask .button, .ask input:not([type=radio]), .ask select, summary, .tabs a")]
           .filter(key => key.offsetParent)
           .map(key => [key.textContent || key.name, key.getBoundingClientRect()])
           .filter(([box]) => box.width < least || box.height < least)
           .map(([text, box]) => `${text} ${box.width}x${box.height}`)""",
        KEY,
    )
    assert small == []
    assert page.complaints == []


@pytest.mark.slow
def test_the_ruling_below_the_window_is_said_at_its_foot_and_never_hides_the_focus(page: Any, at: At):
    page.set_viewport_size(PHONE)
    page.goto(at(LOSER))
    page.wait_for_selector("[data-peek]:not([hidden])")
    for _ in range(45):
        page.keyboard.press("Tab")
        hidden = page.evaluate(
            """() => {
              const peek = document.querySelector("[data-peek]");
              const at = document.activeElement;
              if (peek.hidden || at === peek || at === document.body || at.classList.contains("skip")) return "";
              return at.getBoundingClientRect().top > peek.getBoundingClientRect().top ? at.outerHTML : "";
            }"""
        )
        assert hidden == ""
    page.evaluate("scrollTo(0, 0)")
    page.locator("[data-peek]").click()
    page.wait_for_selector("[data-peek]", state="hidden")


@pytest.mark.slow
def test_without_scripts_the_form_asks_by_its_button(chromium: Any, at: At):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(at(""))
    page.locator("label.tap", has_text="5").first.click()
    page.fill("#cards", "AH 2H 3H 4S 5D 6S 9C 9D 9S KH QD 2C 7C")
    with page.expect_navigation():
        page.get_by_role("button", name="Judge", exact=True).click()
    assert "This hand counts 29" in page.title()
    assert page.locator("[data-picker]").is_hidden()
    assert page.locator("[data-copy]").is_hidden()
    with page.expect_navigation():
        page.get_by_role("link", name="Is this show valid?").click()
    page.fill("#loose", "")
    page.fill("#group-1", "AH 2H 3H")
    with page.expect_navigation():
        page.get_by_role("button", name="Judge", exact=True).click()
    assert "Pure sequence" in page.inner_text("#ruling")
    context.close()


@pytest.mark.slow
def test_the_judge_of_another_game_rules_while_cards_are_typed(page: Any, at: At):
    """Planted fault: without the notes of the answer a word that is no card stays marked."""
    page.set_viewport_size(PHONE)
    page.goto(at("gin/"))
    for number, meld in enumerate(("4s 5s 6s", "kh kd kc", "9c 9d 9h"), start=1):
        page.fill(f"#meld-{number}", meld)
    page.fill("#deadwood", "5x")
    page.wait_for_selector("#deadwood[aria-invalid=true]")
    until(page, "Fix this first")
    page.fill("#deadwood", "5h")
    page.fill("#hand", "7s 8s ks ad ac ah 2d 3d 4d")
    until(page, "More cards are needed")
    page.locator("[data-suit='C']").click()
    page.locator("[data-rank='J']").click()
    until(page, "The knock wins 5 points")
    page.wait_for_selector("#deadwood:not([aria-invalid])")
    page.wait_for_function("() => document.querySelector('[data-said]').textContent.includes('The knock wins')")
    assert "deadwood=5H" in page.url
    page.goto(page.url)
    until(page, "The knock wins 5 points")
    assert page.complaints == []
