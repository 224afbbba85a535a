"""A phone scans the card of its table and scores: no typing, no secret left in the address, no login."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.utils.timezone import now
from playwright.sync_api import expect

from tests.builders.admin_tables import Evening
from tests.builders.browser_checks import looks_right
from tests.builders.confirming import evening_with
from tests.builders.outbox import saves, types
from tests.builders.patience import PATIENCE
from tests.builders.table_cards import card_for
from tournaments.models import Club, TableToken
from tournaments.models.log import Event
from tournaments.tables.commands.table_tokens import revoke_card

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 375, "height": 740}


@pytest.fixture
def phone(page: Any) -> Any:
    """A small screen; `phone.asked` holds every request with its headers."""
    page.set_viewport_size(PHONE)
    page.asked = []
    page.on("request", lambda request: page.asked.append((request.url, request.all_headers(), request.post_data or "")))
    return page


def header_says(page: Any, text: str) -> None:
    """The header names table, round and deal, and all of it is on the screen."""
    shown = page.locator("#header .here")
    shown.locator(f"text={text.rpartition(' · ')[2]}").wait_for()
    assert " ".join(shown.inner_text().split()) == text
    box = shown.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= page.viewport_size["width"]


def test_a_phone_scans_the_card_says_where_it_is_records_deals_and_keeps_the_secret(
    phone: Any, live_server: Any, pool: Evening
):
    """Planted fault: two phones side by side, and nobody sees which one is whose."""
    card = card_for(pool)
    phone.set_viewport_size({"width": 360, "height": 740})
    phone.goto(f"{live_server.url}/table/#{card.secret}")
    phone.wait_for_url(f"{live_server.url}{pool.score_url}")
    header_says(phone, "Table 1 · round 1 · deal 1")
    looks_right(phone)
    types(phone, "45", "10", "7")
    phone.wait_for_selector(".preview .ready")
    saves(phone)
    header_says(phone, "Table 1 · round 1 · deal 2")
    stored = Event.objects.get(stream_id=pool.table.pk, version=2)
    assert stored.actor == f"table:{card.token.pk}"
    assert "Chrome" in stored.device
    with phone.expect_navigation():
        phone.click("text=Leaderboard")
    secret = str(card.secret)
    assert not any(secret in str(headers) for _, headers, _ in phone.asked)
    assert [url for url, _, body in phone.asked if secret in body] == [f"{live_server.url}/table/"]
    phone.go_back()
    phone.wait_for_selector("[data-save]")
    assert secret not in phone.url
    assert secret not in phone.evaluate(
        "document.documentElement.outerHTML + document.cookie + JSON.stringify(localStorage)"
    )
    # Without network the header follows the deal as the rest of the page does.
    phone.context.set_offline(True)
    types(phone, "5", "6", "7")
    saves(phone)
    header_says(phone, "Table 1 · round 1 · deal 3")
    looks_right(phone)


@pytest.mark.slow
def test_a_second_scan_in_the_same_tab_opens_the_table_too(phone: Any, live_server: Any, pool: Evening):
    phone.goto(f"{live_server.url}/table/#not-a-code")
    phone.wait_for_selector("[data-problem]")
    looks_right(phone)
    phone.evaluate(f"location.hash = '{card_for(pool).secret}'")
    phone.wait_for_url(f"{live_server.url}{pool.score_url}")


@pytest.mark.slow
def test_without_scripts_the_code_is_typed(chromium: Any, live_server: Any, pool: Evening):
    context = chromium.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(f"{live_server.url}/table/#{card_for(pool).secret}")
    page.fill("#code", str(card_for(pool).secret))
    page.click("text=Open the table")
    page.wait_for_url(f"{live_server.url}{pool.score_url}")
    context.close()


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
def test_the_printed_card_opens_the_table_breaks_no_policy_and_is_taken_back(
    at_desk: Callable[..., Any], pool: Evening, live_server: Any, width: int
):
    page = at_desk(f"/admin/tournaments/tournament/{pool.tournament.pk}/cards/")
    page.set_viewport_size({"width": width, "height": 800})
    looks_right(page)
    page.click("button:has-text('Create cards')")
    page.wait_for_selector(".print-card svg")
    looks_right(page)
    expect(page.locator("[data-print]")).to_be_visible()
    address, code = page.inner_text(".print-hand b"), page.inner_text(".print-hand code").lower()
    page.emulate_media(media="print")
    expect(page.locator(".no-print")).not_to_be_visible()
    page.emulate_media(media="screen")
    stranger = page.context.browser.new_context()
    opened = stranger.new_page()
    opened.set_viewport_size({"width": width, "height": 800})
    opened.goto(address)
    looks_right(opened)
    opened.fill("#code", code)
    opened.click("text=Open the table")
    opened.wait_for_url(f"{live_server.url}{pool.score_url}")
    stranger.close()
    page.goto(f"{live_server.url}{pool.page('cards')}")
    looks_right(page)
    page.click("button.is-grave")
    page.wait_for_selector("text=The card no longer opens the table.")
    assert TableToken.objects.get().revoked_at is not None
    assert page.complaints == []


def lets_a_deal_wait(phone: Any) -> None:
    phone.context.set_offline(True)
    types(phone, "45", "10", "7")
    saves(phone)
    phone.wait_for_selector("text=Save deal 2")


def stored_deal(phone: Any, table: Evening) -> Event:
    """The first deal, once the phone has sent it; then nothing waits there any more."""
    deals = Event.objects.filter(stream_id=table.table.pk, version=2)
    for _ in range(int(10 * PATIENCE)):
        if deals.exists():
            break
        phone.wait_for_timeout(100)
    phone.wait_for_selector("[data-outbox] li.waiting", state="detached")
    return deals.get()


def test_the_new_card_of_a_table_sends_what_waited_behind_the_revoked_one(phone: Any, live_server: Any, pool: Evening):
    """Planted fault: "Deals of another person wait on this device", and nobody can ever send them."""
    former = card_for(pool)
    phone.goto(f"{live_server.url}/table/#{former.secret}")
    phone.wait_for_url(f"{live_server.url}{pool.score_url}")
    lets_a_deal_wait(phone)
    phone.fill("#count-2", "17")
    phone.wait_for_timeout(200)
    revoke_card(former.token.pk, now=now())
    phone.context.set_offline(False)
    phone.wait_for_selector("text=This table card is no longer valid")
    expect(phone.locator("[data-outbox] li >> text=Discard")).to_have_count(1)

    # Also where the page is opened again: what waits is listed, and can be saved.
    phone.reload()
    phone.wait_for_selector("[data-outbox] li:has-text('Deal 1')")
    assert "The director has revoked this card." in phone.inner_text("main")
    looks_right(phone)
    with phone.expect_download() as download:
        phone.click("text=Save to a file")
    assert json.loads(download.value.path().read_text())["table"] == str(pool.table.pk)
    newer = card_for(pool)
    phone.fill("#code", str(newer.code))
    phone.click("text=Open the table")
    phone.wait_for_url(f"{live_server.url}{pool.score_url}")
    assert stored_deal(phone, pool).actor == f"table:{newer.token.pk}"
    assert phone.input_value("#count-2") == "17"


@pytest.mark.slow
def test_another_seats_deal_is_sent_only_when_the_new_seat_says_so(phone: Any, live_server: Any, club: Club):
    """Planted fault: one phone enters a deal for two seats, and the deal confirms itself."""
    table = evening_with(club, "two_seats")
    for seat in (1, 2):
        phone.goto("about:blank")
        phone.goto(f"{live_server.url}/table/#{card_for(table, seat=seat).secret}")
        phone.wait_for_url(f"{live_server.url}{table.score_url}")
        if seat == 1:
            lets_a_deal_wait(phone)
            phone.goto("about:blank")
            phone.context.set_offline(False)
    phone.wait_for_selector("text=Deals of another seat wait on this device")
    phone.wait_for_timeout(500)
    assert not Event.objects.filter(stream_id=table.table.pk, version=2).exists()
    phone.click("button >> text=Send now")
    assert stored_deal(phone, table).actor.endswith(":2")


@pytest.mark.slow
def test_a_player_finds_what_to_press_when_something_is_wrong(phone: Any, live_server: Any, pool: Evening):
    """Planted fault: *Dispute* at the far end of a table that scrolls sideways, where no phone shows it."""
    phone.set_viewport_size({"width": 360, "height": 740})
    pool.deal(1, show="1", s2=45, s3=10, s4=7)
    phone.goto(f"{live_server.url}/table/#{card_for(pool).secret}")
    phone.wait_for_url(f"{live_server.url}{pool.score_url}")
    link = phone.get_by_role("link", name="Dispute deal 1")
    for page in ("sheet", "score"):
        phone.goto(f"{live_server.url}{pool.page(page)}")
        expect(phone.locator("text=Something wrong?")).to_be_visible()
        assert link.bounding_box()["x"] + link.bounding_box()["width"] <= 360
        looks_right(phone)
    link.click()
    phone.fill("[name=reason]", "I held 24")
    phone.click("text=Call the director")
    phone.wait_for_selector("text=Disputed: the director resolves it")
    expect(link).to_have_count(0)
