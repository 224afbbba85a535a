"""The scorer's page in a browser: keys, live preview, phone and dark mode, and no violation of the content policy."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.utils.translation import gettext, override
from playwright.sync_api import expect

from tests.builders.admin_tables import Evening, club_called, evening_at, person
from tests.builders.browser_checks import sign_in
from tournaments.models import Role, Scoresheet
from tournaments.models.log import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def table(transactional_db: None) -> Evening:
    return evening_at(club_called("Asha's club", "asha"))


@pytest.fixture
def at_desk(live_server: Any, page: Any, table: Evening) -> Callable[[str], Any]:
    """The browser, signed in as a director, at a page of the table."""

    def go(path: str, role: Role = Role.DIRECTOR) -> Any:
        sign_in(page.context, live_server.url, person("sam", role, table.club, first_name="Sam"))
        page.goto(f"{live_server.url}{path}")
        return page

    return go


def gettext_in(language: str, text: str) -> str:
    with override(language):
        return gettext(text)


def test_a_deal_is_entered_with_the_keyboard_alone(at_desk: Callable[[str], Any], table: Evening):
    page = at_desk(table.score_url)
    keyboard = page.keyboard
    for typed in ("45", "s", "f"):
        keyboard.type(typed)
        keyboard.press("Enter")
    keyboard.type("12")
    page.wait_for_selector(".preview .ready")
    keyboard.press("Control+Enter")
    page.wait_for_selector("text=Save deal 2")
    assert "Deal 1" in page.inner_text(".messagelist")
    outcomes = json.loads(Event.objects.get(stream_id=table.table.pk, version=2).body)["sheet"]["outcomes"]
    assert outcomes == {
        "1": {"how": "loss", "count": 45},
        "2": {"how": "show"},
        "3": {"how": "first_drop"},
        "4": {"how": "loss", "count": 12},
    }
    assert page.complaints == []


def test_the_preview_follows_the_typing_and_stores_nothing(at_desk: Callable[[str], Any], table: Evening):
    table.deal(1, show="1", s2=80, s3=10, s4=10)
    page = at_desk(table.score_url)
    page.fill("#count-2", "30")
    page.wait_for_selector('[data-after="2"] .chip')
    assert "110" in page.inner_text('[data-after="2"]')
    assert Scoresheet.objects.get(table=table.table).version == 2


@pytest.mark.slow
def test_picking_another_ending_takes_the_count_away(at_desk: Callable[[str], Any], table: Evening):
    page = at_desk(table.score_url)
    page.fill("#count-2", "30")
    assert page.is_checked('input[name="how-2"][value="loss"]')
    page.focus("#count-2")
    page.keyboard.type("a")
    assert page.is_checked('input[name="how-2"][value="absent"]')
    assert page.input_value("#count-2") == ""


@pytest.mark.slow
def test_a_question_mark_lists_the_keys(at_desk: Callable[[str], Any], table: Evening):
    page = at_desk(table.score_url)
    page.keyboard.type("?")
    expect(page.locator("dialog[open] >> text=Wrong show")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_two_presses_of_save_store_one_deal(at_desk: Callable[[str], Any], table: Evening):
    page = at_desk(table.score_url)
    for place, key in enumerate(("s", "1", "2", "3"), start=1):
        page.focus(f"#count-{place}")
        page.keyboard.type(key)
    posts: list[Any] = []
    page.on(
        "request",
        lambda request: posts.append(request) if request.url.endswith("/score/") and request.method == "POST" else None,
    )
    page.dblclick("[data-save]")
    page.wait_for_selector(".messagelist")
    assert Scoresheet.objects.get(table=table.table).version == 2
    assert len(posts) == 1


@pytest.mark.slow
def test_what_was_typed_survives_a_faster_colleague(at_desk: Callable[[str], Any], table: Evening):
    page = at_desk(table.score_url)
    for place, key in enumerate(("s", "11", "22", "33"), start=1):
        page.focus(f"#count-{place}")
        page.keyboard.type(key)
    table.deal(1, show="1", s2=12, s3=22, s4=33)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".is-stale")
    assert page.input_value("#count-2") == "11"
    expect(page.locator(".compare .differs")).to_have_count(1)
    page.click("text=Save mine")
    page.wait_for_selector("#reason")
    assert page.input_value("#count-2") == "11"


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en-gb", "hi", "de"])
def test_on_a_phone_what_stands_at_the_head_is_whole_and_each_word_of_it_on_one_line(
    at_desk: Callable[[str], Any], table: Evening, live_server: Any, language: str
):
    page = at_desk("/admin/")
    page.context.add_cookies([{"name": "django_language", "value": language, "url": live_server.url}])
    page.set_viewport_size({"width": 375, "height": 700})
    page.goto(f"{live_server.url}/admin/")
    page.get_by_label(gettext_in(language, "Menu"), exact=True).check()
    expect(page.locator("nav.menu")).to_be_visible()
    assert page.evaluate(HEAD) == []
    assert page.evaluate("document.documentElement.scrollWidth") == 375


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 360])
def test_on_a_phone_the_head_of_every_page_is_one_row_that_unfolds(
    at_desk: Callable[[str], Any], table: Evening, live_server: Any, width: int
):
    """Planted fault: links and user tools in rows of their own, 150 pixels of each page."""
    page = at_desk("/admin/")
    page.set_viewport_size({"width": width, "height": 760})
    for path in ("/admin/", table.score_url, "/admin/tournaments/player/"):
        page.goto(f"{live_server.url}{path}")
        assert page.locator("#header").bounding_box()["height"] <= 64, path
        assert not page.is_visible("nav.menu"), path
    page.locator("#menu-switch").focus()
    page.keyboard.press("Space")
    page.click("nav.menu >> text=Tournaments")
    page.wait_for_url("**/tournaments/tournament/")


@pytest.mark.slow
def test_keys_are_big_enough_for_a_thumb(at_desk: Callable[[str], Any], table: Evening):
    page = at_desk(table.score_url)
    page.set_viewport_size({"width": 360, "height": 740})
    sizes = page.evaluate(
        "[...document.querySelectorAll(`.is-current .key, .is-current .count, .is-current summary, .pad button,"
        "  .deal-bar button`)].filter(e => e.offsetParent && !e.closest('details:not([open]) > :not(summary)'))"
        ".map(e => e.getBoundingClientRect()).map(r => Math.min(r.width, r.height))"
    )
    assert len(sizes) > 15
    assert min(sizes) >= 44


# Controls at the head of each page that are broken in two or are beyond the edge.
HEAD = """[...document.querySelectorAll('#user-tools a, #user-tools button')].filter(e => {
    const words = document.createRange(); words.selectNodeContents(e);
    const lines = new Set([...words.getClientRects()].map(r => Math.round(r.bottom)));
    const box = e.getBoundingClientRect();
    return (!e.matches('.theme-toggle') && lines.size > 1) || box.left < 0 || box.right > innerWidth;
  }).map(e => e.outerHTML.slice(0, 120))"""
