"""Tries a plan at the expected number of players, some fewer and some more, and finds changes that would fix it.

Rules: docs/decisions/0050-a-plan-is-rehearsed.md. What makes it fail at some number is a problem with that number; what
only changes is a note. A fix first changes one field of the failing stages, the nearest value first; if none is enough,
one more field after a change that fixes a part. A change counts if the whole plan passes at every number.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.messages import Message, say
from scoring.options import describe_options
from scoring.problems import OptionsRejected, Problem
from scoring.rules.table.formats import RawPlan
from scoring.tournament import Plan, Stage, read_plan
from scoring.tournament.checks.playable import playable_problems
from tournaments.feasibility import FEWEST, MOST, SimulatedPlan, Trial, number_problem, try_plan

MARGIN = 4
# Players times rounds times numbers that one request may try: about two seconds.
MOST_AT_ONCE = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The same message at some numbers of players, the fewest first."""

    numbers: tuple[int, ...]
    message: Message
    field: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The results of a plan at several numbers of players."""

    expected: int
    trials: tuple[Trial, ...]

    @property
    def tried(self) -> tuple[int, ...]:
        return tuple(trial.players for trial in self.trials)

    @property
    def refusals(self) -> tuple[Found, ...]:
        """The problems, each with all numbers at which it occurs."""
        occurrences = (
            (trial.players, problem.message, problem.field) for trial in self.trials for problem in trial.problems
        )
        return _together(occurrences)

    @property
    def notes(self) -> tuple[Found, ...]:
        """The notes on silent changes."""
        return _together((trial.players, note, None) for trial in self.trials for note in trial.notes)

    @property
    def problems(self) -> list[Problem]:
        """The problems for a form: one per field, the nearest to the expected number."""
        nearest = sorted(self.refusals, key=lambda found: min(abs(at - self.expected) for at in found.numbers))
        by_field = {refusal.field: refusal for refusal in reversed(nearest)}
        return [
            Problem("cannot_be_played", at_numbers(refusal.numbers, refusal.message), field=refusal.field)
            for refusal in by_field.values()
        ]


def numbers_of(players: int, margin: int = MARGIN) -> Sequence[int]:
    """The numbers to try a plan at: the expected one, and up to `margin` fewer and more within the limits."""
    if not FEWEST <= players <= MOST:
        return (players,)
    return range(max(FEWEST, players - margin), min(MOST, players + margin) + 1)


def work_of(plan: Plan, players: int, margin: int = MARGIN) -> int:
    """The size of a trial at all numbers: seats to fill."""
    return sum(stage.rounds for stage in plan.stages) * sum(numbers_of(players, margin))


def report(hall: SimulatedPlan, players: int, *, margin: int = MARGIN) -> Report:
    """Try a plan at every number."""
    return Report(expected=players, trials=tuple(try_plan(hall, number) for number in numbers_of(players, margin)))


def expected_problems(hall: SimulatedPlan, players: int) -> list[Problem]:
    """Problems with a plan at the expected number, within a bounded time.

    If it is too large to be tried at once, there are none: its structure was checked before.
    """
    if not FEWEST <= players <= MOST:
        return [number_problem(players)]
    return report(hall, players, margin=0).problems if work_of(hall.plan, players, margin=0) <= MOST_AT_ONCE else []


def at_numbers(numbers: Sequence[int], message: Message) -> Message:
    """A message that holds at some numbers of players."""
    if len(numbers) == 1:
        return say("with {number} players: {why}", number=numbers[0], why=message)
    if list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return say("with {first} to {last} players: {why}", first=numbers[0], last=numbers[-1], why=message)
    return say("with {list} players: {why}", list=tuple(numbers), why=message)


def _together(refusals: Iterable[tuple[int, Message, str | None]]) -> tuple[Found, ...]:
    numbers_by_problem: dict[tuple[Message, str | None], list[int]] = {}
    for number, message, field in refusals:
        numbers_by_problem.setdefault((message, field), []).append(number)
    return tuple(
        Found(numbers=tuple(dict.fromkeys(numbers)), message=message, field=field)
        for (message, field), numbers in numbers_by_problem.items()
    )


# Finds the smallest changes that make a plan playable, by trying them.

MOST_FIXES = 3
# Whole trials in one request, and plans that are only parsed.
MOST_TRIALS, MOST_READ = 40, 400
MOST_STEPS = 4
FURTHEST = 5
STAGE_FIELD = re.compile(r"stage (\d{1,2}), (\w+)")
SIZES = ("smallest_table", "preferred_table", "largest_table")
# In the order in which directors think of them.
TRIED = (
    *("length", *SIZES, "per_table", "wild_cards", "advancing"),
    *("carries", "compares", "deals", "reentry_begins", "reentry_chips", "reentry_at_least", "reentry_own_least"),
)
DESCRIBED = {option["name"]: option for option in describe_options(Stage) if option["name"] in TRIED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A new value for one field of a stage; None clears it."""

    stage: int
    field: str
    value: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """Changes that together fix a plan."""

    changes: tuple[Change, ...]


@dataclass(slots=True, kw_only=True)
class _Search:
    """A plan to be fixed, and the number of tries left."""

    raw: RawPlan
    hall: SimulatedPlan
    players: int
    margin: int
    failing: int
    trials: int = MOST_TRIALS
    read: int = MOST_READ

    def left(self, changes: Sequence[Change]) -> Sequence[Problem] | None:
        """The problems left with these changes, at the first failing number or at any; None once the tries are used up.

        A plan that is too large to be tried at once is only checked by its structure.
        """
        self.read -= 1
        if self.read < 0 or self.trials <= 0:
            return None
        try:
            hall = replace(self.hall, plan=read_plan(changed(self.raw, changes)))
        except OptionsRejected as refused:
            return refused.problems
        problems = playable_problems(hall.plan, hall.terms)
        if problems or work_of(hall.plan, self.players, self.margin) > MOST_AT_ONCE:
            return problems
        self.trials -= 1
        return try_plan(hall, self.failing).problems or report(hall, self.players, margin=self.margin).problems


def fixes(
    raw: RawPlan, hall: SimulatedPlan, players: int, problems: Sequence[Problem], *, margin: int = MARGIN
) -> tuple[Fix, ...]:
    """The smallest changes that fix a plan, at most three, each of another field. `raw` is the plan as requested.

    `problems` are those it was refused with; `hall` has the terms, and the plan if it could be read.
    """
    failing = _failing(hall, players, margin)
    search = _Search(raw=raw, hall=hall, players=players, margin=margin, failing=failing)
    solutions, steps = _tried(search, (), problems)
    for step in steps[:MOST_STEPS] if not solutions else ():
        more, _ = _tried(search, step.changes, step.left)
        solutions += more[:1]
    return tuple(Fix(changes=changes) for changes in solutions[:MOST_FIXES])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """Changes that fix a part of it, and the problems left."""

    changes: tuple[Change, ...]
    left: Sequence[Problem]


def _tried(
    search: _Search, before: tuple[Change, ...], problems: Sequence[Problem]
) -> tuple[list[tuple[Change, ...]], list[_Step]]:
    """One more change: those that fix everything, and those that fix a part, no two of the same field."""
    solutions: list[tuple[Change, ...]] = []
    steps: dict[tuple[int, str], _Step] = {}
    mended: set[tuple[int, str]] = {_place(change) for change in before}
    for change in _candidates(search.raw, problems):
        if _place(change) in mended:
            continue
        problems_left = search.left((*before, change))
        if problems_left is None or len(solutions) == MOST_FIXES:
            break
        if not problems_left:
            solutions.append((*before, change))
            mended.add(_place(change))
        elif len(problems_left) < len(problems):
            steps.setdefault(_place(change), _Step(changes=(*before, change), left=problems_left))
    return solutions, list(steps.values())


def changed(raw: RawPlan, changes: Sequence[Change]) -> RawPlan:
    """The plan with the changed values."""
    stages = [dict(stage) for stage in raw["stages"]]
    for change in changes:
        stages[change.stage - 1][change.field] = change.value
    return {**raw, "stages": stages}


def _place(change: Change) -> tuple[int, str]:
    return change.stage, change.field


def _failing(hall: SimulatedPlan, players: int, margin: int) -> int:
    """The fewest players with a problem: a fix for that number usually works for the others."""
    if playable_problems(hall.plan, hall.terms) or work_of(hall.plan, players, margin) > MOST_AT_ONCE:
        return players
    return next((number for number in numbers_of(players, margin) if try_plan(hall, number).problems), players)


def _candidates(raw: RawPlan, problems: Sequence[Problem]) -> Iterator[Change]:
    """Other values for the fields with problems, then for the other fields of those stages and of the stages before.

    The stage before decides who qualifies.
    """
    named = [(int(match[1]), match[2]) for problem in problems if (match := STAGE_FIELD.fullmatch(problem.field or ""))]
    rest = [(number, name) for stage, _ in named for number in (stage, stage - 1) for name in TRIED]
    for number, name in dict.fromkeys((*named, *rest)):
        if name in DESCRIBED and 1 <= number <= len(raw["stages"]):
            for value in _values(raw["stages"], number, name):
                yield Change(stage=number, field=name, value=value)


def _values(stages: Sequence[RawPlan], number: int, name: str) -> Iterator[object]:
    """Other values of a field: each choice, None, or numbers from the nearest on; table sizes as well."""
    described = DESCRIBED[name]
    now = stages[number - 1].get(name, described["default"])
    if described.get("choices"):
        yield from (choice for choice in described["choices"] if choice != now)
        return
    if described.get("nullable") and now is not None:
        yield None
    if described["type"] == "integer":
        at = now if isinstance(now, int) else described["default"] or 0
        beside = [stage.get(size) for stage in stages[number - 1 : number + 1] for size in SIZES]
        near = {at + step for step in range(-FURTHEST, FURTHEST + 1)} | {
            size for size in beside if isinstance(size, int)
        }
        within = [value for value in near if described["min"] <= value <= described["max"] and value != at]
        yield from sorted(within, key=lambda value: (abs(value - at), value))
