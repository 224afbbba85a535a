"""Every text of the admin is in the user's language, on every page of a club."""

import pytest
from django.conf import settings
from selectolax.lexbor import LexborHTMLParser

from rummy_site import catalogues
from tests.builders.admin_addresses import CLUB_PAGES, address, stocked
from tests.builders.admin_tables import Evening, person
from tests.builders.cash_desk import at_the_desk
from tests.builders.languages import APART, READ_OUT, english_of, in_language
from tests.builders.samples import some_of
from tournaments.models import Role

pytestmark = pytest.mark.django_db
LANGUAGES = sorted(code for code, _ in settings.LANGUAGES if not code.startswith("en"))


def said_on(html: str) -> set[str]:
    """Every separate text of a page, and the texts for screen readers."""
    tree = LexborHTMLParser(html)
    for apart in APART:
        for node in tree.css(apart):
            node.decompose()
    heard = [node.attributes.get(name) or "" for name in READ_OUT for node in tree.css(f"body [{name}]")]
    texts = tree.body.text(separator="\n").split("\n") if tree.body else []
    return {" ".join(text.split()) for text in (*texts, *heard)} - {""}


@pytest.fixture
def circle() -> Evening:
    return stocked("circle")


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_of_a_club_opens_in_its_language_and_holds_no_english_message(circle: Evening, language: str):
    """Planted fault: a tab whose title is a constant that is not translated where it is shown.

    tests/tournaments/web/test_nothing_untranslated.py looks at each page for what is not looked up in any language.
    """
    client = in_language(language, person("olga", Role.OWNER, circle.club))
    english = english_of(catalogues.kept(language))
    left, opened = {}, 0
    for name in some_of(CLUB_PAGES, one_in=4, part=LANGUAGES.index(language)):
        url = address(name, circle)
        answer = client.get(url) if url else None
        if answer is None or answer.status_code != 200 or "html" not in answer.headers["Content-Type"]:
            continue
        page, opened = answer.content.decode(), opened + 1
        if "<html" in page:
            assert f'<html lang="{language}"' in page, name
        if found := said_on(page) & english:
            left[name] = found
    assert left == {}
    assert opened > 15


@pytest.mark.parametrize(("language", "tab"), [("en-gb", "Rounds"), ("de", "Runden"), ("hi", "राउंड")])
def test_an_evening_has_its_tabs_in_the_language_of_the_director(circle: Evening, language: str, tab: str):
    client = in_language(language, person("dita", Role.DIRECTOR, circle.club))
    page = client.get(f"/admin/tournaments/tournament/{circle.tournament.pk}/night/").content.decode()
    tabs = {node.text(strip=True) for node in LexborHTMLParser(page).css("nav a")}
    assert tab in tabs


@pytest.mark.slow
def test_amounts_are_read_as_the_club_writes_them_whatever_the_language(circle: Evening):
    """Planted fault: a form that reads `1,00,000.50` by the reader's language."""
    desk = at_the_desk(circle.club, Role.CASHIER, "cora")
    desk.client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    desk.opens("1,00,000.50")
    assert 'lang="de"' in desk.page()
    assert desk.holds(desk.till) == 10_000_050


def test_the_back_office_offers_every_language_by_its_own_name(circle: Evening):
    client = in_language("hi", person("olga", Role.OWNER, circle.club))
    tree = LexborHTMLParser(client.get("/admin/").content.decode())
    offered = {
        node.attributes.get("lang"): node.text(strip=True) for node in tree.css("header [lang], .languages [lang]")
    }
    assert offered.items() >= {"en-gb": "English", "de": "Deutsch", "hi": "हिन्दी"}.items()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_field_of_a_club_is_called_in_the_language(circle: Evening, language: str):
    """Planted fault: a field without a label of its own, which is named like its column."""
    client = in_language(language, person("olga", Role.OWNER, circle.club))
    tree = LexborHTMLParser(client.get(f"/admin/tournaments/club/{circle.club.pk}/change/").content.decode())
    labels = {node.text(strip=True).rstrip(":") for node in tree.css(".field label")}
    assert {"Time zone", "Timezone", "Locale", "Website", "About"} & labels == set()
