"""Whether the cards that were laid off at Rummy 500 fit the melds on the table.

Rules: docs/rules/rummy500.md, section 1. A card may lie on one that was laid off before it. Knows nothing of values.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scoring.rules.cards import ACE, RANK_COUNT, Card
from scoring.rules.variants.western.entry import MOST_IN_SET, figure_of, has_too_many_jokers

# Only jokers and runs that compete for a card have several ways. A table with more ways than this is not refused.
MOST_TRIES = 500


class Offered(NamedTuple):
    """A card that a seat laid off; whether an ace lies below a two or elsewhere, None where that counts the same."""

    seat: str
    card: Card
    is_low: bool | None


class Lying(NamedTuple):
    """A meld on the table: a set of a rank, or a run from the place `low` to `high` (0 and 13 are aces)."""

    rank: int | None
    suits: frozenset[int]
    low: int
    high: int
    naturals: int
    jokers: int

    def with_card(self, offered: Offered) -> Iterator["Lying"]:
        """The meld with the card on it, in each way in which that can lie there."""
        card, most = offered.card, RANK_COUNT if self.rank is None else MOST_IN_SET
        jokers, size = self.jokers + card.is_printed_joker, self.naturals + self.jokers + 1
        if size > most or has_too_many_jokers(jokers, size):
            return
        longer = self._replace(naturals=size - jokers, jokers=jokers)
        if self.rank is not None:
            if card.suit is None:
                yield longer
            elif card.rank == self.rank and card.suit not in self.suits and not offered.is_low:
                yield longer._replace(suits=self.suits | {card.suit})
            return
        if card.suit is not None and card.suit not in self.suits:
            return
        if self.low > ACE and card.rank in (None, self.low - 1) and (card.rank != ACE or offered.is_low is not False):
            yield longer._replace(low=self.low - 1)
        if self.high < RANK_COUNT and card.rank in (None, (self.high + 1) % RANK_COUNT) and not offered.is_low:
            yield longer._replace(high=self.high + 1)


def misfits(melds: Sequence[Sequence[Card]], offered: Sequence[Offered]) -> tuple[Offered, ...]:
    """The cards that fit no meld, in the best way to lay the others off; empty where all fit."""
    fewest, tries = tuple(offered), 0
    waiting = [(tuple(_lying(meld) for meld in melds), fewest)]
    while waiting and fewest:
        lying, cards_left = waiting.pop()
        tries += 1
        if tries > MOST_TRIES:
            return ()
        if len(cards_left) < len(fewest):
            fewest = cards_left
        waiting += _laid(lying, cards_left)
    return fewest


def _laid(lying: tuple[Lying, ...], left: tuple[Offered, ...]) -> list[tuple[tuple[Lying, ...], tuple[Offered, ...]]]:
    """Every way to lay the next card: on a run where it fits, since that never keeps another card from its place;
    then jokers, which may close a gap in a run; the sets last."""
    runs = [place for place, meld in enumerate(lying) if meld.rank is None]
    sets = [place for place, meld in enumerate(lying) if meld.rank is not None]
    naturals = [offered_card for offered_card in left if not offered_card.card.is_printed_joker]
    jokers = [offered_card for offered_card in left if offered_card.card.is_printed_joker][:1]
    for cards, places in ((naturals, runs), (jokers, [*sets, *runs]), (naturals, sets)):
        for offered_card in cards:
            at = left.index(offered_card)
            rest = (*left[:at], *left[at + 1 :])
            ways = [
                ((*lying[:place], longer, *lying[place + 1 :]), rest)
                for place in places
                for longer in lying[place].with_card(offered_card)
            ]
            if ways:
                return ways
    return []


def _lying(meld: Sequence[Card]) -> Lying:
    """A meld as it was laid down, which must be one."""
    figure = figure_of(meld)
    assert figure is not None  # noqa: S101 - melds are judged before what is laid off on them
    suits = frozenset(card.suit for card in meld if card.suit is not None)
    rank = None if figure.is_run else figure.places[0] % RANK_COUNT
    jokers = sum(card.is_printed_joker for card in meld)
    return Lying(rank, suits, figure.places[0], figure.places[-1], len(meld) - jokers, jokers)
