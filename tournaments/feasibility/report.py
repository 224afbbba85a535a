"""A plan tried at the number of players that is expected, and at some fewer and some more.

Rules: docs/decisions/0050-a-plan-is-rehearsed.md. What stops it at some number is a problem with that number in it;
what only changes is a note.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from scoring.evening import Plan
from scoring.messages import Message, say
from scoring.problems import Problem
from tournaments.feasibility.trial import FEWEST, MOST, Hall, Trial, number_problem, try_plan

MARGIN = 4
# Players times rounds times numbers that a request may try while somebody waits: some two seconds.
MOST_AT_ONCE = 4_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The same thing at some numbers of players, the fewest first."""

    numbers: tuple[int, ...]
    message: Message
    field: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """How a plan went at several numbers of players."""

    expected: int
    trials: tuple[Trial, ...]

    @property
    def tried(self) -> tuple[int, ...]:
        return tuple(trial.players for trial in self.trials)

    @property
    def refusals(self) -> tuple[Found, ...]:
        """What stops it, each with all numbers at which it does."""
        told = ((trial.players, problem.message, problem.field) for trial in self.trials for problem in trial.problems)
        return _together(told)

    @property
    def notes(self) -> tuple[Found, ...]:
        """What changes silently."""
        return _together((trial.players, note, None) for trial in self.trials for note in trial.notes)

    @property
    def problems(self) -> list[Problem]:
        """The refusals as a form takes them: one at each field, the nearest to the expected number."""
        nearest = sorted(self.refusals, key=lambda found: min(abs(at - self.expected) for at in found.numbers))
        by_field = {found.field: found for found in reversed(nearest)}
        return [
            Problem("cannot_be_played", at_numbers(found.numbers, found.message), field=found.field)
            for found in by_field.values()
        ]


def numbers_of(players: int, margin: int = MARGIN) -> Sequence[int]:
    """The numbers that a plan is tried at: what is expected, and so many fewer and more as a tournament can have."""
    if not FEWEST <= players <= MOST:
        return (players,)
    return range(max(FEWEST, players - margin), min(MOST, players + margin) + 1)


def work_of(plan: Plan, players: int, margin: int = MARGIN) -> int:
    """How much a trial at all numbers is: seats to be filled."""
    return sum(stage.rounds for stage in plan.stages) * sum(numbers_of(players, margin))


def report(hall: Hall, players: int, *, margin: int = MARGIN) -> Report:
    """The plan of a hall at every number."""
    return Report(expected=players, trials=tuple(try_plan(hall, number) for number in numbers_of(players, margin)))


def expected_problems(hall: Hall, players: int) -> list[Problem]:
    """What keeps a plan from being played with as many as are expected, within a bounded time.

    Where it is too large to be tried at once the structure alone has been looked at.
    """
    if not FEWEST <= players <= MOST:
        return [number_problem(players)]
    return report(hall, players, margin=0).problems if work_of(hall.plan, players, margin=0) <= MOST_AT_ONCE else []


def at_numbers(numbers: Sequence[int], message: Message) -> Message:
    """Something that is so at some numbers of players."""
    if len(numbers) == 1:
        return say("with {number} players: {why}", number=numbers[0], why=message)
    if list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return say("with {first} to {last} players: {why}", first=numbers[0], last=numbers[-1], why=message)
    return say("with {list} players: {why}", list=tuple(numbers), why=message)


def _together(told: Iterable[tuple[int, Message, str | None]]) -> tuple[Found, ...]:
    found: dict[tuple[Message, str | None], list[int]] = {}
    for number, message, field in told:
        found.setdefault((message, field), []).append(number)
    return tuple(
        Found(numbers=tuple(dict.fromkeys(numbers)), message=message, field=field)
        for (message, field), numbers in found.items()
    )
