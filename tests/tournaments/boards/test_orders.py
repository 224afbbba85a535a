"""The order of an evening is cached, and never used for another state of it."""

from collections.abc import Callable

import pytest
from django.core.cache import caches
from msgspec.structs import replace

from scoring.events import wire
from scoring.tournament import TournamentState
from scoring.tournament.standings import StagePlaces
from tests.builders.admin_tables import club_called
from tests.builders.admin_tournaments import HEATS, Night, a_night, play_out
from tournaments.projections.boards import final_order, order_of, seats_played
from tournaments.running.queries.stages import cut_proposal

pytestmark = pytest.mark.django_db


def order_now(night: Night) -> tuple[StagePlaces, ...]:
    return order_of(night.tournament, night.state, seats_played(night.tournament, night.state))


def test_an_order_is_worked_out_once_for_the_same_and_again_for_anything_else():
    """Planted fault: an order cached by the tournament alone stayed after a deal."""
    night = a_night(club_called("Rummy Circle", "circle"), HEATS)
    night.enter("Asha", "Bo", "Cy", "Dev")
    first, _ = night.seat()
    before = order_now(night)
    assert order_now(night) is before
    play_out(first)
    after = order_now(night)
    assert after != before
    places = final_order(night.tournament, night.state, seats_played(night.tournament, night.state))
    assert [place for _, place in places] == [row.place for found in after for row in found.rows]


REENTRY = {"reentry_minor": 100, "reentry_until_round": 1, "reentry_begins": "chips", "reentry_chips": 9}
CARRIED = {"stages": [HEATS["stages"][0], {**HEATS["stages"][1], "carries": "score", **REENTRY}]}


def other_cut(evening: TournamentState) -> TournamentState:
    """Every player carries three points more into the final."""
    (cut,) = evening.cuts
    carried = {player: points + 3 for player, points in cut.carried.items()}
    return replace(evening, cuts=(replace(cut, carried=carried),))


def other_seats(evening: TournamentState) -> TournamentState:
    """There was one more round, which most did not play."""
    first, *_ = evening.rounds
    return replace(evening, rounds=(*evening.rounds, replace(first, round=3, tables=first.tables[:1])))


def other_entrants(evening: TournamentState) -> TournamentState:
    """Players who came in between the stages had re-entered."""
    last = evening.rounds[-1].tables[0].players[-1]
    one = {last: replace(evening.entrants[last], reentries=(2,))}
    return replace(evening, entrants={**evening.entrants, **one})


def other_plan(evening: TournamentState) -> TournamentState:
    assert evening.plan is not None
    heats, final = evening.plan.stages
    return replace(evening, plan=replace(evening.plan, stages=(replace(heats, compares="average"), final)))


@pytest.mark.slow
@pytest.mark.parametrize("other", [other_cut, other_seats, other_entrants, other_plan])
def test_lines_of_another_evening_are_not_taken_over(other: Callable[[TournamentState], TournamentState]):
    """Planted faults: each of the inputs of the lines left out of the comparison."""
    night = a_night(club_called("Rummy Circle", "circle"), CARRIED)
    night.enter("Asha", "Bo", "Cy", "Dev", "Esha", "Farid")
    for table in night.seat():
        play_out(table)
    proposal = cut_proposal(night.tournament, night.state)
    brought = {"carried": dict(proposal.carried), "left": dict(proposal.left)}
    night.record(wire.CutMade(stage=1, advancing=proposal.advancing, **brought))
    night.seat(proposal.advancing, size=3)
    played, evening = seats_played(night.tournament, night.state), night.state
    # The last of them qualified otherwise than by the cut.
    (cut,), last = evening.cuts, proposal.advancing[-1]
    carried = {player: points for player, points in cut.carried.items() if player != last}
    evening = replace(evening, cuts=(replace(cut, advancing=cut.advancing[:-1], carried=carried),))
    before = order_of(night.tournament, evening, played)
    after = order_of(night.tournament, other(evening), played)
    assert after != before
    caches["objects"].clear()
    assert order_of(night.tournament, other(evening), played) == after
