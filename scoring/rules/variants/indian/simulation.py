"""A simulated deal of Indian rummy, from the shuffled packs to the score sheet: drops, turns, shows, and hands counted.

Rules: docs/how-to/rehearsal.md, section 3 (how they play) lists every probability that is used here; they are our
assumptions. Knows nothing of totals except whether a seat can afford to drop.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from scoring.rules.arrangements import HAND_SIZE, Arrangement, HandOptions, arrange
from scoring.rules.cards import (
    CARDS,
    INDIAN_VALUES,
    PRINTED_JOKER,
    PRINTED_NUMBER,
    RANK_COUNT,
    Card,
    parse_wild,
    write_cards,
)
from scoring.rules.chance import Chance
from scoring.rules.table.standing import SeatStanding
from scoring.rules.variants.indian.outcomes import DealOptions

# One player's thirteen cards while a deal of Indian rummy is played: which cards are taken, and which thrown away.


# How close two cards of a suit must be to help each other, and how much they do; the ace is also next to the king.
CLOSE = {1: 4, 2: 2}
SAME_RANK = 2
WORTH_TAKING = 6
WORTH_OF_A_JOKER, MOST_WORTH_OF_A_CARD = 9, 8


class Hand:
    """A hand that changes: its cards, and its best arrangement."""

    def __init__(self, cards: Sequence[Card], wild: int | None, options: HandOptions) -> None:
        self.cards = list(cards)
        self.turns = 0
        self._wild = wild
        self._options = options
        self.best: Arrangement = arrange(self.cards, wild, options)

    @property
    def promise(self) -> int:
        """How close the hand is to a show: jokers count most, then cards that are close together."""
        naturals = self._naturals(self.cards)
        hopes = [min(MOST_WORTH_OF_A_CARD, _hope(number, naturals)) for number in naturals]
        return WORTH_OF_A_JOKER * (len(self.cards) - len(naturals)) + sum(hopes)

    def wants(self, card: Card) -> bool:
        """Whether the open card is worth revealing one's hand for."""
        return self._is_joker(card) or _hope(card.number, self._naturals(self.cards)) >= WORTH_TAKING

    def take(self, card: Card) -> Card:
        """Take a card and throw one away: the one that helps least, the most expensive of several."""
        self.turns += 1
        if self._is_joker(card):
            return self._swap(card)
        rest = self._spare()
        if not rest:
            return card
        naturals = self._naturals([*self.cards, card])
        worst = min(rest, key=lambda each: _keeping(each, naturals))
        return card if _keeping(card, naturals) <= _keeping(worst, naturals) else self._swap(card, worst)

    def _swap(self, card: Card, worst: Card | None = None) -> Card:
        naturals = self._naturals(self.cards)
        thrown = worst or min(self._spare() or self.cards, key=lambda each: _keeping(each, naturals))
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
    """The value of a card to its player: how much it helps, then the cheaper one."""
    if card.number == PRINTED_NUMBER:
        return len(HELPS), 0
    return _hope(card.number, held), -INDIAN_VALUES.of(card)


def _hope(number: int, held: Iterable[int]) -> int:
    """How much the other cards held help this one."""
    helps = HELPS[number]
    return sum([helps[other] for other in held])


def _help(one: Card, other: Card) -> int:
    if one.rank is None or other.rank is None or one is other:
        return 0
    if one.suit == other.suit:
        apart = abs(one.rank - other.rank)
        return CLOSE.get(min(apart, RANK_COUNT - apart), 0)
    return SAME_RANK if one.rank == other.rank else 0


HELPS = tuple(tuple(_help(card, other) for other in CARDS) for card in CARDS)
Wire = dict[str, Any]
WEAK, HOPELESS = 46, 64
MIDDLE_TURNS = range(2, 5)
DROPS_WEAK, DROPS_MIDDLE = 0.85, 0.6
SHOWS_WRONGLY, MISSES_TURNS, IS_ABSENT, WRITES_CARDS = 0.06, 0.001, 0.003, 0.1
MOST_ROUNDS = 60
MOST_DEALS = 50


def indian_sheet(seats: Sequence[str], views: Mapping[str, SeatStanding], options: DealOptions, chance: Chance) -> Wire:
    """A sheet for the seats that play, in order of play. A deal that does not end is dealt again."""
    for _ in range(MOST_DEALS):
        deal = _Deal(seats, views, options, chance)
        if deal.is_played():
            return deal.sheet()
    return {"outcomes": {seat: {"how": "show" if seat == seats[0] else "full_count"} for seat in seats}}


class _Deal:
    """One deal while it is played."""

    def __init__(
        self, seats: Sequence[str], views: Mapping[str, SeatStanding], options: DealOptions, chance: Chance
    ) -> None:
        self._options, self._chance, self._views = options, chance, views
        self._stock = chance.shuffled(_packs(options))
        self._turned_up = self._stock.pop()
        wild = parse_wild(self._turned_up.text, printed_as_wild=options.printed_as_wild)
        self._hands = {seat: Hand([self._stock.pop() for _ in range(HAND_SIZE)], wild, options) for seat in seats}
        self._open = [self._stock.pop()]
        self._outcomes: Wire = {}
        self._ended = "played_out"

    def is_played(self) -> bool:
        """Play until a seat has won; false where it does not end."""
        for seat in self._chance.some_of(list(self._hands), IS_ABSENT)[: len(self._hands) - 2]:
            self._outcomes[seat] = {"how": "absent"}
        return any(self._round_ends_it() for _ in range(MOST_ROUNDS))

    def sheet(self) -> Wire:
        """What the scorer enters: every seat that still holds cards is counted."""
        outcome_by_seat = {seat: self._outcomes.get(seat) or self._counted(hand) for seat, hand in self._hands.items()}
        ended = {} if self._ended == "played_out" else {"ended": self._ended}
        return {"outcomes": outcome_by_seat, "wild": self._turned_up.text, **ended}

    @property
    def _staying(self) -> list[str]:
        return [seat for seat in self._hands if seat not in self._outcomes]

    def _round_ends_it(self) -> bool:
        return any(self._ends_with(seat) for seat in self._staying)

    def _ends_with(self, seat: str) -> bool:
        """One turn of one seat: drop, miss, or draw and perhaps show."""
        hand, gives_up = self._hands[seat], self._gives_up(seat)
        if gives_up:
            return self._is_out(seat, gives_up)
        if not self._stock and not self._reshuffled():
            self._ended = "count_now"
            return True
        self._open.append(hand.take(self._open.pop() if hand.wants(self._open[-1]) else self._stock.pop()))
        if not hand.best.is_declarable:
            return False
        if not self._chance.happens(SHOWS_WRONGLY):
            self._outcomes[seat] = {"how": "show"}
            return True
        return self._is_out(seat, "wrong_show")

    def _is_out(self, seat: str, how: str) -> bool:
        """Put a seat out of the deal; the last one left has won, and at some tables a wrong show ends it."""
        self._outcomes[seat] = {"how": how}
        staying = self._staying
        if len(staying) == 1:
            self._outcomes[staying[0]] = {"how": "last_standing"}
            return True
        if how == "wrong_show" and not self._options.wrong_show_continues:
            self._ended = "void_others"
            return True
        return False

    def _gives_up(self, seat: str) -> str:
        """Whether a seat leaves the deal before it draws, and how; empty where it plays on."""
        hand, drops_left = self._hands[seat], self._views[seat].drops_left
        if self._chance.happens(MISSES_TURNS):
            return "three_misses"
        if not self._options.drop_allowed:
            return ""
        if hand.turns == 0 and hand.promise < WEAK and drops_left != 0 and self._chance.happens(DROPS_WEAK):
            return "first_drop"
        is_hopeless = hand.turns in MIDDLE_TURNS and not hand.best.groups and hand.promise < HOPELESS
        if is_hopeless and (drops_left is None or drops_left > 1) and self._chance.happens(DROPS_MIDDLE):
            return "middle_drop"
        return ""

    def _reshuffled(self) -> bool:
        """The open pile becomes the stock, where the house plays so."""
        if self._options.stock_exhausted == "count_now":
            return False
        self._stock, self._open = self._chance.shuffled(self._open[:-1]), self._open[-1:]
        return True

    def _counted(self, hand: Hand) -> Wire:
        if self._ended == "void_others":
            return {"how": "loss"}
        had_no_turn = self._options.deal_show_half_count and hand.turns == 0
        turn = {"had_turn": False} if had_no_turn else {}
        if self._chance.happens(WRITES_CARDS):
            groups = [write_cards(group.cards) for group in hand.best.groups]
            return {"how": "loss", "groups": groups, "loose": write_cards(hand.best.loose), **turn}
        return {
            "how": "loss",
            "count": self._options.cost(hand.best.points, is_protected=bool(hand.best.groups)),
            **turn,
        }


def _packs(options: DealOptions) -> list[Card]:
    return [*CARDS[:PRINTED_NUMBER] * options.packs, *[PRINTED_JOKER] * (options.packs * options.printed_jokers)]
