"""Public pages printed from a browser: their content on white A4, and nothing to click."""

from typing import Any

import pytest
from django.conf import settings

from tests.builders.browser_steps import At
from tests.builders.pdf_text import pages, size
from tests.builders.public_tables import a_club, a_tournament, address, seat
from tests.builders.samples import each
from tournaments.models import Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ("Subrahmanyam Venkataraghavan", *(f"Player {number}" for number in range(2, 11)))
A4 = (595.3, 841.9)
# What a browser lays out on A4 within our margins, in its own pixels.
WIDTH = 688
SAID = {
    "": ("Friday", "Leaderboard", "Tables", "Fingerprint"),
    "r1/table-1/": ("Table 1", "Deal 1", "The total that puts a seat out", "Fingerprint"),
    "seating/": ("Round 1, A to Z", "By table", "Table 1"),
    "rules/": ("The total that puts a seat out", "Fingerprint"),
}
CLICKED = (
    "Skip to",
    "Rummy Evening",
    "Find a player",
    "Schedule",
    "Deutsch",
    "XLSX",
    "Verify",
    "Earlier standings",
    "screen",
)
# Every visible element with a dark background or light text, and how far the page is wider than the paper.
LUMINANCE = """
const light = (colour) => {
  const [red, green, blue, opacity = 1] = colour.match(/[\\d.]+/g).map(Number);
  return opacity === 0 ? null : (0.2126 * red + 0.7152 * green + 0.0722 * blue) / 255;
};
const seen = [...document.querySelectorAll("body, body *")].filter((node) => node.checkVisibility());
"""
DARK = f"""() => {{ {LUMINANCE}
  const behind = (node) => light(getComputedStyle(node).backgroundColor) ?? 1;
  return seen.filter((node) => behind(node) < 0.7).map((node) => node.outerHTML.slice(0, 80));
}}"""
FAINT = f"""() => {{ {LUMINANCE}
  return seen.filter((node) => light(getComputedStyle(node).color) > 0.5).map((node) => node.outerHTML.slice(0, 80));
}}"""


@pytest.fixture
def tournament(transactional_db: None) -> Tournament:
    made = a_tournament(a_club(slug="circle"))
    seat(made, *NAMES).deal("show", *range(2, 11)).deal(20, "show", *range(30, 38))
    return made


@pytest.mark.parametrize("path", each(*SAID))
def test_a_page_is_printed_dark_on_white_and_fits_the_paper(page: Any, at: At, tournament: Tournament, path: str):
    """Dark mode chosen on the screen. Planted faults: colours of the screen on paper, the tabs, a list that scrolls."""
    page.set_viewport_size({"width": WIDTH, "height": 900})
    page.goto(at(address(tournament, path)))
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    printed = page.pdf(format="A4")
    text = " ".join(pages(printed))
    assert size(printed) == pytest.approx(A4, abs=1)
    assert [word for word in (*SAID[path], *(NAMES if path != "rules/" else ())) if word not in text] == []
    assert [word for word in CLICKED if word in text] == []
    page.emulate_media(media="print")
    assert page.evaluate(DARK) == []
    assert page.evaluate(FAINT) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH


@pytest.mark.slow
@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
def test_no_page_is_wider_than_the_paper_in_any_language(page: Any, live_server: Any, at: At, language: str):
    """Planted fault: headings, states and house rules on one line, which German words push over the edge."""
    made = a_tournament(a_club(slug="circle"))
    out = seat(made, *NAMES[:4]).deal("show", 80, 12, 30).deal("show", 40, 3, 20)
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": live_server.url}])
    page.set_viewport_size({"width": WIDTH, "height": 900})
    page.emulate_media(media="print")
    player = out.row.seats.get(number=1).player_id
    paths = [address(made, part) for part in ("", "r1/table-1/", "rounds/", "prizes/", "rules/", f"who/{player}/")]
    for path in (*paths, f"/c/circle/p/{player}/"):
        page.goto(at(path))
        page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true; })")
        assert page.evaluate("document.documentElement.scrollWidth") <= WIDTH, path
