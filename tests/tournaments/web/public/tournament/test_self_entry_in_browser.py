"""A stranger enters on a phone, and the director lets them in on a wide screen: by light and by dark."""

import os
from datetime import timedelta
from typing import Any

import pytest
from django.core import mail
from django.utils.timezone import now
from playwright.sync_api import expect

from tests.builders.admin_tables import person
from tests.builders.axe import violations
from tests.builders.browser_checks import sign_in
from tests.builders.playing import CAST, context, new_club, new_tournament
from tournaments.entries.commands.enter import enter_list
from tournaments.entries.commands.lists import EntryRow
from tournaments.entries.commands.self_entry import SelfEntrySettings, change_self_entry
from tournaments.models import EntryRequest, Player, Role, Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.record import tournament_state

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE, WIDE = {"width": 360, "height": 740}, {"width": 1280, "height": 800}
FITS = "() => document.documentElement.scrollWidth <= window.innerWidth"


@pytest.fixture(autouse=True)
def has_mail(settings: Any) -> None:
    settings.HAS_MAIL_SERVER = True


@pytest.fixture
def tournament(transactional_db: None) -> Tournament:
    club = new_club("Circle of Pune", is_published=True, venue="Hall 3, Camp", naming="first")
    add_players(club, CAST)
    planned = new_tournament(club, entry_minor=30_000, starts_at=now() + timedelta(days=2))
    rows = [EntryRow(number=1, name="Asha"), EntryRow(number=2, name="Bo")]
    enter_list(planned.pk, rows, context=context(), adds_new=False)
    return change_self_entry(
        planned.pk, SelfEntrySettings(takes_entries=True, places=3, shows="names", asks_phone=True)
    )


def look(page: Any, name: str) -> None:
    """The page in both colours: it fits, and axe finds nothing."""
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(FITS), name
        assert list(violations(page)) == [], (name, scheme)
        if folder := os.environ.get("PICTURES"):
            page.screenshot(path=f"{folder}/{name}-{scheme}.png", full_page=True)


def test_a_stranger_enters_on_a_phone_and_the_director_accepts(page: Any, live_server: Any, tournament: Tournament):
    page.set_viewport_size(PHONE)
    page.goto(f"{live_server.url}/en-gb/c/{tournament.club.slug}/t/{tournament.slug}/")
    look(page, "coming")
    page.get_by_role("link", name="Enter", exact=True).click()
    page.get_by_label("Your name").fill("Cyrus Mistry")
    page.get_by_label("Note to the desk (optional)").fill("I come with Bo")
    look(page, "form")
    page.wait_for_timeout(3_100)
    page.get_by_role("button", name="Send request").click()
    code = page.locator(".entry-code strong").inner_text()
    look(page, "sent")
    row = EntryRequest.objects.get()
    assert (row.code, row.is_proven, row.state) == (code, True, "unconfirmed")

    phone_url = page.get_by_role("link", name="Keep this link").get_attribute("href")
    desk = page.context.browser.new_context(viewport=WIDE).new_page()
    sign_in(desk.context, live_server.url, person("dora", Role.DIRECTOR, tournament.club))
    desk.goto(f"{live_server.url}/admin/")
    desk.get_by_role("link", name="1 wants to come").click()
    look(desk, "requests")
    expect(desk.get_by_text(f"code for the desk: {code}")).to_be_visible()
    desk.get_by_role("button", name="Enter as new player").or_(
        desk.get_by_role("button", name="Enter", exact=True)
    ).click()
    expect(desk.get_by_text("Cyrus Mistry is entered.")).to_be_visible()
    desk.goto(f"{live_server.url}/admin/tournaments/tournament/{tournament.pk}/self-entry/")
    look(desk, "settings")
    desk.context.close()

    page.goto("about:blank")
    page.goto(phone_url)
    expect(page.get_by_text("You are entered.")).to_be_visible()
    assert "#" not in page.url
    look(page, "entered")
    page.get_by_role("button", name="Withdraw entry").click()
    expect(page.get_by_text("You have withdrawn.")).to_be_visible()
    player = Player.objects.get(name="Cyrus Mistry")
    assert tournament_state(tournament).entrants[str(player.pk)].standing == "withdrawn"


@pytest.mark.slow
def test_a_mailed_link_enters_and_what_is_wrong_is_said(page: Any, live_server: Any, tournament: Tournament):
    page.set_viewport_size(PHONE)
    page.goto(f"{live_server.url}/en-gb/c/{tournament.club.slug}/t/{tournament.slug}/enter/")
    page.wait_for_timeout(3_100)
    page.get_by_label("E-mail (optional)").fill("zoya")
    page.get_by_role("button", name="Send request").click()
    expect(page.get_by_role("alert")).to_contain_text("Enter an address such as asha@example.org")
    look(page, "refused")
    page.get_by_label("Your name").fill("Zoya Khan")
    page.get_by_label("E-mail (optional)").fill("zoya@example.org")
    page.get_by_role("button", name="Send request").click()
    expect(page.get_by_text("Open the link that we have sent")).to_be_visible()
    (letter,) = mail.outbox
    (link,) = [word for word in str(letter.body).split() if "#" in word]
    page.goto(link)
    expect(page.get_by_text("You are entered.")).to_be_visible()
