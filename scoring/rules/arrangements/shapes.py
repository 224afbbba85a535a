"""The shapes a sequence can have: which cards stand for themselves, and how many jokers stand between them.

A shape that can be cut into two sequences without a further joker is left out: the two pieces are found on
their own. Rules: docs/rules/indian.md, section 3 (sequences). Knows nothing of suits, values or hands.
"""

from functools import lru_cache
from typing import NamedTuple

from scoring.rules.arrangements.house import admits
from scoring.rules.cards import RANK_COUNT

SHORTEST = 3


class Shape(NamedTuple):
    """Places of the cards that stand for themselves, counted from the lowest (0), and the jokers needed.

    `cards` are the places as a suit holds them: two bits for each.
    """

    places: tuple[int, ...]
    jokers: int
    cards: int


@lru_cache(maxsize=4)
def shapes(joker_rule: str) -> tuple[Shape, ...]:
    """Every shape that the joker rule admits and that cannot be cut in two, fewest jokers first."""
    # Odd masks: the lowest card is always there.
    kept = [mask for mask in range(1, 1 << RANK_COUNT, 2) if _is_whole(mask, joker_rule)]
    found = [_shape(mask) for mask in kept]
    return tuple(sorted(found, key=lambda shape: (shape.jokers, -len(shape.places), shape.places)))


def fitting(joker_rule: str, window: int) -> list[Shape]:
    """The shapes for which every card is there, in a suit that is cut off below its lowest card."""
    absent = ~window
    return [shape for shape in shapes(joker_rule) if not shape.cards & absent]


def _shape(mask: int) -> Shape:
    places = tuple(place for place in range(RANK_COUNT) if mask >> place & 1)
    return Shape(places, _jokers_needed(mask), sum(1 << (2 * place) for place in places))


def _is_whole(mask: int, joker_rule: str) -> bool:
    """Whether the cards of the mask make a sequence, but not two with the same jokers."""
    jokers = _jokers_needed(mask)
    if not _is_sequence(mask, jokers, joker_rule):
        return False
    later = mask & (mask - 1)
    while later:
        lowest = later & -later
        left, right = mask & (lowest - 1), later >> (lowest.bit_length() - 1)
        later &= later - 1
        jokers_left, jokers_right = _jokers_needed(left), _jokers_needed(right)
        if jokers_left + jokers_right > jokers:
            continue
        if _is_sequence(left, jokers_left, joker_rule) and _is_sequence(right, jokers_right, joker_rule):
            return False
    return True


def _jokers_needed(mask: int) -> int:
    """One for every gap, and enough to make three cards."""
    naturals = mask.bit_count()
    return max(mask.bit_length() - naturals, SHORTEST - naturals)


def _is_sequence(mask: int, jokers: int, joker_rule: str) -> bool:
    return admits(joker_rule, naturals=mask.bit_count(), jokers=jokers)
