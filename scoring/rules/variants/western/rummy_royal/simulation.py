"""A deal of Rummy Royal as a rehearsal makes it up: who goes out, who wins which box, and who buys chips.

Rules: docs/how-to/rehearsal.md, section 4 (the other games). All is shares of our own. Knows nothing of how chips move.
"""

from collections.abc import Sequence

from scoring.rules.chance import Chance
from scoring.rules.table.variant import Wire
from scoring.rules.variants.western.rummy_royal.game import Chips
from scoring.rules.variants.western.rummy_royal.options import RoyalOptions
from scoring.rules.variants.western.simulation import goes_out

MOST_LEFT, STOCK_RUNS_OUT = 5, 0.05
WINS_A_HEART, WINS_THE_SEQUENCE, SELLS_A_HAND = 0.75, 0.25, 0.3
LOW_STACK, CHIPS_BOUGHT, MOST_BET = 60, 100, 3


def simulated_deal(options: RoyalOptions, chips: Chips, seats: Sequence[str], *, dealer: str, chance: Chance) -> Wire:
    """A deal; whoever is low on chips buys some, where the house sells them."""
    out = goes_out(seats, chance, stock_runs_out=STOCK_RUNS_OUT)
    boxes: Wire = {heart: chance.one_of(seats) for heart in chance.some_of(options.cards, WINS_A_HEART)}
    if options.sequence != "none" and chance.happens(WINS_THE_SEQUENCE):
        boxes[options.sequence] = chance.one_of(seats)
    left = {seat: chance.number(1, MOST_LEFT) for seat in seats if seat != out}
    may_buy = options.cannot_pay == "buy_more"
    bought = {seat: CHIPS_BOUGHT for seat in seats if may_buy and chips.stacks[seat] < LOW_STACK}
    sheet: Wire = {"out": out, "boxes": boxes, "cards_left": left, "bought": bought}
    if options.plays_poker:
        sheet |= {"poker": [chance.one_of(seats)], "bets": {seat: chance.number(1, MOST_BET) for seat in seats}}
    buyers = [seat for seat in seats if seat != dealer]
    if buyers and chance.happens(SELLS_A_HAND):
        sheet |= {"extra_hand": "sold", "buyer": chance.one_of(buyers), "price": chance.number(2, 8)}
    return {**sheet, "dealer": dealer}


def simulated_end(options: RoyalOptions, seats: Sequence[str], chance: Chance) -> Wire:
    """The deal that divides the board."""
    return {"last_hearts": {card: chance.one_of(seats) for card in options.cards}}
