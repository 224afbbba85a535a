"""Whether a plan can be played with its games: every table that it allows can be opened, every cut leads on.

Rules: docs/rules/tournaments.md, "The plan", and decision 0032. Checked when a plan is stored, not with sixty players
in the room. Knows nothing of who has entered.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from scoring.messages import Message, say, say_many
from scoring.problems import OptionsRejected, Problem
from scoring.rules.table.variant import DEALS_OPTION
from scoring.rules.variants import table_from
from scoring.tournament.plans import Plan, Stage
from scoring.tournament.state.terms import Terms

FIXED_DEALS = ("deals", "deals_as_seats")


def playable_problems(plan: Plan, terms: Terms, *, since: int = 1) -> list[Problem]:
    """Everything that would stop the tournament, from a stage on: what was played before cannot be changed."""
    numbered = [(number, stage) for number, stage in enumerate(plan.stages, 1) if number >= since]
    problems = [_in_stage(number, problem) for number, stage in numbered for problem in _stage_problems(stage, terms)]
    for number, (stage, following) in enumerate(pairwise(plan.stages), 1):
        if number + 1 >= since:
            problems += [_in_stage(number, problem) for problem in _cut_problems(number, stage, following)]
    if problems:
        return problems
    later = [number for number, _ in numbered if number > 1]
    other = [_in_stage(number, problem) for number in later for problem in _units(plan, terms, number)]
    if other:
        return other
    carried = [_in_stage(number, problem) for number in later for problem in _brought(plan, terms, number)]
    return carried + [
        _in_stage(number, problem) for number in later for problem in _reentry_problems(plan, terms, number)
    ]


def _in_stage(number: int, problem: Problem) -> Problem:
    where = f"stage {number}"
    return replace(
        problem,
        field=f"{where}, {problem.field}",
        detail=say("stage {number}: {why}", number=number, why=problem.message),
    )


def _stage_problems(stage: Stage, terms: Terms) -> list[Problem]:
    """What keeps tables of this stage from being opened: reported once where it applies to every size."""
    rules = terms.of(stage).rules
    if stage.length in FIXED_DEALS and DEALS_OPTION not in rules.options_type.__struct_fields__:
        detail = say(
            "{kind} has no fixed number of deals: play each table out, or against time", kind=Message(rules.title)
        )
        return [Problem("not_a_choice", detail, field="length")]
    by_size = {size: _opening_problems(stage, terms, size) for size in stage.sizes}
    everywhere = [
        problem
        for problem in by_size[stage.sizes[0]]
        if all(_is_among(problem, size_problems) for size_problems in by_size.values())
    ]
    stage_problems = [
        replace(problem, field=_field_of(problem, stage, stage.sizes[0]), seat=None) for problem in everywhere
    ]
    for size, problems in by_size.items():
        stage_problems += [
            replace(
                problem,
                field=_field_of(problem, stage, size),
                detail=say("tables of {number}: {why}", number=size, why=problem.message),
                seat=None,
            )
            for problem in problems
            if not _is_among(problem, everywhere)
        ]
    return stage_problems


def _opening_problems(stage: Stage, terms: Terms, size: int) -> Sequence[Problem]:
    """Problems with a table of so many seats. Its entry fee is paid at the desk."""
    seats = {str(number): "" for number in range(1, size + 1)}
    try:
        terms.at_table(stage, size).opening(seats)
    except OptionsRejected as refused:
        return refused.problems
    return ()


def _is_among(problem: Problem, found: Sequence[Problem]) -> bool:
    return any(
        (problem.code, problem.detail) == (listed_problem.code, listed_problem.detail) for listed_problem in found
    )


def _field_of(problem: Problem, stage: Stage, size: int) -> str:
    """The field of the stage that has to change."""
    if problem.field == DEALS_OPTION and stage.length in FIXED_DEALS:
        return "deals" if stage.length == "deals" else "length"
    if problem.field in stage.options:
        return "options"
    if problem.field == "point_value_minor":
        return problem.field
    return "smallest_table" if size < stage.preferred_table else "largest_table"


def _cut_problems(number: int, stage: Stage, following: Stage) -> Iterator[Problem]:
    """A cut that lets fewer through than one table of the next stage needs, however many tables there are."""
    going_on = stage.advancing or (stage.wild_cards if not stage.per_table and stage.at_least is None else 0)
    if 0 < going_on < following.smallest_table:
        needed = following.smallest_table
        detail = say_many(
            "{count} qualifies, and a table of stage {last} needs {most}",
            "{count} qualify, and a table of stage {last} needs {most}",
            count=going_on,
            last=number + 1,
            most=needed,
        )
        field = "advancing" if stage.advancing else "wild_cards"
        yield Problem("out_of_range", detail, field=field)


def _units(plan: Plan, terms: Terms, number: int) -> Iterator[Problem]:
    """A score that would be added to one of another game. Points for places are comparable after any game."""
    before, stage = plan.stages[number - 2], plan.stages[number - 1]
    if stage.carries == "nothing" or stage.compares == "rank_points":
        return
    was, now = terms.of(before), terms.of(stage)
    if was.unit != now.unit:
        detail = say(
            "{name} plays {game}, the stage before {other}: carry over nothing, or rank both by points for places",
            name=stage.called or say("stage {number}", number=number),
            game=Message(now.rules.title),
            other=Message(was.rules.title),
        )
        yield Problem("not_a_choice", detail, field="carries")


def _brought(plan: Plan, terms: Terms, number: int) -> Iterator[Problem]:
    """Totals carried over from tables played to a limit: all but one seat's are over it."""
    before, stage = plan.stages[number - 2], plan.stages[number - 1]
    if not terms.brings_totals(stage):
        return
    # Only here is it known how many qualify per table: the best over all tables may all be winners of their tables.
    if before.length == "minutes" or before.per_table < 2:
        return
    was, now = (_limit(terms, adjacent_stage) for adjacent_stage in (before, stage))
    if was is not None and now is not None and now <= was:
        detail = say(
            "stage {number} ends with one seat under {total}: the others carry over as much or more, and {most} is out",
            number=number - 1,
            total=was,
            most=now,
        )
        yield Problem("not_a_choice", detail, field="carries")


def _reentry_problems(plan: Plan, terms: Terms, number: int) -> Iterator[Problem]:
    """A re-entry that would be out before its first deal, in games in which a seat is out at a limit."""
    stage = plan.stages[number - 1]
    begins, chips, least = stage.reentry
    if begins == "nothing" or terms.of(stage).rules.adds_up or stage.compares == "rank_points":
        return
    limit = _limit(terms, stage)
    field, start = {
        "chips": ("reentry_chips", chips),
        "least_score": ("reentry_begins", plan.stages[number - 2].at_least),
        "score_and_chips": ("reentry_at_least", least),
    }[begins]
    if limit is None or (start is not None and start < limit):
        return
    if start is None:
        detail = say("a re-entry with its own score may be out at {limit}: enter the score that it needs", limit=limit)
        yield Problem("missing_field", detail, field=field)
    else:
        detail = say("a re-entry that starts with {score} is out at {limit}", score=start, limit=limit)
        yield Problem("out_of_range", detail, field=field)


def _limit(terms: Terms, stage: Stage) -> int | None:
    """The total at which a seat is out, where the game has that."""
    seats = {str(number): "" for number in range(1, stage.preferred_table + 1)}
    table = table_from(terms.at_table(stage, stage.preferred_table).opening(seats))
    return table.rules.finish_line(table.setup) if table.rules.low_is_good(table.setup) else None
