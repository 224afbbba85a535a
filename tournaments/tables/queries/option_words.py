"""House options in the words of players: what each choice means, and what holds where a house has set nothing.

Rules: docs/rules, "House options" of each game. The names of options and choices are those of the log. Knows nothing of
where they are printed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext, gettext_noop, ngettext

from scoring.money.formatting import Notation, money, percent
from scoring.options import Options

CHOICES: dict[tuple[str, str], str] = {
    ("settle", "per_deal"): gettext_noop("after every deal"),
    ("settle", "per_session"): gettext_noop("once, when the table closes"),
    ("leave_after_draw", "middle_drop"): gettext_noop("a middle drop"),
    ("leave_after_draw", "full"): gettext_noop("a full count"),
    ("stock_exhausted", "reshuffle"): gettext_noop("the discards are shuffled and play goes on"),
    ("stock_exhausted", "void"): gettext_noop("the deal is void"),
    ("stock_exhausted", "count_now"): gettext_noop("hands are counted, the lowest wins"),
    ("stock_exhausted", "block"): gettext_noop("the deal is blocked"),
    ("stock_exhausted", "normal"): gettext_noop("scored as usual"),
    ("stock_exhausted", "no_hand_deduction"): gettext_noop("cards in hand are not deducted"),
    ("count_mode", "declared"): gettext_noop("as the player laid them down"),
    ("count_mode", "optimal"): gettext_noop("at their best arrangement"),
    ("ace", "both"): gettext_noop("low or high"),
    ("ace", "low"): gettext_noop("low only"),
    ("ace", "high_or_low"): gettext_noop("low or high, 15 points"),
    ("ace", "g4a"): gettext_noop("11 points"),
    ("ace", "around_the_corner"): gettext_noop("around the corner, 15 points"),
    ("joker_rule", "one_natural"): gettext_noop("at least one card stands for itself"),
    ("joker_rule", "two_natural"): gettext_noop("at least two cards stand for themselves"),
    ("joker_rule", "half"): gettext_noop("no more jokers than other cards"),
    ("joker_rule", "any"): gettext_noop("any number"),
    ("printed_as_wild", "aces"): gettext_noop("the aces too"),
    ("printed_as_wild", "printed_only"): gettext_noop("printed jokers alone"),
    ("tiebreak", "extra_deal"): gettext_noop("an extra deal"),
    ("tiebreak", "most_deals_won"): gettext_noop("most deals won"),
    ("tiebreak", "share"): gettext_noop("they share"),
    ("eliminate_at", "reach_or_exceed"): gettext_noop("on reaching the limit"),
    ("eliminate_at", "exceed"): gettext_noop("only above the limit"),
    ("splits", "auto_and_manual"): gettext_noop("by themselves and by agreement"),
    ("splits", "auto"): gettext_noop("only by themselves"),
    ("splits", "manual"): gettext_noop("only by agreement"),
    ("splits", "none"): gettext_noop("no splits"),
    ("auto_split_when", "no_drop_left"): gettext_noop("when nobody left has a drop left"),
    ("auto_split_when", "at_least"): gettext_noop("when everybody left has the total below"),
    ("split_pool_left", "covers_drops"): gettext_noop("it must not be negative"),
    ("split_pool_left", "one_entry"): gettext_noop("it must hold one entry fee"),
    ("reshuffle", "shuffle"): gettext_noop("shuffled"),
    ("reshuffle", "turn_over"): gettext_noop("only turned over"),
    ("mode", "penalty"): gettext_noop("losers add penalties, the lowest score wins"),
    ("mode", "winner_scores"): gettext_noop("only winners score"),
    ("mode", "cash"): gettext_noop("every deal is paid in money"),
    ("end", "target"): gettext_noop("to a target"),
    ("end", "rounds"): gettext_noop("a fixed number of deals"),
    ("tie", "share"): gettext_noop("they share"),
    ("tie", "extra_deal"): gettext_noop("an extra deal"),
    ("tie", "extra_round"): gettext_noop("an extra round"),
    ("tie", "play_on"): gettext_noop("they play another deal"),
    ("tie", "most_rounds_won"): gettext_noop("most rounds won"),
    ("block_scoring", "all_penalty"): gettext_noop("all score their cards"),
    ("block_scoring", "lowest_wins_difference"): gettext_noop("the lowest hand wins the differences"),
    ("block_scoring", "lowest_collects_minus_own"): gettext_noop("the lowest hand collects the others, less its own"),
    ("settlement", "none"): gettext_noop("nothing is paid"),
    ("settlement", "pay_difference"): gettext_noop("the difference, to the winner"),
    ("settlement", "pay_points"): gettext_noop("the winner’s points, every round"),
    ("joker_melded", "own_value"): gettext_noop("its own value"),
    ("joker_melded", "replaced_card"): gettext_noop("that of the card it stands for"),
    ("values", "face"): gettext_noop("two to nine count their face"),
    ("values", "5/10/15"): gettext_noop("two to nine count 5"),
    ("rummy_in_pile", "off"): gettext_noop("no"),
    ("rummy_in_pile", "any"): gettext_noop("in the whole pile"),
    ("rummy_in_pile", "top_only"): gettext_noop("on top only"),
    ("scoring", "winner_collects"): gettext_noop("the winner collects what the others lose"),
    ("scoring", "penalty_only"): gettext_noop("losers only lose"),
    ("scoring", "match_points"): gettext_noop("match points"),
    ("scoring", "casino"): gettext_noop("casino: with the value of the cards laid (unverified)"),
    ("stock_out", "all_lose"): gettext_noop("all lose their counts"),
    ("stock_out", "reshuffle"): gettext_noop("play goes on"),
    ("stock_out", "void"): gettext_noop("the round is void"),
    ("stock_out", "lowest_wins"): gettext_noop("the lowest hand wins"),
    ("shutout", "double_difference"): gettext_noop("the difference doubles"),
    ("shutout", "double_points"): gettext_noop("the winner’s points double"),
    ("shutout", "flat"): gettext_noop("a flat sum"),
    ("shutout", "none"): gettext_noop("counts as any other"),
    ("spades_double", "none"): gettext_noop("doubles nothing"),
    ("spades_double", "points"): gettext_noop("doubles the points"),
    ("spades_double", "points_and_boxes"): gettext_noop("doubles points and boxes"),
    ("sequence", "678"): "6 7 8",
    ("sequence", "789"): "7 8 9",
    ("sequence", "8910"): "8 9 10",
    ("auction_payee", "dealer"): gettext_noop("the dealer"),
    ("auction_payee", "kitty"): gettext_noop("the kitty"),
    ("auction_payee", "pot"): gettext_noop("the pot"),
    ("sequence_claim", "first_to_play"): gettext_noop("whoever plays it first"),
    ("sequence_claim", "shared"): gettext_noop("shared"),
    ("end_remainder", "descending_from_ace"): gettext_noop("one each, from the ace down"),
    ("end_remainder", "stay_with_house"): gettext_noop("the house keeps them"),
    ("end_remainder", "next_session"): gettext_noop("kept for the next time"),
    ("cannot_pay", "buy_more"): gettext_noop("it buys more"),
    ("cannot_pay", "owe"): gettext_noop("it owes them"),
    ("cannot_pay", "out"): gettext_noop("it pays what it has and is out"),
}
# What holds where the house has set nothing; a name in brackets is a number that follows from the other options.
UNSET = {
    "max_rejoins": gettext_noop("no maximum"),
    "rejoin_entry_below_minor": gettext_noop("at any entry fee"),
    "split_most_drop_difference": gettext_noop("any difference"),
    "reshuffle_limit": gettext_noop("as often as needed"),
    "end_minus": gettext_noop("only after the last round"),
    "eliminate_minus": gettext_noop("nobody goes out"),
    "no_meld_flat": gettext_noop("the count, as everybody"),
    "big_gin_bonus": gettext_noop("not played"),
}
FOLLOWS = {"rejoin_highest": "rejoin_threshold", "auto_split_at": "auto_split_total"}
# What an option is called where its value stands beside it; by its help, which every game words for itself. Where none
# stands here the help is short enough.
TITLES = {
    "Pay after every deal, or once when the table closes": gettext_noop("Money is paid"),
    "Smallest buy-in, in full counts at the point value": gettext_noop("Smallest buy-in, in full counts"),
    "After a wrong show the others play on; false: the deal ends and they score 0": gettext_noop(
        "After a wrong show the others play on"
    ),
    "When the stock runs out: reshuffle, void the deal, or count hands now (lowest wins)": gettext_noop(
        "When the stock runs out"
    ),
    "Hands entered as cards: count the player's own groups, or the best arrangement": gettext_noop(
        "Hands that are entered as cards count"
    ),
    "Packs of 52 in play; default 3 from seven seats on": gettext_noop("Packs of 52 in play"),
    "Ace in sequences: both ends, or low only": gettext_noop("Aces in sequences"),
    "Deals to play; default 2 for two seats, else one a seat": gettext_noop("Deals to play"),
    "Equal chips at the top: an extra deal, most deals won, or share": gettext_noop("Equal chips at the top"),
    "Second prize, in basis points of the pot less the fee": gettext_noop("Second prize, of the pot less the fee"),
    "Out on reaching the limit, or only above it": gettext_noop("A seat is out"),
    "How often one seat may rejoin; none: no maximum, 0: never": gettext_noop("How often one seat may rejoin"),
    "Highest survivor's total that still allows a rejoin; none: limit - 2 - first drop": gettext_noop(
        "Highest survivor’s total that still allows a rejoin"
    ),
    "No rejoin where the entry fee is this amount or more, in minor units": gettext_noop(
        "Entry fee from which nobody may rejoin"
    ),
    "Which splits of the pot the house allows": gettext_noop("The pot may be split"),
    "Auto split: nobody left has a drop left, or everybody has at least a total": gettext_noop(
        "The pot is split by itself"
    ),
    "The total for auto split `at_least`; none: limit - 1 - first drop": gettext_noop("Total for such a split"),
    "After equalising drops the pot must not be negative, or must still hold one entry fee": gettext_noop(
        "After equalising drops, what is left in the pot"
    ),
    "When the stock runs out: reshuffle, or the deal is blocked": gettext_noop("When the stock runs out"),
    "The discard pile is shuffled, or only turned over": gettext_noop("The discard pile becomes the stock"),
    "Losers add penalties and the lowest wins, only winners score, or deals are paid in money": gettext_noop(
        "How deals are scored"
    ),
    "Play to a target, or a fixed number of deals (cash: rounds)": gettext_noop("The game is played"),
    "Play to a target, or a fixed number of deals (most points win)": gettext_noop("The game is played"),
    "Seats level at the top share, or play an extra deal": gettext_noop("Seats level at the top"),
    "Seats level at the top play another deal, or share": gettext_noop("Seats level at the top"),
    "Seats level at the top share, play an extra round, or most rounds won decide": gettext_noop(
        "Seats level at the top"
    ),
    "Aces are low (1), high or low (15), 11 (g4a), or go around the corner (15)": gettext_noop("Aces"),
    "When nobody goes out: all score their cards, the lowest hand wins the differences, or it collects the other hands "
    "less its own (default in modes winner_scores and cash: the differences)": gettext_noop("When nobody goes out"),
    "When the stock runs out: score as usual, or deduct no hands": gettext_noop("When the stock runs out"),
    "At the end each seat pays the winner the difference, at the value of a point": gettext_noop(
        "Each seat pays at the end"
    ),
    "Packs of 52 in play; default 2 from five seats on": gettext_noop("Packs of 52 in play"),
    "A melded joker counts its own value, or that of the card it stands for": gettext_noop("A melded joker counts"),
    "Two to nine count their face, or all of them 5": gettext_noop("Values of cards"),
    "What an ace melded below the two counts; default 5 with values 5/10/15": gettext_noop(
        "What an ace melded below the two counts"
    ),
    "Players may call rummy for a card that fits, in the whole pile or on top": gettext_noop(
        "Players may call rummy for a card that fits"
    ),
    "The winner collects what the others lose, losers only lose, match points as clubs award them, or casino: the "
    "winner also gets the value of the cards laid (unverified: its table is lost)": gettext_noop(
        "How rounds are scored"
    ),
    "The table ends when a seat has lost so many points; none: only after the last round": gettext_noop(
        "The table ends when a seat has lost so many points"
    ),
    "A seat that has lost so many points is out, and the last one in wins; none: nobody goes out": gettext_noop(
        "A seat that has lost so many points is out"
    ),
    "Each round the losers pay the winner their points, at the value of a point": gettext_noop("Losers pay"),
    "A hand romme needs that nobody else has melded; if not, one turn is enough": gettext_noop(
        "A hand romme needs that nobody else has melded"
    ),
    "When the stock runs out: all lose their counts, play on, void, or the lowest hand wins": gettext_noop(
        "When the stock runs out"
    ),
    "What a loser pays who has not melded; none: the count, as everybody": gettext_noop(
        "What a loser pays who has not melded"
    ),
    "Points for big gin, in place of the gin bonus (31 is usual); none: not played": gettext_noop(
        "Points for big gin, in place of the gin bonus"
    ),
    "Equal counts are an undercut; if not, they are the knocker's, for nothing": gettext_noop(
        "Equal counts are an undercut"
    ),
    "When the loser won no hand: the difference doubles, the winner's points do, or a flat sum": gettext_noop(
        "When the loser won no hand"
    ),
    "Oklahoma: an ace means gin only; if not, knock with 1": gettext_noop("Oklahoma: an ace means gin only"),
    "Oklahoma: a spade turned up doubles the hand, with its boxes or without": gettext_noop(
        "Oklahoma: a spade turned up"
    ),
    "Games scored side by side; 3: Hollywood, 1: plain gin": gettext_noop("Games scored side by side"),
    "The sequence box goes to the first who plays it, or is shared, odd chips staying in it": gettext_noop(
        "The sequence box goes to"
    ),
    "Odd chips of the last deal: one each from the ace down, the house's, or kept for next time": gettext_noop(
        "Odd chips of the last deal"
    ),
    "A seat short of chips buys more, owes them, or pays what it has and is out": gettext_noop("A seat short of chips"),
}


def option_title(described: Mapping[str, Any]) -> str:
    """What an option is called beside its value."""
    words = str(described["help"])
    return gettext(TITLES.get(words, words))


def option_said(name: str, options: Options, notation: Notation) -> str:
    """The value of an option as people say it; one that is not set says what holds then."""
    value = getattr(options, name)
    if value is None and name in FOLLOWS:
        value = getattr(options, FOLLOWS[name])
    return gettext(UNSET[name]) if value is None else value_said(name, value, notation)


def value_said(name: str, value: Any, notation: Notation) -> str:
    """Yes, 20, ₹4.00, 10% or what a choice means."""
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, str):
        return gettext(CHOICES[name, value])
    if name.endswith("_minor"):
        return money(value, *notation)
    return percent(value, notation.locale) if name.endswith("_bp") else str(value)


def by_seats_said(values: Sequence[tuple[int, int]]) -> str:
    """A number that depends on how many sit at a table: `values` are pairs of seats and number."""
    kinds = sorted({value for _, value in values})
    if len(kinds) == 1:
        return str(kinds[0])
    if len(kinds) > 2:
        said = gettext("%(least)s to %(most)s, by the number of seats")
        return said % {"least": kinds[0], "most": kinds[-1]}
    seats = next(seats for seats, value in values if value != values[0][1])
    said = ngettext("%(first)s; from %(seats)s seat on %(then)s", "%(first)s; from %(seats)s seats on %(then)s", seats)
    return said % {"first": values[0][1], "seats": seats, "then": dict(values)[seats]}
