"""What cards are worth at Rummy 500.

Rules: docs/rules/rummy500.md, "Values". Knows nothing of deals or targets.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from scoring.rules.cards import FIVES, Card, CardValues

Rummy500Values = Literal["face", "5/10/15"]
RUMMY500_VALUES = CardValues(ace=15, joker=15)
RUMMY500_FIVES_VALUES = CardValues(ace=15, joker=15, pips=FIVES)


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
