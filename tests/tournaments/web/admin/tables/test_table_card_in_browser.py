"""A phone scans the card of its table and scores: no typing, no secret left in the address, no login."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.utils.timezone import now

from tests.builders.admin_tables import Evening, club_called, evening_at, person
from tests.builders.browser_checks import looks_right, sign_in
from tests.builders.confirming import evening_with
from tests.builders.outbox import saves, types
from tests.builders.table_cards import card_for
from tournaments.models import Role, TableToken
from tournaments.models.log import Event
from tournaments.tables.commands.table_tokens import revoke_card

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 375, "height": 740}


@pytest.fixture
def table(transactional_db: None) -> Evening:
    return evening_at(club_called("Asha's club", "asha"))


@pytest.fixture
def phone(page: Any) -> Any:
    """A small screen; `phone.asked` holds every request with its headers."""
    page.set_viewport_size(PHONE)
    page.asked = []
    page.on("request", lambda request: page.asked.append((request.url, request.all_headers(), request.post_data or "")))
    return page


@pytest.fixture
def at_desk(live_server: Any, page: Any, table: Evening) -> Callable[[str], Any]:
    """The browser of a director."""

    def go(path: str) -> Any:
        sign_in(page.context, live_server.url, person("dita", Role.DIRECTOR, table.club, first_name="Dita"))
        page.goto(f"{live_server.url}{path}")
        return page

    return go


def test_a_phone_scans_the_card_and_records_a_deal(phone: Any, live_server: Any, table: Evening):
    card = card_for(table)
    phone.goto(f"{live_server.url}/table/#{card.secret}")
    phone.wait_for_url(f"{live_server.url}{table.score_url}")
    looks_right(phone)
    phone.check('.seat-row[data-row="1"] input[value="show"]', force=True)
    for seat, count in (("2", "45"), ("3", "10"), ("4", "7")):
        phone.fill(f"#count-{seat}", count)
    phone.wait_for_selector(".preview .ready")
    phone.click("[data-save]")
    phone.wait_for_selector("text=Save deal 2")
    stored = Event.objects.get(stream_id=table.table.pk, version=2)
    assert stored.actor == f"table:{card.token.pk}"
    assert "Chrome" in stored.device
    assert phone.complaints == []


def test_the_secret_leaves_the_address_bar_and_goes_out_in_one_body_only(phone: Any, live_server: Any, table: Evening):
    secret = str(card_for(table).secret)
    phone.goto(f"{live_server.url}/table/#{secret}")
    phone.wait_for_url(f"{live_server.url}{table.score_url}")
    with phone.expect_navigation():
        phone.click("text=Leaderboard")
    heads = [headers for _, headers, _ in phone.asked]
    assert not any(secret in str(headers) for headers in heads)
    assert [url for url, _, body in phone.asked if secret in body] == [f"{live_server.url}/table/"]
    phone.go_back()
    phone.wait_for_selector("[data-save]")
    assert secret not in phone.url
    assert secret not in phone.evaluate(
        "document.documentElement.outerHTML + document.cookie + JSON.stringify(localStorage)"
    )


@pytest.mark.slow
def test_a_second_scan_in_the_same_tab_opens_the_table_too(phone: Any, live_server: Any, table: Evening):
    phone.goto(f"{live_server.url}/table/#not-a-code")
    phone.wait_for_selector("[data-problem]")
    looks_right(phone)
    phone.evaluate(f"location.hash = '{card_for(table).secret}'")
    phone.wait_for_url(f"{live_server.url}{table.score_url}")


@pytest.mark.slow
def test_without_scripts_the_code_is_typed(chromium: Any, live_server: Any, table: Evening):
    context = chromium.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    page.goto(f"{live_server.url}/table/#{card_for(table).secret}")
    page.fill("#code", str(card_for(table).secret))
    page.click("text=Open the table")
    page.wait_for_url(f"{live_server.url}{table.score_url}")
    context.close()


@pytest.mark.slow
def test_a_card_that_was_taken_back_says_so(phone: Any, live_server: Any, table: Evening):
    card = card_for(table)
    phone.goto(f"{live_server.url}/table/#{card.secret}")
    phone.wait_for_url(f"{live_server.url}{table.score_url}")
    revoke_card(card.token.pk, now=card.token.created_at)
    phone.reload()
    assert "The director has revoked this card." in phone.inner_text("main")
    looks_right(phone)


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
def test_the_printed_card_opens_the_table_and_breaks_no_policy(
    at_desk: Callable[[str], Any], table: Evening, live_server: Any, width: int
):
    page = at_desk(f"/admin/tournaments/tournament/{table.tournament.pk}/cards/")
    page.set_viewport_size({"width": width, "height": 800})
    looks_right(page)
    page.click("text=Make 1 card")
    page.wait_for_selector(".print-card svg")
    looks_right(page)
    assert page.is_visible("[data-print]")
    code = re.sub(r"\s", "", page.inner_text(".print-hand code"))
    page.emulate_media(media="print")
    assert not page.is_visible(".no-print")
    page.emulate_media(media="screen")
    page.goto(f"{live_server.url}{table.page('cards')}")
    looks_right(page)
    assert page.complaints == []
    stranger = page.context.browser.new_context()
    opened = stranger.new_page()
    opened.goto(f"{live_server.url}/table/#{code}")
    opened.wait_for_url(f"{live_server.url}{table.score_url}")
    stranger.close()


@pytest.mark.slow
def test_the_list_of_cards_takes_one_back(at_desk: Callable[[str], Any], table: Evening):
    card_for(table)
    page = at_desk(table.page("cards"))
    page.click("button.is-grave")
    page.wait_for_selector("text=The card no longer opens the table.")
    assert TableToken.objects.get().revoked_at is not None


def lets_a_deal_wait(phone: Any) -> None:
    phone.context.set_offline(True)
    types(phone, "45", "10", "7")
    saves(phone)
    phone.wait_for_selector("text=Save deal 2")


def test_the_new_card_of_a_table_sends_what_waited_behind_the_revoked_one(phone: Any, live_server: Any, table: Evening):
    """Planted fault: "Deals of another person wait on this device", and nobody can ever send them."""
    former = card_for(table)
    phone.goto(f"{live_server.url}/table/#{former.secret}")
    phone.wait_for_url(f"{live_server.url}{table.score_url}")
    lets_a_deal_wait(phone)
    phone.fill("#count-2", "17")
    phone.wait_for_timeout(200)
    revoke_card(former.token.pk, now=now())
    phone.context.set_offline(False)
    phone.wait_for_selector("text=This table card is no longer valid")
    assert phone.locator("[data-outbox] li >> text=Discard").count() == 1

    # Also where the page is opened again: what waits is listed, and can be saved.
    phone.reload()
    phone.wait_for_selector("[data-outbox] li:has-text('Deal 1')")
    looks_right(phone)
    with phone.expect_download() as download:
        phone.click("text=Save to a file")
    assert json.loads(download.value.path().read_text())["table"] == str(table.table.pk)
    newer = card_for(table)
    phone.fill("#code", str(newer.secret))
    phone.click("text=Open the table")
    phone.wait_for_url(f"{live_server.url}{table.score_url}")
    phone.wait_for_selector("[data-outbox] li.waiting", state="detached", timeout=15_000)
    stored = Event.objects.get(stream_id=table.table.pk, version=2)
    assert stored.actor == f"table:{newer.token.pk}"
    assert phone.input_value("#count-2") == "17"


def test_another_seats_deal_is_sent_only_when_the_new_seat_says_so(
    phone: Any, live_server: Any, transactional_db: None
):
    """Planted fault: one phone enters a deal for two seats, and the deal confirms itself."""
    table = evening_with(club_called("Bo's club", "bo"), "two_seats")
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
    phone.wait_for_selector("[data-outbox] li.waiting", state="detached", timeout=15_000)
    assert Event.objects.get(stream_id=table.table.pk, version=2).actor.endswith(":2")
