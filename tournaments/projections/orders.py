"""The order of an evening as it stands, which a process remembers as long as it follows from the same.

Boards, prizes, explanations and players' pages ask for it again and again, and of a night of 200 players over seven
rounds it took longer than all else. It follows from the evening, what was played and the games alone; equal ones, equal
order, so nothing is remembered that was not worked out from just these.
"""

from uuid import UUID

from scoring.evening import Evening
from scoring.evening.standings import StagePlaces, evening_places, last_stage
from scoring.evening.state.played import SeatPlayed
from scoring.money.payouts import Placed
from tournaments.models import Tournament
from tournaments.projections.terms import game_of

MOST_KNOWN = 16
# By tournament what its order was worked out from last, and that order.
_known: dict[UUID, tuple[object, tuple[StagePlaces, ...]]] = {}


def order_of(tournament: Tournament, evening: Evening, played: tuple[SeatPlayed, ...]) -> tuple[StagePlaces, ...]:
    """Everybody who has had a seat, stage by stage, the latest first."""
    games = [game_of(tournament, evening, stage) for stage in range(1, last_stage(evening) + 1)]
    asked = (evening, played, games)
    known = _known.get(tournament.pk)
    if known is not None and known[0] == asked:
        return known[1]
    order = tuple(evening_places(evening, played, lambda stage: games[stage - 1]))
    if len(_known) >= MOST_KNOWN:
        _known.clear()
    _known[tournament.pk] = (asked, order)
    return order


def final_order(tournament: Tournament, evening: Evening, played: tuple[SeatPlayed, ...]) -> tuple[Placed, ...]:
    """Every player with a place, in the order in which they stand."""
    return tuple((row.player, row.place) for found in order_of(tournament, evening, played) for row in found.rows)
