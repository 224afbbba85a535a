"""What a re-entry starts with: nothing, some chips, the own score and an addition, or the required minimum.

Rules: docs/rules/tournaments.md, "Re-entries". Follows from the plan in force and the cuts alone, so that a cut made
again after a correction takes effect. Knows nothing of fees or tables.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.events import wire
from scoring.messages import Seat, say
from scoring.problems import Problem
from scoring.tournament.plans import Plan
from scoring.tournament.state import TournamentState
from scoring.tournament.state.played import Game
from scoring.tournament.state.refusals import of_player


@dataclass(frozen=True, slots=True, kw_only=True)
class LastStageScore:
    """What a player ended their last stage with."""

    score: int
    stage: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """What a re-entry starts with: what is `given`, and what was left of the own score where it is carried over."""

    given: int
    left: LastStageScore | None = None

    @property
    def score(self) -> int:
        return self.given + (self.left.score if self.left else 0)


def brought_into(state: TournamentState, number: int) -> dict[str, int]:
    """What players bring into a stage: the scores carried over by the cut, and the starts of re-entries."""
    if not 2 <= number <= len(state.cuts) + 1:
        return {}
    return {player: start.score for player, start in starts(state, number).items()} | state.cuts[number - 2].carried


def starts(state: TournamentState, number: int) -> dict[str, Start]:
    """What every re-entry into a stage starts with. Empty where the plan gives nothing."""
    if state.plan is None or number > len(state.plan.stages):
        return {}
    if state.plan.stages[number - 1].reentry.begins == "nothing":
        return {}
    back = [player for player, entrant in state.entrants.items() if number in entrant.reentries]
    start_by_player = {player: start_of(state, player, number) for player in back}
    return {player: start for player, start in start_by_player.items() if start is not None}


def start_of(state: TournamentState, player: str, number: int) -> Start | None:
    """What a player starts with who re-enters a stage; None where the plan has no rule, or there is no score."""
    plan = state.plan
    if plan is None or not 2 <= number <= len(plan.stages):
        return None
    begins, chips, _ = plan.stages[number - 1].reentry
    if begins == "chips":
        return Start(given=chips)
    if begins == "least_score":
        least = plan.stages[number - 2].at_least
        return None if least is None else Start(given=least)
    last_score = _left(state, player, number) if begins == "score_and_chips" else None
    return None if last_score is None else Start(given=chips, left=last_score)


def start_problems(state: TournamentState, event: wire.PlayerReentered) -> list[Problem]:
    """A player in play has a score already and cannot get another; one without a score cannot start with it."""
    stage = state.current
    if stage is None or stage.reentry.begins == "nothing":
        return []
    if event.player in state.field():
        detail = say(
            "{seat} plays in stage {number} already: only players who were cut re-enter",
            seat=Seat(event.player),
            number=event.stage,
        )
        return [Problem("plays_already", detail, field="player")]
    if start_of(state, event.player, event.stage):
        return []
    detail = say(
        "{seat} has no score from before stage {number} that a re-entry could start with",
        seat=Seat(event.player),
        number=event.stage,
    )
    return [Problem("no_reentry", detail, field="reentry_begins")]


def too_little(state: TournamentState, event: wire.PlayerReentered, game: Game) -> list[Problem]:
    """A re-entry of a player whose score, or start, misses the plan's minimum. The game decides which way is better."""
    return _own_too_little(state, event, game) + _start_too_little(state, event, game)


def _own_too_little(state: TournamentState, event: wire.PlayerReentered, game: Game) -> list[Problem]:
    stage = state.current
    if stage is None or not isinstance(stage.reentry_own_least, int):
        return []
    least, last_score = stage.reentry_own_least, _left(state, event.player, event.stage)
    low_is_good = game.low_is_good and stage.compares != "rank_points"
    if last_score is not None and (last_score.score <= least if low_is_good else last_score.score >= least):
        return []
    seat = Seat(event.player)
    if last_score is None:
        detail = say("{seat} has no score from the stage before, and a re-entry takes {least}", seat=seat, least=least)
    elif low_is_good:
        detail = say(
            "{seat} was cut with {score}: a re-entry takes {least} or fewer",
            seat=seat,
            score=last_score.score,
            least=least,
        )
    else:
        detail = say(
            "{seat} was cut with {score}: a re-entry takes {least} or more",
            seat=seat,
            score=last_score.score,
            least=least,
        )
    return [Problem("out_of_range", detail, seat=event.player, field="reentry_own_least")]


def _start_too_little(state: TournamentState, event: wire.PlayerReentered, game: Game) -> list[Problem]:
    stage, start = state.current, start_of(state, event.player, event.stage)
    if stage is None or start is None or stage.reentry.at_least is None:
        return []
    least, low_is_good = stage.reentry.at_least, game.low_is_good and stage.compares != "rank_points"
    if start.score <= least if low_is_good else start.score >= least:
        return []
    seat, score = Seat(event.player), start.score
    detail = say(
        "{seat} would start with {score}, and a re-entry needs {least} or more", seat=seat, score=score, least=least
    )
    if low_is_good:
        detail = say(
            "{seat} would start with {score}, and a re-entry needs {least} or fewer",
            seat=seat,
            score=score,
            least=least,
        )
    return [of_player(event.player, "out_of_range", detail, field="reentry_at_least")]


def _left(state: TournamentState, player: str, number: int) -> LastStageScore | None:
    """The score that a player, or a predecessor in the place, had at the latest cut that has one.

    Only as long as every stage since has carried it over.
    """
    plan = state.plan or Plan()
    people = list(state.before(player)) if plan.substitute == "seat" else [player]
    for cut in reversed(state.cuts[: number - 1]):
        if plan.stages[cut.stage].carries != "score":
            return None
        score = _first(people, cut.left | cut.carried)
        if score is not None:
            return LastStageScore(score=score, stage=cut.stage)
    return None


def _first(people: Iterable[str], scores: dict[str, int]) -> int | None:
    return next((scores[player] for player in people if player in scores), None)
