"""The tabs over a tournament's pages: six at most, and every link in them opens for the users who see it."""

import pytest
from django.test import Client
from selectolax.lexbor import LexborHTMLParser, LexborNode

from tests.builders.admin_addresses import stocked
from tests.builders.admin_tables import Evening, person
from tournaments.models import Role
from tournaments.web.admin.base.pages import Tab
from tournaments.web.admin.register.home import current_page
from tournaments.web.admin.register.tournaments import PAGES

pytestmark = pytest.mark.django_db
WORKERS = (Role.OWNER, Role.DIRECTOR, Role.SCORER, Role.CASHIER, Role.CHECKIN, Role.AUDITOR)


@pytest.fixture
def circle() -> Evening:
    return stocked("circle")


def signed_in(role: Role, evening: Evening) -> Client:
    client = Client()
    client.force_login(person(f"w-{role}", role, evening.club))
    return client


def links(client: Client, url: str, row: str) -> list[LexborNode]:
    answer = client.get(url)
    assert answer.status_code == 200, url
    if "html" not in answer.headers["Content-Type"]:
        return []
    return LexborHTMLParser(answer.content.decode()).css(f"nav.tabs-of-pages .{row} a")


def urls(found: list[LexborNode]) -> list[str]:
    return [str(node.attributes["href"]) for node in found]


def home(evening: Evening, page: str = "change") -> str:
    return f"/admin/tournaments/tournament/{evening.tournament.pk}/{page}/"


@pytest.mark.slow
def test_every_tab_that_is_shown_opens(circle: Evening):
    """Planted fault: the page of prizes offered to a cashier, who may not open it."""
    for role in WORKERS:
        client = signed_in(role, circle)
        tabs = urls(links(client, home(circle), "tabs"))
        assert 1 <= len(tabs) <= 6
        for tab in tabs:
            assert urls(links(client, tab, "tabs")) == tabs
            for page in urls(links(client, tab, "subtabs")):
                links(client, page, "subtabs")


def test_a_page_under_a_tab_has_a_title_and_no_other_page_has_one():
    assert [page.name for page in PAGES if bool(page.title) is (page.tab is None)] == []
    assert {page.tab for page in PAGES} == {*Tab, None}


def test_an_address_belongs_to_the_page_that_its_name_begins_with():
    for name, page in (("paper_sheets", "paper"), ("static_site", "static_site"), ("seat", "")):
        assert current_page(f"tournaments_tournament_{name}") == page


def test_people_are_in_the_menu_of_owners_alone(circle: Evening):
    """Planted fault: Settings marked as the current page beside People."""
    address = f"/admin/tournaments/club/{circle.club.pk}/people/"
    clients = {role: signed_in(role, circle) for role in WORKERS}
    for role, client in clients.items():
        menu = client.get("/admin/tournaments/club/").context["menu"]
        assert (address in {page["url"] for part in menu for page in part["pages"]}) is (role is Role.OWNER)
    menu = clients[Role.OWNER].get(address).context["menu"]
    assert [page["url"] for part in menu for page in part["pages"] if page["is_current"]] == [address]


def test_djangos_overview_of_an_app_leads_to_today(circle: Evening):
    director = signed_in(Role.DIRECTOR, circle)
    for app in ("tournaments", "scoring"):
        answer = director.get(f"/admin/{app}/")
        assert (answer.status_code, answer.headers["Location"]) == (302, "/admin/")
