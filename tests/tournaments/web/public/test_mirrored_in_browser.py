"""Pages in a right-to-left language: they are mirrored, and nothing is outside the screen."""

from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from tests.builders.browser_steps import At
from tests.builders.public_tables import a_club, a_tournament, address, seat
from tests.builders.samples import crossed
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG_NAMES = ("Subrahmanyam Venkataraghavan Krishnamurthy", "آشا نصرالدین", "Bo", "Cy")
# The position of an element: how far its middle is to the right of the middle of its container.
OFF_CENTRE = """(element, around) => {
    const inner = element.getBoundingClientRect(), outer = element.closest(around).getBoundingClientRect();
    return (inner.left + inner.right - outer.left - outer.right) / 2;
}"""


@pytest.fixture
def tournament(transactional_db: None) -> Tournament:
    made = a_tournament(a_club(slug="circle"))
    seat(made, *LONG_NAMES).deal("show", 34, 12, "first_drop").deal(20, "show", 3, "middle_drop")
    return made


@pytest.fixture
def arabic(page: Any, live_server: Any) -> Any:
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": "ar", "url": live_server.url}])
    with override_settings(LANGUAGES=[*settings.LANGUAGES, ("ar", "العربية")]):
        yield page


def test_a_board_is_mirrored(arabic: Any, at: At, tournament: Tournament):
    """Planted fault: a distance written as left or right stays on its side."""
    # On a narrow screen the column headings are hidden.
    arabic.set_viewport_size({"width": 1280, "height": 800})
    arabic.goto(at(address(tournament)))
    assert arabic.get_attribute("html", "dir") == "rtl"
    place, name = (
        arabic.eval_on_selector(f"#board .standings th.{cell}", OFF_CENTRE, "table") for cell in ("c-place", "c-name")
    )
    assert place > name > 0
    assert (
        arabic.eval_on_selector(".brand", OFF_CENTRE, ".bar-in")
        > 0
        > arabic.eval_on_selector(".tools", OFF_CENTRE, ".bar-in")
    )


@pytest.mark.slow
def test_the_race_runs_from_left_to_right_and_names_stand_behind_their_lines(
    arabic: Any, at: At, tournament: Tournament
):
    arabic.goto(at(address(tournament, "r1/table-1/")))
    ends = arabic.eval_on_selector_all(".chart .who", "all => all.map(one => one.getBoundingClientRect().left)")
    numbers = arabic.eval_on_selector_all(
        ".chart .grid text", "all => all.map(one => one.getBoundingClientRect().left)"
    )
    assert min(ends) > max(numbers)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "width"), crossed(["", "r1/table-1/", "past/", "proof/", "share/", "room/", "seating/"], [375, 1280])
)
def test_nothing_runs_out_of_the_screen(arabic: Any, at: At, tournament: Tournament, path: str, width: int):
    arabic.set_viewport_size({"width": width, "height": 800})
    arabic.goto(at(address(tournament, path)))
    wide = arabic.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide[0] <= wide[1]
    assert arabic.complaints == []


# How far the letters of each name begin from the start of its box, on a page of either direction.
INDENTED = """all => all.map(one => {
    const range = document.createRange(), box = one.getBoundingClientRect();
    range.selectNodeContents(one);
    const letters = range.getBoundingClientRect();
    return getComputedStyle(one.parentElement).direction === 'rtl'
        ? box.right - letters.right : letters.left - box.left;
})"""


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/c/circle/", "/c/circle/t/friday/seating/"])
def test_a_name_written_the_other_way_begins_where_the_others_do(
    arabic: Any, at: At, tournament: Tournament, path: str
):
    """Planted fault: a name at the other end of its box, beside its neighbour's content."""
    for language in ("ar", "en"):
        arabic.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": at("")}])
        arabic.goto(at(path))
        names = arabic.eval_on_selector_all("main :is(.front-name, .a-to-z-list bdi, .seats bdi)", INDENTED)
        assert len(names) >= 4
        assert max(names) < 2


@pytest.mark.slow
def test_a_language_is_chosen_without_scripts(chromium: Any, at: At, tournament: Tournament):
    with chromium.new_context(java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(at(address(tournament, "?at=2")))
        page.click(".languages button[value=hi]")
        assert page.get_attribute("html", "lang") == "hi"
        assert page.url == at("/hi" + address(tournament, "?at=2"))
        page.goto(at("/"))
        assert page.get_attribute(".languages [aria-current]", "value") == "hi"
