"""The dashboard, the clock and the room page in browsers: updated without reloading, the same on two devices."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.builders.admin_tables import club_called, person
from tests.builders.admin_tournaments import TIMED, Night, a_night, record, start_clock
from tests.builders.browser_checks import sign_in
from tests.builders.patience import PATIENCE
from tournaments.models import Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DEAL = {"kind": "deal_recorded", "deal": 1, "outcomes": {"1": {"how": "show"}, "2": {"how": "loss", "count": 30}}}
SECONDS = "node => node.textContent.split(':').reduce((sum, part) => 60 * sum + Number(part), 0)"


@pytest.fixture
def night(transactional_db: None) -> Night:
    night = a_night(club_called("Asha's club", "asha"), {**TIMED, "confirmation": "second_official"})
    night.enter("Asha", "Bo", "Cy", "Dev")
    return night


@pytest.fixture
def at_desk(live_server: Any, page: Any, night: Night) -> Callable[[str], Any]:
    """The browser of a director at a page of the evening."""
    sign_in(page.context, live_server.url, person("dita", Role.DIRECTOR, night.tournament.club, first_name="Dita"))

    def go(path: str) -> Any:
        page.goto(f"{live_server.url}{path}")
        return page

    return go


def room(night: Night) -> str:
    return f"/c/asha/t/{night.tournament.slug}/room/"


@pytest.mark.slow
def test_the_board_shows_a_dispute_without_reloading(at_desk: Callable[[str], Any], night: Night):
    first, _ = night.seat()
    page = at_desk(night.url())
    page.evaluate("window.stayed = true")
    record(first, DEAL)
    page.wait_for_selector("text=1 unconfirmed")
    record(first, {"kind": "deal_disputed", "deal": 1, "reason": "the count was 40"})
    page.wait_for_selector("[data-next] >> text=Resolve dispute at Table 1")
    assert page.evaluate("window.stayed")
    assert page.complaints == []


def test_the_clock_survives_a_reload_and_is_the_same_on_a_second_device(
    at_desk: Callable[[str], Any], night: Night, chromium: Any, live_server: Any
):
    night.seat()
    start_clock(night, at_second=int(datetime.now(UTC).timestamp()) - 100)
    page = at_desk(night.url("clock"))
    before = page.eval_on_selector("[data-clock]", SECONDS)
    page.reload()
    after = page.eval_on_selector("[data-clock]", SECONDS)
    assert 0 <= before - after <= PATIENCE
    second = chromium.new_context()
    # A device whose own clock is an hour fast: only the server's time counts.
    second.add_init_script("const real = Date.now; Date.now = () => real() + 3_600_000;")
    other = second.new_page()
    other.goto(f"{live_server.url}{room(night)}")
    before, there, after = (each.eval_on_selector("[data-clock]", SECONDS) for each in (page, other, page))
    second.close()
    assert after - 1 <= there <= before + 1


@pytest.mark.slow
def test_a_pause_at_the_desk_stops_the_room(
    at_desk: Callable[[str], Any], night: Night, chromium: Any, live_server: Any
):
    night.seat()
    start_clock(night, at_second=int(datetime.now(UTC).timestamp()))
    projector = chromium.new_context()
    screen = projector.new_page()
    screen.goto(f"{live_server.url}{room(night)}")
    page = at_desk(night.url("clock"))
    page.click("#pause")
    screen.wait_for_selector("text=The clock is paused")
    stands = screen.inner_text("[data-clock]")
    screen.wait_for_timeout(1_500)
    assert screen.inner_text("[data-clock]") == stands
    projector.close()


@pytest.mark.slow
def test_letters_find_a_player_of_a_long_list_who_is_not_on_its_page(
    at_desk: Callable[[str], Any], night: Night, monkeypatch: pytest.MonkeyPatch
):
    """Planted fault: letters that hide rows of the page, and look at no other."""
    monkeypatch.setattr("tournaments.web.admin.entries.desk_pages.MOST_AT_ONCE", 3)
    monkeypatch.setattr("tournaments.web.admin.entries.desk_pages.PLAYERS_A_PAGE", 2)
    (zoe,) = night.enter("Zoe", is_here=False)
    page = at_desk(night.url("desk"))
    expect(page.locator("[data-desk-row]")).to_have_count(2)
    page.type("#find", "zo")
    page.wait_for_selector("[data-desk-name] >> text=Zoe")
    assert page.inner_text("[data-desk-said]") == "1 of 5 players"
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Zoe is checked in.")
    assert night.state.entrants[zoe].is_checked_in
    expect(page.locator("[data-desk-row]")).to_have_count(1)
    page.fill("#find", "")
    page.wait_for_selector("[data-desk-name] >> text=Asha")
    assert page.complaints == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_no_room_page_is_wider_than_its_screen_nor_breaks_the_policy(
    at_desk: Callable[[str], Any], night: Night, width: int
):
    night.seat()
    # Long after the end the digits are at their widest.
    start_clock(night, at_second=int(datetime.now(UTC).timestamp()) - 2_700 - 3_599)
    for path in (
        night.url("clock"),
        room(night),
        f"{room(night)}?by=name&scale=xl",
        f"{room(night)}?by=clock&scale=xl",
    ):
        page = at_desk(path)
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width, path
        assert page.complaints == []
