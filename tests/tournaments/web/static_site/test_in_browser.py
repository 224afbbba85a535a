"""An export opened from the disk in a real browser: everything is there, and no request is made."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.builders.public_tables import a_club, a_tournament, context, seat
from tournaments.models import Tournament
from tournaments.running.commands.close import close_tournament
from tournaments.web.static_site import ExportOptions, exported, keep_folder

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def start(transactional_db: None, tmp_path: Path) -> str:
    """The first page of the export of a closed night, on the disk."""
    tournament = a_tournament(a_club(slug="circle"))
    table = seat(tournament, "Asha", "محمد", "आशा").deal("show", 40, 30).correct(1, "show", 34, 30)
    table.deal("show", 80, 80).event(kind="table_closed")
    close_tournament(tournament.pk, context=context())
    keep_folder(exported(Tournament.objects.select_related("club").get(), ExportOptions()), tmp_path / "site")
    return (tmp_path / "site/index.html").as_uri()


@pytest.mark.slow
def test_every_page_opens_from_the_disk_and_asks_for_nothing_else(page: Any, start: str):
    """Every link is followed, as a visitor would click on it.

    Planted fault: an address that begins with a slash leads to the root of the disk.
    """
    folder = start.removesuffix("index.html")
    asked: list[str] = []
    failed: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfailed", lambda request: failed.append(request.url))
    waiting, seen = [start], set()
    while waiting:
        here = waiting.pop()
        seen.add(here)
        page.goto(here)
        expect(page.locator("h1")).to_have_count(1)
        assert page.evaluate("getComputedStyle(document.querySelector('.bar')).display") != "inline"
        links = page.evaluate("Array.from(document.querySelectorAll('a[href]'), (a) => a.href.split('#')[0])")
        waiting += [link for link in set(links) - seen - set(waiting) if link.endswith(".html")]
    assert len(seen) > 6
    assert [url for url in asked if not url.startswith(folder)] == []
    assert failed == []
    assert page.complaints == []


@pytest.mark.slow
def test_board_sheet_and_chart_are_seen(page: Any, start: str):
    page.goto(start)
    assert page.inner_text(".standings tbody tr:first-child .c-name") == "Asha"
    assert page.inner_text(".exported").startswith("Exported at position ")
    page.click(".table-link")
    box = page.locator("svg.chart").bounding_box()
    assert box["width"] > 300
    assert box["height"] > 100
    assert page.evaluate("document.querySelector('svg.chart .line polyline').getBBox().width") > 50
    assert page.locator(".sheet tbody tr").count() >= 3
    page.click(".crumb >> text=Friday")
    assert page.url == start


@pytest.mark.slow
def test_the_colours_can_be_chosen_on_the_disk_too(page: Any, start: str):
    page.goto(start)
    for _ in range(2):
        page.click("[data-theme-button]")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert page.complaints == []
