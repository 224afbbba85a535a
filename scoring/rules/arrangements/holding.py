"""A hand as the search uses it: cards that can only be themselves, wild cards, and the pool of jokers.

Rules: docs/rules/indian.md, sections 1 (cards) and 3 (pure sequences). Knows nothing of points saved or of sets.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from scoring.rules.arrangements.cover import EACH_PLACE, HIGH_ACE_SHIFT, PLACES, SUIT_MASK
from scoring.rules.arrangements.house import SHORTEST, rank_points
from scoring.rules.cards import CARDS, PRINTED_NUMBER, RANK_COUNT, SUITS, Card

SUIT_BITS = 2 * PLACES
SUIT_SHIFTS = tuple(SUIT_BITS * suit for suit in range(len(SUITS)))
FOUR_SUITS = sum(EACH_PLACE << shift for shift in SUIT_SHIFTS)
# A pure sequence of six or more is two sequences, so the one that makes a hand count has three to five cards.
LONGEST_LEAD = 5


@dataclass(frozen=True, slots=True)
class Holding:
    """`naturals` and `wilds` hold four suits side by side; `pool` counts every card that can be a joker."""

    naturals: int
    wilds: int
    printed: int
    wild: int | None
    pool: int
    total: int


@dataclass(frozen=True, slots=True)
class Lead:
    """A pure sequence that can make the hand count. `plain` are its cards that are not wild."""

    suit: int
    place: int
    length: int
    cards: int
    plain: int
    jokers: int
    points: int

    @property
    def is_identical(self) -> bool:
        """Whether it is three copies of one card, which a house may call a pure sequence."""
        return self.cards == 3 << 2 * self.place


@lru_cache(maxsize=RANK_COUNT + 1)
def _units(wild: int | None) -> tuple[tuple[int, int, int, int], ...]:
    """What every card adds to naturals, to wilds, to the printed jokers, and to the hand's total."""
    points = rank_points(wild)
    units = []
    for card in CARDS[:PRINTED_NUMBER]:
        suit, rank = divmod(card.number, RANK_COUNT)
        bit = 1 << (SUIT_SHIFTS[suit] + 2 * rank)
        units.append((0, bit, 0, 0) if rank == wild else (bit, 0, 0, points[rank]))
    return (*units, (0, 0, 1, 0))


def hold(cards: Sequence[Card], wild: int | None) -> Holding:
    """Pack a hand of which no card is held more than three times."""
    units = _units(wild)
    naturals = wilds = printed = total = pool = 0
    for card in cards:
        plain, joker, paper, points = units[card.number]
        naturals += plain
        total += points
        if not plain:
            pool += 1
            wilds += joker
            printed += paper
    return Holding(naturals, wilds, printed, wild, pool, total)


def presence(packed: int) -> int:
    """One bit for every card that is held at least once."""
    return (packed | packed >> 1) & FOUR_SUITS


def leads(
    holding: Holding, *, has_high_ace: bool, identical_cards: bool = False, longest: int = LONGEST_LEAD
) -> list[Lead]:
    """Every pure sequence of three to `longest` cards in the hand, the most points first."""
    held_cards = holding.naturals + holding.wilds
    present = presence(held_cards)
    pure_leads: list[Lead] = []
    for suit, shift in enumerate(SUIT_SHIFTS):
        suit_cards = present >> shift & SUIT_MASK
        if has_high_ace:
            suit_cards |= (suit_cards & 1) << HIGH_ACE_SHIFT
        if suit_cards & suit_cards >> 2 & suit_cards >> 4:
            pure_leads += _suit_leads(suit_cards, suit, holding.wild, longest)
        if identical_cards:
            thrice = held_cards & held_cards >> 1 & FOUR_SUITS
            pure_leads += [
                _identical_lead(suit, rank, holding.wild)
                for rank in range(RANK_COUNT)
                if thrice >> shift + 2 * rank & 1
            ]
    pure_leads.sort(key=lambda lead: -lead.points)
    return pure_leads


@lru_cache(maxsize=50_000)
def _suit_leads(held: int, suit: int, wild: int | None, longest: int) -> tuple[Lead, ...]:
    suit_leads = []
    starts = held & held >> 2 & held >> 4
    for length in range(SHORTEST, longest + 1):
        suit_leads += [
            _lead(suit, place, length, wild) for place in range(PLACES - length + 1) if starts >> 2 * place & 1
        ]
        starts &= held >> 2 * length
    return tuple(suit_leads)


def _identical_lead(suit: int, rank: int, wild: int | None) -> Lead:
    cards, is_wild = 3 << 2 * rank, rank == wild
    points = SHORTEST * rank_points(wild)[rank]
    return Lead(suit, rank, SHORTEST, cards, 0 if is_wild else cards, SHORTEST if is_wild else 0, points)


@lru_cache(maxsize=5_000)
def _lead(suit: int, place: int, length: int, wild: int | None) -> Lead:
    ranks = [position % RANK_COUNT for position in range(place, place + length)]
    points = rank_points(wild)
    plain = sum(1 << (2 * rank) for rank in ranks if rank != wild)
    cards = sum(1 << (2 * rank) for rank in ranks)
    return Lead(
        suit, place, length, cards, plain, ranks.count(wild) if wild is not None else 0, sum(points[r] for r in ranks)
    )
