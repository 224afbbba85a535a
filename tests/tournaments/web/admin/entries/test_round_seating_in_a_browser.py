"""A draft under the director's hands: dragged, or with the keys alone; warned, undone, published; narrow and dark."""

from collections.abc import Callable
from typing import Any

import pytest

from scoring.events import wire
from tests.builders.admin_tables import club_called, person
from tests.builders.browser_checks import looks_right, sign_in
from tests.builders.playing import context, new_tournament
from tournaments.draw import Sizes, round_of
from tournaments.models import Role, Table, Tournament
from tournaments.people.players import add_players
from tournaments.running.commands.record import record_all_in_tournament, record_in_tournament
from tournaments.seating.commands.draft import Wanted, make_draft
from tournaments.seating.drafts import KeptConstraints

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
NAMES = ("Asha", "Bo", "Cy", "Dev", "Eli", "Fay", "Gita", "Hari")


@pytest.fixture
def drafted(transactional_db: None) -> Tournament:
    """Asha to Dev at table 1, Eli to Hari at table 2: not published yet."""
    tournament = new_tournament(club_called("Asha's club", "asha"))
    players = [str(player.id) for player in add_players(tournament.club, NAMES)]
    record_in_tournament(tournament.id, wire.PlanMade(plan={"stages": [{"preferred_table": 4}]}), context=context())
    record_all_in_tournament(tournament.id, [wire.PlayerEntered(player=p) for p in players], context=context())
    constraints = KeptConstraints(sizes=Sizes(allowed=(3, 4, 5), preferred=4))
    prepared = round_of({1: players[:4], 2: players[4:]})
    make_draft(
        tournament, Wanted(method="prepared", constraints=constraints, prepared=prepared), context=context(), expected=0
    )
    return tournament


@pytest.fixture
def at_seating(live_server: Any, page: Any, drafted: Tournament) -> Callable[[], Any]:
    """Dita's browser at the draft."""

    def go(path: str = "seating") -> Any:
        sign_in(page.context, live_server.url, person("dita", Role.DIRECTOR, drafted.club, first_name="Dita"))
        page.goto(f"{live_server.url}/admin/tournaments/tournament/{drafted.pk}/{path}/")
        return page

    return go


def seats_at(page: Any, table: int) -> list[str]:
    found: list[str] = page.locator(f'section[aria-label="Table {table}"] [data-player] bdi').all_inner_texts()
    return found


def test_a_player_is_dragged_to_another_table_warned_of_and_undone(at_seating: Callable[[], Any]):
    page = at_seating()
    page.drag_and_drop('[data-player]:has-text("Asha")', 'section[aria-label="Table 2"] h3')
    page.wait_for_selector("text=tables have 3 to 5 players")
    assert seats_at(page, 2) == ["Eli", "Fay", "Gita", "Hari", "Asha"]
    page.click('[data-act="undo"]')
    page.wait_for_selector("text=Ready to publish")
    assert seats_at(page, 1) == ["Asha", "Bo", "Cy", "Dev"]
    assert page.complaints == []


@pytest.mark.slow
def test_a_round_is_seated_and_published_with_the_keys_alone(at_seating: Callable[[], Any], drafted: Tournament):
    page = at_seating()
    keyboard = page.keyboard
    page.focus("[data-player]")
    keyboard.type("ha")
    keyboard.press("Enter")
    keyboard.press("b")
    keyboard.press("Enter")
    page.wait_for_selector('section[aria-label="Table 1"] >> text=Hari')
    assert (seats_at(page, 1), seats_at(page, 2)) == (["Asha", "Hari", "Cy", "Dev"], ["Eli", "Fay", "Gita", "Bo"])
    assert page.evaluate("document.activeElement.innerText").strip() == "Hari"
    keyboard.press("Control+z")
    page.wait_for_selector('section[aria-label="Table 1"] >> text=Bo')
    page.focus('button[value="publish"]')
    keyboard.press("Enter")
    page.wait_for_selector("text=2 tables are open")
    assert list(Table.objects.filter(tournament=drafted).values_list("number", flat=True)) == [1, 2]
    assert page.complaints == []


@pytest.mark.slow
def test_the_pages_fit_a_phone_in_light_and_dark(at_seating: Callable[[], Any], drafted: Tournament):
    page = at_seating()
    page.set_viewport_size({"width": 360, "height": 740})
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.locator("[data-player]").first.click()
        page.wait_for_selector("[data-to]:not([hidden])")
        looks_right(page)
        small = "[...document.querySelectorAll('[data-player], [data-to]')].map(e => e.getBoundingClientRect().height)"
        assert min(page.evaluate(small)) >= 44
        page.keyboard.press("Escape")
    assert page.complaints == []
