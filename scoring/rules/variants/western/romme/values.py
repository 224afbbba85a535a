"""What cards and figures are worth at Romme, and whether a set keeps the order that some houses ask for.

Rules: docs/rules/romme.md, "Values". Knows nothing of rounds or settlement.
"""

from collections.abc import Iterable, Sequence

from scoring.rules.cards import ACE, RANK_COUNT, Card, CardValues
from scoring.rules.variants.western.figures import SHORTEST, figure_of, has_too_many_jokers

ROMME_VALUES = CardValues(ace=11, joker=20)
HAND_ROMME_FACTOR = 2
LOW_ACE_VALUE = 1
STRICT_ORDER = "CSHD"
JOKER = "JK"


def romme_meld_value(
    cards: Sequence[Card], *, values: CardValues = ROMME_VALUES, is_cyclic: bool = False
) -> int | None:
    """What one figure counts towards the first meld; None where the cards are none.

    An ace counts little before the two and much after the king or in a set; a joker counts as the card it replaces.
    Never are there more jokers than natural cards: two jokers beside one card could be a set or any of three runs.
    """
    figure = figure_of(cards, is_cyclic=is_cyclic)
    return None if figure is None else sum(_at_place(place, values) for place in figure.places)


def strict_suits(suits: Sequence[str]) -> str | None:
    """The suits of a set in strict order, clubs, spades, hearts, diamonds without a gap, jokers (`JK`) read out.

    None where the order is broken, or a joker would stand before the clubs or after the diamonds.
    """
    if has_too_many_jokers(suits.count(JOKER), len(suits)):
        return None
    starts = {STRICT_ORDER.index(suit) - place for place, suit in enumerate(suits) if suit != JOKER}
    if len(starts) != 1 or len(suits) < SHORTEST:
        return None
    start = starts.pop()
    found = STRICT_ORDER[max(0, start) : max(0, start) + len(suits)]
    return found if start >= 0 and len(found) == len(suits) else None


def _at_place(place: int, values: CardValues) -> int:
    """What a place of a figure counts; the place after the king is an ace again."""
    return LOW_ACE_VALUE if place == ACE else values.of_rank(place % RANK_COUNT)


def romme_hand_value(cards: Iterable[Card], *, hand_romme: bool = False, values: CardValues = ROMME_VALUES) -> int:
    """What a loser's cards cost at Romme; twice as much where the winner went out in one turn."""
    return values.total(cards) * (HAND_ROMME_FACTOR if hand_romme else 1)
