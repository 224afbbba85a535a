"""The prizes of an evening on its pages: who would get what now, and side pots that the director awards."""

from typing import Any

import pytest
from django.test import Client

from scoring.events import wire
from scoring.tournament.plans import read_plan
from tests.builders.admin_tournaments import Night, a_night, at
from tests.builders.flat import flat
from tournaments.models import Club
from tournaments.running.commands.create import make_plan

PLAN: dict[str, Any] = {
    "stages": [{"smallest_table": 2}],
    "prizes_bp": [7_000, 3_000],
    "things": ["the cup"],
    "side_pots": [
        {"name": "High hand", "contribution_minor": 500},
        {"name": "Jackpot", "contribution_minor": 1_000, "joins": "opt_in"},
    ],
}


@pytest.fixture
def night(club: Club) -> Night:
    """Three players at one table, none of whom has scored."""
    found = a_night(club, PLAN, entry_minor=10_000, fee_bp=1_000, is_published=True)
    asha, *_ = found.enter("Asha", "Bo", "Cy")
    found.record(wire.EntryTermsSet(player=asha, pots=("Jackpot",)))
    found.seat(size=3)
    return found


def won(night: Night, *names: str, reason: str) -> dict[str, Any]:
    players = dict(zip(("Asha", "Bo", "Cy"), night.state.entrants, strict=True))
    return {"do": "won", "pot": "High hand", "player": [players[name] for name in names], "reason": reason}


def test_level_players_are_told_together_what_each_of_them_would_get(dita: Client, night: Night):
    (row,) = dita.get(night.url("prizes")).context["prizes"].rows
    assert (row.place, row.names, row.amount) == ("1 to 3", ("Asha", "Bo", "Cy"), "₹90.00 each")
    assert row.things == ("the cup",)


def test_a_side_pot_is_won_by_somebody_who_joined_it_with_a_reason_and_taken_back(dita: Client, night: Night):
    pots = dita.get(night.url("prizes")).context["pots"]
    offered = {pot["row"].name: [name for _, name in pot["players"]] for pot in pots}
    assert offered == {"High hand": ["Asha", "Bo", "Cy"], "Jackpot": ["Asha"]}
    refused = dita.post(night.url("prizes"), won(night, reason=""))
    assert refused.status_code == 422
    assert list(refused.context["form"].errors) == ["reason", "player"]
    assert dita.post(night.url("prizes"), won(night, "Cy", reason="four queens")).status_code == 302
    assert "Won by <bdi>Cy</bdi>" in flat(dita.get(night.url("prizes")).content.decode())
    taken = {"do": "undo", "pot": "High hand", "reason": "it was three queens"}
    assert dita.post(night.url("prizes"), taken).status_code == 302
    assert night.state.pots_won == {}


def test_a_rehearsal_has_no_prizes(dita: Client, club: Club):
    night = a_night(club, PLAN | {"is_rehearsal": True}, is_published=False)
    assert "this tournament is practice" in dita.get(night.url("prizes")).content.decode()


def test_the_public_page_tells_the_prizes_as_the_board_stands(client: Client, night: Night):
    Club.objects.filter(pk=night.tournament.club_id).update(is_published=True)
    club = night.tournament.club
    page = client.get(f"/c/{club.slug}/t/{night.tournament.slug}/").content.decode()
    assert "By current standings." in page
    assert "₹90.00 each" in page


def test_before_the_first_seat_the_public_page_tells_the_prizes_of_the_field(client: Client, club: Club):
    night = a_night(club, PLAN, entry_minor=10_000, is_published=True)
    night.enter("Asha", "Bo")
    Club.objects.filter(pk=club.pk).update(is_published=True)
    page = client.get(f"/c/{club.slug}/t/{night.tournament.slug}/").content.decode()
    assert "With everybody who has entered." in page
    assert "₹140.00" in page


def test_what_a_plan_finds_in_a_side_pot_stays_with_it(club: Club):
    """For a pot that is new to the plan the books are read; one that it had keeps its amount."""
    night = a_night(club, PLAN)
    make_plan(night.tournament.pk, PLAN | {"side_pots": [PLAN["side_pots"][0] | {"carried_minor": 99}]}, context=at())
    assert night.plan.side_pots == read_plan({"side_pots": [PLAN["side_pots"][0]]}).side_pots
