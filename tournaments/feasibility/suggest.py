"""Suggests a plan from three answers: the number of players, of rounds or minutes, and whether there is a final.

Rules: docs/rules/tournaments.md, "The plan"; docs/decisions/0051-three-questions.md. The suggestion was tried at the
expected number; if possible it also works for some fewer and some more.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from scoring.messages import Message, Words, english, say, say_many
from scoring.problems import OptionsRejected
from scoring.rules.table.formats import RawPlan
from scoring.rules.variants import play_problems, variant
from scoring.tournament import Plan, read_plan
from scoring.tournament.checks.playable import playable_problems
from scoring.tournament.plans import Stage
from tournaments.draw import LARGEST_TABLE, SMALLEST_TABLE
from tournaments.feasibility import RoundShape, SimulatedPlan, Trial, try_plan
from tournaments.feasibility.report import numbers_of

MOST_ROUNDS = 12
LIKED_SIZE = 6
# Clubs reckon with this: a deal of thirteen cards, and the time to find a seat before a round.
DEAL_MINUTES, BETWEEN_MINUTES = 5, 10
PRIZES = ((4, [10_000]), (10, [7_000, 3_000]), (501, [5_000, 3_000, 2_000]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The number of players and how it ends: after so many rounds, or within some minutes; with a final or without."""

    players: int
    rounds: int | None = None
    minutes: int | None = None
    has_final: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """A plan as input for a command, its report, and roughly how long it takes."""

    raw: RawPlan
    trial: Trial
    minutes: int
    lines: tuple[Message, ...]


def suggested(hall: SimulatedPlan, answers: Answers, translate: Callable[[Words], str] = english) -> Suggestion | None:
    """The first suitable plan that can be played; None if the game has no tables for that many.

    With a time limit it has the most rounds that fit, but at least one. `translate` is given the names of stages.
    """
    best = None
    round_counts = (answers.rounds,) if answers.rounds else range(1, MOST_ROUNDS + 1)
    for rounds in round_counts:
        suggestion = _playable(hall, answers, rounds, translate)
        if suggestion is None or (best and answers.minutes and suggestion.minutes > answers.minutes):
            break
        best = suggestion
    return best


def _playable(
    hall: SimulatedPlan, answers: Answers, rounds: int, translate: Callable[[Words], str]
) -> Suggestion | None:
    """That many rounds, with the tables that work for the most numbers of players."""
    ranked_suggestions: list[tuple[tuple[int, int], Suggestion]] = []
    for raw in _plans(hall, answers, rounds, translate):
        try:
            tried = replace(hall, plan=read_plan(raw))
        except OptionsRejected:
            continue
        if playable_problems(tried.plan, hall.terms):
            continue
        trial = try_plan(tried, answers.players)
        if trial.problems:
            continue
        stops = sum(bool(try_plan(tried, number).problems) for number in numbers_of(answers.players))
        suggestion = Suggestion(
            raw=raw, trial=trial, minutes=_minutes(tried, trial), lines=tuple(_lines(tried.plan, trial))
        )
        idle = sum(shape.sits_out for shape in trial.rounds)
        ranked_suggestions.append(((stops, idle), suggestion))
        if not stops and not idle:
            break
    return min(ranked_suggestions, key=lambda one: one[0])[1] if ranked_suggestions else None


def _plans(hall: SimulatedPlan, answers: Answers, rounds: int, translate: Callable[[Words], str]) -> Iterator[RawPlan]:
    """Plans that differ in the sizes of their tables, the widest choice of sizes last."""
    for sizes in _ranges(hall):
        largest = sizes["largest_table"]
        stage: RawPlan = {"rounds": rounds, **sizes}
        if rounds > 1:
            points = list(range(largest, 0, -1))
            stage |= {"compares": "rank_points", "rank_points": points}
        stages = [stage]
        seats = min(largest, answers.players)
        if answers.has_final and answers.players > largest:
            stage |= {"name": translate(say("Qualifying")), "advancing": seats}
            final = {**sizes, "preferred_table": largest}
            stages.append({"name": translate(say("Final")), **final, "seating": "standing"})
        shares = next(shares for below, shares in PRIZES if answers.players < below)
        yield {"stages": stages, "prizes_bp": shares}


def _ranges(hall: SimulatedPlan) -> Iterator[dict[str, int]]:
    """Ranges of playable sizes without a gap, from three or four seats on, then from the smallest."""
    fits = playable_sizes(hall.terms.variant, hall.terms.options, hall.terms.stakes)
    runs = [[size for _, size in run] for _, run in groupby(enumerate(fits), key=lambda each: each[1] - each[0])]
    for run in sorted(runs, key=lambda run: abs(min(run[-1], LIKED_SIZE) - 4)):
        largest = min(run[-1], LIKED_SIZE) if run[0] <= LIKED_SIZE else run[0]
        for smallest in dict.fromkeys(least for least in (4, 3, run[0]) if run[0] <= least <= largest):
            yield {"smallest_table": smallest, "largest_table": largest, "preferred_table": largest}


def playable_sizes(name: str, options: Mapping[str, object], stakes: Mapping[str, object]) -> tuple[int, ...]:
    """Numbers of seats at which the game can be played with these options."""
    return tuple(
        size
        for size in variant(name).seats_allowed
        if SMALLEST_TABLE <= size <= LARGEST_TABLE
        and not play_problems(name, options=options, stakes=stakes, seats=[str(n) for n in range(size)])
    )


def _minutes(hall: SimulatedPlan, trial: Trial) -> int:
    """The approximate minutes: in each round as long as the table with the most deals."""
    stages = hall.plan.stages
    return sum(_round_minutes(hall, stages[shape.stage - 1], shape) + BETWEEN_MINUTES for shape in trial.rounds)


def _round_minutes(hall: SimulatedPlan, stage: Stage, shape: RoundShape) -> int:
    if stage.length == "minutes":
        return stage.minutes
    tables = hall.tables_of(stage)
    return DEAL_MINUTES * max(tables.played([0] * size).deals for size in set(shape.sizes))


def _lines(plan: Plan, trial: Trial) -> Iterator[Message]:
    """The plan as text, a line for each stage."""
    for number, shapes in groupby(trial.rounds, key=lambda shape: shape.stage):
        rounds = list(shapes)
        stage, first = plan.stages[number - 1], rounds[0]
        count = say_many("{count} round", "{count} rounds", count=len(rounds))
        tables = tuple(
            say_many("{count} table of {size}", "{count} tables of {size}", count=first.sizes.count(size), size=size)
            for size in dict.fromkeys(first.sizes)
        )
        if stage.name or len(plan.stages) > 1:
            name = stage.called or say("stage {number}", number=number)
            yield say("{name}: {rounds}, {tables}", name=name, rounds=count, tables=tables)
        else:
            yield say("{rounds}, {tables}", rounds=count, tables=tables)
        if number < len(plan.stages) and stage.advancing:
            yield say_many("{count} player qualifies", "{count} players qualify", count=stage.advancing)
