"""The public pages in a real browser: updated without reloading, no console errors, any width, also without scripts.

Only differences are sent, and the result equals a fresh page: test_differences.py tests the same on trees.
"""

import random
import re
from typing import Any

import pytest
from django.core.cache import caches
from playwright.sync_api import expect

from tests.builders.browser_steps import At
from tests.builders.public_tables import Seated, address, seat
from tests.builders.there import there
from tournaments.models import Club, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ASKING = re.compile(r"/board/\?since=")
HOW_OFTEN = re.compile(r"every (\d+)ms")
LONG_NAMES = tuple(f"Subrahmanyam Venkataraghavan Krishnamurthy the {n}th" for n in range(1, 11))


@pytest.mark.slow
@pytest.mark.parametrize("path", ["", "r1/table-1/"])
def test_board_and_sheet_look_for_news_more_often_than_every_two_seconds(
    page: Any, at: At, tournament: Tournament, table: Seated, path: str
):
    page.goto(at(address(tournament, path)))
    [often] = HOW_OFTEN.findall(page.get_attribute("[data-live]", "hx-trigger"))
    assert 0 < int(often) < 2_000


def test_a_saved_deal_comes_to_the_board_without_a_reload(page: Any, at: At, tournament: Tournament, table: Seated):
    page.goto(at(address(tournament)))
    page.evaluate("window.isTheSamePage = true")
    table.deal(20, "show", 3, 47)
    page.wait_for_selector(".standings .is-fresh >> text=67")
    assert page.evaluate("window.isTheSamePage")
    assert "leads" in page.inner_text("[data-live-summary]")
    assert page.complaints == []


@pytest.mark.slow
def test_a_saved_deal_comes_to_the_sheet_and_the_reader_stays_where_they_are(page: Any, at: At, tournament: Tournament):
    table = seat(tournament, *LONG_NAMES).deal("show", *range(2, 11))
    page.set_viewport_size({"width": 375, "height": 700})
    page.goto(at(address(tournament, "r1/table-1/")))
    page.evaluate("document.querySelector('[data-keep-scroll=deals]').scrollLeft = 200")
    table.deal("show", *range(30, 39))
    page.wait_for_function("() => document.querySelectorAll('.sheet tbody tr').length > 1")
    page.wait_for_function("() => document.querySelector('[data-keep-scroll=deals]').scrollLeft === 200")
    assert page.complaints == []


@pytest.mark.slow
def test_live_places_come_to_the_clubs_page_without_a_reload(page: Any, at: At, tournament: Tournament, table: Seated):
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
    page: Any, at: At, tournament: Tournament, table: Seated
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


@pytest.mark.slow
def test_a_lost_connection_is_reported_with_the_time_of_what_is_shown(
    page: Any, at: At, tournament: Tournament, table: Seated
):
    page.goto(at(address(tournament)))
    page.route(ASKING, lambda route: route.abort())
    page.wait_for_selector("[data-live-lost]:not([hidden])")
    assert re.search(r"Connection lost\. Shown as of \d\d:\d\d, trying again", page.inner_text("[data-live-lost]"))
    page.unroute(ASKING)
    page.wait_for_selector("[data-live-lost][hidden]", state="attached")


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 375, 768, 1280])
def test_no_page_scrolls_sideways_and_the_console_stays_silent(page: Any, at: At, tournament: Tournament, width: int):
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
    chromium: Any, at: At, tournament: Tournament, table: Seated
):
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(at(address(tournament)))
    assert "Asha" in page.inner_text(".standings")
    expect(page.locator('noscript meta[http-equiv="refresh"], meta[http-equiv="refresh"]')).to_have_count(1)
    page.click(".table-link")
    assert "Deal 1" in page.inner_text(".sheet")
    context.close()


def test_a_player_is_found_by_typing_and_stays_found_when_the_board_changes(
    page: Any, at: At, tournament: Tournament, table: Seated
):
    page.goto(at(address(tournament)))
    page.fill("[data-find-input]", "CY")
    table.deal(20, "show", 3, 47)
    page.wait_for_selector(".standings .is-fresh >> text=67", state="attached")
    expect(page.locator(".standings tbody tr:visible")).to_have_count(1)
    assert page.input_value("[data-find-input]") == "CY"


@pytest.mark.slow
def test_the_chosen_colours_are_kept(page: Any, at: At, tournament: Tournament, table: Seated):
    page.goto(at(address(tournament)))
    button = page.locator("[data-theme-button]")
    button.click()
    button.click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.goto(at(address(tournament, "r1/table-1/")))
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.complaints == []


SEED = 20_261_122
DELTA = "application/json"
# The content of a page, without what its own scripts or the time of the request add to it.
SHOWN = """root => {
  const part = root.cloneNode(true);
  for (const row of part.querySelectorAll("[data-key]")) {
    row.classList.remove("is-fresh", "is-moving");
    row.removeAttribute("hidden");
    if (!row.className) row.removeAttribute("class");
  }
  for (const place of part.querySelectorAll("[data-find], [data-print]")) place.setAttribute("hidden", "");
  part.removeAttribute("data-base");
  part.removeAttribute("class");
  part.normalize();
  return part.outerHTML;
}"""
FRESH = f"""async ([path]) => {{
  const text = await (await fetch(path)).text();
  return ({SHOWN})(new DOMParser().parseFromString(text, "text/html").querySelector("[data-live]"));
}}"""


def answers_of(page: Any, path: str) -> list[Any]:
    """The answers to a page's polls, as they come."""
    found: list[Any] = []
    page.on("response", lambda answer: found.append(answer) if f"/{path}" in answer.url else None)
    return found


def wait_for_tag(page: Any, client: Any, part: str) -> None:
    """Wait until the page shows the server's state. It polls at once, like a page that comes back into view."""
    tag = client.get(part)["ETag"]
    page.evaluate("htmx.trigger(document.querySelector('[data-live]'), 'look')")
    page.wait_for_function("tag => document.querySelector('[data-live]').dataset.tag === tag", arg=tag)


def anything(tournament: Tournament, tables: list[Seated], chance: random.Random) -> None:
    """One more event: mostly a deal, sometimes a correction, a new player, a table that opens or closes."""
    playing = [table for table in tables if table.game is None or not table.game.is_finished]
    deed = chance.choice(["deal"] * 5 + ["correct"] * 3 + ["open", "void"])
    if deed == "open" or not playing:
        tables.append(seat(tournament, "Asha <b>", "Bo & Cy", 'Dev "D"', "Élan 😀"))
        return
    table = chance.choice(playing)
    dealt = table.game.deals if table.game else 0
    if deed == "deal" or not dealt or len(there(table.game).in_play) < 4:
        seats = len(table.game.in_play) if table.game else 4
        winner = chance.randrange(seats)
        table.deal(*("show" if place == winner else chance.randrange(2, 60) for place in range(seats)))
    elif deed == "correct":
        sheets: list[tuple[Any, ...]] = [("show", 9, 9, 40), (60, "show", 2, 3), (2, 3, "show", 79)]
        table.correct(dealt, *chance.choice(sheets))
    else:
        table.event(kind="deal_voided", deal=dealt, reason="misdealt")


@pytest.mark.slow
@pytest.mark.parametrize("path", ["board/", "embed/part/", "r1/table-1/sheet/", "seating/part/"])
def test_whatever_happens_the_page_is_what_a_fresh_one_is(page: Any, client: Any, at: At, table: Seated, path: str):
    """Planted fault: rows put in their new order without their new places."""
    tournament = table.row.tournament
    chance, tables = random.Random(SEED + len(path)), [table, seat(tournament)]
    answers = answers_of(page, path)
    page.goto(at(address(tournament, path.removesuffix("board/").removesuffix("part/").removesuffix("sheet/"))))
    for _ in range(12):
        anything(tournament, tables, chance)
        wait_for_tag(page, client, address(tournament, path))
        shown = page.eval_on_selector("[data-live]", SHOWN)
        assert shown == page.evaluate(FRESH, [address(tournament, path)])
    kinds = {answer.headers["content-type"] for answer in answers if answer.status == 200 and "since=" in answer.url}
    assert kinds == {DELTA}
    assert page.complaints == []


@pytest.mark.slow
def test_a_round_that_is_published_stands_on_the_seating_by_itself_and_only_that_is_reported(
    page: Any, client: Any, at: At, tournament: Tournament, table: Seated
):
    page.goto(at(address(tournament, "seating/")))
    page.evaluate("""() => {
      window.told = [];
      const line = document.querySelector("[data-live-summary]");
      new MutationObserver(() => window.told.push(line.textContent)).observe(line, { childList: true });
    }""")
    table.deal(20, "show", 3, 47)
    wait_for_tag(page, client, address(tournament, "seating/part/"))
    page.wait_for_timeout(200)
    assert page.evaluate("window.told") == []
    seat(tournament, "Eve", "Fay", table_round=2, number=7)
    page.wait_for_selector("text=Round 2, A to Z")
    page.wait_for_function("() => window.told.length === 1")
    assert page.evaluate("window.told") == ["The seating has changed."]
    assert "Table 7" in page.inner_text(".a-to-z-list li:has-text('Fay')")
    expect(page.locator("button[data-print]")).to_be_visible()
    assert page.complaints == []


def test_only_what_changed_travels_and_a_reader_keeps_what_they_did(
    page: Any, client: Any, at: At, tournament: Tournament, table: Seated
):
    for _ in range(10):
        seat(tournament).deal("show", 1, 2, 3)
    answers = answers_of(page, "board/")
    page.goto(at(address(tournament)))
    page.focus(".standings tbody tr:has-text('34') .why")
    page.evaluate("window.kept = document.activeElement.closest('tr')")
    table.deal(20, "show", 3, 47)
    wait_for_tag(page, client, address(tournament, "board/"))
    [news] = [answer for answer in answers if answer.status == 200]
    assert len(news.body()) < len(client.get(address(tournament, "board/")).content) / 5
    assert page.evaluate("document.activeElement.closest('tr') === window.kept && window.kept.isConnected")


@pytest.mark.slow
def test_a_page_that_something_else_has_changed_gets_the_whole_part(
    page: Any, client: Any, at: At, tournament: Tournament, table: Seated
):
    """For example a browser that translates pages."""
    page.goto(at(address(tournament)))
    page.evaluate("document.querySelector('#leaderboard').innerHTML = '<font>Tableau</font>'")
    table.deal(20, "show", 3, 47)
    page.wait_for_selector(".standings >> text=67")
    wait_for_tag(page, client, address(tournament, "board/"))
    shown = page.eval_on_selector("[data-live]", SHOWN)
    assert shown == page.evaluate(FRESH, [address(tournament, "board/")])


@pytest.mark.slow
def test_after_a_lost_connection_and_a_new_process_the_page_catches_up(
    page: Any, client: Any, at: At, tournament: Tournament, table: Seated
):
    page.goto(at(address(tournament)))
    page.context.set_offline(True)
    page.wait_for_selector("[data-live-lost]:not([hidden])")
    caches["answers"].clear()
    table.deal(20, "show", 3, 47).deal("show", 1, 2, 3)
    page.context.set_offline(False)
    wait_for_tag(page, client, address(tournament, "board/"))
    page.wait_for_selector("[data-live-lost][hidden]", state="attached")
    shown = page.eval_on_selector("[data-live]", SHOWN)
    assert shown == page.evaluate(FRESH, [address(tournament, "board/")])


@pytest.mark.slow
@pytest.mark.parametrize("wish", ["no-preference", "reduce"])
def test_rows_move_to_their_new_places_only_where_motion_is_welcome(
    page: Any, client: Any, at: At, table: Seated, wish: str
):
    tournament = table.row.tournament
    page.emulate_media(reduced_motion=wish)
    page.goto(at(address(tournament)))
    page.evaluate("""() => {
      window.moved = new Set();
      const note = (changes) => changes.forEach(({ target }) => {
        if (target.classList.contains("is-moving")) window.moved.add(target.querySelector("bdi").textContent);
      });
      new MutationObserver(note).observe(document, { subtree: true, attributeFilter: ["class"] });
    }""")
    table.deal(80, "show", 3, 47)
    wait_for_tag(page, client, address(tournament, "board/"))
    page.wait_for_function("() => document.querySelector('.is-moving') === null")
    assert page.evaluate("[...window.moved].sort()") == (["Asha", "Bo", "Cy"] if wish == "no-preference" else [])


@pytest.mark.slow
@pytest.mark.parametrize("width", [375, 1280])
def test_nothing_jumps_when_news_are_drawn(page: Any, client: Any, at: At, table: Seated, width: int):
    """From the first paint on. Planted fault: a notice that is inserted above the board pushes it down."""
    tournament = table.row.tournament
    page.set_viewport_size({"width": width, "height": 800})
    page.add_init_script("""
      window.shifts = [];
      const note = (list) => window.shifts.push(...list.getEntries().map((entry) => entry.value));
      new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true });
    """)
    page.goto(at(address(tournament)))
    for endings in ((20, "show", 3, 47), ("show", 30, 2, 2), (7, 30, "show", 2)):
        table.deal(*endings)
        wait_for_tag(page, client, address(tournament, "board/"))
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.evaluate("window.shifts.reduce((sum, value) => sum + value, 0)") < 0.05


@pytest.mark.slow
def test_who_gained_a_place_is_told_in_a_sentence_and_the_next_one_waits(
    page: Any, client: Any, at: At, tournament: Tournament, table: Seated
):
    page.goto(at(address(tournament)))
    page.evaluate("""() => {
      window.told = [];
      const line = document.querySelector("[data-live-summary]");
      const note = () => window.told.push([performance.now(), line.textContent]);
      new MutationObserver(note).observe(line, { childList: true });
    }""")
    table.deal(80, "show", 3, 47)
    page.wait_for_function("() => window.told.length === 1")
    assert "Cy is now in place 1. Bo is now in place 2." in page.inner_text("[data-live-summary]")
    table.deal("show", 20, 2, 2)
    wait_for_tag(page, client, address(tournament, "board/"))
    table.deal("show", 2, 2, 2)
    page.wait_for_function("() => window.told.length === 2")
    [first, second] = page.evaluate("window.told")
    assert second[0] - first[0] > 5_000
