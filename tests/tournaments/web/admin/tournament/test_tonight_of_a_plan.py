"""A planned evening beside its dashboard: the round of each table, and the offered actions."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils.timezone import now
from selectolax.lexbor import LexborHTMLParser

from scoring.events import wire
from tests.builders.admin_tables import NOW, evening_at
from tests.builders.admin_tournaments import HEATS, Night, a_night, at
from tests.builders.buttons import form_that
from tests.builders.there import there
from tournaments.models import Club
from tournaments.people.players import add_players
from tournaments.running.commands.create import make_plan
from tournaments.running.queries.today import MOST_TOURNAMENTS, todays_tournaments

TWO_ROUNDS = {"stages": [{**HEATS["stages"][0], "rounds": 2}, HEATS["stages"][1]]}

pytestmark = pytest.mark.django_db


@pytest.fixture
def night(club: Club) -> Night:
    """Asha and Bo have played round 1, and sit at table 1 of round 2."""
    night = a_night(club, TWO_ROUNDS)
    night.enter("Asha", "Bo")
    night.play_round()
    night.seat()
    return night


@pytest.mark.slow
def test_no_table_is_offered_to_be_opened_by_hand_once_there_is_a_plan(dita: Client, club: Club):
    unplanned = a_night(club)
    pages = ("/admin/", unplanned.url("change"))
    assert all("Seat a table" in dita.get(page).content.decode() for page in pages)
    make_plan(unplanned.tournament.pk, TWO_ROUNDS, context=at())
    assert not any("Seat a table" in dita.get(page).content.decode() for page in pages)


@pytest.mark.slow
def test_a_round_of_one_table_is_reported_in_the_singular(dita: Client, club: Club):
    night = a_night(club, TWO_ROUNDS)
    night.enter("Asha", "Bo")
    for deed in ("draw", "publish"):
        form = form_that(dita.get(night.url("seating")).content.decode(), deed)
        answer = dita.post(night.url("seating"), {**form.values, "do": deed}, follow=True)
    assert "1 table is open" in answer.content.decode()


@pytest.mark.slow
def test_a_substitute_for_somebody_at_a_table_is_not_told_to_wait_for_the_next_round(dita: Client, night: Night):
    (cy,) = add_players(night.tournament.club, ["Cy"])
    night.record(wire.PlayerSubstituted(player=night.state.field()[0], by=str(cy.pk), reason="called away"))
    assert "wait for the next round" not in dita.get(night.url()).content.decode()


def test_a_season_that_is_announced_ahead_does_not_hide_who_plays_tonight(dita: Client, club: Club):
    """Planted fault: tournaments with the latest start came first, so that twelve future ones hid the present one."""
    begun = a_night(club, name="Running", starts_at=NOW - timedelta(days=30))
    begun.seat(begun.enter("Asha", "Bo"))
    a_night(club, name="Tonight", starts_at=NOW - timedelta(hours=1))
    for week in range(1, MOST_TOURNAMENTS + 3):
        a_night(club, name=f"Week {week:02d}", starts_at=NOW + timedelta(weeks=week))
    shown = [entry.tournament.name for entry in todays_tournaments([club.pk], now=NOW)]
    assert shown == [f"Week {week:02d}" for week in range(MOST_TOURNAMENTS - 2, 0, -1)] + ["Tonight", "Running"]


def opened(page: str) -> dict[str, bool]:
    """The tournaments of the front page in their order, and whether each is unfolded."""
    parts = LexborHTMLParser(page).css("details.tonight")
    return {there(part.css_first("h2")).text(strip=True): "open" in part.attributes for part in parts}


@pytest.mark.slow
def test_what_needs_somebody_comes_first_and_what_runs_by_itself_is_folded(dita: Client, club: Club):
    """Planted fault: the order of their starts, all unfolded."""
    played = evening_at(club, names=("Asha", "Bo"), name="To close")
    evening_at(club, names=("Cy", "Dev"), name="Running")
    assert opened(dita.get("/admin/").content.decode()) == {"Running": False, "To close": False}
    played.deal(1, show="1", s2=80)
    played.deal(2, show="1", s2=80)
    page = dita.get("/admin/").content.decode()
    assert opened(page) == {"To close": True, "Running": False}
    assert page.count("Needs you") == 1


def test_a_tournament_without_an_open_table_needs_somebody_once_it_is_due(dita: Client, club: Club):
    evening_at(club, names=("Asha", "Bo"), name="Running")
    a_night(club, name="Next week", starts_at=now() + timedelta(days=7))
    a_night(club, name="Tonight", starts_at=now())
    shown = opened(dita.get("/admin/").content.decode())
    assert [name for name, is_open in shown.items() if is_open] == ["Tonight"]


def test_the_only_tournament_is_not_folded(dita: Client, club: Club):
    evening_at(club, names=("Asha", "Bo"), name="Running")
    assert opened(dita.get("/admin/").content.decode()) == {"Running": True}
