"""The prizes of an evening: shares of what was paid in, by place, to the last minor unit.

Rules: docs/rules/tournaments.md, "Prizes". Tied players add up the prizes of the places that they fill and divide
them; a unit that cannot be divided goes to whoever sat down first. Knows nothing of accounts: others post this.
"""

from collections.abc import Sequence
from itertools import groupby

from scoring.rules.money import divide, house_fee
from scoring.rules.problems import Defect

Placed = tuple[str, int]


def pool_of(paid_minor: int, fee_bp: int) -> int:
    """What is played for: everything that was paid in, less the house fee."""
    return paid_minor - house_fee(paid_minor, fee_bp)


def shares(pool_minor: int, weights: Sequence[int]) -> tuple[int, ...]:
    """A pool divided by weights, exactly: the largest remainders are rounded up, the better place first."""
    whole = sum(weights)
    if not weights or whole == 0:
        raise Defect("a pool is divided by at least one weight above zero")
    parts = [divmod(pool_minor * weight, whole) for weight in weights]
    left = pool_minor - sum(part for part, _ in parts)
    up = set(sorted(range(len(parts)), key=lambda place: (-parts[place][1], place))[:left])
    return tuple(part + (place in up) for place, (part, _) in enumerate(parts))


def prize_list(placed: Sequence[Placed], prizes_bp: Sequence[int], pool_minor: int) -> dict[str, int]:
    """Each player's prize; together exactly the pool. `placed` is in order of place, level ones in order of seats.

    Places that nobody fills leave their shares to the others, in proportion.
    """
    if not placed:
        return {}
    weights = list(prizes_bp[: len(placed)])
    prizes = list(shares(pool_minor, weights if any(weights) else [1]))
    prizes += [0] * (len(placed) - len(prizes))
    won: dict[str, int] = {}
    for _, level in groupby(placed, key=lambda one: one[1]):
        tied = [player for player, _ in level]
        won |= divide(sum(prizes[len(won) : len(won) + len(tied)]), tied)
    return {player: prize for player, prize in won.items() if prize}
