"""A club's own site, with a strict content policy of its own, that shows a board of ours in a frame."""

import html
import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import expect

from tests.builders.public_tables import Seated, address, seat
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LAST = '.standings bdi:text-is("Player 10")'
POLICY = "default-src 'none'; frame-src"
HEIGHT = "document.querySelector('iframe').getBoundingClientRect().height"


@pytest.fixture
def table(tournament: Tournament) -> Seated:
    return seat(tournament, *(f"Player {number}" for number in range(1, 11))).deal("show", *range(2, 11))


Site = Callable[[str, str], str]


@pytest.fixture
def foreign() -> Iterator[Site]:
    """Another site on this machine: given a policy and a body it returns the page's address."""
    servers: list[HTTPServer] = []

    def serve(policy: str, body: str) -> str:
        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200 if self.path == "/" else 204)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Security-Policy", policy)
                self.end_headers()
                if self.path == "/":
                    self.wfile.write(f"<!doctype html><title>Our club</title><h1>Tonight</h1>\n{body}".encode())

            def log_message(self, *words: Any) -> None:
                """Logs nothing."""

        servers.append(HTTPServer(("127.0.0.1", 0), Page))
        Thread(target=servers[-1].serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{servers[-1].server_port}/"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def lines_to_paste(tournament: Tournament, ours: str) -> str:
    """The lines that our page offers for copying."""
    headers = {"Host": ours.split("//")[1]}
    text = Client().get(address(tournament, "share/?theme=dark"), headers=headers).content.decode()
    return html.unescape(re.findall(r"<textarea[^>]*>(.*?)</textarea>", text, re.DOTALL)[0])


def test_a_board_in_a_foreign_page_has_its_own_height_and_stays_live(
    page: Any, live_server: Any, tournament: Tournament, table: Seated, foreign: Site
):
    ours = live_server.url
    page.goto(foreign(f"{POLICY} {ours}; script-src {ours}", lines_to_paste(tournament, ours)))
    board = page.frame_locator("iframe")
    board.locator(LAST).wait_for()
    inside = page.frames[1].evaluate("document.body.getBoundingClientRect().height")
    page.wait_for_function(f"() => Math.abs({HEIGHT} - {inside}) < 2")
    assert page.frames[1].evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.frames[1].evaluate("document.documentElement.scrollHeight - innerHeight") <= 1
    table.deal(20, "show", *range(30, 38))
    board.locator(".standings .is-fresh").first.wait_for()
    assert page.complaints == []


@pytest.mark.slow
def test_where_no_script_of_ours_is_let_in_the_board_is_there_all_the_same(
    page: Any, live_server: Any, tournament: Tournament, table: Seated, foreign: Site
):
    page.goto(foreign(f"{POLICY} {live_server.url}", lines_to_paste(tournament, live_server.url)))
    page.frame_locator("iframe").locator(LAST).wait_for()
    assert page.evaluate(HEIGHT) == 480
    assert all("board_frame.js" in said for said in page.complaints)


@pytest.mark.slow
def test_any_other_page_of_ours_stays_out_of_a_foreign_frame(
    page: Any, live_server: Any, tournament: Tournament, table: Seated, foreign: Site
):
    trap = foreign(f"{POLICY} {live_server.url}", f'<iframe src="{live_server.url}{address(tournament)}"></iframe>')
    with page.expect_console_message(lambda said: "frame-ancestors" in said.text or "X-Frame-Options" in said.text):
        page.goto(trap)
    expect(page.frame_locator("iframe").locator(".standings")).to_have_count(0)


@pytest.mark.slow
def test_the_link_to_share_is_handed_on_or_copied_and_stands_there_to_be_scanned(
    page: Any, live_server: Any, tournament: Tournament
):
    page.add_init_script(
        "Object.defineProperty(navigator, 'share', {value: undefined});"
        "Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { window.copied = text; }}});"
    )
    page.goto(f"{live_server.url}{address(tournament, 'share/')}")
    page.click("text=Share the link")
    page.wait_for_selector("text=Copied")
    assert page.evaluate("window.copied") == f"{live_server.url}{address(tournament)}"
    assert page.locator(".share-code img").evaluate("image => image.naturalWidth") > 0


@pytest.mark.slow
def test_the_page_with_the_lines_shows_how_they_will_look(
    page: Any, live_server: Any, tournament: Tournament, table: Seated
):
    page.goto(f"{live_server.url}{address(tournament, 'share/')}")
    page.select_option("#accent", "red")
    page.click("text=Show")
    page.frame_locator("iframe").locator(LAST).wait_for()
    assert page.frames[1].evaluate("document.body.dataset.accent") == "red"
    assert "accent=red" in page.input_value("#snippet")
    assert page.complaints == []
