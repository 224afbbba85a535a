"""What rehearsals make up alike for the Western games: who goes out, and what the others are left with.

Rules: docs/how-to/rehearsal.md, section 4 (the other games). What is left in a hand is a number of cards really drawn;
who goes out is a share of our own. Knows nothing of how a sheet is scored.
"""

from collections.abc import Sequence

from scoring.rules.cards import CARDS, PRINTED_NUMBER, CardValues
from scoring.rules.chance import Chance


def goes_out(seats: Sequence[str], chance: Chance, *, stock_runs_out: float) -> str | None:
    """Who goes out; nobody where the stock runs out before."""
    return None if chance.happens(stock_runs_out) else chance.one_of(seats)


def left_in_hand(values: CardValues, chance: Chance, *, most: int) -> int:
    """What some cards in hand cost: rarely many, never none."""
    most = chance.number(1, most)
    return values.total([CARDS[chance.number(0, PRINTED_NUMBER - 1)] for _ in range(chance.number(1, most))])
