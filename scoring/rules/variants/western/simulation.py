"""Deals of the Western games and of Rummy Royal as a scorer writes them: gin from hands, the others from shares.

Rules: docs/rehearsal.md, section 4 (the other games). What is left in a hand is a number of cards really drawn; who
goes out, who wins a box and how much is melded are shares of our own. Knows nothing of how a sheet is scored.
"""

from collections.abc import Callable, Sequence
from typing import Any

from scoring.rules.cards import CARDS, PRINTED_NUMBER, ROMME_VALUES, RUM_VALUES, RUMMY500_VALUES, CardValues
from scoring.rules.chance import Chance
from scoring.rules.table.dealing import next_dealer
from scoring.rules.table.table import Table
from scoring.rules.variants.western.gin.simulation import GinPlayed, pack_and_upcard, play_gin

Wire = dict[str, Any]
MOST_LEFT = {"rum": 7, "block": 7, "rummy500": 7, "romme": 10, "rummy_royal": 5}
STOCK_RAN_OUT = {"rum": 0.03, "block": 0.3, "rummy500": 0.05, "romme": 0.03, "rummy_royal": 0.05}
WENT_RUMMY, HAND_ROMME, NEVER_MELDED = 0.04, 0.02, 0.15
WINS_A_HEART, WINS_THE_SEQUENCE, SELLS_A_HAND = 0.75, 0.25, 0.3
HEARTS = ("10H", "JH", "QH", "KH", "AH")
LOW_STACK, CHIPS_BOUGHT = 60, 100


def western_sheet(table: Table, chance: Chance, *, is_last: bool) -> Wire:
    """A sheet for the seats that play. `is_last` asks for the deal that ends a table, where a game has such a one."""
    seats = table.in_play
    dealer = next_dealer(table)
    if table.rules.name == "rummy_royal" and is_last:
        return {"last_hearts": {heart: chance.one_of(seats) for heart in HEARTS}}
    return {**_SHEETS[table.rules.name](table, seats, chance), **({"dealer": dealer} if dealer else {})}


def _winner(table: Table, seats: Sequence[str], chance: Chance) -> str | None:
    """Who goes out; nobody where the stock runs out before."""
    return None if chance.happens(STOCK_RAN_OUT[table.rules.name]) else chance.one_of(seats)


def _left(table: Table, values: CardValues, chance: Chance) -> int:
    """What some cards in hand cost: rarely many, never none."""
    most = chance.number(1, MOST_LEFT[table.rules.name])
    cards = [CARDS[chance.number(0, PRINTED_NUMBER - 1)] for _ in range(chance.number(1, most))]
    return values.total(cards)


def _rum(table: Table, seats: Sequence[str], chance: Chance) -> Wire:
    out = _winner(table, seats, chance)
    counts = {seat: _left(table, RUM_VALUES, chance) for seat in seats if seat != out}
    return {"out": out, "counts": counts, "went_rummy": out is not None and chance.happens(WENT_RUMMY)}


def _romme(table: Table, seats: Sequence[str], chance: Chance) -> Wire:
    out, options = _winner(table, seats, chance), table.setup.options
    counts = {seat: _left(table, ROMME_VALUES, chance) for seat in seats if seat != out}
    sheet: Wire = {"out": out, "counts": counts, "hand_romme": out is not None and chance.happens(HAND_ROMME)}
    if out is not None and options.no_meld_flat is not None and not sheet["hand_romme"]:
        sheet["unmelded"] = chance.some_of(list(counts), NEVER_MELDED)
    if out is not None and options.scoring == "casino":
        sheet["laid"] = chance.number(max(30, options.first_meld_min), 110)
    return sheet


def _rummy500(table: Table, seats: Sequence[str], chance: Chance) -> Wire:
    out = _winner(table, seats, chance)
    melded = {seat: 5 * chance.number(6 if seat == out else 0, 22 if seat == out else 15) for seat in seats}
    held = {seat: _left(table, RUMMY500_VALUES, chance) for seat in seats if seat != out}
    return {"out": out, "melded": melded, "in_hand": held}


def _gin(table: Table, seats: Sequence[str], chance: Chance) -> Wire:
    """With partners a hand for each pair of opponents, under one card turned up."""
    options = table.setup.options
    pack, upcard = pack_and_upcard(chance)
    limit, has_big_gin = options.knock_limit(upcard.text), options.big_gin_bonus is not None
    hands = []
    for first, second in zip(seats[::2], seats[1::2], strict=True):
        played = play_gin(pack, limit=limit, has_big_gin=has_big_gin, chance=chance)
        hands.append(_gin_hand(played, (first, second)))
        pack = [*chance.shuffled([card for card in pack if card is not upcard]), upcard]
    return {"hands": hands, **({"upcard": upcard.text} if options.oklahoma else {})}


def _gin_hand(played: GinPlayed, pair: tuple[str, str]) -> Wire:
    if played.ending == "dead":
        return {"ending": "dead"}
    return {
        "knocker": pair[played.knocker],
        "defender": pair[1 - played.knocker],
        "ending": played.ending,
        "knocker_deadwood": played.deadwood,
        "defender_deadwood": played.held,
    }


def _royal(table: Table, seats: Sequence[str], chance: Chance) -> Wire:
    out, options = _winner(table, seats, chance), table.setup.options
    boxes: Wire = {heart: chance.one_of(seats) for heart in chance.some_of(HEARTS, WINS_A_HEART)}
    if chance.happens(WINS_THE_SEQUENCE):
        boxes[options.sequence] = chance.one_of(seats)
    left = {seat: chance.number(1, MOST_LEFT["rummy_royal"]) for seat in seats if seat != out}
    stacks = table.game.chips.stacks
    bought = {seat: CHIPS_BOUGHT for seat in seats if stacks[seat] < LOW_STACK and options.cannot_pay == "buy_more"}
    sheet: Wire = {"out": out, "boxes": boxes, "cards_left": left, "bought": bought}
    buyers = [seat for seat in seats if seat != next_dealer(table)]
    if buyers and chance.happens(SELLS_A_HAND):
        sheet |= {"extra_hand": "sold", "buyer": chance.one_of(buyers), "price": chance.number(2, 8)}
    return sheet


_SHEETS: dict[str, Callable[[Table, Sequence[str], Chance], Wire]] = {
    "rum": _rum,
    "block": _rum,
    "rummy500": _rummy500,
    "romme": _romme,
    "gin": _gin,
    "rummy_royal": _royal,
}
