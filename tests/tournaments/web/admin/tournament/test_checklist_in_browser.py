"""The checklist in a browser: lists of many open above it, and the tasks of an evening take few steps."""

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.builders.admin_tables import club_called, person
from tests.builders.admin_tournaments import HEATS, Night, a_night, at, play_out
from tests.builders.browser_checks import sign_in
from tests.builders.browser_steps import Steps
from tournaments.models import Club, Role, Scoresheet, Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.close import cancel_tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = ("Asha", "Bo", "Cy", "Dev", "Esha", "Farid")
MOST_FIELDS, MOST_HEIGHT = 12, 1_500


@pytest.fixture
def home(transactional_db: None) -> Club:
    return club_called("Asha's club", "asha")


@pytest.fixture
def director(live_server: Any, page: Any, home: Club) -> Any:
    """The browser of a director at Today, and the count of their steps."""
    sign_in(page.context, live_server.url, person("dita", Role.DIRECTOR, home, first_name="Dita"))
    page.steps = Steps(page)
    page.goto(f"{live_server.url}/admin/")
    return page


def to_round_1(page: Any) -> tuple[int, int]:
    """Follow only the checklist's suggestions until the round is published. Taking the fees is a press of its own."""
    page.locator("[data-next]", has_text="Check in players").click()
    page.locator("[name=till][value=mine]").click()
    page.locator("[data-many-do]").click()
    page.locator("[data-next]", has_text="Seat round 1").click()
    page.get_by_role("button", name="Publish").click()
    page.wait_for_selector("text=Round 1 is seated")
    taken = page.steps.taken()
    return taken["pages"], taken["taps"]


@pytest.mark.slow
def test_known_players_sit_with_their_fees_taken_after_four_pages(director: Any, home: Club):
    """From Today on: signing in is one page and one press more."""
    add_players(home, NAMES)
    director.steps.begin()
    director.get_by_role("link", name="New tournament").click()
    director.get_by_label("Paste names, one a line").click()
    director.keyboard.insert_text("\n".join(NAMES))
    director.get_by_label("Entry fee").first.click()
    director.keyboard.type("100")
    director.get_by_role("button", name="Create tournament").click()
    pages, taps = to_round_1(director)
    assert pages <= 4
    assert taps <= 9
    evening = Night(Tournament.objects.get()).state
    assert {place[:4] for one in evening.entrants.values() for place in one.paid_by_place} == {"till"}


@pytest.mark.slow
def test_last_weeks_tournament_again_takes_three_pages(director: Any, home: Club, live_server: Any):
    night = a_night(home, HEATS, entry_minor=10_000)
    night.enter(*NAMES)
    cancel_tournament(night.tournament.pk, reason="rain", context=at())
    director.goto(f"{live_server.url}/admin/")
    director.steps.begin()
    director.get_by_role("button", name="Repeat").click()
    pages, taps = to_round_1(director)
    assert pages <= 3
    assert taps <= 6


@pytest.mark.slow
def test_finished_tables_close_on_the_dashboard_in_two_presses(director: Any, home: Club, live_server: Any):
    night = a_night(home, HEATS)
    night.enter(*NAMES)
    for table in night.seat():
        play_out(table)
    director.goto(f"{live_server.url}{night.url()}")
    director.steps.begin()
    director.locator("[data-next]", has_text="Close 3 tables").click()
    director.locator("[data-many-do]").click()
    director.wait_for_selector("[data-next] >> text=Make cut")
    taken = director.steps.taken()
    assert (taken["pages"], taken["taps"]) == (0, 2)
    assert Scoresheet.objects.filter(is_closed=True).count() == 3
    assert director.complaints == []


@pytest.mark.slow
def test_a_late_player_sits_after_two_pages_and_four_presses(director: Any, home: Club, live_server: Any):
    add_players(home, ["Gita"])
    night = a_night(home, {"stages": [{"smallest_table": 2, "preferred_table": 6}], "late_until_round": 2})
    night.enter(*NAMES)
    night.seat()
    director.goto(f"{live_server.url}{night.url()}")
    director.steps.begin()
    director.locator("#to-seats").click()
    director.locator("[name='name']").first.click()
    director.keyboard.type("Gita")
    director.get_by_role("button", name="Seat player").click()
    director.wait_for_selector(".messagelist >> text=sits at table")
    taken = director.steps.taken()
    assert taken["pages"] <= 2
    assert taken["taps"] <= 4


@pytest.mark.slow
def test_a_new_tournament_shows_few_fields_before_more_options(director: Any, live_server: Any, home: Club):
    """With names, prizes and a tournament to repeat, too; its name and the house fee are among the fields."""
    night = a_night(home, HEATS, entry_minor=10_000)
    night.enter(*NAMES)
    director.set_viewport_size({"width": 1280, "height": 800})
    director.goto(f"{live_server.url}/admin/tournaments/tournament/add/")
    fields = director.locator("#content :is(input, select, textarea):not([type=hidden], [type=radio])")
    assert sum(one.is_visible() for one in fields.all()) + 1 <= MOST_FIELDS
    for label in ("Name", "House fee, %"):
        expect(director.get_by_label(label, exact=True)).to_be_visible()
    director.get_by_label("Paste names, one a line").fill("\n".join(f"Player {number}" for number in range(1, 19)))
    director.get_by_label("Entry fee").first.fill("100")
    director.get_by_label("House fee, %").fill("10")
    director.get_by_label("House fee, %").press("Tab")
    director.wait_for_selector("#shown-plan >> text=House fee")
    height = director.evaluate("document.querySelector('.more-options').getBoundingClientRect().top + scrollY")
    assert height <= MOST_HEIGHT


@pytest.mark.slow
def test_what_was_said_of_a_step_goes_with_the_next_one(director: Any, home: Club, live_server: Any):
    night = a_night(home, HEATS, entry_minor=10_000)
    night.enter(*NAMES)
    cancel_tournament(night.tournament.pk, reason="rain", context=at())
    director.goto(f"{live_server.url}/admin/")
    director.get_by_role("button", name="Repeat").click()
    director.wait_for_selector(".messagelist >> text=is set up with 6 players")
    director.locator("[data-next]", has_text="Check in players").click()
    director.locator("legend", has_text="Entry fees of those ticked: ₹600.00").wait_for()
    director.get_by_label("Farid").click()
    director.locator("legend", has_text="Entry fees of those ticked: ₹500.00").wait_for()
    director.get_by_label("Farid").click()
    director.locator("[name=till][value=mine]").click()
    director.locator("[data-many-do]").click()
    director.wait_for_selector("text=6 players checked in.")
    expect(director.locator(".messagelist")).to_have_count(0)


@pytest.mark.slow
def test_what_was_worked_out_of_a_plan_says_that_something_was_typed_since(director: Any, home: Club):
    """Planted fault: prizes of the previous plan, under a plan that was changed since."""
    night = a_night(home, HEATS)
    director.goto(director.url.split("/admin/")[0] + night.url("plan"))
    said = director.locator("#preview [data-older]")
    assert not said.is_visible()
    director.fill("#id_players_shown", "14")
    assert said.is_visible()
    director.get_by_role("button", name="Show again").click()
    director.wait_for_selector("text=Who gets what with 14 players")
    assert not said.is_visible()
