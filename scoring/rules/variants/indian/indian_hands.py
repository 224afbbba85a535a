"""One player's thirteen cards while a deal of Indian rummy is played: what is taken, and what is thrown away.

Rules: docs/rehearsal.md, section 3 (how they play). A middling player: keeps what lies close together, never throws a
joker, and sees every show there is. Knows nothing of other players, drops or scores.
"""

from collections.abc import Iterable, Sequence

from scoring.rules.arrangements import Arrangement, HandOptions, arrange
from scoring.rules.cards import CARDS, INDIAN_VALUES, PRINTED_NUMBER, RANK_COUNT, Card

# How far apart two cards of a suit may be to help each other, and how much they do; the ace lies beside the king too.
CLOSE = {1: 4, 2: 2}
SAME_RANK = 2
WORTH_TAKING = 6
WORTH_OF_A_JOKER, MOST_WORTH_OF_A_CARD = 9, 8


class Hand:
    """A hand that changes: its cards, and the best that can be made of them."""

    def __init__(self, cards: Sequence[Card], wild: int | None, options: HandOptions) -> None:
        self.cards = list(cards)
        self.turns = 0
        self._wild = wild
        self._options = options
        self.best: Arrangement = arrange(self.cards, wild, options)

    @property
    def promise(self) -> int:
        """How near the hand is to anything: jokers most of all, then cards that lie close together."""
        naturals = self._naturals(self.cards)
        hopes = [min(MOST_WORTH_OF_A_CARD, _hope(number, naturals)) for number in naturals]
        return WORTH_OF_A_JOKER * (len(self.cards) - len(naturals)) + sum(hopes)

    def wants(self, card: Card) -> bool:
        """The open card is worth showing one's hand for."""
        return self._is_joker(card) or _hope(card.number, self._naturals(self.cards)) >= WORTH_TAKING

    def take(self, card: Card) -> Card:
        """Take a card up and throw one away: the one that helps least, the dearest of several."""
        self.turns += 1
        if self._is_joker(card):
            return self._swap(card)
        rest = self._spare()
        if not rest:
            return card
        held = self._naturals([*self.cards, card])
        worst = min(rest, key=lambda each: _keeping(each, held))
        return card if _keeping(card, held) <= _keeping(worst, held) else self._swap(card, worst)

    def _swap(self, card: Card, worst: Card | None = None) -> Card:
        held = self._naturals(self.cards)
        thrown = worst or min(self._spare() or self.cards, key=lambda each: _keeping(each, held))
        self.cards.remove(thrown)
        self.cards.append(card)
        self.best = arrange(self.cards, self._wild, self._options)
        return thrown

    def _spare(self) -> list[Card]:
        """Cards that are in no group and no jokers."""
        return [card for card in self.best.loose if not self._is_joker(card)]

    def _naturals(self, cards: Iterable[Card]) -> list[int]:
        return [card.number for card in cards if not self._is_joker(card)]

    def _is_joker(self, card: Card) -> bool:
        return card.rank is None or card.rank == self._wild


def _keeping(card: Card, held: Sequence[int]) -> tuple[int, int]:
    """How dear a card is to its player: what it helps, then the cheaper one."""
    if card.number == PRINTED_NUMBER:
        return len(HELPS), 0
    return _hope(card.number, held), -INDIAN_VALUES.of(card)


def _hope(number: int, held: Iterable[int]) -> int:
    """How much the cards held help this one."""
    helps = HELPS[number]
    return sum([helps[other] for other in held])


def _help(one: Card, other: Card) -> int:
    if one.rank is None or other.rank is None or one is other:
        return 0
    if one.suit == other.suit:
        apart = abs(one.rank - other.rank)
        return CLOSE.get(min(apart, RANK_COUNT - apart), 0)
    return SAME_RANK if one.rank == other.rank else 0


HELPS = tuple(tuple(_help(one, other) for other in CARDS) for one in CARDS)
