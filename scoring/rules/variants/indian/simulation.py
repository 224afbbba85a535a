"""A deal of Indian rummy from the shuffled packs to the score sheet: drops, turns, shows, and hands counted.

Rules: docs/rehearsal.md, section 3 (how they play) names every share that is used here; they are our assumptions.
Knows nothing of totals but whether a seat can afford to drop.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.rules.arrangements import HAND_SIZE
from scoring.rules.cards import CARDS, PRINTED_JOKER, PRINTED_NUMBER, Card, parse_wild, write_cards
from scoring.rules.chance import Chance
from scoring.rules.table.variant import SeatView
from scoring.rules.variants.indian.indian_hands import Hand
from scoring.rules.variants.indian.outcomes import DealOptions

Wire = dict[str, Any]
WEAK, HOPELESS = 46, 64
MIDDLE_TURNS = range(2, 5)
DROPS_WEAK, DROPS_MIDDLE = 0.85, 0.6
SHOWS_WRONGLY, MISSES_TURNS, IS_ABSENT, WRITES_CARDS = 0.06, 0.001, 0.003, 0.1
MOST_ROUNDS = 60
MOST_DEALS = 50


def indian_sheet(seats: Sequence[str], views: Mapping[str, SeatView], options: DealOptions, chance: Chance) -> Wire:
    """A sheet for the seats that play, the first to play first. A deal that nobody finishes is dealt again."""
    for _ in range(MOST_DEALS):
        deal = _Deal(seats, views, options, chance)
        if deal.is_played():
            return deal.sheet()
    return {"outcomes": {seat: {"how": "show" if seat == seats[0] else "full_count"} for seat in seats}}


class _Deal:
    """One deal while it is played."""

    def __init__(
        self, seats: Sequence[str], views: Mapping[str, SeatView], options: DealOptions, chance: Chance
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
        """Play until somebody has won; false where it goes on for ever."""
        for seat in self._chance.some_of(list(self._hands), IS_ABSENT)[: len(self._hands) - 2]:
            self._outcomes[seat] = {"how": "absent"}
        return any(self._round_ends_it() for _ in range(MOST_ROUNDS))

    def sheet(self) -> Wire:
        """What the scorer writes: everybody who still holds cards is counted."""
        written = {seat: self._outcomes.get(seat) or self._counted(hand) for seat, hand in self._hands.items()}
        ended = {} if self._ended == "played_out" else {"ended": self._ended}
        return {"outcomes": written, "wild": self._turned_up.text, **ended}

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
        """Out of the deal; the last one that stays has won, and at some tables a wrong show ends it."""
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
        """How a seat leaves the deal before it draws; empty where it plays on."""
        hand, left = self._hands[seat], self._views[seat].drops_left
        if self._chance.happens(MISSES_TURNS):
            return "three_misses"
        if not self._options.drop_allowed:
            return ""
        if hand.turns == 0 and hand.promise < WEAK and left != 0 and self._chance.happens(DROPS_WEAK):
            return "first_drop"
        is_hopeless = hand.turns in MIDDLE_TURNS and not hand.best.groups and hand.promise < HOPELESS
        if is_hopeless and (left is None or left > 1) and self._chance.happens(DROPS_MIDDLE):
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
        return {"how": "loss", "count": self._options.capped(hand.best.points), **turn}


def _packs(options: DealOptions) -> list[Card]:
    return [*CARDS[:PRINTED_NUMBER] * options.packs, *[PRINTED_JOKER] * (options.packs * options.printed_jokers)]
