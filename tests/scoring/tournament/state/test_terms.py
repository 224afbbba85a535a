"""What a stage plays: the tournament's game, perhaps with options of its own, or another game with its own options.

Planted faults these catch: house rules of the tournament left in a game of the stage's own, a preset that a later
release could change, a stage of an old plan stored with fields that it did not have.
"""

import msgspec
import pytest

from scoring.events import wire
from scoring.problems import OptionsRejected
from scoring.rules.variants import PRESETS
from scoring.tournament import Plan, TournamentState, as_stored, fold_tournament, read_plan
from scoring.tournament.plans import Stage
from scoring.tournament.state.terms import Terms

POOL = Terms(variant="pool", options={"limit": 101}, stakes={"point_value_minor": 100, "entry_minor": 5_000})


def stage(**said: object) -> Stage:
    return read_plan({"stages": [said]}).stages[0]


def test_a_stage_plays_what_its_tournament_plays_where_it_says_nothing_else():
    assert POOL.of(stage()) == POOL.of(None) == POOL
    assert POOL.of(stage(options={"limit": 201})).options == {"limit": 201}
    assert POOL.of(stage(preset="pool_201")).setup.options.limit == 201
    values = [POOL.of(stage(point_value_minor=value)).stakes["point_value_minor"] for value in (None, 0, 250)]
    assert values == [100, 0, 250]
    # A game of its own leaves the tournament's house rules behind.
    own = POOL.of(stage(preset="deals_best_of_2"))
    assert (own.variant, own.options) == ("deals", PRESETS["deals_best_of_2"][1].options)


def test_the_number_of_deals_of_a_table_is_that_of_its_stage():
    fixed = stage(preset="deals_best_of_2", length="deals_as_seats")
    assert POOL.at_table(fixed, 5).options["deals"] == 5
    assert POOL.at_table(stage(preset="deals_best_of_2"), 5).options == POOL.of(stage(preset="deals_best_of_2")).options


def test_a_plan_is_kept_with_all_options_of_its_games():
    kept = as_stored(read_plan({"stages": [{"preset": "pool_201", "options": {"first_drop": 30}}]}), None).stages[0]
    assert (kept.preset, kept.variant) == ("pool_201", "pool")
    assert kept.options == {**PRESETS["pool_201"][1].options, "first_drop": 30}


def test_a_preset_that_changes_later_changes_no_plan(monkeypatch: pytest.MonkeyPatch):
    kept = as_stored(read_plan({"stages": [{"preset": "pool_201"}]}), None)
    rules, preset = PRESETS["pool_201"]
    monkeypatch.setitem(PRESETS, "pool_201", (rules, msgspec.structs.replace(preset, options={"limit": 61})))
    assert POOL.of(kept.stages[0]).setup.options.limit == 201
    assert as_stored(read_plan(msgspec.to_builtins(kept)), kept) == kept
    monkeypatch.delitem(PRESETS, "pool_201")
    assert read_plan(msgspec.to_builtins(kept)) == kept


def test_a_stored_plan_without_games_reads_and_is_kept_as_it_was():
    before = msgspec.to_builtins(Plan())
    assert not {"preset", "variant", "point_value_minor"} & before["stages"][0].keys()
    evening = fold_tournament(TournamentState(), [(1, wire.PlanMade(plan=before))])
    assert evening.plan is not None
    assert msgspec.json.encode(msgspec.to_builtins(evening.plan)) == msgspec.json.encode(before)


@pytest.mark.parametrize(
    ("said", "field", "words"),
    [
        ({"preset": "whist"}, "preset", "there is no preset 'whist'"),
        ({"variant": "whist"}, "variant", "there is no variant 'whist'"),
        ({"preset": "gin", "variant": "pool"}, "preset", "Gin rummy, to 100 is not Pool rummy: remove one of the two"),
        ({"point_value_minor": -1}, "point_value_minor", ""),
        ({"point_value_minor": 1_000_001}, "point_value_minor", ""),
        ({"preset": "x" * 61}, "preset", ""),
    ],
)
def test_a_game_that_nobody_knows_is_refused_at_its_field(said: dict[str, object], field: str, words: str):
    with pytest.raises(OptionsRejected) as refused:
        stage(**said)
    (problem,) = refused.value.problems
    assert problem.field == f"stage 1, {field}"
    assert words in problem.text()
