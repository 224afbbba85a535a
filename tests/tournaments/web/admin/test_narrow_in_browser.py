"""Every page on a phone and at a desk, with the longest names that a club has: nothing runs out of the screen."""

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import cycle
from typing import Any

import pytest
from django.conf import settings
from django.test import Client, override_settings

from tests.builders.admin_addresses import CLUB_PAGES, address, stocked
from tests.builders.admin_tables import person
from tests.builders.axe import is_page, public_paths
from tests.builders.browser_checks import TOO_PALE, UNLABELLED, WIDER
from tournaments.models import Player, Role, Table

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG_NAMES = (
    "Subrahmanyam Venkataraghavan Krishnamurthy Ramachandran Iyer",
    "Donaudampfschifffahrtsgesellschaftskapitänswitwenrenten".ljust(120, "x"),
    "لكشمينارايان فينكاتاسوبرامانيام كريشنامورثي راماشاندران آيير",
)
# Fields that are partly beyond the edge of their panel, where nothing can be scrolled to show it.
CUT_OFF = """() => [...document.querySelectorAll('#content :is(input, select, textarea)')].filter(one => {
    const panel = one.closest('.module, .panel');
    const field = one.getBoundingClientRect(), edge = panel?.getBoundingClientRect();
    return field.width > 1 && edge && !one.closest('.scroll, .tabular')
        && (field.right > edge.right + 1 || field.left < edge.left - 1);
}).map(one => one.name)"""

# Short words of names that continue in the next line: what may break a long word breaks these in a narrow box.
BROKEN = """() => [...document.querySelectorAll('#content bdi')].filter(one => {
    const text = one.firstChild, range = document.createRange();
    if (text?.nodeType !== Node.TEXT_NODE) return false;
    return [...text.data.matchAll(/[^\\s-]{1,9}(?![^\\s])/g)].some(word => {
        if (word.index && !/\\s/.test(text.data[word.index - 1])) return false;
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const lines = [...range.getClientRects()].filter(line => line.width > 0);
        return new Set(lines.map(line => Math.round(line.top))).size > 1;
    });
}).map(one => one.textContent)"""


def too_wide(page: Any, paths: Iterable[str], site: str) -> Iterator[str]:
    for path in paths:
        page.goto(f"{site}{path}")
        over, cut_off, broken = page.evaluate(WIDER), page.evaluate(CUT_OFF), page.evaluate(BROKEN)
        if over > 0 or cut_off or broken:
            yield f"{path}: {over} pixels too wide, cut off: {cut_off}, broken: {broken}"
        yield from (f"{path}: {fault}" for script in (UNLABELLED, TOO_PALE) for fault in page.evaluate(script))


@pytest.mark.slow
@pytest.mark.parametrize(("language", "width"), [("de", 360), ("ar", 360), ("en", 1280)])
def test_no_page_of_the_back_office_is_wider_than_its_screen_pale_or_against_the_policy(
    page: Any, live_server: Any, client: Client, language: str, width: int
):
    """Planted faults: a table of names without a break, a field as wide as the window in a narrower panel; names that
    break anywhere in a button."""
    page.emulate_media(color_scheme="dark" if language == "de" else "light")
    home = stocked("home")
    for player, name in zip(Player.objects.filter(club=home.club), LONG_NAMES, strict=True):
        player.name = name
        player.save(update_fields=["name"])
    Table.objects.filter(tournament__club=home.club).update(name="Ace table")
    client.force_login(person("dita", Role.OWNER, home.club))
    kept = {"sessionid": client.cookies["sessionid"].value, settings.LANGUAGE_COOKIE_NAME: language}
    page.context.add_cookies([{"name": name, "value": is_, "url": live_server.url} for name, is_ in kept.items()])
    page.set_viewport_size({"width": width, "height": 760})
    with override_settings(LANGUAGES=[*settings.LANGUAGES, ("ar", "العربية")]):
        paths = [path for name in CLUB_PAGES if (path := address(name, home))]
        paths.append("/admin/tournaments/tournament/add/?preset=pool_101")
        found = list(too_wide(page, filter(partial(is_page, client), paths), live_server.url))
    assert not found, "\n".join(found)
    assert page.complaints == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
def test_no_public_page_is_wider_than_its_screen(page: Any, live_server: Any, client: Client, width: int):
    """Planted fault: names on a leaderboard that do not break."""
    paths = list(public_paths())
    for player, name in zip(Player.objects.order_by("id"), cycle(LONG_NAMES), strict=False):
        Player.objects.filter(pk=player.pk).update(name=name, public_name=name)
    page.set_viewport_size({"width": width, "height": 760})
    found = [
        f"{path}: {over} pixels too wide"
        for path in filter(partial(is_page, client), paths)
        if page.goto(f"{live_server.url}{path}") and (over := page.evaluate(WIDER)) > 0
    ]
    assert not found, "\n".join(found)
