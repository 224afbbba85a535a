"""A simulated hand of gin between two players, dealt and drawn card by card: the knock, and the other's hand.

Rules: docs/how-to/rehearsal.md, section 3 (how they play). Both throw the card that leaves the least deadwood and knock
as soon as they may, or wait for gin. Knows nothing of games or boxes.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from scoring.rules.cards import CARDS, PRINTED_NUMBER, Card
from scoring.rules.chance import Chance
from scoring.rules.table.variant import Wire
from scoring.rules.variants.western.gin.deadwood import gin_deadwood, gin_melds
from scoring.rules.variants.western.gin.options import GinOptions

HAND_SIZE = 10
LEFT_IN_STOCK = 2
WAITS_FOR_GIN = 0.3


@dataclass(frozen=True, slots=True)
class GinPlayed:
    """How a hand ended: `knocker` is 0 or 1, `held` what the other was left with after laying off."""

    ending: Literal["knock", "gin", "big_gin", "dead"]
    knocker: int = 0
    deadwood: int = 0
    held: int = 0


def simulated_deal(options: GinOptions, seats: Sequence[str], chance: Chance) -> Wire:
    """A deal as JSON: with partners a hand for each pair of opponents, under one card turned up."""
    pack, upcard = pack_and_upcard(chance)
    limit, has_big_gin = options.knock_limit(upcard.text), options.big_gin_bonus is not None
    hands = []
    for pair in zip(seats[::2], seats[1::2], strict=True):
        hands.append(_written(play_gin(pack, limit=limit, has_big_gin=has_big_gin, chance=chance), pair))
        pack = [*chance.shuffled([card for card in pack if card is not upcard]), upcard]
    return {"hands": hands, **({"upcard": upcard.text} if options.oklahoma else {})}


def _written(played: GinPlayed, pair: tuple[str, str]) -> Wire:
    if played.ending == "dead":
        return {"ending": "dead"}
    return {
        "knocker": pair[played.knocker],
        "defender": pair[1 - played.knocker],
        "ending": played.ending,
        "knocker_deadwood": played.deadwood,
        "defender_deadwood": played.held,
    }


def pack_and_upcard(chance: Chance) -> tuple[list[Card], Card]:
    """A shuffled pack, and the card that is turned up."""
    pack = chance.shuffled(CARDS[:PRINTED_NUMBER])
    return pack, pack[-1]


def play_gin(pack: Sequence[Card], *, limit: int, has_big_gin: bool, chance: Chance) -> GinPlayed:
    """Play a hand to its end; dead when two cards are left."""
    stock = list(pack)
    open_card = stock.pop()
    hands = [[stock.pop() for _ in range(HAND_SIZE)] for _ in range(2)]
    waits = [chance.happens(WAITS_FOR_GIN) for _ in hands]
    turn = 0
    while len(stock) > LEFT_IN_STOCK:
        hand_cards, before = hands[turn], gin_deadwood(hands[turn])
        least, thrown = _best_throw([*hand_cards, open_card])
        card = open_card
        if least >= before:
            card = stock.pop()
            least, thrown = _best_throw([*hand_cards, card])
        if has_big_gin and gin_deadwood([*hand_cards, card]) == 0:
            return GinPlayed("big_gin", turn, 0, gin_deadwood(hands[1 - turn]))
        hands[turn] = [hand_card for hand_card in (*hand_cards, card) if hand_card is not thrown]
        if least == 0:
            return GinPlayed("gin", turn, 0, gin_deadwood(hands[1 - turn]))
        if least <= limit and not waits[turn]:
            return GinPlayed("knock", turn, least, _left_after_laying_off(hands[1 - turn], hands[turn]))
        open_card, turn = thrown, 1 - turn
    return GinPlayed("dead")


def _best_throw(cards: Sequence[Card]) -> tuple[int, Card]:
    """The card without which the least deadwood is left, and how much that is."""
    choices = [
        (gin_deadwood([other_card for other_card in cards if other_card is not card]), place)
        for place, card in enumerate(cards)
    ]
    least, place = min(choices)
    return least, cards[place]


def _left_after_laying_off(defender: Sequence[Card], knocker: Sequence[Card]) -> int:
    """What the defender is left with: loose cards that fit the knocker's melds are laid off, one after the other."""
    melds = [list(meld) for meld in gin_melds(knocker)[0]]
    defender_cards = list(defender)
    while True:
        loose = gin_melds(defender_cards)[1]
        fitting = [(card, meld) for card in loose for meld in melds if _fits(card, meld)]
        if not fitting:
            return gin_deadwood(defender_cards)
        card, meld = fitting[0]
        meld.append(card)
        defender_cards.remove(card)


def _fits(card: Card, meld: Sequence[Card]) -> bool:
    """A fourth of a rank, or the next card at either end of a run."""
    ranks = {meld_card.rank for meld_card in meld}
    if len(ranks) == 1:
        return card.rank in ranks
    numbers = [meld_card.number for meld_card in meld]
    return card.suit == meld[0].suit and card.number in (min(numbers) - 1, max(numbers) + 1)
