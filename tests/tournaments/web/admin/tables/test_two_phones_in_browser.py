"""Two phones at one table, each with the card of its seat: equal deals, different ones, and one of them offline."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.builders.admin_tables import Evening
from tests.builders.browser_checks import looks_right
from tests.builders.confirming import evening_with
from tests.builders.outbox import HALL, saves, types
from tests.builders.table_cards import card_for
from tournaments.models import Club, Scoresheet
from tournaments.models.log import Event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
DIFFER = "text=Deal 1: the two entries differ"


@pytest.fixture
def table(club: Club) -> Evening:
    return evening_with(club, "two_seats")


@pytest.fixture
def phone(live_server: Any, chromium: Any, table: Evening, settings: Any) -> Iterator[Callable[[int], Any]]:
    """A phone that has scanned the card of a seat, in a hall without HTTPS."""
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, HALL]
    site = live_server.url.replace("localhost", HALL)
    contexts = []

    def take(seat: int) -> Any:
        context = chromium.new_context(viewport={"width": 375, "height": 800})
        contexts.append(context)
        page = context.new_page()
        page.complaints = []
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto(f"{site}/table/#{card_for(table, seat=seat).secret}")
        page.wait_for_url(f"{site}{table.score_url}")
        page.wait_for_selector("text=You enter for")
        return page

    yield take
    for context in contexts:
        context.close()


def kinds(table: Evening) -> list[str]:
    return list(Event.objects.filter(stream_id=table.table.pk).order_by("version").values_list("kind", flat=True))[1:]


def comes_to(page: Any, table: Evening, *wanted: str) -> None:
    """The log holds these events within a minute."""
    for _ in range(600):
        if kinds(table) == list(wanted):
            return
        page.wait_for_timeout(100)
    assert kinds(table) == list(wanted)


@pytest.mark.slow
def test_two_phones_enter_the_same_deal_and_go_on_together(phone: Callable[[int], Any], table: Evening):
    asha, bo = phone(1), phone(2)
    types(asha, "12", "20", "30")
    saves(asha)
    asha.wait_for_selector("text=Save deal 2")
    bo.wait_for_selector("text=Another seat has entered deal 1", timeout=15_000)
    types(bo, "12", "20", "30")
    saves(bo)
    bo.wait_for_selector("text=Save deal 2")
    asha.wait_for_selector("text=Someone else must confirm", state="detached", timeout=15_000)
    # The first phone's page is older than the other's confirmation.
    types(asha, "1", "2", "3")
    saves(asha)
    asha.wait_for_selector("text=Save deal 3")
    assert kinds(table) == ["deal_recorded", "deal_confirmed", "deal_recorded"]
    looks_right(asha)
    assert asha.complaints == bo.complaints == []


def test_a_difference_alerts_both_phones_and_one_of_them_mends_its_own(phone: Callable[[int], Any], table: Evening):
    asha, bo = phone(1), phone(2)
    types(bo, "21", "20", "30")
    types(asha, "12", "20", "30")
    saves(asha)
    asha.wait_for_selector("text=Save deal 2")
    asha.fill("#count-2", "7")
    saves(bo)
    for page in (bo, asha):
        page.wait_for_selector(DIFFER, timeout=15_000)
        rows = page.locator("#disputes ~ ul tr.differs")
        expect(rows).to_have_count(1)
        assert [rows.nth(0).locator("td").nth(at).inner_text() for at in (0, 1)] == ["Loss 12", "Loss 21"]
        looks_right(page)
    # What the first one types meanwhile stays.
    assert asha.input_value("#count-2") == "7"
    bo.click("text=Correct my entry")
    bo.wait_for_url("**/correct/1/")
    assert bo.input_value("#count-2") == "21"
    bo.fill("#count-2", "12")
    saves(bo)
    for page in (bo, asha):
        page.wait_for_selector(DIFFER, state="detached", timeout=15_000)
    assert kinds(table) == ["deal_recorded", "deal_disputed", "deal_confirmed"]
    assert Scoresheet.objects.get(table=table.table).unconfirmed == 0
    assert asha.complaints == bo.complaints == []


@pytest.mark.slow
def test_a_phone_that_was_offline_for_a_while_agrees_and_differs(phone: Callable[[int], Any], table: Evening):
    asha, bo = phone(1), phone(2)
    bo.context.set_offline(True)
    for number, count in ((1, "12"), (2, "40")):
        types(bo, count, "20", "30")
        saves(bo)
        bo.wait_for_selector(f"text=Save deal {number + 1}")
    for number in (1, 2):
        types(asha, "12", "20", "30")
        saves(asha)
        asha.wait_for_selector(f"text=Save deal {number + 1}")
    bo.context.set_offline(False)
    comes_to(bo, table, "deal_recorded", "deal_recorded", "deal_confirmed", "deal_disputed")
    for page in (bo, asha):
        page.wait_for_selector("text=Deal 2: the two entries differ", timeout=15_000)
    expect(bo.locator("[data-outbox] li:has-text('waiting')")).to_have_count(0)
    asha.click("text=Correct my entry")
    asha.fill("#count-2", "40")
    assert asha.input_value("#reason") == "Compared with the other entry"
    saves(asha)
    comes_to(asha, table, *["deal_recorded"] * 2, "deal_confirmed", "deal_disputed", "deal_corrected")
    assert Scoresheet.objects.get(table=table.table).unconfirmed == 0
    assert asha.complaints == bo.complaints == []
