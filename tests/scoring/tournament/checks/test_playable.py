"""A plan is stored only if it can be seated and decided: every game with every length, cut, table size and carry-over.

Accepted plans are played to the end by a simulator; refused ones are shown to get stuck. Planted faults that
this catches: a fixed number of deals left to every game, sizes looked at without the game, cuts that lead nowhere.
"""

import itertools
import random
from collections.abc import Iterator
from typing import Any

import pytest

from scoring.problems import OptionsRejected
from scoring.rules.variants import PRESETS, VARIANTS
from scoring.tournament import Plan, read_plan
from scoring.tournament.checks.playable import playable_problems
from scoring.tournament.state.terms import Terms
from tests.builders.playing_plans import CannotBePlayed, PlayedPlan
from tests.builders.samples import each, tries
from tests.builders.wording import picture, refusal
from tournaments.draw import SeatingRejected
from tournaments.feasibility import SimulatedPlan, try_plan

LENGTHS: tuple[dict[str, Any], ...] = (
    {"length": "game"},
    {"length": "deals", "deals": 2},
    {"length": "deals", "deals": 30},
    {"length": "deals_as_seats"},
    {"length": "minutes", "minutes": 20},
)
CUTS: tuple[dict[str, Any], ...] = (
    {"per_table": 1},
    {"per_table": 2},
    {"per_table": 1, "wild_cards": 2},
    {"advancing": 1},
    {"advancing": 4},
    {"wild_cards": 1},
)
SIZES = ((2, 2, 2), (3, 4, 6), (4, 4, 4), (5, 6, 6), (2, 4, 4), (7, 8, 8), (9, 10, 10))
CARRIES = ("nothing", "score")
COMPARES = ("score", "rank_points", "average")
PLAYERS = 16
EVERY = list(itertools.product(sorted(VARIANTS), LENGTHS, LENGTHS, CUTS, SIZES, SIZES, CARRIES, COMPARES))
STOPS = (CannotBePlayed, OptionsRejected, SeatingRejected)


def terms_of(game: str) -> Terms:
    return Terms(variant=game, options={}, stakes={"point_value_minor": 100, "entry_minor": 10_000})


def plan_of(combination: tuple[Any, ...]) -> Plan:
    _, first, last, cut, sizes, final, carries, compares = combination
    stages = [
        {**first, **cut, **_sizes(sizes), "compares": compares},
        {**last, **_sizes(final), "compares": compares, "carries": carries},
    ]
    return read_plan({"stages": stages})


def _sizes(sizes: tuple[int, int, int]) -> dict[str, int]:
    return dict(zip(("smallest_table", "preferred_table", "largest_table"), sizes, strict=True))


def drawn(seed: int, number: int) -> list[tuple[Any, ...]]:
    return random.Random(seed).sample(EVERY, number)


def fields_for(plan: Plan) -> Iterator[int]:
    """Numbers of players with which each size that the first stage allows occurs."""
    yield from dict.fromkeys((PLAYERS, *(2 * size for size in plan.stages[0].sizes), *plan.stages[0].sizes))


def comes_to_a_stand(plan: Plan, terms: Terms, seed: int) -> bool:
    for players in fields_for(plan):
        try:
            PlayedPlan(plan, terms, players, seed).whole()
        except STOPS:
            return True
    return False


def try_plans(seed: int, number: int) -> tuple[int, int]:
    taken = refused = 0
    for combination in drawn(seed, number):
        plan, terms = plan_of(combination), terms_of(combination[0])
        problems = playable_problems(plan, terms)
        if problems:
            refused += 1
            assert all(problem.field and "stage " in problem.text() for problem in problems)
            assert comes_to_a_stand(plan, terms, seed) or _is_of_a_later_size(plan, problems), (combination, problems)
        else:
            taken += 1
            _played(plan, terms, combination, seed)
    return taken, refused


def _played(plan: Plan, terms: Terms, combination: tuple[Any, ...], seed: int) -> None:
    """With as many players as fill the first stage, and let enough of them qualify."""
    played = PlayedPlan(plan, terms, PLAYERS * 2, seed)
    try:
        placed = played.whole()
    except SeatingRejected:
        # How many go on of each table depends on how many come: that is no fault of the plan.
        if not combination[3].get("per_table") or not played.state.cuts:
            raise
        return
    assert {player for player, _ in placed} == {seat.player for seat in played.played}


def _is_of_a_later_size(plan: Plan, problems: Any) -> bool:
    """A size of the final that this many players would not give."""
    return all(problem.field.startswith("stage 2") for problem in problems)


@pytest.mark.slow
def test_a_plan_that_is_taken_can_be_played_and_one_that_is_refused_cannot():
    taken, refused = try_plans(seed=12, number=75)
    assert taken >= 5
    assert refused >= 50


@pytest.mark.slow(long=True)
def test_a_plan_that_is_taken_can_be_played_and_one_that_is_refused_cannot_often():
    taken, refused = try_plans(seed=13, number=tries(6_000))
    assert taken >= tries(300)
    assert refused >= tries(3_000)


GAMES = ("pool_101", "pool_201", "deals_best_of_2", "points", "gin", "rum", "rummy500", "romme_match_points", "block")
COUNTED = ("nothing", "score", "score")


def mixed(chance: random.Random) -> dict[str, Any]:
    """Two to four stages, each with a game, options, stake, length and cut of its own, or the tournament's."""
    stages = [
        {
            "rounds": chance.choice((1, 1, 2)),
            **_sizes(chance.choice((*SIZES[:4], (4, 4, 4), (4, 4, 4)))),
            **(chance.choice(LENGTHS) if chance.random() < 0.3 else {}),
            **(chance.choice(CUTS) if chance.random() < 0.3 else {"advancing": chance.choice((4, 8))}),
            "compares": chance.choice((*COMPARES, "rank_points")),
            "carries": chance.choice(COUNTED) if number else "nothing",
            **({"preset": chance.choice(GAMES)} if chance.random() < 0.7 else {}),
            **({"point_value_minor": chance.choice((0, 50))} if chance.random() < 0.2 else {}),
        }
        for number in range(chance.randint(2, 4))
    ]
    stages[-1] |= {"per_table": 0, "wild_cards": 0, "advancing": 0}
    return {"stages": stages}


def try_mixed(seed: int, number: int) -> tuple[int, int]:
    """Refused beforehand, with a stage and a field, or played to its end by the simulator."""
    played = refused = 0
    for at in range(number):
        chance = random.Random(f"{seed}:{at}")
        raw, terms = mixed(chance), terms_of(chance.choice(("pool", "deals", "points", "gin")))
        try:
            plan = read_plan(raw)
            problems: Any = playable_problems(plan, terms)
        except OptionsRejected as unread:
            problems = unread.problems
        if problems:
            refused += 1
            assert all(problem.field and "stage " in problem.text() for problem in problems), raw
            continue
        trial = try_plan(SimulatedPlan(plan=plan, terms=terms), PLAYERS * 3)
        if trial.problems:
            # How many go on follows from how many come, and is refused when that number is tried.
            assert {problem.code for problem in trial.problems} == {"cannot_be_played"}
            refused += 1
            continue
        played += 1
        PlayedPlan(plan, terms, PLAYERS * 3, seed).whole()
    return played, refused


@pytest.mark.slow
def test_a_plan_of_any_games_is_refused_or_played_to_its_end():
    played, refused = try_mixed(seed=46, number=30)
    assert played >= 5
    assert refused >= 15


@pytest.mark.slow(long=True)
def test_a_plan_of_any_games_is_refused_or_played_to_its_end_often():
    played, refused = try_mixed(seed=47, number=tries(3_000))
    assert played >= tries(200)
    assert refused >= tries(500)


HEATS = {"name": "Heats", "per_table": 2, **_sizes((4, 4, 4))}
FINAL = {"name": "Final", "carries": "score", "preset": "deals_best_of_2", **_sizes((4, 4, 4))}


RANKED = {"compares": "rank_points"}
VALUELESS = FINAL | {"carries": "nothing", "preset": "points", "point_value_minor": 0}
# By what they show: the game, the stages, and more.
PLANS: dict[str, tuple[str, list[dict[str, Any]], dict[str, Any]]] = {
    "a score is not carried into another game": ("pool", [HEATS, FINAL], {}),
    "nothing is carried into another game": ("pool", [HEATS, FINAL | {"carries": "nothing"}], {}),
    "points for places are carried after any game": ("pool", [HEATS | RANKED, FINAL | RANKED], {}),
    "the tournament's game after another adds nothing either": (
        "pool",
        [HEATS | {"preset": "gin"}, {"carries": "score"}],
        {},
    ),
    "points without a value": ("pool", [HEATS, VALUELESS], {}),
    "points with a value": ("pool", [HEATS, VALUELESS | {"point_value_minor": 50}], {}),
    "a number of deals that the game does not have": ("pool", [{"per_table": 1}, {"length": "deals", "deals": 4}], {}),
    "a number of deals that the game has": ("deals", [{"per_table": 1}, {"length": "deals", "deals": 4}], {}),
    "sizes that the game does not seat": ("gin", [_sizes((4, 5, 7))], {}),
    "more deals than the game allows": ("deals", [{"length": "deals", "deals": 30}], {}),
    "a cut that leaves too few for a table": ("points", [{"advancing": 2}, {"smallest_table": 3}], {}),
    "totals over the limit carried into a pool": (
        "pool",
        [{"per_table": 3}, {"carries": "score"}],
        {"options": {"limit": 101}},
    ),
    "the total of the winner carried into a pool": (
        "pool",
        [{"per_table": 1}, {"carries": "score", "smallest_table": 2}],
        {},
    ),
    "a stage that is still to be played": ("pool", [{"per_table": 1, "length": "deals"}, {}], {}),
    "a stage that was played": ("pool", [{"per_table": 1, "length": "deals"}, {}], {"since": 2}),
}


def test_a_plan_that_cannot_be_played_is_refused_at_its_stage_and_field(snapshot):
    answers = (
        (f"{name}: {game}", told({"stages": stages}, game, **more)) for name, (game, stages, more) in PLANS.items()
    )
    assert picture(answers) == snapshot


def told(raw: dict[str, Any], game: str, **more: Any) -> list[str]:
    terms = Terms(variant=game, options=more.pop("options", {}), stakes={"point_value_minor": 100})
    return [refusal(problem) for problem in playable_problems(read_plan(raw), terms, **more)]


@pytest.mark.parametrize("preset", each(*PRESETS, quick=[variant.presets[0].name for variant in VARIANTS.values()]))
def test_one_table_of_every_preset_is_a_plan(preset: str):
    rules, found = PRESETS[preset]
    terms = Terms(variant=rules.name, options=found.options, stakes={"point_value_minor": 100})
    plans = [read_plan({"stages": [_sizes((size, size, size))]}) for size in rules.seats_allowed]
    assert any(not playable_problems(plan, terms) for plan in plans)
