"""Which sets a hand can lay down together, and what they save.

Only sets of two to four cards that stand for themselves matter to the points: one card and two jokers is also
a sequence, wherever it is a set. Rules: docs/rules/indian.md, section 3 (sets). Knows nothing of sequences.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from scoring.rules.arrangements.cover import SUIT_MASK
from scoring.rules.arrangements.holding import SUIT_SHIFTS, Holding, presence
from scoring.rules.arrangements.house import rank_points
from scoring.rules.arrangements.shapes import SHORTEST
from scoring.rules.cards import SUITS

COLUMN = sum(1 << shift for shift in SUIT_SHIFTS)


class SetOfCards(NamedTuple):
    """Cards of one rank and different suits, packed like a holding, and the jokers they need."""

    cards: int
    jokers: int
    points: int
    rank: int
    suits: tuple[int, ...]


class Choice(NamedTuple):
    """Sets laid down together: what is left of the naturals, jokers used, points saved."""

    left: int
    jokers: int
    points: int
    sets: tuple[SetOfCards, ...]


def choices(holding: Holding) -> Iterator[Choice]:
    """Every way to lay down one or more sets."""
    possible = _possible_sets(holding)
    return _laid(Choice(holding.naturals, 0, 0, ()), possible, holding.pool)


def _laid(so_far: Choice, possible: list[SetOfCards], pool: int) -> Iterator[Choice]:
    present = presence(so_far.left)
    for index, each in enumerate(possible):
        if each.cards & ~present or so_far.jokers + each.jokers > pool:
            continue
        more = Choice(
            so_far.left - each.cards,
            so_far.jokers + each.jokers,
            so_far.points + each.points,
            (*so_far.sets, each),
        )
        yield more
        yield from _laid(more, possible[index:], pool)


def _possible_sets(holding: Holding) -> list[SetOfCards]:
    present = presence(holding.naturals)
    spades, hearts, diamonds, clubs = (present >> shift & SUIT_MASK for shift in SUIT_SHIFTS)
    reds, blacks = hearts | diamonds, spades | clubs
    both_reds, both_blacks = hearts & diamonds, spades & clubs
    twice = both_reds | both_blacks | reds & blacks
    wanted = twice if holding.pool else both_reds & blacks | both_blacks & reds
    found: list[SetOfCards] = []
    while wanted:
        lowest = wanted & -wanted
        wanted ^= lowest
        at = lowest.bit_length() - 1
        suits = present >> at & COLUMN
        found += _sets_of_rank(suits, at >> 1, holding.wild, SHORTEST - 1 if holding.pool else SHORTEST)
    return found


@lru_cache(maxsize=20_000)
def _sets_of_rank(column: int, rank: int, wild: int | None, fewest: int) -> tuple[SetOfCards, ...]:
    held = [suit for suit in range(len(SUITS)) if column >> SUIT_SHIFTS[suit] & 1]
    worth = rank_points(wild)[rank]
    return tuple(
        SetOfCards(
            sum(1 << (SUIT_SHIFTS[suit] + 2 * rank) for suit in suits),
            max(0, SHORTEST - size),
            worth * size,
            rank,
            suits,
        )
        for size in range(len(held), fewest - 1, -1)
        for suits in combinations(held, size)
    )
