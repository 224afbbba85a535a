"""The order of a whole evening: the last stage first, then of each earlier one those who went no further.

Rules: docs/rules/tournaments.md, "The board" and "Prizes". Whoever went on stands before whoever did not, whatever the
scores. Boards and prizes are both read from here, so that nobody is paid for another place than the one shown.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from scoring.evening.standings.results import stage_results
from scoring.evening.standings.tiebreaks import Ranked, chain_of, ranked
from scoring.evening.state.played import Game, SeatPlayed
from scoring.evening.state.state import Evening
from scoring.money.prizes import Placed


@dataclass(frozen=True, slots=True, kw_only=True)
class StagePlaces:
    """Those for whom the evening ended in a stage, with their places in the whole evening.

    `standings` is the stage as it was played, with those who went on.
    """

    stage: int
    standings: tuple[Ranked, ...]
    rows: tuple[Ranked, ...]


def evening_places(
    evening: Evening, played: Sequence[SeatPlayed], game_of: Callable[[int], Game]
) -> Iterator[StagePlaces]:
    """Everybody who has had a seat, stage by stage, the latest first. Level ones share a place."""
    before, shown = 0, set[str]()
    for stage in range(min(evening.stage, last_stage(evening)), 0, -1):
        standings = stage_standings(evening, stage, played, game_of(stage))
        left = [row for row in standings if row.result.seats and shown.isdisjoint(row.result.people)]
        rows: list[Ranked] = []
        for group in _through_first(evening, stage, left):
            rows += _placed(group, before + len(rows))
        yield StagePlaces(stage=stage, standings=standings, rows=tuple(rows))
        before += len(rows)
        shown |= {player for row in left for player in row.result.people}


def final_places(evening: Evening, played: Sequence[SeatPlayed], game_of: Callable[[int], Game]) -> tuple[Placed, ...]:
    """Every player with a place, in the order in which they stand."""
    return tuple((row.player, row.place) for found in evening_places(evening, played, game_of) for row in found.rows)


def stage_standings(evening: Evening, stage: int, played: Sequence[SeatPlayed], game: Game) -> tuple[Ranked, ...]:
    """A stage in order, ties broken as far as the plan's chain and what was settled by hand go."""
    return ranked(stage_results(evening, stage, played, game), chain_of(evening, stage, game))


def last_stage(evening: Evening) -> int:
    """The latest stage that was seated."""
    return max((seated.stage for seated in evening.rounds), default=0)


def _placed(group: Sequence[Ranked], before: int) -> Iterator[Ranked]:
    """A group with its places behind those who stand before it."""
    level = Counter(row.place for row in group)
    for row in group:
        place = before + 1 + sum(other.place < row.place for other in group)
        yield replace(row, place=place, is_tied=level[row.place] > 1)


def _through_first(evening: Evening, stage: int, rows: Sequence[Ranked]) -> Iterator[list[Ranked]]:
    """Those who go on, until the next stage stands; then whoever left before it, and the others."""
    going_on = {player for cut in evening.cuts if cut.stage == stage for player in cut.advancing}
    through = [row for row in rows if not going_on.isdisjoint(row.result.people)]
    yield [row for row in through if row.result.is_here]
    yield [row for row in through if not row.result.is_here]
    yield [row for row in rows if row not in through]
