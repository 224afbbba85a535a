"""Every page at a desk and on a phone, with the longest names that a club has: nothing is cut off or pale, nothing is
left in English, nothing that is written for programs is read by people, and one button leads on."""

import re
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from typing import Any

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.utils.timezone import now

from rummy_site import catalogues
from scoring.events import wire
from tests.builders.admin_addresses import CLUB_PAGES, address, stocked
from tests.builders.admin_tables import Evening, club_called, person
from tests.builders.admin_tournaments import a_night, at, play_out, record
from tests.builders.axe import is_page, public_paths
from tests.builders.browser_checks import TOO_PALE, UNLABELLED, WIDER, looks_right, sign_in
from tests.builders.languages import APART, english_of
from tournaments.models import Player, Role, Table, Tournament
from tournaments.running.commands.close import close_tournament
from tournaments.running.commands.settle import settle_tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE, DESK = 360, 1280
# Django's history of rows that nobody can edit: no page leads there.
UNLINKED = {f"{row}_history" for row in ("tournaments_event", "scoring_account", "scoring_journalentry")}
LONG_NAMES = (
    "Subrahmanyam Venkataraghavan Krishnamurthy Ramachandran Iyer",
    "Donaudampfschifffahrtsgesellschaftskapitänswitwenrenten".ljust(120, "x"),
    "لكشمينارايان فينكاتاسوبرامانيام كريشنامورثي راماشاندران آيير",
)
QUICK = ("tournaments_event_changelist", "tournaments_tournament_entries")
# What a reader who is no programmer stumbles over; in records of the log it is folded away.
FOR_PROGRAMS = re.compile(
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-"  # a UUID
    r"|\b[a-z]{2}_[A-Z]{2}\b"  # a locale, such as en_IN
    r"|\b(?!rummy_)[a-z]+(?:_[a-z]+)+\b"  # a name of Python or of the wire, such as deal_recorded
    r"|\b(?:user|till|table|club|deal):\w"  # an actor, an account or a reference
    r"|\bNone\b(?!\.)|\bTrue\b|\bFalse\b|\bSlug\b"
)
# Boxes whose contents stick out: of the window where nothing scrolls, or of their own where they are cut off; but for
# the longest names at a seat and in a field.
CUT_OFF = """() => [...document.querySelectorAll('body *')].filter(one => {
    const box = one.getBoundingClientRect(), style = getComputedStyle(one);
    if (!one.offsetParent || !one.checkVisibility() || one.closest('.visually-hidden, svg')) return false;
    if (box.width <= 1 || box.height <= 1) return false;
    if (one.matches('.name, input') && (one.value ?? one.innerText).length > 40) return false;
    const scrolls = e => e && (/auto|scroll/.test(getComputedStyle(e).overflowX) || scrolls(e.parentElement));
    if (!scrolls(one.parentElement) && (box.right > innerWidth + 1 || box.left < -1)) return true;
    if (/^(TD|TH|A|BUTTON|LABEL|P|SPAN|B)$/.test(one.tagName) && style.display !== 'inline'
        && one.scrollWidth > one.clientWidth + 1 && style.textOverflow !== 'ellipsis') return true;
    return one.tagName !== 'SELECT' && /hidden|clip/.test(style.overflowX) && style.textOverflow !== 'ellipsis'
        && one.scrollWidth > one.clientWidth + 1;
}).map(one => one.outerHTML.slice(0, 120))"""
# Fields that are partly beyond the edge of their panel, where nothing can be scrolled to show it.
BEYOND = """() => [...document.querySelectorAll('#content :is(input, select, textarea)')].filter(one => {
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
# Names that are written one letter a line: a box that is narrower than a short word.
SQUEEZED = """() => [...document.querySelectorAll('#content :is(td, th, li, p, bdi, a, span)')].filter(one => {
    const text = one.innerText?.trim() ?? '';
    return one.offsetParent && text.length > 3 && one.clientWidth > 1 && one.clientWidth < 24;
}).map(one => one.outerHTML.slice(0, 120))"""

# Numbers whose sign stands on another line, and headings that are broken within a word.
PARTED = """() => { const parted = [];
    for (const cell of document.querySelectorAll('td.num, th, .field-heads span')) {
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        while (cell.offsetParent && cell.clientWidth > 1 && walker.nextNode()) {
            const range = document.createRange();
            range.selectNode(walker.currentNode);
            const lines = new Set([...range.getClientRects()].map(rect => Math.round(rect.top)));
            if (lines.size > 1 && /^[^\\s\\u00ad-]{1,40}$/.test(walker.currentNode.textContent.trim()))
                parted.push(cell.outerHTML.slice(0, 120));
        }
    }
    return parted; }"""
# Texts of one word a line, and buttons of more than one line.
WORD_A_LINE = """() => { const narrow = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode, words = text.data.trim().split(/\\s+/).length, range = document.createRange();
        range.selectNodeContents(text);
        const boxes = text.parentElement.checkVisibility() ? [...range.getClientRects()] : [];
        const lines = new Set(boxes.map(box => Math.round(box.top))).size;
        if (words > 2 && lines > 2 && words / lines < 1.5 || lines > 1 && text.parentElement.matches('.steps .tool'))
            narrow.push(text.data.trim());
    }
    return narrow; }"""
# What a script finds wrong on a page.
WRONG = {
    "cut off": CUT_OFF,
    "beyond its panel": BEYOND,
    "broken": BROKEN,
    "squeezed": SQUEEZED,
    "parted": PARTED,
    "no label": UNLABELLED,
    "pale": TOO_PALE,
}
# More than one button that looks like the next thing to do.
MAIN = """() => [...document.querySelectorAll('#content .is-main')].filter(one => one.checkVisibility())
    .map(one => one.innerText.trim())"""
# What a reader sees, scripts included, without names, codes and typed texts; a line for each text.
SEEN = """hidden => { const texts = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) { const at = walker.currentNode.parentElement;
        if (at.checkVisibility() && !at.closest(hidden)) texts.push(walker.currentNode.textContent); }
    return texts.map(text => text.trim().replace(/\\s+/g, ' ')); }"""


@pytest.fixture
def home() -> Evening:
    home = stocked("home")
    for player, name in zip(Player.objects.filter(club=home.club), LONG_NAMES, strict=True):
        player.name = name
        player.save(update_fields=["name"])
    Table.objects.filter(tournament__club=home.club).update(name="Ace table")
    return home


def faults(page: Any, address: str, language: str) -> Iterator[str]:
    """What is cut off, squeezed, parted, pale, in English or written for programs on a page, and buttons too many."""
    page.goto(address)
    if (over := page.evaluate(WIDER)) > 0:
        yield f"{address}: {over} pixels too wide"
    yield from (f"{address}: {how} {found}" for how, script in WRONG.items() for found in page.evaluate(script))
    yield from (f"{address}: reads {found}" for found in FOR_PROGRAMS.findall(page.inner_text("body")))
    if len(main := page.evaluate(MAIN)) > 1:
        yield f"{address}: several main buttons {main}"
    if language in ("de", "hi"):
        english = english_of(catalogues.kept(language))
        yield from (f"{address}: in English {text}" for text in {*page.evaluate(SEEN, ", ".join(APART))} & english)


def opened(page: Any, site: str, user: Any, language: str, width: int) -> Any:
    """The browser of this user, in a language, with a window of this width."""
    page.emulate_media(color_scheme="dark" if language == "de" else "light")
    page.set_viewport_size({"width": width, "height": 800})
    sign_in(page.context, site, user)
    page.context.add_cookies([{"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": site}])
    return page


def test_lists_and_a_record_fit_a_phone(page: Any, live_server: Any, home: Evening):
    """Planted faults: the last column cut, as that of *Revoke*; en_IN in the list of clubs; UUIDs of a record shown;
    a kind of the log in English; three green buttons on the page of entries."""
    opened(page, live_server.url, person("dita", Role.OWNER, home.club), "de", PHONE)
    names = ("tournaments_apitoken_changelist", "tournaments_club_changelist", "tournaments_event_change", *QUICK)
    found = [fault for name in names for fault in faults(page, f"{live_server.url}{address(name, home)}", "de")]
    assert not found, "\n".join(found)


@pytest.mark.slow
@pytest.mark.parametrize("view", [("de", PHONE), ("ar", PHONE), ("hi", DESK), ("en", DESK)])
def test_every_page_of_the_back_office_fits_can_be_read_and_is_in_one_language(
    page: Any, live_server: Any, client: Client, home: Evening, view: tuple[str, int]
):
    """Planted faults: names of a cash-up one letter a line; a heading of projectors without its descenders; *Hand
    points* in German broken within a word; a minus on one line and its amount on the next; a mark that a script writes
    in English; a table of names without a break; a field as wide as the window in a narrower panel; names that break
    anywhere in a button."""
    owner = person("dita", Role.OWNER, home.club)
    opened(page, live_server.url, owner, *view)
    client.force_login(owner)
    paths = [path for name in CLUB_PAGES if name not in UNLINKED and (path := address(name, home))]
    paths += ["/admin/", "/admin/password_change/", "/admin/tournaments/tournament/add/?preset=pool_101"]
    with override_settings(LANGUAGES=[*settings.LANGUAGES, ("ar", "العربية")]):
        pages = filter(partial(is_page, client), paths)
        found = [fault for path in pages for fault in faults(page, f"{live_server.url}{path}", view[0])]
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


def test_a_tab_beyond_the_screen_that_is_marked_as_the_next_step_does_not_widen_the_page(page: Any, live_server: Any):
    """Planted fault: the mark's words for screen readers, which were placed outside the tabs that scroll."""
    night = a_night(club_called("Asha's club", "asha"), {"stages": [{"smallest_table": 2}]})
    night.enter("Asha", "Bo", "Cy", "Dev")
    night.play_round()
    sign_in(page.context, live_server.url, person("dita", Role.DIRECTOR, night.tournament.club))
    page.set_viewport_size({"width": PHONE, "height": 760})
    page.goto(f"{live_server.url}{night.url()}")
    assert page.locator(".tabs a").last.locator(".next-mark").count() == 1
    looks_right(page)


def test_money_and_checklist_of_a_tournament_are_not_broken_into_words(page: Any, live_server: Any):
    """Planted faults: a day of the settlement on three lines of a phone; a button of the checklist on two of a desk."""
    night = a_night(club_called("Asha's club", "asha"), {"stages": [{"smallest_table": 2}]}, entry_minor=10_000)
    for player in night.enter("Asha", "Bo"):
        night.record(wire.EntryPaid(player=player, amount_minor=10_000))
    night.seat()
    sign_in(page.context, live_server.url, person("dita", Role.DIRECTOR, night.tournament.club))
    page.set_viewport_size({"width": DESK, "height": 760})
    page.goto(f"{live_server.url}{night.url()}")
    page.locator(".steps .tool", has_text="Record the next deal").wait_for()
    assert page.evaluate(WORD_A_LINE) == []
    play_out(Table.objects.get())
    record(Table.objects.get(), {"kind": "table_closed"})
    page.goto(f"{live_server.url}{night.url()}")
    page.locator(".steps .tool", has_text="Close the tournament").wait_for()
    assert page.evaluate(WORD_A_LINE) == []
    close_tournament(night.tournament.pk, context=at())
    assert not settle_tournament(night.tournament.pk, now=now()).problem
    page.set_viewport_size({"width": PHONE, "height": 760})
    page.goto(f"{live_server.url}{night.url('money')}")
    assert "settled" in page.inner_text("#settlement ~ .scroll")
    assert page.evaluate(WORD_A_LINE) == []
    looks_right(page)


def test_a_long_name_of_a_tournament_wraps_in_the_list_of_tables_on_a_phone(page: Any, live_server: Any):
    """Planted fault: Django keeps the name of another row on one line, and the end of it was cut off."""
    night = a_night(club_called("Asha's club", "asha"), {"stages": [{"smallest_table": 2}]})
    night.enter("Asha", "Bo", "Cy", "Dev")
    night.play_round()
    Tournament.objects.update(name="Planned evening: heats, a second chance, two semi-finals and a final")
    sign_in(page.context, live_server.url, person("dita", Role.DIRECTOR, night.tournament.club))
    page.set_viewport_size({"width": PHONE, "height": 760})
    page.goto(f"{live_server.url}/admin/tournaments/table/")
    assert page.evaluate(CUT_OFF) == []
