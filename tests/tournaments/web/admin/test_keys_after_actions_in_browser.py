"""Where the keys are after an action, and which button Enter presses, in the back office."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from scoring.events import wire
from tests.builders.admin_tables import club_called, person
from tests.builders.admin_tournaments import HEATS, Night, a_night
from tests.builders.browser_checks import looks_right, sign_in
from tournaments.models import Role

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = ("Asha", "Bo", "Cy", "Dev")
DRAW_CODE = "#id_seed"


@pytest.fixture
def night(transactional_db: None) -> Night:
    """Four have entered for 100.00 each; nobody is here yet."""
    night = a_night(club_called("Asha's club", "asha"), HEATS, entry_minor=10_000)
    night.enter(*NAMES, is_here=False)
    return night


@pytest.fixture
def director(live_server: Any, page: Any, night: Night) -> Any:
    """The browser of a director at the dashboard."""
    sign_in(page.context, live_server.url, person("dita", Role.DIRECTOR, night.tournament.club, first_name="Dita"))
    page.goto(f"{live_server.url}{night.url()}")
    return page


@pytest.mark.slow
def test_the_keys_follow_a_list_to_where_it_opens_and_after_its_action(director: Page):
    """Planted fault: the list opened above the dashboard while the focus stayed below."""
    director.locator("[data-next]", has_text="Check in players").press("Enter")
    title = director.locator("#many-title")
    expect(title).to_be_focused()
    looks_right(director)
    for _ in NAMES:
        director.keyboard.press("Tab")
    expect(director.locator("[name=who]").last).to_be_focused()
    director.locator("[name=till][value=later]").press("Space")
    director.locator("[data-many-do]").press("Enter")
    expect(director.locator("#many", has_text="4 players checked in.")).to_be_visible()
    expect(title).to_be_focused()


def here_and_paid(night: Night) -> None:
    for player in night.state.entrants:
        night.record(wire.CheckedIn(player=player), wire.EntryPaid(player=player, amount_minor=10_000))


def keys_are_at(director: Page, selector: str) -> None:
    """The focus is on what answers the action, not on the whole page."""
    expect(director.locator(selector)).to_be_focused()


@pytest.mark.slow
def test_after_each_action_of_a_round_the_keys_are_at_its_answer(director: Page, night: Night):
    """Planted fault: after a draw the focus on the whole page, because the address names the draft."""
    here_and_paid(night)
    director.goto(director.url.replace("/night/", "/seating/"))
    director.press(DRAW_CODE, "Enter")
    keys_are_at(director, "#draft")
    director.locator("button[value=publish]").press("Enter")
    keys_are_at(director, ".messagelist:has-text('Round 1 is seated')")
    director.fill("#id_reason", "two had swapped")
    director.press("#id_reason", "Enter")
    expect(director.locator(".messagelist", has_text="Seating of round 1 undone")).to_be_visible()
    keys_are_at(director, "#draft")
    director.locator("button[value=publish]").press("Enter")
    keys_are_at(director, ".messagelist:has-text('Round 1 is seated')")


@pytest.mark.slow
def test_after_a_cut_and_its_undoing_the_keys_are_at_the_answer(director: Page, night: Night):
    here_and_paid(night)
    night.play_round()
    cut = director.url.replace("/night/", "/cut/")
    director.goto(cut)
    director.get_by_role("button", name="Make cut").press("Enter")
    keys_are_at(director, ".messagelist:has-text('2 players qualify')")
    director.goto(cut)
    director.fill("[name=reason]", "one had left")
    director.press("[name=reason]", "Enter")
    keys_are_at(director, ".messagelist:has-text('Cut undone')")


@pytest.mark.slow
def test_after_closing_reopening_and_abandoning_the_keys_are_at_the_answer(director: Page, night: Night):
    here_and_paid(night)
    night.play_round()
    dashboard = director.url
    director.goto(dashboard.replace("/night/", "/close/"))
    director.get_by_role("button", name="Close the tournament").press("Enter")
    keys_are_at(director, ".messagelist:has-text('is closed')")
    director.goto(dashboard.replace("/night/", "/reopen/"))
    director.fill("[name=reason]", "a sheet came late")
    director.press("[name=reason]", "Enter")
    keys_are_at(director, ".messagelist:has-text('is open again')")
    director.goto(dashboard.replace("/night/", "/give-up/"))
    director.get_by_role("button", name="Abandon").press("Enter")
    keys_are_at(director, ".errornote")
    director.fill("[name=reason]", "the power failed")
    director.press("[name=reason]", "Enter")
    keys_are_at(director, ".messagelist:has-text('is abandoned')")


@pytest.mark.slow
def test_after_deleting_and_undoing_it_the_keys_are_at_the_answer(director: Page):
    """Planted fault: the page that offers to undo it began above the menu, without a word that it was done."""
    director.goto(director.url.replace("/night/", "/delete-unused/"))
    director.get_by_role("button", name="Delete tournament").press("Enter")
    keys_are_at(director, ".messagelist:has-text('is deleted')")
    director.get_by_role("button", name="Undo").press("Enter")
    keys_are_at(director, ".messagelist:has-text('is open again')")


@pytest.mark.slow
def test_enter_in_the_players_of_a_trial_shows_the_plan_again_and_saves_nothing(director: Page, night: Night):
    before = night.state.version
    director.goto(director.url.replace("/night/", "/plan/"))
    director.fill("[data-enter=preview]", "8")
    with director.expect_navigation():
        director.press("[data-enter=preview]", "Enter")
    assert night.state.version == before
    expect(director.locator("[data-enter=preview]")).to_have_value("8")


@pytest.mark.slow
def test_enter_draws_the_seating_and_publishes_the_draft(director: Page, night: Night):
    """Planted faults: Enter pressed *Use this seating* and *Undo*, the first buttons of their forms."""
    director.goto(director.url.replace("/night/", "/seating/"))
    director.fill(DRAW_CODE, "K7QF-2M9X")
    director.press(DRAW_CODE, "Enter")
    expect(director.locator(".draw-code", has_text="K7QF-2M9X")).to_be_visible()
    director.locator("[name=seats_absent]").press("Space")
    director.locator("[name=seats_absent]").press("Enter")
    expect(director.locator(".messagelist", has_text="Round 1 is seated")).to_be_visible()
    assert len(night.state.rounds) == 1


def test_undo_and_redo_of_a_draft_work_beside_its_form(director: Page):
    director.goto(director.url.replace("/night/", "/seating/"))
    director.press(DRAW_CODE, "Enter")
    first, second = director.locator("[data-player]").first, director.locator("[data-player]").nth(1)
    name = first.inner_text()
    first.press("Enter")
    second.press("Enter")
    expect(second).to_have_text(name)
    director.locator("[data-act=undo]").press("Enter")
    expect(first).to_have_text(name)
    director.locator("[data-act=redo]").press("Enter")
    expect(second).to_have_text(name)


def test_enter_takes_another_amount_in_cash_and_a_reason_refunds(director: Page, night: Night):
    """Planted faults: Enter in the amount paid from the balance; Enter in the reason for a refund took money."""
    asha = next(iter(night.state.entrants))
    director.goto(director.url.replace("/night/", f"/desk/{asha}/"))
    director.fill("[aria-labelledby=amount] [name=amount]", "30")
    director.press("[aria-labelledby=amount] [name=amount]", "Enter")
    expect(director.locator(".errornote[role=alert]")).to_be_focused()
    director.get_by_role("button", name="Take them without a till").press("Enter")
    director.fill("[aria-labelledby=amount] [name=amount]", "30")
    director.press("[aria-labelledby=amount] [name=amount]", "Enter")
    expect(director.locator(".messagelist", has_text="₹30.00 taken from Asha.")).to_be_focused()
    director.fill("#id_refund", "10")
    director.fill("#id_why", "too much")
    director.press("#id_why", "Enter")
    expect(director.locator(".messagelist", has_text="₹10.00 in cash")).to_be_focused()
    assert night.state.entrants[asha].paid_minor == 2_000
