"""A phone scans the slip of a player and tells the desk: no secret in the address, by light and by dark.

Planted fault this catches: a script that leaves the code of the link in the address, from which it is passed on.
"""

from typing import Any

import pytest

from tests.builders.admin_tables import person
from tests.builders.axe import violations
from tests.builders.browser_checks import sign_in
from tests.builders.player_links import link_of, player_called, tonight
from tournaments.models import Role, Tournament
from tournaments.running.commands.record import tournament_state

pytestmark = [pytest.mark.slow, pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE, WIDE = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
FITS = "() => document.documentElement.scrollWidth <= window.innerWidth"


@pytest.fixture
def tournament(transactional_db: None) -> Tournament:
    return tonight("Asha", "Bo")


def look(page: Any, name: str) -> None:
    """The page in both colours: it fits, and axe finds nothing."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(FITS), name
        assert list(violations(page)) == [], (name, scheme)


def test_a_phone_opens_the_link_says_that_it_is_here_and_the_desk_checks_in(
    page: Any, live_server: Any, tournament: Tournament
):
    link, code = link_of("Asha")
    asked: list[tuple[str, Any, str]] = []
    page.on("request", lambda request: asked.append((request.url, request.all_headers(), request.post_data or "")))
    page.set_viewport_size(PHONE)
    page.goto(f"{live_server.url}/me/")
    look(page, "typed")
    page.goto(f"{live_server.url}/me/#{code}")
    page.wait_for_url(f"{live_server.url}/me/open/")
    page.get_by_role("button", name="I am here").click()
    page.get_by_text("You told the desk").wait_for()
    look(page, "own page")
    page.get_by_role("link", name="Withdraw, contact, statement").click()
    look(page, "step")
    desk = page.context.browser.new_context(viewport=WIDE).new_page()
    sign_in(desk.context, live_server.url, person("dora", Role.DIRECTOR, tournament.club))
    desk.goto(f"{live_server.url}/admin/tournaments/player/{link.player_id}/link/")
    desk.get_by_role("button", name="Show code").click()
    page.get_by_label("Code", exact=True).fill(desk.locator(".secret").inner_text())
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("heading", name="Your statement").wait_for()
    look(page, "private")
    look(desk, "link")
    desk.goto(f"{live_server.url}/admin/")
    desk.get_by_role("link", name="1 player says something").click()
    look(desk, "check-in")
    desk.locator(".desk-notices").get_by_role("button", name="Check in").click()
    desk.locator(".desk-notices").wait_for(state="detached")
    assert tournament_state(tournament).entrants[str(player_called("Asha").pk)].is_checked_in
    assert not any(code in url or code in str(headers) for url, headers, _ in asked)
    assert [url for url, _, body in asked if code in body] == [f"{live_server.url}/me/"]
