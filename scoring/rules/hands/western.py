"""What cards are worth in the games of the West: basic rum, Rummy 500 and Romme.

Rules: docs/rules/rum.md, rummy500.md and romme.md, "Values". Knows nothing of deals, targets or settlement.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from scoring.rules.cards import (
    ROMME_VALUES,
    RUM_VALUES,
    RUMMY500_FIVES_VALUES,
    RUMMY500_VALUES,
    Card,
    CardValues,
)

Rummy500Values = Literal["face", "5/10/15"]
HAND_ROMME_FACTOR = 2


def rum_hand_value(cards: Iterable[Card], *, ace: int = 1, joker: int = 15) -> int:
    """What a loser's cards cost at rum, melded in hand or not. `ace` is 15 where aces may be high."""
    return replace(RUM_VALUES, ace=ace, joker=joker).total(cards)


def romme_hand_value(cards: Iterable[Card], *, hand_romme: bool = False, values: CardValues = ROMME_VALUES) -> int:
    """What a loser's cards cost at Romme; twice as much where the winner went out in one turn."""
    return values.total(cards) * (HAND_ROMME_FACTOR if hand_romme else 1)


def rummy500_values(values: Rummy500Values = "face", *, ace: int = 15, joker: int = 15) -> CardValues:
    """The values of a Rummy 500 house."""
    base = RUMMY500_VALUES if values == "face" else RUMMY500_FIVES_VALUES
    return replace(base, ace=ace, joker=joker)


def rummy500_score(
    melded: Iterable[Card],
    hand: Iterable[Card],
    *,
    values: CardValues = RUMMY500_VALUES,
    low_aces: int = 0,
    ace_low: int = 15,
) -> int:
    """Melded cards less those in hand. `low_aces` of the melded aces lie below a two and are worth `ace_low`."""
    return values.total(melded) - values.total(hand) - low_aces * (values.ace - ace_low)
