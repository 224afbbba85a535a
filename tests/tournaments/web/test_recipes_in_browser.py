"""The page of docs/how-to/recipes.md that shows a leaderboard, on a site of the club's own.

Planted faults these catch: a public file without the header for other sites; a name that is markup; rows that go when
the network does, or stay when the leaderboard is published no more.
"""

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.builders.nginx import in_front
from tests.builders.playing import rename
from tests.builders.public_tables import Seated, a_club, a_tournament, seat
from tests.builders.recipes import recipe
from tournaments.models import Club
from tournaments.web.publishing import publish_owed

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PAGE = recipe("leaderboard.html")
ADDRESS = "https://club.example/c/CLUB/t/TOURNAMENT/board.json"
HOME = "/c/circle/t/friday"


@pytest.fixture
def table() -> Seated:
    return seat(a_tournament(a_club(slug="circle"))).deal("show", 34, 12, 50)


@pytest.fixture
def website(page: Any) -> Iterator[Callable[[str], Any]]:
    """`website(address)` is a browser at the page of the recipe, on another site, with this address in its script."""
    assert PAGE.count(ADDRESS) == 1
    content: list[bytes] = []

    class Site(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(content[0])

        def log_message(self, *_: object) -> None:
            """Be silent."""

    def show(address: str) -> Any:
        content[:] = [PAGE.replace(ADDRESS, address).encode()]
        page.clock.install()
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        return page

    with ThreadingHTTPServer(("127.0.0.1", 0), Site) as server:
        Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield show
        server.shutdown()


def rows(page: Any) -> Any:
    return page.locator("#rows tr")


def test_a_website_follows_the_leaderboard_and_says_when_it_cannot(
    live_server: Any, website: Callable[[str], Any], table: Seated
):
    rename("Bo", "<b>Bo</b>")
    page = website(f"{live_server.url}{HOME}/board.json")
    expect(rows(page)).to_have_text(["1Asha0", "2Cy12", "3<b>Bo</b>34", "4Dev50"])
    expect(page.locator("#status")).to_have_text("Friday")
    table.deal("show", 1, 2, 3)
    page.clock.run_for(5_000)
    expect(rows(page).nth(1)).to_have_text("2Cy14")
    page.context.set_offline(True)
    page.clock.run_for(5_000)
    expect(page.locator("#status")).to_have_text("No connection. These standings may be old.")
    expect(rows(page)).to_have_count(4)
    page.context.set_offline(False)
    page.clock.run_for(10_000)
    expect(page.locator("#status")).to_have_text("Friday")
    Club.objects.update(is_published=False)
    page.clock.run_for(5_000)
    expect(page.locator("#status")).to_have_text("This leaderboard is not published.")
    expect(rows(page)).to_have_count(0)


@pytest.mark.slow
def test_a_website_follows_a_published_copy_and_leaves_the_site_alone(
    website: Callable[[str], Any], table: Seated, tmp_path: Path, settings: Any
):
    """A real nginx with the shipped example is before the copies."""
    copies = tmp_path / "copies"
    settings.PUBLISH_TO = str(copies)
    assert list(publish_owed()) == [f"{HOME[1:]}/"]
    changes = {"root /srv/rummy-copies;": f"root {copies};"}
    with in_front("published-copies.conf", tmp_path / "nginx", changes) as front:
        page = website(f"http://127.0.0.1:{front.port}{HOME}/head.json")
        expect(rows(page)).to_have_text(["1Asha0", "2Cy12", "3Bo34", "4Dev50"])
        table.deal("show", 1, 2, 3)
        assert list(publish_owed()) == [f"{HOME[1:]}/"]
        page.clock.run_for(5_000)
        expect(rows(page).nth(1)).to_have_text("2Cy14")
        Club.objects.update(is_published=False)
        list(publish_owed())
        page.clock.run_for(5_000)
        expect(page.locator("#status")).to_have_text("This leaderboard is not published.")
