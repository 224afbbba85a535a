"""The arithmetic of prizes: shares to the last minor unit, and level players who add up their prizes and divide them.

Rules: docs/rules/tournaments.md, "Prizes". Every unit that cannot be divided has an owner. Knows nothing of fees,
side pots or accounts.
"""

from collections.abc import Sequence
from itertools import groupby

from scoring.money.payouts import FULL_BP, divide
from scoring.problems import Defect

Placed = tuple[str, int]
# Shares in basis points where so many places are paid.
PAID_SHARES: tuple[tuple[int, ...], ...] = (
    (10_000,),
    (6_500, 3_500),
    (5_000, 3_000, 2_000),
    (4_000, 2_800, 1_900, 1_300),
    (3_600, 2_500, 1_700, 1_200, 1_000),
    (3_300, 2_300, 1_600, 1_150, 900, 750),
    (3_000, 2_100, 1_500, 1_100, 900, 750, 650),
    (2_800, 2_000, 1_400, 1_050, 850, 750, 600, 550),
    (2_700, 1_850, 1_350, 1_000, 850, 700, 600, 500, 450),
    (2_600, 1_750, 1_250, 950, 800, 700, 600, 500, 450, 400),
)
# Behind the tenth place, in the measure of the first ten: up to a place, so much each; and behind all of these.
FURTHER_WEIGHTS = ((15, 300), (20, 250), (30, 200))
LEAST_WEIGHT = 150


def paid_places(field: int, paid_share_bp: int) -> int:
    """How many places are paid of a field, rounded half up; at least one."""
    return max(1, (field * paid_share_bp * 2 + FULL_BP) // (2 * FULL_BP))


def paid_weights(places: int) -> tuple[int, ...]:
    """The shares of so many paid places. Behind ten they are weights, and each has its part of their sum."""
    further = tuple(
        next((weight for upto, weight in FURTHER_WEIGHTS if place <= upto), LEAST_WEIGHT)
        for place in range(len(PAID_SHARES) + 1, places + 1)
    )
    return PAID_SHARES[min(places, len(PAID_SHARES)) - 1] + further


def shares(pool_minor: int, weights: Sequence[int], *, leftover: str = "spread") -> tuple[int, ...]:
    """A pool divided by weights, exactly: the largest remainders are rounded up, the better place first.

    With `first_place` everything is rounded down, and the first one has what is left.
    """
    whole = sum(weights)
    if not weights or whole == 0:
        raise Defect("a pool is divided by at least one weight above zero")
    parts = [divmod(pool_minor * weight, whole) for weight in weights]
    left = pool_minor - sum(part for part, _ in parts)
    if leftover == "first_place":
        return tuple(part + (left if place == 0 else 0) for place, (part, _) in enumerate(parts))
    up = set(sorted(range(len(parts)), key=lambda place: (-parts[place][1], place))[:left])
    return tuple(part + (place in up) for place, (part, _) in enumerate(parts))


def weights_for(weights: Sequence[int], places: int) -> tuple[int, ...]:
    """The weights of places that somebody fills: the others leave their shares to them, in proportion."""
    kept = tuple(weights[:places])
    return kept if any(kept) else (1,)


def level_groups(placed: Sequence[Placed]) -> list[tuple[str, ...]]:
    """Those who share a place, place by place, in the order in which they are given."""
    return [tuple(player for player, _ in level) for _, level in groupby(placed, key=lambda one: one[1])]


def by_player(placed: Sequence[Placed], prizes: Sequence[int], *, leftover: str = "spread") -> dict[str, int]:
    """Prizes by place among those who fill the places. Level ones add theirs up and divide them."""
    won: dict[str, int] = {}
    over = 0
    for tied in level_groups(placed):
        amount = sum(prizes[len(won) : len(won) + len(tied)])
        kept = amount % len(tied) if leftover == "first_place" else 0
        won |= divide(amount - kept, tied)
        over += kept
    if over:
        won[placed[0][0]] += over
    return {player: prize for player, prize in won.items() if prize}
