"""The places of a whole evening: the last stage first, then of each earlier one those who went no further.

Rules: docs/rules/tournaments.md, "Prizes". Whoever went on stands before whoever did not, whatever the scores.
"""

from collections.abc import Callable, Iterator, Sequence

from scoring.evening.played import Game, SeatPlayed
from scoring.evening.prizes import Placed
from scoring.evening.results import stage_results
from scoring.evening.state import Evening
from scoring.evening.tiebreaks import Ranked, chain_of, ranked


def final_places(evening: Evening, played: Sequence[SeatPlayed], game_of: Callable[[int], Game]) -> tuple[Placed, ...]:
    """Everybody who has had a seat, with a place; level ones share it, in the order in which they stand."""
    placed: list[Placed] = []
    shown: set[str] = set()
    for stage in range(max((seated.stage for seated in evening.rounds), default=0), 0, -1):
        game = game_of(stage)
        standings = ranked(stage_results(evening, stage, played, game), chain_of(evening, stage, game))
        left = [row for row in standings if row.result.seats and shown.isdisjoint(row.result.people)]
        for group in _through_first(evening, stage, left):
            before = len(placed)
            placed += [(row.player, before + 1 + sum(other.place < row.place for other in group)) for row in group]
        shown |= {player for row in left for player in row.result.people}
    return tuple(placed)


def _through_first(evening: Evening, stage: int, rows: Sequence[Ranked]) -> Iterator[list[Ranked]]:
    """Those who go on, until the next stage stands; then whoever left before it, and the others."""
    going_on = {player for cut in evening.cuts if cut.stage == stage for player in cut.advancing}
    through = [row for row in rows if not going_on.isdisjoint(row.result.people)]
    yield [row for row in through if row.result.is_here]
    yield [row for row in through if not row.result.is_here]
    yield [row for row in rows if row not in through]
