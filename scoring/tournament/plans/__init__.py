"""How a tournament is run: its stages, who qualifies, and the rules for late, leaving and tied players.

Rules: docs/rules/tournaments.md, "The plan". A plan is stored in the log with the tournament, so that no later change
of a default changes a place. Knows nothing of entries or seats.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from scoring.events.table import Confirmation
from scoring.messages import Message, say, say_many
from scoring.money.payouts import MOST_MINOR
from scoring.options import O, Options, about, read_options
from scoring.problems import OptionsRejected, Problem, refuse_if
from scoring.tournament.plans.games import StageGame, game_problems
from scoring.tournament.plans.prizes import PlanPrizes, SidePot, StagePrizes, money_problems

MOST_STAGES = 12
# Lists whose items have options of their own.
PARTS: dict[str, type[Options]] = {"stage_prizes": StagePrizes, "side_pots": SidePot}
TieBreak = Literal[
    "deals_won", "fewest_wrong_shows", "fewest_drops", "head_to_head", "last_deal", "extra_deal", "high_card", "lots"
]
USUAL: tuple[TieBreak, ...] = ("deals_won", "fewest_wrong_shows", "high_card")
Score = Annotated[int, Meta(ge=-(10**6), le=10**6)]
ReentryStart = Literal["nothing", "chips", "score_and_chips", "least_score"]
NO_START: dict[str, Any] = {"reentry_begins": "nothing", "reentry_chips": 0, "reentry_at_least": None}


class Reentry(NamedTuple):
    """What a re-entry into a stage starts with, and the score that this has to reach, if any; NO_START in old plans."""

    begins: ReentryStart
    chips: int
    at_least: int | None


# What our formats call stages. A plan keeps the English name; a reader is told it in the language of the page.
FORMAT_NAMES = frozenset(
    {
        "Final",
        "Final level",
        "First round",
        "Qualifying",
        "Semi-final",
        "Session",
        "Seven rounds",
        "Table",
        "Tables",
        "Timed rounds",
    }
)


class Stage(StageGame, frozen=True, kw_only=True):
    """One stage: rounds played among the same players, then a cut."""

    name: Annotated[str, about("What the stage is called", max_length=60)] = ""
    rounds: Annotated[int, about("Rounds that are seated in this stage", ge=1, le=50)] = 1
    smallest_table: Annotated[int, about("Fewest players at a table", ge=2, le=10)] = 3
    largest_table: Annotated[int, about("Most players at a table", ge=2, le=10)] = 6
    preferred_table: Annotated[int, about("Players at a table where it can be chosen", ge=2, le=10)] = 6
    seating: Annotated[
        Literal["draw", "standing", "snake", "prepared"],
        about("By draw, by standings (top players together), snake seeding, or as prepared"),
    ] = "draw"
    keeps_mates_apart: Annotated[
        bool, about("Players of one group (club, family) sit apart if possible", "Keep groups apart")
    ] = False
    length: Annotated[
        Literal["game", "deals", "deals_as_seats", "minutes"],
        about("A round ends when each game is over, after a number of deals, or by time", "Round ends after"),
    ] = "game"
    deals: Annotated[int, about("Deals of each table where their number is fixed", ge=1, le=50)] = 6
    minutes: Annotated[int, about("Minutes of each round where time is fixed", ge=1, le=600)] = 60
    last_deal: Annotated[
        Literal["finish", "one_more"],
        about("When time is up the deal in play is finished, or one more is played after it"),
    ] = "finish"
    carries: Annotated[
        Literal["nothing", "score"],
        about("What players bring from the previous stage: nothing, or their score", "Points carried over"),
    ] = "nothing"
    compares: Annotated[
        Literal["score", "average", "rank_points"],
        about("Compare tables by score, average per deal (unequal tables), or points for places", "Rank players by"),
    ] = "score"
    rank_points: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=1000)], ...],
        about("Points for the places of a table, the winner's first", "Points for places", max_length=10),
    ] = (6, 5, 4, 3, 2, 1)
    per_table: Annotated[int, about("Players of each table who qualify", "Qualify per table", ge=0, le=9)] = 0
    wild_cards: Annotated[
        int, about("Extra qualifiers: the best of all tables who have not qualified yet", ge=0, le=500)
    ] = 0
    advancing: Annotated[int, about("Players who qualify overall", "Qualify overall", ge=0, le=500)] = 0
    at_least: Annotated[
        Score | None, about("Players with this score or a better one qualify; not set: no such rule")
    ] = None
    reentry_minor: Annotated[
        int, about("Re-entry fee in minor units for players who are out; 0: none", ge=0, le=MOST_MINOR)
    ] = 0
    reentry_until_round: Annotated[
        int, about("Re-entry is open up to this round", "Re-entry until round", ge=0, le=50)
    ] = 0
    # Unset where not given: a plan that was stored before there was a choice stays as it is. Decision 0034.
    reentry_begins: Annotated[
        ReentryStart | UnsetType,
        about(
            "Starts with zero (at best average), set points, own score plus points, or the score required",
            extra={"unset": NO_START["reentry_begins"]},
        ),
    ] = UNSET
    reentry_chips: Annotated[
        Score | UnsetType, about("Points or chips of a re-entry", extra={"unset": NO_START["reentry_chips"]})
    ] = UNSET
    reentry_at_least: Annotated[
        Score | UnsetType | None,
        about("Score that a re-entry needs, or better; not set: any", extra={"unset": NO_START["reentry_at_least"]}),
    ] = UNSET
    reentry_own_least: Annotated[
        Score | UnsetType | None,
        about(
            "Only a player who was cut with this score or a better one may re-enter; not set: any score",
            extra={"unset": None},
        ),
    ] = UNSET

    @property
    def called(self) -> str | Message:
        """The name as a message where a format of ours gave it; what a person typed, unchanged; empty without one."""
        kind, _, number = self.name.rpartition(" ")
        if kind == "Round" and number.isdecimal():
            return say("Round {number}", number=int(number))
        if kind == "Level" and number.isdecimal():
            return say("Level {number}", number=int(number))
        return Message(self.name) if self.name in FORMAT_NAMES else self.name

    @property
    def cuts(self) -> bool:
        """Whether some players qualify from here."""
        return bool(self.per_table or self.wild_cards or self.advancing or self.at_least is not None)

    @property
    def reentry(self) -> Reentry:
        """What a re-entry starts with, by its own setting where the plan has none."""
        return Reentry(*map(self.holding, NO_START))

    @property
    def sizes(self) -> tuple[int, ...]:
        """The table sizes that are allowed."""
        return tuple(range(self.smallest_table, self.largest_table + 1))


class Plan(PlanPrizes, frozen=True, kw_only=True):
    """How the whole tournament is run. Stages come in order; the last one decides the places."""

    stages: Annotated[tuple[Stage, ...], about("Stages", min_length=1, max_length=MOST_STAGES)] = (Stage(),)
    late: Annotated[
        Literal["zero", "average", "highest_plus"],
        about(
            "Starts with zero (at best average), the average, or points behind the worst score",
            "Late entries start with",
        ),
    ] = "zero"
    late_plus: Annotated[
        int, about("Points over the worst score for a late entry", "Late entries: points added", ge=0, le=1000)
    ] = 1
    late_until_round: Annotated[
        int, about("Late entries are taken up to this round", "Late entry until round", ge=0, le=50)
    ] = 1
    leaving: Annotated[
        Literal["forfeit", "average", "void"],
        about("Points are kept, the rest forfeited or averaged; or all points are cancelled", "When a player leaves"),
    ] = "forfeit"
    substitute: Annotated[
        Literal["seat", "person", "split"],
        about("A substitute continues the seat's score, starts a new one, or the score is split"),
    ] = "seat"
    tie_breaks: Annotated[tuple[TieBreak, ...], about("What breaks ties, in this order", max_length=8)] = USUAL
    confirmation: Annotated[
        Confirmation,
        about("A deal counts at once, when another seat or a second official confirms it, or when two seats enter it"),
    ] = "at_once"
    is_rehearsal: Annotated[bool, about("Practice: never published, never settled", "Practice tournament")] = False


def read_plan(raw: Mapping[str, Any]) -> Plan:
    """A plan from untrusted JSON. Raises OptionsRejected with every problem: the plan's, and each of its parts'."""
    given = [stage if isinstance(stage, Mapping) else {} for stage in _listed(raw.get("stages", [{}]))]
    stages, problems = _read_parts("stages", Stage, given)
    rest = {name: value for name, value in raw.items() if name != "stages"}
    for name, kind in PARTS.items():
        parts = [part if isinstance(part, Mapping) else {"": part} for part in _listed(raw.get(name))[:MOST_STAGES]]
        _, wrong = _read_parts(name, kind, parts)
        if wrong:
            problems += wrong
            del rest[name]
    plan = Plan()
    try:
        plan = read_options(Plan, rest)
    except OptionsRejected as refused:
        problems += refused.problems
    if not 1 <= len(stages) <= MOST_STAGES and not problems:
        detail = say("a plan has 1 to {most} stages, not {number}", most=MOST_STAGES, number=len(stages))
        problems.append(Problem("out_of_range", detail, field="stages"))
    refuse_if(problems, OptionsRejected)
    plan = msgspec.structs.replace(plan, stages=tuple(stages))
    refuse_if(plan_problems(plan), OptionsRejected)
    return plan


def _listed(given: object) -> Sequence[object]:
    return given if isinstance(given, Sequence) and not isinstance(given, str) else ()


def _read_parts(name: str, kind: type[O], given: Sequence[Mapping[str, Any]]) -> tuple[list[O], list[Problem]]:
    """The items of a list that have options of their own, and what is wrong with each."""
    parts: list[O] = []
    problems: list[Problem] = []
    for number, part in enumerate(given, 1):
        try:
            parts.append(read_options(kind, part))
        except OptionsRejected as refused:
            problems += [_in_part(name, number, problem) for problem in refused.problems]
    return parts, problems


def _in_part(name: str, number: int, problem: Problem) -> Problem:
    """A problem with an item, at its field of a stage, or at the field of the list."""
    if name == "stages":
        detail = say("stage {number}: {why}", number=number, why=problem.message)
        return replace(problem, field=f"stage {number}, {problem.field}", detail=detail)
    detail = say("stage prize {number}: {why}", number=number, why=problem.message)
    if name == "side_pots":
        detail = say("side pot {number}: {why}", number=number, why=problem.message)
    return replace(problem, field=name, detail=detail)


def as_stored(plan: Plan, before: Plan | None) -> Plan:
    """A plan as it is stored: a stored plan's missing options stay unset, a new plan gets today's defaults."""
    plan = msgspec.structs.replace(plan, stages=tuple(stage.with_game() for stage in plan.stages))
    if plan.levy_rounding is not msgspec.UNSET:
        return plan
    return msgspec.structs.replace(plan, levy_rounding=before.levy_rounding if before else "pot")


def plan_problems(plan: Plan) -> list[Problem]:
    """Settings of a plan that contradict each other."""
    problems: list[Problem] = []
    for number, stage in enumerate(plan.stages, 1):
        problems += _stage_problems(stage, number, is_last=number == len(plan.stages))
    for number, (before, stage) in enumerate(pairwise(plan.stages), 2):
        if stage.carries == "score" and (before.compares == "rank_points") != (stage.compares == "rank_points"):
            detail = say(
                "stage {number} adds to stage {of}, but only one of them has points for places",
                number=number,
                of=number - 1,
            )
            problems.append(Problem("not_a_choice", detail, field=f"stage {number}, carries"))
    for number, stage in enumerate(plan.stages, 1):
        problems += _reentry_problems(plan.stages[: number - 1], stage, say("stage {number}", number=number))
        problems += _own_score_problems(plan.stages[: number - 1], stage, number)
    problems += money_problems(plan, len(plan.stages))
    if len(set(plan.tie_breaks)) < len(plan.tie_breaks):
        problems.append(Problem("not_a_choice", say("a tie-break is listed twice"), field="tie_breaks"))
    return problems


def _stage_problems(stage: Stage, number: int, *, is_last: bool) -> list[Problem]:
    where = say("stage {number}", number=number)
    problems = [_in_part("stages", number, problem) for problem in game_problems(stage)]
    if not stage.smallest_table <= stage.preferred_table <= stage.largest_table:
        detail = say(
            "{where}: tables of {number} are preferred, but {first} to {last} are allowed",
            where=where,
            number=stage.preferred_table,
            first=stage.smallest_table,
            last=stage.largest_table,
        )
        problems.append(Problem("out_of_range", detail, field=f"{where}, preferred_table"))
    if is_last and stage.cuts:
        detail = say("{where} is the last one: nobody qualifies from it", where=where)
        problems.append(Problem("not_a_choice", detail, field=f"{where}, per_table"))
    if not is_last and not stage.cuts:
        detail = say("{where} does not set who qualifies for the next stage", where=where)
        problems.append(Problem("missing_field", detail, field=f"{where}, per_table"))
    if stage.advancing and (stage.per_table or stage.wild_cards):
        detail = say_many(
            "{where}: either {count} qualifies overall, or some of each table and extra qualifiers",
            "{where}: either {count} qualify overall, or some of each table and extra qualifiers",
            count=stage.advancing,
            where=where,
        )
        problems.append(Problem("not_a_choice", detail, field=f"{where}, advancing"))
    if number == 1 and stage.carries != "nothing":
        detail = say("{where} is the first one: there is no score to bring", where=where)
        problems.append(Problem("not_a_choice", detail, field=f"{where}, carries"))
    return problems


def _reentry_problems(earlier: Sequence[Stage], stage: Stage, where: Message) -> list[Problem]:
    """A start that re-entries cannot have, and numbers that mean nothing with the chosen start."""
    begins, chips, least = stage.reentry
    wrong: list[tuple[str, Message]] = []
    if begins != "nothing":
        wrong += [("reentry_begins", detail) for detail in _start_details(earlier, stage, where)]
    if chips and begins not in ("chips", "score_and_chips"):
        detail = say(
            "{where}: {chips} is given, but a re-entry does not start with points or chips", where=where, chips=chips
        )
        wrong.append(("reentry_chips", detail))
    if least is not None and begins != "score_and_chips":
        detail = say("{where}: {score} is required, but every re-entry starts with the same", where=where, score=least)
        wrong.append(("reentry_at_least", detail))
    return [Problem("not_a_choice", detail, field=f"{where}, {field}") for field, detail in wrong]


def _own_score_problems(earlier: Sequence[Stage], stage: Stage, number: int) -> list[Problem]:
    """A minimum score for re-entry compares scores stored by the cut, where the stage carries them over."""
    if not isinstance(stage.reentry_own_least, int):
        return []
    averages = "average" in (stage.compares, *(before.compares for before in earlier[-1:]))
    if stage.reentry_minor and stage.carries == "score" and not averages:
        return []
    detail = say(
        "stage {number}: a least score to re-enter needs a re-entry fee and scores that count on, not averages",
        number=number,
    )
    return [Problem("not_a_choice", detail, field=f"stage {number}, reentry_own_least")]


def _start_details(earlier: Sequence[Stage], stage: Stage, where: Message) -> Iterator[Message]:
    if not stage.reentry_minor:
        yield say("{where} has no re-entry: enter its fee first", where=where)
    if stage.carries != "score":
        yield say("{where} does not carry over scores: a re-entry starts with 0, like everybody", where=where)
    elif "average" in (stage.compares, *(before.compares for before in earlier[-1:])):
        yield say("{where} compares averages per deal: a re-entry cannot start with points or chips", where=where)
    elif stage.reentry.begins == "least_score" and earlier and earlier[-1].at_least is None:
        yield say("{where}: the previous stage requires no score that a re-entry could start with", where=where)
