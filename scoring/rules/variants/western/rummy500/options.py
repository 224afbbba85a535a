"""House options of Rummy 500, and what its packs are worth.

Rules: docs/rules/rummy500.md, sections 3 (values) and 6 (options). Knows nothing of sheets.
"""

from typing import Annotated, Literal

from msgspec import Meta

from scoring.options import PLAYS_ONLY, Options
from scoring.rules.cards import CardValues
from scoring.rules.table.variant import Preset
from scoring.rules.variants.western.rummy500.values import rummy500_values

MANY_SEATS = 5


SUITS, COURT_CARDS_AND_TENS, CARDS = 4, 4, 52


class Rummy500Options(Options, frozen=True, kw_only=True):
    """House options of a Rummy 500 table."""

    end: Annotated[
        Literal["target", "rounds"],
        Meta(title="Play to", description="Play to a target, or a fixed number of deals (most points win)"),
    ] = "target"
    target: Annotated[int, Meta(ge=100, le=2000, description="The score that ends the game, reached or passed")] = 500
    rounds: Annotated[int, Meta(ge=1, le=50, description="Deals to play where their number is fixed")] = 5
    tie: Annotated[
        Literal["play_on", "share"],
        Meta(title="Tie for first", description="Seats tied for first play another deal, or share"),
    ] = "play_on"
    must_go_out_to_win: Annotated[
        bool, Meta(description="At the target only a player who went out wins; otherwise play continues")
    ] = False
    stock_exhausted: Annotated[
        Literal["normal", "no_hand_deduction"],
        Meta(
            title="When the stock runs out", description="When the stock runs out: score as usual, or deduct no hands"
        ),
    ] = "normal"
    settlement: Annotated[
        Literal["none", "pay_difference"],
        Meta(description="At the end each seat pays the winner the difference, at the value of a point"),
    ] = "none"
    packs: Annotated[int, Meta(ge=1, le=2, description="Packs of 52 in play; default 2 from five seats on")] = 1
    jokers_per_pack: Annotated[int, Meta(ge=0, le=2, description="Jokers in each pack")] = 2
    joker_value: Annotated[int, Meta(ge=1, le=50, description="What a joker counts")] = 15
    joker_melded: Annotated[
        Literal["own_value", "replaced_card"],
        Meta(
            title="A melded joker counts",
            description="A melded joker counts its own value, or that of the card it stands for",
            extra=PLAYS_ONLY,
        ),
    ] = "own_value"
    values: Annotated[
        Literal["face", "5/10/15"],
        Meta(title="Card values", description="Two to nine count their face, or all of them 5"),
    ] = "face"
    ace_in_hand: Annotated[int, Meta(ge=1, le=15, description="What an ace in hand costs")] = 15
    ace_low: Annotated[
        int,
        Meta(
            ge=1,
            le=15,
            description="What an ace melded below the two counts; default 5 with values 5/10/15",
            extra=PLAYS_ONLY,
        ),
    ] = 15
    cards_for_two: Annotated[
        int,
        Meta(
            ge=7,
            le=13,
            title="Cards with two players",
            description="Cards dealt to each of two seats",
            extra=PLAYS_ONLY,
        ),
    ] = 13
    discard_to_go_out: Annotated[bool, Meta(description="Going out needs a discard", extra=PLAYS_ONLY)] = False
    floating: Annotated[
        bool,
        Meta(
            description="A player who melds the last card without a discard floats, and play continues",
            extra=PLAYS_ONLY,
        ),
    ] = False
    unplayable_discard: Annotated[
        bool,
        Meta(
            title="Last discard fits nowhere",
            description="The discard that goes out must fit no meld on the table",
            extra=PLAYS_ONLY,
        ),
    ] = False
    new_meld_for_pile: Annotated[
        bool,
        Meta(
            title="Pile needs a new meld",
            description="The deepest card taken from the pile must start a new meld",
            extra=PLAYS_ONLY,
        ),
    ] = False
    single_card_must_play: Annotated[
        bool,
        Meta(
            title="Single card must be played",
            description="A single card taken from the pile must be played as well",
            extra=PLAYS_ONLY,
        ),
    ] = False
    rummy_in_pile: Annotated[
        Literal["off", "any", "top_only"],
        Meta(
            title="Calling rummy",
            description="Players may call rummy for a card that fits, in the whole pile or on top",
            extra=PLAYS_ONLY,
        ),
    ] = "off"

    @property
    def card_values(self) -> CardValues:
        """What cards in hand cost."""
        return rummy500_values(self.values, ace=self.ace_in_hand, joker=self.joker_value)

    @property
    def worth_of_packs(self) -> int:
        """What all cards in play can be worth together. An ace, and so a joker in its place, may be worth 15."""
        values = rummy500_values(self.values)
        each_suit = values.ace + sum(values.pips) + COURT_CARDS_AND_TENS * values.court
        jokers = self.jokers_per_pack * max(self.joker_value, values.ace)
        return self.packs * (SUITS * each_suit + jokers)

    @property
    def pack_cards(self) -> int:
        """How many cards are in play."""
        return self.packs * (CARDS + self.jokers_per_pack)


def cards_each(seats: int, options: Rummy500Options) -> int:
    """How many cards each seat is dealt."""
    return options.cards_for_two if seats == 2 else 7


# Rummy 500 as people play it: plain, with each of its optional rules, and as other pages print it.


TABLE_RULE = "It changes the play and not the count."


RUMMY500 = (
    Preset(
        name="rummy500",
        title="Rummy 500",
        options={"target": 500, "jokers_per_pack": 2, "joker_value": 15, "values": "face"},
        note="As the page of Rummy 500 prints it, without its optional rules. The page does not break ties.",
    ),
    Preset(
        name="rummy500_no_jokers",
        title="Rummy 500 without jokers",
        options={"jokers_per_pack": 0},
        note="Optional rule 1 of the page: the game as it was played first.",
    ),
    Preset(
        name="rummy500_5_10_15",
        title="Rummy 500, cards count 5, 10 or 15",
        options={"values": "5/10/15", "ace_low": 5},
        note="Optional rule 2: two to nine count 5, and so does an ace melded below the two.",
    ),
    Preset(
        name="rummy500_play_the_card",
        title="Rummy 500, a card from the pile must be played",
        options={"single_card_must_play": True},
        note=f"Optional rule 3: also where it is the only card taken. {TABLE_RULE}",
    ),
    Preset(
        name="rummy500_new_meld",
        title="Rummy 500, a new meld for the pile",
        options={"new_meld_for_pile": True},
        note=f"Optional rule 4: the deepest card taken starts a meld and is not laid off. {TABLE_RULE}",
    ),
    Preset(
        name="rummy500_calling_rummy",
        title="Rummy 500, calling rummy in the pile",
        options={"rummy_in_pile": "any"},
        note=f"Optional rule 5: common, though most books do not count it to the game. {TABLE_RULE}",
    ),
    Preset(
        name="rummy500_calling_rummy_top",
        title="Rummy 500, calling rummy for the top card",
        options={"rummy_in_pile": "top_only"},
        note=f"Optional rule 6: only the latest discard may be called. {TABLE_RULE}",
    ),
    Preset(
        name="rummy500_discard_last",
        title="Rummy 500, going out needs a discard",
        options={"discard_to_go_out": True},
        note=f"Optional rule 7: one card must be kept for it. {TABLE_RULE}",
    ),
    Preset(
        name="rummy500_floating",
        title="Rummy 500, floating",
        options={"floating": True},
        note=f"Optional rule 8: a player who melds all cards floats until a discard ends the deal. {TABLE_RULE}",
    ),
    Preset(
        name="rummy500_unplayable_discard",
        title="Rummy 500, the last discard fits nowhere",
        options={"unplayable_discard": True, "floating": True},
        note=f"Optional rule 9: otherwise the player who discards it floats. {TABLE_RULE}",
    ),
    Preset(
        name="rummy500_must_go_out",
        title="Rummy 500, going out to win",
        options={"must_go_out_to_win": True},
        note="Optional rule 10: at 500 only a player who went out can win, even with fewer points.",
    ),
    Preset(
        name="rummy500_low_ace_1",
        title="Rummy 500, a low ace counts 1",
        options={"ace_low": 1, "cards_for_two": 10},
        note="Published by HowStuffWorks, with ten cards for two; Board Game Arena counts a low ace as 1 as well.",
    ),
    Preset(
        name="rummy500_bicycle",
        title="Rummy 500, the differences are paid",
        options={"settlement": "pay_difference"},
        note="Published by Bicycle: the winner collects the difference from each. Needs the value of a point.",
    ),
    Preset(
        name="rummy500_stock_out",
        title="Rummy 500, no deduction when the stock runs out",
        options={"stock_exhausted": "no_hand_deduction"},
        note="Not verified: one page of questions (osgamers) has it; all others deduct hands as usual.",
    ),
    Preset(
        name="rummy500_deals",
        title="Rummy 500, a fixed number of deals",
        options={"end": "rounds"},
        note="For tournaments: the highest score wins. Not on a page: five deals are our choice.",
    ),
)
