"""The projector in a real browser: it rotates, follows the director, fits, and continues without a connection."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.builders.admin_tables import club_called
from tests.builders.admin_tournaments import TIMED, Night, a_night, at, play_out, record, start_clock
from tournaments.models import Screen
from tournaments.running.commands.screens import hold_screen, skip_screen, steer
from tournaments.running.screens import Steering

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "Subrahmanyam Venkataraghavan Krishnamurthy the {}th of Thiruvananthapuram"
SHOW = {"1": {"how": "show"}, **{seat: {"how": "loss", "count": 9} for seat in ("2", "3", "4")}}
ONE_DEAL = {"kind": "deal_recorded", "deal": 1, "outcomes": SHOW}
SHOWN = "document.querySelector('[data-page]:not([hidden])').dataset.page"
IDLE = "[data-projector]:not([data-asking])"
PAGES = "Array.from(document.querySelectorAll('[data-page]'), page => page.dataset.page)"
# The drawn lines and headings of the page, and how far each is outside the screen or its own list.
OUTSIDE = """
Array.from(document.querySelectorAll('[data-page]:not([hidden]) :is(h2, li, tr, .digits, .who, img, .said)')).filter(
  (node) => { const box = node.getBoundingClientRect();
    const isOut = box.top < 0 || box.left < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
    return isOut || box.height === 0; }
).map((node) => node.outerHTML.slice(0, 80))
"""
SMALLEST = """
Math.min(...Array.from(document.querySelectorAll('[data-page]:not([hidden]) :is(td.c-place, li:not(.is-long) .name)'),
  (node) => parseFloat(getComputedStyle(node).fontSize))) / innerHeight
"""


@pytest.fixture
def night(transactional_db: None) -> Night:
    night = a_night(club_called("Asha's club", "asha"), TIMED)
    night.enter("Asha", "Bo", "Cy", "Dev")
    night.seat()
    return night


@pytest.fixture
def projector(live_server: Any, page: Any) -> Callable[..., Any]:
    """The projector of an evening, with a clock that stands until it is told to run."""

    def opened(night: Night, query: str = "", width: int = 1280, height: int = 720) -> Any:
        page.set_viewport_size({"width": width, "height": height})
        start = datetime.now(UTC)
        page.clock.install(time=start)
        page.clock.pause_at(start + timedelta(seconds=1))
        with answered(page):
            page.goto(f"{live_server.url}/c/asha/t/{night.tournament.slug}/screen/{query}")
        return page

    return opened


def run(page: Any, seconds: float) -> None:
    page.clock.run_for(int(seconds * 1_000))


@contextmanager
def answered(page: Any) -> Iterator[None]:
    """Wait until it has read an answer: until then it sends no other request, and its clock may stand still."""
    with page.expect_response("**/screen/part/**"):
        yield
    page.wait_for_selector(IDLE)


def ask(page: Any) -> None:
    """Let it poll, and wait for the answer."""
    page.wait_for_selector(IDLE)
    with answered(page):
        run(page, 2)


def test_it_goes_through_the_programme_and_begins_again(projector: Callable[..., Any], night: Night):
    page = projector(night)
    assert page.evaluate(PAGES) == ["seating-1", "address-1", "clock-1"]
    seen = []
    for seconds in (15, 12, 12):
        seen.append(page.evaluate(SHOWN))
        run(page, seconds - 2)
        assert page.evaluate(SHOWN) == seen[-1]
        run(page, 2.25)
    assert seen == ["seating-1", "address-1", "clock-1"]
    assert page.evaluate(SHOWN) == "seating-1"
    assert page.complaints == []


@pytest.mark.slow
def test_the_directors_word_is_on_the_screen_within_three_seconds(projector: Callable[..., Any], night: Night):
    page = projector(night)
    skip_screen(night.tournament, context=at())
    ask(page)
    page.wait_for_selector("[data-page='address-1']:not([hidden])")
    hold_screen(night.tournament, Screen.SEATING, context=at())
    steer(night.tournament, Steering(message="Round 3 starts at 21:15"), context=at())
    ask(page)
    page.wait_for_selector("[data-message] >> text=Round 3 starts at 21:15")
    assert page.evaluate(PAGES) == ["seating-1"]
    assert page.inner_text("[data-said]") == "Where do I sit?"
    run(page, 60)
    assert page.evaluate(SHOWN) == "seating-1"
    assert page.complaints == []


@pytest.mark.slow
def test_a_projector_kept_for_the_clock_counts_down_whatever_is_held(projector: Callable[..., Any], night: Night):
    start_clock(night, at_second=int(datetime.now(UTC).timestamp()), seconds=120)
    hold_screen(night.tournament, Screen.SEATING, context=at())
    page = projector(night, "?screens=clock")
    ask(page)
    page.route("**/screen/part/**", lambda route: route.abort())
    assert page.evaluate(SHOWN) == "clock-1"
    assert page.locator(".when-over").is_hidden()
    run(page, 130)
    expect(page.locator(".when-over")).to_be_visible()
    assert page.inner_text(".time .digits").startswith("−0:")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1920, 1080), (1024, 768), (375, 812)])
def test_two_hundred_players_with_long_names_fit_without_scrolling(
    projector: Callable[..., Any], transactional_db: None, width: int, height: int
):
    night = a_night(club_called("Asha's club", "asha"), TIMED)
    night.enter(*(LONG.format(number) if number % 7 == 0 else f"Guest {number}" for number in range(200)))
    night.seat(size=5)
    start_clock(night, at_second=int(datetime.now(UTC).timestamp()))
    steer(night.tournament, Steering(message="Round 3 starts at 21:15. " * 6), context=at())
    page = projector(night, "?screens=seating,standings,tables,clock,winners,address,message", width, height)
    ask(page)
    page.keyboard.press("Space")
    names: list[str] = []
    for _ in page.evaluate(PAGES):
        assert page.evaluate(OUTSIDE) == [], page.evaluate(SHOWN)
        names += page.locator("[data-page]:not([hidden]).is-standings tbody th bdi").all_inner_texts()
        if width > 1000 and page.evaluate(SHOWN).startswith(("seating", "standings")):
            assert page.evaluate(SMALLEST) > 1 / 40
        page.keyboard.press("ArrowRight")
    assert len(names) == 200
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.complaints == []


# Visible names on the page that are partly cut off. The space that a font leaves above its letters may be.
CUT = """
Array.from(document.querySelectorAll('[data-page]:not([hidden]) :is(tbody th, .name)')).filter((node) => {
  const inner = node.querySelector('bdi') ?? node;
  const room = inner.clientHeight && inner.clientHeight + parseFloat(getComputedStyle(inner).fontSize) * 0.4;
  return node.scrollWidth > node.clientWidth + 1 || room && inner.scrollHeight > room;
}).map((node) => node.textContent)
"""


@pytest.mark.slow
@pytest.mark.parametrize("players", [4, 16])
def test_a_name_of_sixty_letters_is_whole_from_the_back_of_the_room(
    projector: Callable[..., Any], transactional_db: None, players: int
):
    """Planted fault: one line for a name on a page of few players, which ended it with an ellipsis."""
    night = a_night(club_called("Asha's club", "asha"), TIMED)
    names = [LONG[:60], "लक्ष्मीनारायण वेंकटसुब्रमण्यम कृष्णमूर्ति रामचंद्रन अय्यर जी", "Lakshmi Dorothy Pinto"]
    night.enter(*names, *(f"Guest {number}" for number in range(players - len(names))))
    for table in night.seat(size=4):
        record(table, ONE_DEAL)
    page = projector(night, "?screens=standings,seating,tables", 1920, 1080)
    ask(page)
    page.keyboard.press("Space")
    for _ in page.evaluate(PAGES):
        assert page.evaluate(CUT) == [], page.evaluate(SHOWN)
        page.keyboard.press("ArrowRight")


# How far each column heading begins, or ends for numbers, from the text under it; None where it is cut.
HEADS = """
Array.from(document.querySelectorAll('[data-page]:not([hidden]) .ranks thead th'), (head) => {
  const edges = (node) => { const range = document.createRange(); range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    return getComputedStyle(node).textAlign === 'end' ? box.right : box.left; };
  const cell = head.closest('table').querySelector('tbody tr').children[head.cellIndex];
  const isCut = head.scrollWidth > head.clientWidth + 1 || head.scrollHeight > head.clientHeight + 1;
  return isCut ? null : Math.abs(edges(head) - edges(cell)); })
"""


@pytest.mark.slow
def test_the_heads_of_the_standings_are_whole_and_stand_over_their_cells(
    projector: Callable[..., Any], transactional_db: None
):
    """Planted faults: "Points fo…" over the deciding number, and headings some pixels beside their columns."""
    stage = {"smallest_table": 2, "compares": "rank_points"}
    night = a_night(club_called("Asha's club", "asha"), {"stages": [stage]}, entry_minor=10_000)
    night.enter("Asha", "Bo", "Cy", "Wahida Khan")
    for table in night.seat():
        play_out(table)
    page = projector(night, "?screens=standings")
    ask(page)
    heads = page.locator("[data-page]:not([hidden]) thead").first.inner_text()
    assert "Points for places" in heads
    beside = page.evaluate(HEADS)
    assert len(beside) >= 4
    assert all(each is not None and each < 1.5 for each in beside), beside


@pytest.mark.slow
def test_few_lines_have_large_letters(projector: Callable[..., Any], night: Night):
    page = projector(night, "?screens=seating")
    assert page.evaluate(SMALLEST) > 1 / 16


def test_without_a_connection_it_goes_on_says_so_and_comes_back(projector: Callable[..., Any], night: Night):
    start_clock(night, at_second=int(datetime.now(UTC).timestamp()))
    page = projector(night)
    page.route("**/screen/part/**", lambda route: route.abort())
    assert page.locator("[data-lost]").is_hidden()
    run(page, 16)
    page.wait_for_selector("[data-lost]:not([hidden])")
    lost = page.inner_text("[data-lost]")
    assert lost.startswith("As of ")
    assert lost.endswith("connection lost")
    assert page.evaluate(SHOWN) == "address-1"
    run(page, 12)
    assert page.evaluate(SHOWN) == "clock-1"
    before = page.inner_text(".time .digits")
    run(page, 5)
    assert page.inner_text(".time .digits") != before
    assert page.inner_text("[data-lost]") == lost
    page.unroute("**/screen/part/**")
    hold_screen(night.tournament, Screen.ADDRESS, context=at())
    ask(page)
    page.wait_for_selector("[data-lost][hidden]", state="attached")
    page.wait_for_selector("[data-page='address-1']:not([hidden])")


@pytest.mark.slow
def test_it_is_stopped_and_stepped_by_keys_and_buttons(projector: Callable[..., Any], night: Night):
    page = projector(night)
    page.keyboard.press("Space")
    assert page.get_attribute("[data-do=pause]", "aria-pressed") == "true"
    run(page, 60)
    assert page.evaluate(SHOWN) == "seating-1"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(SHOWN) == "address-1"
    page.click("[data-do=back]")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(SHOWN) == "clock-1"
    page.focus("[data-do=pause]")
    page.keyboard.press("Space")
    assert page.get_attribute("[data-do=pause]", "aria-pressed") == "false"
    run(page, 12.5)
    assert page.evaluate(SHOWN) == "seating-1"
    assert page.locator("[data-keys]").is_hidden()


@pytest.mark.slow
def test_without_scripts_it_turns_its_pages_by_itself(chromium: Any, live_server: Any, night: Night):
    steer(night.tournament, Steering(seconds={Screen.SEATING: 3}), context=at())
    browser = chromium.new_context(java_script_enabled=False)
    page = browser.new_page()
    page.goto(f"{live_server.url}/c/asha/t/{night.tournament.slug}/screen/")
    assert page.locator("[data-page]:visible").get_attribute("data-page") == "seating-1"
    page.wait_for_selector("[data-page='address-1']:visible")
    page.click(".links >> text=Pause")
    page.wait_for_url("**hold=1")
    assert page.locator("[data-page]:visible").get_attribute("data-page") == "address-1"
    browser.close()


@pytest.mark.slow
def test_a_long_programme_is_gone_through_to_its_end_and_goes_on_without_a_connection(
    projector: Callable[..., Any], transactional_db: None, monkeypatch: Any
):
    """Planted fault: pages that followed each other as they were sent, from the fifth of a list to the next screen."""
    monkeypatch.setattr("tournaments.web.public.tournament.screen_pages.MOST_LINES", 12)
    monkeypatch.setattr("tournaments.web.public.tournament.screen_pages.LINES_AROUND", 8)
    night = a_night(club_called("Asha's club", "asha"), TIMED)
    night.enter(*(f"Guest {number:02}" for number in range(40)))
    night.seat(size=4)
    page = projector(night, "?screens=seating,clock&rows=4&across=1")
    ask(page)
    assert page.evaluate(PAGES) == ["seating-1", "seating-2", "seating-3", "clock-1"]
    seen = []
    for _ in range(12):
        seen.append(page.evaluate(SHOWN))
        page.keyboard.press("ArrowRight")
        page.wait_for_selector(IDLE)
    assert seen == [*(f"seating-{number}" for number in range(1, 11)), "clock-1", "seating-1"]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(SHOWN) == "clock-1"
    page.route("**/screen/part/**", lambda route: route.abort())
    run(page, 60)
    assert page.evaluate(SHOWN) in page.evaluate(PAGES)
    expect(page.locator("[data-lost]")).to_be_visible()
