"""A plan is simulated beforehand: which numbers of players stop it, what only changes, and which fixes are offered."""

import pytest

from scoring.messages import english
from scoring.problems import OptionsRejected
from scoring.rules.variants import PRESETS
from scoring.tournament import read_plan
from scoring.tournament.checks.playable import playable_problems
from scoring.tournament.plans import Plan
from scoring.tournament.plans.formats import format_named
from scoring.tournament.state.terms import Terms
from tests.builders.counted_calls import counted_calls
from tournaments.feasibility import SimulatedPlan, tables, try_plan
from tournaments.feasibility.report import changed, expected_problems, fixes, numbers_of, report

SIX = {"smallest_table": 4, "largest_table": 6, "preferred_table": 6}
# Today 850,000: two seconds on an idle machine.
MOST_CALLS = 1_200_000


def hall(preset, raw, *, entry=20_000):
    rules, chosen = PRESETS[preset]
    stakes = {"entry_minor": entry, "fee_bp": 1_000, "point_value_minor": 100}
    terms = Terms(variant=rules.name, options=chosen.options, stakes=stakes)
    try:
        plan = read_plan(raw)
    except OptionsRejected:
        plan = Plan()
    return SimulatedPlan(plan=plan, terms=terms)


def refused(preset, raw, players):
    return [english(problem.message) for problem in report(hall(preset, raw), players).problems]


def noted(preset, raw, players):
    return {english(note.message): note.numbers for note in report(hall(preset, raw), players).notes}


def stopped(here, raw, players):
    try:
        return playable_problems(read_plan(raw), here.terms) or report(here, players).problems
    except OptionsRejected as unread:
        return unread.problems


def of_format(name, players):
    known = format_named(name)
    assert known is not None
    return known.plan(players)


def mended(preset, raw, players):
    """The fixes offered, after each was shown to work."""
    here = hall(preset, raw)
    found = fixes(raw, here, players, stopped(here, raw, players))
    for fix in found:
        after = changed(raw, fix.changes)
        assert not playable_problems(read_plan(after), here.terms)
        assert refused(preset, after, players) == []
    return [[(change.stage, change.field, change.value) for change in fix.changes] for fix in found]


@pytest.mark.slow
def test_forty_eight_over_seven_rounds_at_nine_numbers_in_the_time_of_a_request():
    here = hall("points", of_format("seven_rounds_of_four", 48))
    tables.played_out.cache_clear()
    with counted_calls() as calls:
        tried = report(here, 48)
    assert calls.made < MOST_CALLS
    assert tried.tried == tuple(range(44, 53))
    assert not tried.refusals
    assert [len(trial.rounds) for trial in tried.trials] == [7] * 9


@pytest.mark.slow
def test_every_round_seats_everybody_once_and_every_prize_is_paid():
    for trial in report(hall("pool_101", of_format("48_24_6", 48)), 48).trials:
        first = trial.rounds[0]
        assert sum(first.sizes) + first.sits_out == trial.players
        sheet = trial.sheet
        assert sheet is not None
        paid_in = sum(sheet.entries.charges.values())
        assert sum(sheet.awards.values()) + sheet.taken.fee + sum(sheet.house.values()) == paid_in
        assert sheet.is_payable


def test_a_plan_that_ends_with_too_few_for_its_final_says_at_which_numbers():
    raw = {"stages": [{**SIX, "per_table": 1}, SIX]}
    assert refused("pool_101", raw, 18) == [
        "with 14 to 18 players: stage 2: 3 players cannot fill a table: the smallest size allowed is 4"
    ]
    assert refused("pool_101", raw, 28) == []


def test_of_one_field_the_number_nearest_to_the_expected_one_is_told():
    raw = {"stages": [{"smallest_table": 6, "preferred_table": 6}]}
    assert refused("points", raw, 7) == [
        "with 5 players: stage 1: 5 players cannot fill a table: the smallest size allowed is 6"
    ]


def test_three_sit_at_no_table_of_gin():
    raw = {"stages": [{"rounds": 3, "smallest_table": 2, "largest_table": 4, "preferred_table": 4}]}
    assert not try_plan(hall("gin", raw), 20).problems
    (problem,) = try_plan(hall("gin", raw), 19).problems
    assert "not 3" in english(problem.message)
    assert problem.field == "stage 1, smallest_table"


def test_a_player_who_carries_the_limit_is_out_before_the_final_is_dealt():
    raw = {"stages": [{**SIX, "wild_cards": 6}, {**SIX, "carries": "score"}]}
    (problem,) = try_plan(hall("pool_101", raw), 12).problems
    assert english(problem.message) == "stage 2: players qualify who bring 101 or more, and are out at 101"
    assert problem.field == "stage 2, carries"


def test_what_changes_silently_is_said_and_refuses_nothing():
    raw = {"stages": [{"smallest_table": 3, "largest_table": 4, "preferred_table": 4}], "prizes_bp": [5000, 3000, 2000]}
    notes = noted("points", raw, 5)
    assert notes["stage 1: 1 player sits out in each round"] == (5,)
    assert notes["stage 1: 1 table of 3"] == (3, 7)
    assert notes["stage 1: 2 tables of 3"] == (6,)
    table = {"smallest_table": 2, "largest_table": 4, "preferred_table": 4}
    alone = {"stages": [table], "prizes_bp": [4000, 3000, 2000, 1000]}
    assert noted("points", alone, 3)["1 prize cannot be won: it has no player for its place"] == (3,)


def test_a_score_that_somebody_has_to_reach_is_no_certainty():
    raw = {"stages": [{**SIX, "at_least": -200}, SIX]}
    assert refused("points", raw, 12) == []
    assert "stage 1: how many players qualify depends on the scores" in noted("points", raw, 12)


@pytest.mark.parametrize("players", [1, 5_000])
def test_one_player_or_five_thousand_are_no_tournament(players):
    (problem,) = expected_problems(hall("points", {"stages": [SIX]}), players)
    assert english(problem.message) == f"a tournament has 2 to 500 players, not {players}"
    assert list(numbers_of(players)) == [players]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("preset", "raw", "players", "first"),
    [
        ("pool_101", {"stages": [{**SIX, "advancing": 6}, {**SIX, "length": "deals"}]}, 18, [(2, "length", "game")]),
        ("pool_101", {"stages": [{**SIX, "advancing": 3}, SIX]}, 18, [(1, "advancing", 4)]),
        ("pool_101", {"stages": [{**SIX, "per_table": 1}, SIX]}, 18, [(2, "smallest_table", 3)]),
        ("points", {"stages": [{"smallest_table": 6, "preferred_table": 6}]}, 6, [(1, "smallest_table", 2)]),
        ("points", {"stages": [{**SIX, "rounds": 2}, SIX]}, 18, [(1, "per_table", 2)]),
    ],
)
def test_the_smallest_change_that_mends_a_plan_is_found_by_trying(preset, raw, players, first):
    assert mended(preset, raw, players)[0] == first


def test_two_fields_are_changed_where_one_does_not_do():
    raw = {"stages": [{**SIX, "advancing": 3}, {"smallest_table": 6, "preferred_table": 6, "length": "deals"}]}
    found = mended("pool_101", raw, 18)
    assert found
    assert all(len(changes) == 2 for changes in found)


@pytest.mark.slow
def test_the_same_trial_ends_the_same_way():
    raw = of_format("48_24_6", 30)
    first = report(hall("pool_201", raw), 30)
    tables.played_out.cache_clear()
    assert report(hall("pool_201", raw), 30) == first


@pytest.mark.slow
def test_tables_that_begin_alike_are_dealt_once_however_often_a_plan_is_tried(monkeypatch: pytest.MonkeyPatch):
    raw = of_format("48_24_6", 30)
    tables.played_out.cache_clear()
    first = report(hall("pool_201", raw), 30)
    monkeypatch.setattr(tables, "next_deal", None)
    assert report(hall("pool_201", raw), 30) == first
    with pytest.raises(TypeError):
        report(hall("pool_101", raw), 30)
