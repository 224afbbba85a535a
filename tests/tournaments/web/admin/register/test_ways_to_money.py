"""The ways to the club's money: in the menu, from a tournament and back to it, and what Today shows to each role."""

import re
from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from selectolax.lexbor import LexborHTMLParser

from scoring.events import wire
from tests.builders.admin_tables import club_called
from tests.builders.admin_tournaments import HEATS, Night, a_night
from tests.builders.cash_desk import CashDesk, at_the_desk
from tests.builders.page_text import text_of
from tests.builders.there import there
from tournaments.entries.queries import desks_today
from tournaments.models import CashBook, Club, Membership, Role, Tournament
from tournaments.rendering.i18n.filters import moment

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(club: Club) -> Night:
    """Asha and Bo have entered for 100.00; Bo has paid, nobody is here yet."""
    night = a_night(club, HEATS, entry_minor=10_000)
    _, bo = night.enter("Asha", "Bo", is_here=False)
    night.record(wire.EntryPaid(player=bo, amount_minor=10_000), wire.CheckedIn(player=bo))
    return night


def page(client: Client, url: str) -> LexborHTMLParser:
    answer = client.get(url)
    assert answer.status_code == 200, url
    return LexborHTMLParser(answer.content)


def links(found: LexborHTMLParser, row: str) -> dict[str, str]:
    return {str(node.text(strip=True)): str(node.attributes["href"]) for node in found.css(f"{row} a")}


def test_money_is_in_the_menu_with_every_page_of_the_club_that_the_role_opens(
    signed_in: Callable[..., Client], night: Night
):
    """Planted faults: a page of cash that also lights *Club*, whose list has the same beginning; a 403."""
    menus = {
        Role.DIRECTOR: ["Cash desk", "Books", "Accounts", "Journal"],
        Role.CASHIER: ["Cash desk", "Books", "Accounts", "Journal"],
        Role.AUDITOR: ["Cash book", "Books", "Accounts", "Journal"],
        Role.CHECKIN: [],
        Role.SCORER: [],
    }
    for role, pages in menus.items():
        client = signed_in(role, login=role.value)
        money = links(page(client, "/admin/"), ".menu ul:first-child").get("Money")
        assert bool(money) is bool(pages), role
        if money:
            shown = page(client, money)
            assert [node.text(strip=True) for node in shown.css(".menu [aria-current=true]")] == ["Money"]
            assert [node.text(strip=True) for node in shown.css(".menu-lists [aria-current]")] == pages[:1]
            lists = links(shown, ".menu-lists")
            assert list(lists) == pages
            for url in lists.values():
                assert list(links(page(client, url), ".menu-lists")) == pages


def test_who_works_for_two_clubs_finds_the_money_of_each_by_its_name(signed_in: Callable[..., Client], club: Club):
    other = club_called("Bo's club", "bo")
    cashier = signed_in(Role.CASHIER, login="cora")
    Membership.objects.create(club=other, user_id=cashier.session["_auth_user_id"], role=Role.AUDITOR)
    pages = links(page(cashier, f"/admin/tournaments/club/{club.pk}/cash/"), ".menu-lists")
    named = ["Cash desk: Asha's club", "Books: Asha's club", "Cash book: Bo's club", "Books: Bo's club"]
    assert list(pages)[:4] == named
    for url in pages.values():
        page(cashier, url)


def test_the_cash_desk_leads_back_to_the_tournament_that_one_came_from(club: Club, night: Night):
    """Planted fault: the dashboards of the latest other tournaments, and none back."""
    others = [a_night(club, HEATS, name=f"Other {number}") for number in range(3)]
    for role, start, back in (
        (Role.DIRECTOR, "money", "night"),
        (Role.CASHIER, "desk", "desk"),
        (Role.AUDITOR, "money", "money"),
    ):
        user = at_the_desk(club, role, role.value)
        ways = [url for url in links(page(user.client, night.url(start)), "main").values() if "/cash/" in url]
        assert ways
        for url in {ways[0], *links(page(user.client, ways[0]), ".page-head .tabs").values()}:
            found = page(user.client, url).html or ""
            assert f'href="{night.url(back)}"' in found, url
            assert not any(one.url(back) in found for one in others), url


def test_the_way_back_stays_while_one_works_at_the_cash_desk(club: Club, night: Night):
    cora = at_the_desk(club, Role.CASHIER, "cora")
    asked = f"?tournament={night.tournament.pk}"
    assert cora.sends(asked, "open", float="0")["Location"].endswith(asked)
    found = cora.client.get(cora.url(f"{asked}&q=asha"))["Location"]
    assert found.endswith(asked)
    assert cora.sends(found, "take", amount="5")["Location"].startswith(cora.url(asked))
    assert f'name="tournament" value="{night.tournament.pk}"' in cora.page(asked)
    stranger = a_night(club_called("Bo's club", "bo"), HEATS)
    assert stranger.url("desk") not in cora.page(f"?tournament={stranger.tournament.pk}")


def test_the_books_lead_back_to_the_balances_of_the_tournament(dita: Client, night: Night):
    books = next(url for url in links(page(dita, night.url("money")), "main").values() if "/books/" in url)
    assert night.url("money") in links(page(dita, books), ".page-tools").values()


def test_a_player_at_check_in_and_at_the_cash_desk_is_one_tap_away(club: Club, night: Night):
    cora = at_the_desk(club, Role.CASHIER, "cora")
    asha = cora.player("Asha").removeprefix("player/")
    at_door = night.url(f"desk/{asha}".rstrip("/"))
    assert any(cora.url(f"player/{asha}") in url for url in links(page(cora.client, at_door), "main").values())
    assert at_door in links(page(cora.client, cora.url(f"player/{asha}")), "main").values()


def today(client: Client) -> str:
    return re.sub(r" (?=[,…])", "", text_of(client.get("/admin/")))


def test_today_shows_a_cashier_the_own_till_and_who_has_not_paid(club: Club, night: Night):
    cora = at_the_desk(club, Role.CASHIER, "cora")
    assert "My till Your till is not open." in today(cora.client)
    cora.opens("200").page()
    shown = today(cora.client)
    assert "My till open Cash desk Count the till" in shown
    assert "1 of 2 checked in. Not paid (1): Asha" in shown
    assert "200" not in shown
    assert night.url("desk") in links(page(cora.client, "/admin/"), "main").values()


def test_today_leads_check_in_to_the_desk_and_says_who_is_missing(signed_in: Callable[..., Client], night: Night):
    desk = signed_in(Role.CHECKIN, login="chandra")
    assert "1 of 2 checked in. Not paid (1): Asha" in today(desk)
    assert "My till" not in today(desk)
    for url in links(page(desk, "/admin/"), "main").values():
        page(desk, url)


def test_today_shows_a_treasurer_what_is_not_settled_who_owes_and_the_last_cash_up(club: Club, night: Night):
    treasurer = at_the_desk(club, Role.AUDITOR, "tara")
    assert "Not yet settled none Players owe ₹0.00 Owed to players ₹0.00 Last cash book closed none" in today(
        treasurer.client
    )
    dita: CashDesk = at_the_desk(club, Role.DIRECTOR, "dita").opens("0").takes("50", "Asha").counts(p5000=1)
    dita.sends(dita.count_page, "close", target="bank")
    dita.sends("night/", "move", source="desk", target="bank", amount="100")
    dita.sends("night/", "close")
    shown = today(treasurer.client)
    assert "Owed to players ₹50.00" in shown
    closed_at = there(CashBook.objects.get(is_closed=True).closed_at).astimezone(ZoneInfo("Asia/Kolkata"))
    assert f"Last cash book closed {moment(closed_at)}" in shown
    for url in links(page(treasurer.client, "/admin/"), "main").values():
        page(treasurer.client, url)


def test_today_of_a_director_asks_nothing_about_tills(dita: Client, night: Night):
    assert "My till" not in today(dita)
    assert "checked in." not in today(dita)


def test_today_asks_for_the_names_of_all_tournaments_of_a_club_at_once(
    night: Night, club: Club, django_assert_num_queries: Any
):
    """Planted fault: a query for each tournament."""
    a_night(club, HEATS, entry_minor=10_000, name="Saturday").enter("Cy", "Dev")
    tournaments = list(Tournament.objects.select_related("club__shown_version"))
    with django_assert_num_queries(2):
        found = desks_today(tournaments)
    assert sorted(name for desk in found.values() for _, name in desk.unpaid) == ["Asha", "Cy", "Dev"]


def test_names_of_those_who_have_not_paid_are_few(signed_in: Callable[..., Client], night: Night):
    night.enter(*(f"Player {number:02}" for number in range(20)))
    shown = today(signed_in(Role.CHECKIN))
    assert "Not paid (21): Asha, Player 00" in shown
    assert "Player 07" not in shown
    assert "Player 06…" in shown
