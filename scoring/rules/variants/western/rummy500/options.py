"""House options of Rummy 500, their wording, and the value of its cards and packs.

Rules: docs/rules/rummy500.md, sections 3 (values) and 6 (options). Knows nothing of sheets.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Annotated, Literal

from scoring.messages import Message
from scoring.options import PLAYS_ONLY, Options, Wording, about
from scoring.rules.cards import FIVES, Card, CardValues
from scoring.rules.table.variant import Preset, presets
from scoring.rules.variants.western.entry import deals_played, played_to, stock_runs_out

Rummy500Values = Literal["face", "5/10/15"]
RUMMY500_VALUES = CardValues(ace=15, joker=15)
RUMMY500_FIVES_VALUES = CardValues(ace=15, joker=15, pips=FIVES)


def rummy500_values(values: Rummy500Values = "face", *, ace: int = 15, joker: int = 15) -> CardValues:
    """The values of a Rummy 500 house."""
    base = RUMMY500_VALUES if values == "face" else RUMMY500_FIVES_VALUES
    return replace(base, ace=ace, joker=joker)


def rummy500_score(
    melded: Iterable[Card],
    hand: Iterable[Card],
    *,
    values: CardValues = RUMMY500_VALUES,
    low_aces: int = 0,
    ace_low: int = 15,
) -> int:
    """Melded cards less those in hand. `low_aces` of the melded aces are below a two and are worth `ace_low`."""
    return values.total(melded) - values.total(hand) - low_aces * (values.ace - ace_low)


MANY_SEATS = 5
SUITS, COURT_CARDS_AND_TENS, CARDS = 4, 4, 52


class Rummy500Options(Options, frozen=True, kw_only=True):
    """House options of a Rummy 500 table."""

    end: Annotated[
        Literal["target", "rounds"],
        about("Play to a target, or a fixed number of deals (most points win)", "Play to"),
        Wording("The game is played", {"target": "to a target", "rounds": "a fixed number of deals"}),
    ] = "target"
    target: Annotated[int, about("The score that ends the game, reached or passed", ge=100, le=2000)] = 500
    rounds: Annotated[int, about("Deals to play where their number is fixed", ge=1, le=50)] = 5
    tie: Annotated[
        Literal["play_on", "share"],
        about("Seats tied for first play another deal, or share", "Tie for first"),
        Wording("Seats tied for first", {"play_on": "they play another deal", "share": "they share"}),
    ] = "play_on"
    must_go_out_to_win: Annotated[
        bool, about("At the target only a player who went out wins; otherwise play continues")
    ] = False
    stock_exhausted: Annotated[
        Literal["normal", "no_hand_deduction"],
        about("When the stock runs out: score as usual, or deduct no hands", "When the stock runs out"),
        Wording(
            "When the stock runs out",
            {"normal": "scored as usual", "no_hand_deduction": "cards in hand are not deducted"},
        ),
    ] = "normal"
    settlement: Annotated[
        Literal["none", "pay_difference"],
        about("At the end each seat pays the winner the difference, at the value of a point"),
        Wording(
            "Each seat pays at the end",
            {"none": "nothing is paid", "pay_difference": "the difference, to the winner"},
        ),
    ] = "none"
    packs: Annotated[
        int, about("Packs of 52 in play; default 2 from five seats on", ge=1, le=2), Wording("Packs of 52 in play")
    ] = 1
    jokers_per_pack: Annotated[int, about("Jokers in each pack", ge=0, le=2)] = 2
    joker_value: Annotated[int, about("What a joker counts", ge=1, le=50)] = 15
    joker_melded: Annotated[
        Literal["own_value", "replaced_card"],
        about(
            "A melded joker counts its own value, or that of the card it stands for",
            "A melded joker counts",
            extra=PLAYS_ONLY,
        ),
        Wording(
            "A melded joker counts",
            {"own_value": "its own value", "replaced_card": "that of the card it stands for"},
        ),
    ] = "own_value"
    values: Annotated[
        Literal["face", "5/10/15"],
        about("Two to nine count their face, or all of them 5", "Card values"),
        Wording("Values of cards", {"face": "two to nine count their face", "5/10/15": "two to nine count 5"}),
    ] = "face"
    ace_in_hand: Annotated[int, about("What an ace in hand costs", ge=1, le=15)] = 15
    ace_low: Annotated[
        int,
        about("What an ace melded below the two counts; default 5 with values 5/10/15", ge=1, le=15, extra=PLAYS_ONLY),
        Wording("What an ace melded below the two counts"),
    ] = 15
    cards_for_two: Annotated[
        int, about("Cards dealt to each of two seats", "Cards with two players", ge=7, le=13, extra=PLAYS_ONLY)
    ] = 13
    discard_to_go_out: Annotated[bool, about("Going out needs a discard", extra=PLAYS_ONLY)] = False
    floating: Annotated[
        bool, about("A player who melds the last card without a discard floats, and play continues", extra=PLAYS_ONLY)
    ] = False
    unplayable_discard: Annotated[
        bool,
        about("The discard that goes out must fit no meld on the table", "Last discard fits nowhere", extra=PLAYS_ONLY),
    ] = False
    new_meld_for_pile: Annotated[
        bool,
        about("The deepest card taken from the pile must start a new meld", "Pile needs a new meld", extra=PLAYS_ONLY),
    ] = False
    single_card_must_play: Annotated[
        bool,
        about(
            "A single card taken from the pile must be played as well", "Single card must be played", extra=PLAYS_ONLY
        ),
    ] = False
    rummy_in_pile: Annotated[
        Literal["off", "any", "top_only"],
        about(
            "Players may call rummy for a card that fits, in the whole pile or on top",
            "Calling rummy",
            extra=PLAYS_ONLY,
        ),
        Wording(
            "Players may call rummy for a card that fits",
            {"off": "no", "any": "in the whole pile", "top_only": "on top only"},
        ),
    ] = "off"

    @property
    def card_values(self) -> CardValues:
        """What cards in hand cost."""
        return rummy500_values(self.values, ace=self.ace_in_hand, joker=self.joker_value)

    @property
    def worth_of_packs(self) -> int:
        """The most that all cards in play can be worth. An ace, and so a joker in its place, may be worth 15."""
        values = rummy500_values(self.values)
        each_suit = values.ace + sum(values.pips) + COURT_CARDS_AND_TENS * values.court
        jokers = self.jokers_per_pack * max(self.joker_value, values.ace)
        return self.packs * (SUITS * each_suit + jokers)

    @property
    def jokers(self) -> int:
        """How many jokers are in play."""
        return self.packs * self.jokers_per_pack

    @property
    def least_card(self) -> int:
        """The least that one card on the table counts."""
        return min(self.ace_low, *rummy500_values(self.values).pips, *self._melded_joker)

    @property
    def least_meld(self) -> int:
        """The least that a meld counts: three twos, or ace, two, three; a joker may replace one of them."""
        two, three, *_ = rummy500_values(self.values).pips
        return min(two + two + min([two, *self._melded_joker]), self.ace_low + two + min([three, *self._melded_joker]))

    @property
    def _melded_joker(self) -> tuple[int, ...]:
        """What a melded joker counts, where there are any and they count their own value."""
        return (self.joker_value,) if self.jokers and self.joker_melded == "own_value" else ()

    @property
    def pack_cards(self) -> int:
        """How many cards are in play."""
        return self.packs * (CARDS + self.jokers_per_pack)

    def cards_each(self, seats: int) -> int:
        """How many cards each seat is dealt."""
        return self.cards_for_two if seats == 2 else 7

    def reminders(self) -> Iterator[Message]:
        """When the game is over, and what follows when the stock runs out."""
        yield played_to(self.target) if self.end == "target" else deals_played(self.rounds)
        yield stock_runs_out(self.choice_message("stock_exhausted"))


# Rummy 500 as people play it: plain, with each of its optional rules, and as other pages print it.


TABLE_RULE = "It changes the play and not the count."

RUMMY500 = presets(
    rummy500=Preset(
        "Rummy 500",
        {"target": 500, "jokers_per_pack": 2, "joker_value": 15, "values": "face"},
        "As on the page of Rummy 500, without its optional rules. The page does not break ties.",
    ),
    rummy500_no_jokers=Preset(
        "Rummy 500 without jokers",
        {"jokers_per_pack": 0},
        "Optional rule 1 of the page: the game as it was played first.",
    ),
    rummy500_5_10_15=Preset(
        "Rummy 500, cards count 5, 10 or 15",
        {"values": "5/10/15", "ace_low": 5},
        "Optional rule 2: two to nine count 5, and so does an ace melded below the two.",
    ),
    rummy500_play_the_card=Preset(
        "Rummy 500, a card from the pile must be played",
        {"single_card_must_play": True},
        f"Optional rule 3: also where it is the only card taken. {TABLE_RULE}",
    ),
    rummy500_new_meld=Preset(
        "Rummy 500, a new meld for the pile",
        {"new_meld_for_pile": True},
        f"Optional rule 4: the deepest card taken starts a meld and is not laid off. {TABLE_RULE}",
    ),
    rummy500_calling_rummy=Preset(
        "Rummy 500, calling rummy in the pile",
        {"rummy_in_pile": "any"},
        f"Optional rule 5: common, though most books do not count it to the game. {TABLE_RULE}",
    ),
    rummy500_calling_rummy_top=Preset(
        "Rummy 500, calling rummy for the top card",
        {"rummy_in_pile": "top_only"},
        f"Optional rule 6: only the latest discard may be called. {TABLE_RULE}",
    ),
    rummy500_discard_last=Preset(
        "Rummy 500, going out needs a discard",
        {"discard_to_go_out": True},
        f"Optional rule 7: one card must be kept for it. {TABLE_RULE}",
    ),
    rummy500_floating=Preset(
        "Rummy 500, floating",
        {"floating": True},
        f"Optional rule 8: a player who melds all cards floats until a discard ends the deal. {TABLE_RULE}",
    ),
    rummy500_unplayable_discard=Preset(
        "Rummy 500, the last discard fits nowhere",
        {"unplayable_discard": True, "floating": True},
        f"Optional rule 9: otherwise the player who discards it floats. {TABLE_RULE}",
    ),
    rummy500_must_go_out=Preset(
        "Rummy 500, going out to win",
        {"must_go_out_to_win": True},
        "Optional rule 10: at 500 only a player who went out can win, even with fewer points.",
    ),
    rummy500_low_ace_1=Preset(
        "Rummy 500, a low ace counts 1",
        {"ace_low": 1, "cards_for_two": 10},
        "Published by HowStuffWorks, with ten cards for two; Board Game Arena counts a low ace as 1 as well.",
    ),
    rummy500_bicycle=Preset(
        "Rummy 500, the differences are paid",
        {"settlement": "pay_difference"},
        "Published by Bicycle: the winner collects the difference from each. Needs the value of a point.",
    ),
    rummy500_stock_out=Preset(
        "Rummy 500, no deduction when the stock runs out",
        {"stock_exhausted": "no_hand_deduction"},
        "Not verified: one page of questions (osgamers) has it; all others deduct hands as usual.",
    ),
    rummy500_deals=Preset(
        "Rummy 500, a fixed number of deals",
        {"end": "rounds"},
        "For tournaments: the highest score wins. Not on a page: five deals are our choice.",
    ),
)
