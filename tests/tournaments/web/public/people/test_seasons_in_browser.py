"""Seasons in real Chromium: accessible, no wider than a phone, and with progress for the director."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import expect

from tests.builders.admin_tables import person
from tests.builders.axe import faults
from tests.builders.playing import deal, loses, new_club, show
from tests.builders.seasons import caught_up, played, player, season
from tournaments.models import Club, ClubReadings, Role
from tournaments.seasons.commands import close_season

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "Indira Venkataraman-Subramanian-Balasubrahmanyam"


@pytest.fixture
def club() -> Club:
    """Two seasons: one that goes on with everything a table can show, and one that was closed before a correction."""
    made = new_club(name="Rummy Circle", is_published=True)
    category = {"name": "Pool", "variants": ["pool"]}
    formula = {"best": 2, "attendance": 1, "minimum_nights": 2, "categories": [category]}
    season(made, formula=formula)
    first = played(made, "Asha", "Bo", LONG)
    for day in (7, 14):
        played(made, "Bo", "Asha", "محمد علي", day=day)
    caught_up(made)
    winter = season(made, name="Winter")
    caught_up(made)
    close_season(winter, now=datetime(2026, 6, 2, tzinfo=UTC))
    for number in (1, 2):
        first.record(deal(number, loses(70), show, loses(63), kind="deal_corrected", reason="misread"))
    caught_up(made)
    return made


def addresses(club: Club) -> list[str]:
    home = f"/c/{club.slug}/"
    who = [f"{home}seasons/spring/who/{player(club, name).pk}/" for name in ("Asha", LONG)]
    return [home, f"{home}seasons/", f"{home}seasons/spring/", f"{home}seasons/winter/", f"{home}ratings/", *who]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_of_a_season_has_a_fault_that_axe_can_see(
    page: Any, live_server: Any, client: Client, club: Club, scheme: str
):
    """Planted fault: dropped points in a grey of 3:1."""
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    found = list(faults(page, live_server.url, client, addresses(club)))
    assert not found, "\n".join(found)


@pytest.mark.slow
def test_no_page_of_a_season_is_wider_than_a_phone(page: Any, live_server: Any, club: Club):
    """Planted fault: a grid of nights that does not scroll by itself."""
    page.set_viewport_size({"width": 360, "height": 780})
    for path in addresses(club):
        page.goto(f"{live_server.url}{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, path


@pytest.mark.slow
def test_the_director_watches_a_worker_without_reloading(page: Any, live_server: Any, client: Client, club: Club):
    client.force_login(person("dita", Role.DIRECTOR, club))
    session = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": live_server.url}])
    ClubReadings.objects.update(due=9, done=8, progress_done=3, progress_total=7)
    page.goto(f"{live_server.url}/admin/tournaments/season/{club.seasons.get(slug='spring').pk}/change/")
    page.get_by_text("3 of 7 steps").wait_for()
    ClubReadings.objects.update(progress_done=6)
    page.get_by_text("6 of 7 steps").wait_for()
    caught_up(club)
    page.get_by_text("All closed and corrected tournaments are included. Last calculated").wait_for()
    expect(page.locator("#progress[hx-trigger]")).to_have_count(0)
