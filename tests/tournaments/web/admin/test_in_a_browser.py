"""The scorer's page in a browser: keys, live preview, phone and dark mode, and no violation of the content policy."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.builders.admin_tables import Evening
from tournaments.models.log import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_deal_is_entered_with_the_keyboard_alone_previewed_and_stored_once(
    at_desk: Callable[..., Any], pool: Evening
):
    pool.deal(1, show="1", s2=80, s3=10, s4=10)
    page = at_desk(pool.score_url)
    keyboard = page.keyboard
    keyboard.type("?")
    expect(page.locator("dialog[open] >> text=Wrong show")).to_be_visible()
    keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)
    keyboard.type("45")
    keyboard.press("Enter")
    keyboard.type("30")
    page.wait_for_selector('[data-after="2"] .chip')
    assert "110" in page.inner_text('[data-after="2"]')
    assert page.is_checked('input[name="how-2"][value="loss"]')
    # Another ending takes the count away.
    page.focus("#count-2")
    for typed in ("s", "f"):
        keyboard.type(typed)
        keyboard.press("Enter")
    assert page.input_value("#count-2") == ""
    keyboard.type("12")
    page.wait_for_selector(".preview .ready")
    assert pool.version == 2
    posts: list[Any] = []
    page.on("request", lambda sent: posts.append(sent) if (sent.method, sent.url) == ("POST", page.url) else None)
    page.dblclick("[data-save]")
    page.wait_for_selector("text=Save deal 3")
    assert "Deal 2" in page.inner_text(".messagelist")
    outcomes = json.loads(Event.objects.get(stream_id=pool.table.pk, version=3).body)["sheet"]["outcomes"]
    assert outcomes == {
        "1": {"how": "loss", "count": 45},
        "2": {"how": "show"},
        "3": {"how": "first_drop"},
        "4": {"how": "loss", "count": 12},
    }
    assert (pool.version, len(posts)) == (3, 1)
    assert page.complaints == []


@pytest.mark.slow
def test_what_was_typed_survives_a_faster_colleague(at_desk: Callable[..., Any], pool: Evening):
    page = at_desk(pool.score_url)
    for place, key in enumerate(("s", "11", "22", "33"), start=1):
        page.focus(f"#count-{place}")
        page.keyboard.type(key)
    pool.deal(1, show="1", s2=12, s3=22, s4=33)
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".is-stale")
    assert page.input_value("#count-2") == "11"
    expect(page.locator(".compare .differs")).to_have_count(1)
    page.click("text=Save mine")
    page.wait_for_selector("#reason")
    assert page.input_value("#count-2") == "11"


@pytest.mark.slow
def test_on_a_phone_what_stands_at_the_head_is_whole_and_each_word_of_it_on_one_line(
    at_desk: Callable[..., Any], live_server: Any
):
    page = at_desk("/admin/")
    page.set_viewport_size({"width": 375, "height": 700})
    for language, menu in (("en-gb", "Menu"), ("hi", "मेनू"), ("de", "Menü")):
        page.context.add_cookies([{"name": "django_language", "value": language, "url": live_server.url}])
        page.goto(f"{live_server.url}/admin/")
        page.get_by_label(menu, exact=True).check()
        expect(page.locator("nav.menu")).to_be_visible()
        assert page.evaluate(HEAD) == [], language
        assert page.evaluate("document.documentElement.scrollWidth") == 375, language


@pytest.mark.slow
def test_on_a_phone_the_head_of_every_page_is_one_row_that_unfolds(
    at_desk: Callable[..., Any], pool: Evening, live_server: Any
):
    """Planted fault: links and user tools in rows of their own, 150 pixels of each page."""
    page = at_desk("/admin/")
    for width in (320, 360):
        page.set_viewport_size({"width": width, "height": 760})
        for path in ("/admin/", pool.score_url, "/admin/tournaments/player/"):
            page.goto(f"{live_server.url}{path}")
            assert page.locator("#header").bounding_box()["height"] <= 64, (path, width)
            assert not page.is_visible("nav.menu"), (path, width)
    page.locator("#menu-switch").focus()
    page.keyboard.press("Space")
    page.click("nav.menu >> text=Tournaments")
    page.wait_for_url("**/tournaments/tournament/")


# Controls at the head of each page that are broken in two or are beyond the edge.
HEAD = """[...document.querySelectorAll('#user-tools a, #user-tools button')].filter(e => {
    const words = document.createRange(); words.selectNodeContents(e);
    const lines = new Set([...words.getClientRects()].map(r => Math.round(r.bottom)));
    const box = e.getBoundingClientRect();
    return (!e.matches('.theme-toggle') && lines.size > 1) || box.left < 0 || box.right > innerWidth;
  }).map(e => e.outerHTML.slice(0, 120))"""
