"""A board by keyboard alone: every control is reached in reading order, visible when focused, and works."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.builders.public_tables import a_club, a_tournament, address, seat
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# The focused element: its text, and the problems with its visibility.
FOCUSED = """() => {
  const node = document.activeElement, box = node.getBoundingClientRect(), style = getComputedStyle(node);
  const x = box.left + Math.min(box.width / 2, 20), y = box.top + box.height / 2;
  const above = document.elementFromPoint(x, y);
  const isCovered = !(above && (node.contains(above) || above.contains(node)));
  const isOut = box.bottom > innerHeight + 1 || box.top < -1 || box.width === 0;
  // A list that is higher than the screen is seen in part.
  const isWhole = box.height < innerHeight;
  return {
    what: node.id || (node.matches("a, button") ? node.innerText : node.tagName),
    isBody: node === document.body,
    faults: [
      isWhole && isCovered && "covered",
      isWhole && isOut && "outside",
      style.outlineStyle === "none" && "unmarked",
    ].filter(Boolean),
  };
}"""


@pytest.fixture
def tournament(transactional_db: None) -> Tournament:
    """More players than a screen has lines, so that the head of the table stays while they go by."""
    made = a_tournament(a_club(slug="circle"))
    for first in range(0, 20, 5):
        names = [f"Player {number}" for number in range(first, first + 5)]
        seat(made, *names).deal("show", *range(first + 1, first + 5))
    return made


@pytest.fixture
def board(page: Any, live_server: Any, tournament: Tournament) -> Any:
    page.set_viewport_size({"width": 1280, "height": 500})
    page.goto(f"{live_server.url}{address(tournament)}")
    page.locator("[data-find]").wait_for()
    return page


def stops(page: Any, key: str = "Tab") -> Iterator[dict[str, Any]]:
    """The focused elements, until the focus leaves the page."""
    while True:
        page.keyboard.press(key)
        stop = page.evaluate(FOCUSED)
        if stop["isBody"]:
            return
        yield stop


@pytest.mark.slow
@pytest.mark.parametrize("key", ["Tab", "Shift+Tab"])
def test_whatever_has_the_focus_is_seen_and_marked(board: Any, key: str):
    """Planted faults: a table heading that covers rows on the way back, and a link without an outline."""
    seen = list(stops(board, key))
    assert [(stop["what"], stop["faults"]) for stop in seen if stop["faults"]] == []
    reached = [stop["what"].strip() for stop in (seen if key == "Tab" else reversed(seen))]
    wanted = ["Skip to the content", "Rummy Evening", "Leaderboard", "find", "Table 1", "Earlier standings", "Deutsch"]
    found = [next(place for place, what in enumerate(reached) if word in what) for word in wanted]
    assert found == sorted(found)


def test_skip_find_open_and_choose_a_language_without_a_mouse(board: Any):
    board.keyboard.press("Tab")
    board.keyboard.press("Enter")
    assert board.evaluate("document.activeElement.id") == "main"
    to(board, "find")
    board.keyboard.type("Player 19")
    expect(board.locator(".standings tbody tr:visible")).to_have_count(1)
    to(board, "19")
    board.keyboard.press("Enter")
    board.wait_for_url("**/who/**")
    to(board, "Deutsch")
    board.keyboard.press("Enter")
    board.wait_for_selector("html[lang=de]")
    assert board.complaints == []


def to(page: Any, words: str) -> None:
    """Move the focus on to the element with this text."""
    assert any(words in stop["what"] for stop in stops(page))
