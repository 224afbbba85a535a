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
    """Places of the cards that stand for themselves, counted from the lowest (0), and the jokers needed."""

    places: tuple[int, ...]
    jokers: int


@lru_cache(maxsize=4)
def shapes(joker_rule: str) -> tuple[Shape, ...]:
    """Every shape that the joker rule admits and that cannot be cut in two, fewest jokers first."""
    found = [
        shape
        for rest in range(1 << (RANK_COUNT - 1))
        if (shape := _shape(rest)) and _is_sequence(shape.places, joker_rule)
    ]
    kept = [shape for shape in found if not _can_be_cut(shape, joker_rule)]
    return tuple(sorted(kept, key=lambda shape: (shape.jokers, -len(shape.places), shape.places)))


def _shape(rest: int) -> Shape:
    places = (0, *(place for place in range(1, RANK_COUNT) if rest >> (place - 1) & 1))
    return Shape(places, jokers_needed(places))


def jokers_needed(places: tuple[int, ...]) -> int:
    """One for every gap, and enough to make three cards."""
    gaps = places[-1] - places[0] + 1 - len(places)
    return max(gaps, SHORTEST - len(places))


def _is_sequence(places: tuple[int, ...], joker_rule: str) -> bool:
    return admits(joker_rule, naturals=len(places), jokers=jokers_needed(places))


def _can_be_cut(shape: Shape, joker_rule: str) -> bool:
    for cut in range(1, len(shape.places)):
        left, right = shape.places[:cut], shape.places[cut:]
        if jokers_needed(left) + jokers_needed(right) > shape.jokers:
            continue
        if _is_sequence(left, joker_rule) and _is_sequence(right, joker_rule):
            return True
    return False
