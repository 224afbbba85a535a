"""A plan is simulated with the expected players before it is stored: the command checks this."""

import pytest

from scoring.problems import OptionsRejected
from tests.builders.playing import context, new_tournament
from tournaments.entries.commands.enter import enter_list
from tournaments.entries.commands.lists import EntryRow
from tournaments.running.commands.create import Expected, make_plan
from tournaments.running.commands.record import tournament_state

pytestmark = pytest.mark.django_db
SIX = {"smallest_table": 4, "largest_table": 6, "preferred_table": 6}
THIN = {"stages": [{**SIX, "per_table": 1}, SIX]}


def enter(tournament, count):
    rows = [EntryRow(number=number, name=f"Player {number}") for number in range(1, count + 1)]
    enter_list(tournament.id, rows, context=context(), adds_new=True)


def test_a_plan_that_stops_with_those_expected_is_not_stored():
    tournament = new_tournament()
    for players, why in (
        (18, "with 18 players: stage 2: 3 players cannot fill a table"),
        (5_000, "a tournament has 2 to 500 players, not 5000"),
    ):
        with pytest.raises(OptionsRejected, match=why):
            make_plan(tournament.id, THIN, context=context(), expected=Expected(players=players))
    assert tournament_state(tournament).plan is None
    make_plan(tournament.id, THIN, context=context(), expected=Expected(players=28))
    assert tournament_state(tournament).plan is not None


def test_without_a_number_those_who_have_entered_are_expected_once_they_fill_a_table():
    tournament = new_tournament()
    enter(tournament, 3)
    make_plan(tournament.id, THIN, context=context())
    enter(tournament, 12)
    with pytest.raises(OptionsRejected, match="with 12 players"):
        make_plan(tournament.id, THIN, context=context())


def test_a_plan_sent_again_is_answered_though_more_have_entered_since():
    tournament, once = new_tournament(), context()
    make_plan(tournament.id, THIN, context=once)
    enter(tournament, 12)
    assert make_plan(tournament.id, THIN, context=once).is_replay
