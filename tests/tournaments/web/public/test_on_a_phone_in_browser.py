"""Public pages on a phone, with long real names and headings: the important parts are visible."""

from collections.abc import Callable
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings
from playwright.sync_api import expect

from tests.builders.admin_tables import CAST, club_called
from tests.builders.admin_tournaments import a_night, play_out
from tests.builders.public_tables import a_club, a_tournament, address, seat
from tests.builders.samples import each
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = (
    "Subrahmanyam Venkataraghavan",
    "लक्ष्मीनारायण अय्यर",
    "Dorothy Pinto-Fernandes",
    "आशा नसरुद्दीन",
    "Bo",
    "Cy",
    "Dev",
    "Eva",
)
# Its column heading has three words.
FOR_PLACES = {"stages": [{"compares": "rank_points", "smallest_table": 2}]}
# How far the right edge of each element is from the right edge of its container; below 0 it is outside.
ROOM_LEFT = """(all, around) => all.map(
    one => one.closest(around).getBoundingClientRect().right - one.getBoundingClientRect().right)"""
# Nothing of it is cut off; fractions of a line are rounded to whole pixels.
WHOLE = """all => all.every(
    one => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1)"""
# Whether every line of the drawing is in its panel, and none of it under the edge.
INSIDE = """(all) => all.every(one => {
    const line = one.getBoundingClientRect(), panel = one.closest('.scroll').getBoundingClientRect();
    return line.left >= panel.left && line.right <= panel.right;
})"""


@pytest.fixture
def phone(page: Any) -> Any:
    page.set_viewport_size({"width": 375, "height": 812})
    return page


@pytest.fixture
def in_language(phone: Any, live_server: Any) -> Callable[[str, str], Any]:
    def go(path: str, language: str) -> Any:
        choice = {"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": live_server.url}
        phone.context.add_cookies([choice])
        phone.goto(f"{live_server.url}{path}")
        return phone

    return go


@pytest.fixture
def table(transactional_db: None) -> Tournament:
    made = a_tournament(a_club(slug="circle"))
    seat(made, *NAMES).deal("show", *range(2, 9)).deal(20, "show", *range(30, 36))
    return made


@pytest.mark.slow
def test_a_name_at_the_head_of_a_sheet_is_whole(in_language: Any, table: Tournament):
    """Planted fault: one line that ends with an ellipsis."""
    page = in_language(address(table, "r1/table-1/"), "en")
    expect(page.locator(".sheet .who")).to_have_count(len(NAMES))
    assert page.eval_on_selector_all(".sheet .who", WHOLE)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de", "hi", "ar"])
def test_a_race_is_seen_whole_with_every_name_below_it(in_language: Any, table: Tournament, language: str):
    """Planted faults: the drawing as wide as on a desk, its names outside; moved to the wrong side in Arabic."""
    with override_settings(LANGUAGES=[*settings.LANGUAGES, ("ar", "العربية")]):
        page = in_language(address(table, "r1/table-1/"), language)
        assert page.eval_on_selector_all(".chart .line polyline:not(.beside-name)", INSIDE)
        assert page.locator(".race-key bdi").all_inner_texts() == list(NAMES)
        assert page.eval_on_selector_all(".race-key bdi", INSIDE)


@pytest.mark.slow
def test_on_a_desk_names_stand_at_the_ends_of_the_lines(in_language: Any, table: Tournament):
    page = in_language(address(table, "r1/table-1/"), "en")
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(page.locator(".race-key")).not_to_be_visible()
    expect(page.locator(".chart .who").first).to_be_visible()


@pytest.mark.parametrize("language", each("de", "en", "hi"))
def test_the_number_that_places_a_player_is_in_sight(in_language: Any, transactional_db: None, language: str):
    """Planted fault: a heading of three words on one line, which pushed the numbers under it out of the screen."""
    night = a_night(club_called("Asha's club", "asha"), FOR_PLACES, entry_minor=30_000, fee_bp=1_000)
    night.enter(*CAST)
    table = night.seat()[0]
    play_out(table)
    page = in_language(address(night.tournament), language)
    assert " " in page.inner_text("#board .standings thead th:nth-child(3)")
    assert min(page.eval_on_selector_all("#board .standings td.main", ROOM_LEFT, ".scroll")) >= 0
    player = table.seats.get(number=1).player_id
    page = in_language(address(night.tournament, f"who/{player}/"), language)
    assert min(page.eval_on_selector_all(".reckoning td:nth-child(3)", ROOM_LEFT, ".scroll")) >= 0
