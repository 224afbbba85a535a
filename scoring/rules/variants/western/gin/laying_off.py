"""Laying off at gin: which cards of the opponent go to the knocker's melds, and what both are left with.

Rules: docs/rules/gin.md, "Laying off". Knows nothing of scores.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from scoring.rules.cards import CARDS, RANK_COUNT, Card, parse_cards
from scoring.rules.variants.western.gin.deadwood import gin_deadwood, gin_melds
from scoring.rules.variants.western.gin.options import GIN_VALUES

Cards = tuple[Card, ...]


class Counted(NamedTuple):
    """What a hand comes to: the deadwood of both, what is laid off on which meld, and what the opponent makes of it."""

    knocker: int
    opponent: int
    on: tuple[Cards, ...]
    own: list[Cards]
    left: Cards


class LaidOff(NamedTuple):
    """The cards that go to each of the knocker's melds, and what they leave."""

    on: tuple[Cards, ...]
    deadwood: int


@lru_cache(maxsize=4096)
def deadwood_in(melds: tuple[str, ...], loose: str, hand: str) -> tuple[int, int]:
    """The deadwood of the knocker and of the opponent, from cards as they stand on a sheet."""
    laid = [parse_cards(meld, "melds") for meld in melds]
    found = counted(laid, parse_cards(loose, "loose"), parse_cards(hand, "defender_cards"))
    return found.knocker, found.opponent


def counted(melds: Sequence[Cards], loose: Cards, hand: Cards) -> Counted:
    """The hand with everything laid off: after gin nothing is."""
    off = lay_off(melds, hand) if loose else LaidOff(((),) * len(melds), gin_deadwood(hand))
    laid = [card for cards in off.on for card in cards]
    own, left = gin_melds([card for card in hand if card not in laid])
    return Counted(GIN_VALUES.total(loose), off.deadwood, off.on, own, left)


def lay_off(melds: Sequence[Sequence[Card]], hand: Sequence[Card]) -> LaidOff:
    """The way to lay off that leaves the least, with as few cards laid off as that takes."""
    found = LaidOff(((),) * len(melds), gin_deadwood(hand))
    for on in product(*(list(_fitting(meld, hand)) for meld in melds)):
        laid = [card for cards in on for card in cards]
        if len(set(laid)) < len(laid):
            continue
        left = gin_deadwood([card for card in hand if card not in laid])
        if (left, len(laid)) < (found.deadwood, sum(map(len, found.on))):
            found = LaidOff(on, left)
    return found


def _fitting(meld: Sequence[Card], hand: Sequence[Card]) -> Iterator[Cards]:
    """Every choice of cards of a hand that can be laid off on a meld, none of them included."""
    suits = {card.suit for card in meld}
    if len(suits) > 1:
        rank = meld[0].rank
        yield ()
        yield from ((card,) for card in hand if card.rank == rank and card.suit not in suits)
        return
    ranks = sorted(card.number for card in meld)
    first = ranks[0] - ranks[0] % RANK_COUNT
    below = _consecutive(range(ranks[0] - 1, first - 1, -1), hand)
    above = _consecutive(range(ranks[-1] + 1, first + RANK_COUNT), hand)
    for low, high in product(range(len(below) + 1), range(len(above) + 1)):
        yield (*below[:low], *above[:high])


def _consecutive(numbers: range, hand: Sequence[Card]) -> Cards:
    """Cards of a hand that follow on one another, up to the first that it does not hold."""
    held: list[Card] = []
    for number in numbers:
        if CARDS[number] not in hand:
            break
        held.append(CARDS[number])
    return tuple(held)
