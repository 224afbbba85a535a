"""The end of a round is heard where a clock is shown, and screens that somebody watches stay on."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.builders.admin_tables import club_called, person
from tests.builders.admin_tournaments import TIMED, Night, a_night, start_clock
from tests.builders.browser_checks import looks_right, sign_in
from tests.builders.samples import each
from tournaments.models import Role, Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
# What the page plays, and how often it asks for the screen to stay on.
HEARD = """(() => {
  window.tones = 0;
  window.locks = 0;
  const make = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () {
    window.tones += 1;
    return make.call(this);
  };
  Object.defineProperty(navigator, "wakeLock", { value: { request: async () => { window.locks += 1; } } });
})()"""
ROOM, SCREEN, CLOCK = "room/", "screen/?screens=clock", "clock"


@pytest.fixture
def night(transactional_db: None) -> Night:
    night = a_night(club_called("Asha's club", "asha"), TIMED)
    night.enter("Asha", "Bo", "Cy", "Dev")
    night.seat()
    start_clock(night, at_second=int(datetime.now(UTC).timestamp()), seconds=600)
    return night


@pytest.fixture
def watched(night: Night, live_server: Any, chromium: Any) -> Iterator[Callable[[str], Any]]:
    """A page on a phone in the director's hand, with a clock that is moved by the test."""
    context = chromium.new_context(viewport={"width": 360, "height": 760})
    sign_in(context, live_server.url, person("dita", Role.DIRECTOR, night.tournament.club))
    context.add_init_script(HEARD)

    def opened(address: str) -> Any:
        page = context.new_page()
        page.clock.install(time=datetime.now(UTC))
        page.goto(f"{live_server.url}{address}")
        return page

    yield opened
    context.close()


def address_of(night: Night, where: str) -> str:
    return night.url(where) if where == CLOCK else f"/c/asha/t/{night.tournament.slug}/{where}"


@pytest.mark.parametrize("where", each(ROOM, SCREEN, CLOCK))
def test_time_that_is_up_is_heard_once_and_can_be_switched_off(watched: Callable[[str], Any], night: Night, where: str):
    page = watched(address_of(night, where))
    page.route("**/part/**", lambda route: route.abort())
    button = page.locator("[data-sound]")
    page.mouse.click(5, 5)
    expect(button).to_have_text("Sound on")
    looks_right(page)
    page.clock.run_for(300_000)
    assert page.evaluate("window.tones") == 0
    page.clock.run_for(400_000)
    assert page.evaluate("window.tones") == 3
    button.click()
    expect(button).to_have_text("Sound off")
    assert button.get_attribute("aria-pressed") == "false"
    again = watched(address_of(night, where))
    again.route("**/part/**", lambda route: route.abort())
    again.mouse.click(5, 5)
    expect(again.locator("[data-sound]")).to_have_text("Sound off")
    again.clock.run_for(700_000)
    assert again.evaluate("window.tones") == 0


@pytest.mark.slow
@pytest.mark.parametrize("where", [ROOM, SCREEN, CLOCK, "score"])
def test_a_screen_that_is_watched_stays_on(watched: Callable[[str], Any], night: Night, where: str):
    table = Table.objects.filter(tournament=night.tournament).first()
    address = f"/admin/tournaments/table/{table.pk}/score/" if where == "score" and table else address_of(night, where)
    page = watched(address)
    assert page.evaluate("window.locks") == 1
    # Another page in front ends it; back on this one, it is asked for again.
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("window.locks") == 2
