"""What a planned evening pays once it is closed: entries in, the house fee out, prizes by place.

Rules: docs/rules/tournaments.md, "Prizes". One payout, in the shape in which tables pay. Nothing is owed while the
evening is open, nor ever for a rehearsal.
"""

from scoring.evening import Entrant, Evening
from scoring.evening.fees import owed_minor
from scoring.evening.places import final_places
from scoring.evening.prizes import prize_list
from scoring.evening.state import Standing
from scoring.rules.money import Payout, house_fee
from tournaments.evenings import game_of, seats_played
from tournaments.models import Tournament

SLOT = "prizes"


def evening_payouts(tournament: Tournament, evening: Evening) -> tuple[Payout, ...]:
    """What the books must show for an evening now, by player."""
    if not evening.is_closed:
        return ()
    return prizes_so_far(tournament, evening)


def prizes_so_far(tournament: Tournament, evening: Evening) -> tuple[Payout, ...]:
    """Who would get what if the evening ended as it stands."""
    if evening.plan is None or evening.plan.is_rehearsal:
        return ()
    charges = entry_charges(tournament, evening)
    pool = sum(charges.values())
    placed = final_places(evening, seats_played(tournament, evening), lambda stage: game_of(tournament, evening, stage))
    if not pool or not placed:
        return ()
    fee = house_fee(pool, tournament.fee_bp)
    return (
        Payout(
            slot=SLOT,
            charges=charges,
            awards=prize_list(placed, evening.plan.prizes_bp, pool - fee),
            fee=fee,
            because=(
                f"{len(charges)} players paid {pool} in",
                f"fee {tournament.fee_bp} basis points of {pool} is {fee}",
            ),
        ),
    )


def entry_charges(tournament: Tournament, evening: Evening) -> dict[str, int]:
    """What each player pays into the pool."""
    return {
        player: paid
        for player, entrant in evening.entrants.items()
        if (paid := _charge(evening, entrant, tournament.entry_minor))
    }


def _charge(evening: Evening, entrant: Entrant, entry_minor: int) -> int:
    """What a player pays into the pool: who has not come pays what was taken, and no more."""
    owed = owed_minor(evening, entrant, entry_minor)
    if entrant.standing in (Standing.ABSENT, Standing.STANDBY):
        return min(owed, entrant.paid_minor)
    return owed
