"""What cards and figures are worth at Romme, and whether a set keeps the order that some houses ask for.

Rules: docs/rules/romme.md, "Values". Knows nothing of rounds or settlement.
"""

from collections.abc import Iterable, Sequence

from scoring.rules.cards import ACE, RANK_COUNT, Card, CardValues

ROMME_VALUES = CardValues(ace=11, joker=20)
HAND_ROMME_FACTOR = 2
LOW_ACE_VALUE = 1
SHORTEST = 3
STRICT_ORDER = "CSHD"
JOKER = "JK"


def romme_meld_value(cards: Sequence[Card], *, values: CardValues = ROMME_VALUES) -> int | None:
    """What one figure counts towards the first meld; None where the cards are none.

    An ace counts little before the two and much after the king or in a set; a joker counts as the card it replaces.
    Never are there more jokers than natural cards: two jokers beside one card could be a set or any of three runs.
    """
    naturals = [(place, card.rank, card.suit) for place, card in enumerate(cards) if card.rank is not None]
    if len(cards) < SHORTEST or has_too_many_jokers(len(cards) - len(naturals), len(cards)):
        return None
    ranks, suits = [rank for _, rank, _ in naturals], [suit for _, _, suit in naturals]
    if len(set(ranks)) == 1 and len(set(suits)) == len(suits) and len(cards) <= len(STRICT_ORDER):
        return values.of_rank(set(ranks).pop()) * len(cards)
    if len(set(suits)) > 1:
        return None
    starts = [{rank - place, RANK_COUNT - place} if rank == ACE else {rank - place} for place, rank, _ in naturals]
    # Two naturals at least, of which one is no ace or both are: never is there more than one place to start.
    start = next(iter(set.intersection(*starts)), None)
    if start is None or start < 0 or start + len(cards) > RANK_COUNT + 1:
        return None
    return sum(_in_run(rank, values) for rank in range(start, start + len(cards)))


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


def has_too_many_jokers(jokers: int, cards: int) -> bool:
    """Whether a figure has more jokers than natural cards."""
    return jokers > cards - jokers


def _in_run(rank: int, values: CardValues) -> int:
    """What a place of a run counts; the place after the king is an ace again."""
    return LOW_ACE_VALUE if rank == ACE else values.of_rank(rank % RANK_COUNT)


def romme_hand_value(cards: Iterable[Card], *, hand_romme: bool = False, values: CardValues = ROMME_VALUES) -> int:
    """What a loser's cards cost at Romme; twice as much where the winner went out in one turn."""
    return values.total(cards) * (HAND_ROMME_FACTOR if hand_romme else 1)
