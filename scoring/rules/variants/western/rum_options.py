"""House options that rum and block rummy share, and how many cards each seat is dealt.

Rules: docs/rules/rum.md, sections 2 (modes), 3 (values) and 5 (options). Knows nothing of sheets.
"""

from dataclasses import replace
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from scoring.messages import Message, say
from scoring.options import PLAYS_ONLY, Options, Wording, about
from scoring.rules.cards import CardValues
from scoring.rules.variants.western.entry import deals_played, played_to

RUM_VALUES = CardValues(ace=1, joker=15)
ACE_VALUES = {"low": 1, "high_or_low": 15, "g4a": 11, "around_the_corner": 15}
COURT_CARDS_AND_TENS, TOP_VALUE, SUITS = 16, 10, 4
PIPS = range(2, 10)


class RumFamilyOptions(Options, frozen=True, kw_only=True):
    """House options that basic rum and block rummy share."""

    mode: Annotated[
        Literal["penalty", "winner_scores", "cash"],
        about("Lowest penalty total wins, only winners score, or deals are paid in money", "How deals are scored"),
        Wording(
            "How deals are scored",
            {
                "penalty": "losers add penalties, the lowest score wins",
                "winner_scores": "only winners score",
                "cash": "every deal is paid in money",
            },
        ),
    ] = "penalty"
    end: Annotated[
        Literal["target", "rounds"],
        about("Play to a target, or a fixed number of deals (cash: rounds)", "Play to"),
        Wording("The game is played", {"target": "to a target", "rounds": "a fixed number of deals"}),
    ] = "target"
    target: Annotated[int, about("The score that ends the game, reached or passed", ge=25, le=1000)] = 100
    target_per_opponent: Annotated[
        Annotated[int, Meta(ge=25, le=200)] | UnsetType | None,
        about(
            "The target is so many points for each other seat: with 100 it is (seats - 1) x 100; none: "
            "the target as set",
            extra={"unset": None},
        ),
        Wording("Target for each other seat", unset="the target as set"),
    ] = UNSET
    rounds: Annotated[int, about("Deals to play where their number is fixed", ge=1, le=50)] = 5
    tie: Annotated[
        Literal["share", "extra_deal"],
        about("Seats tied for first share, or play an extra deal", "Tie for first"),
        Wording("Seats tied for first", {"share": "they share", "extra_deal": "an extra deal"}),
    ] = "share"
    ace: Annotated[
        Literal["low", "high_or_low", "g4a", "around_the_corner"],
        about("Aces are low (1), high or low (15), 11 (g4a), or go around the corner (15)"),
        Wording(
            "Aces",
            {
                "low": "low only",
                "high_or_low": "low or high, 15 points",
                "g4a": "11 points",
                "around_the_corner": "around the corner, 15 points",
            },
        ),
    ] = "low"
    jokers: Annotated[int, about("Printed jokers in the pack", ge=0, le=4)] = 0
    joker_value: Annotated[int, about("What a joker in hand costs", ge=1, le=50)] = 15
    rummy_multiplier: Annotated[
        int, about("What a deal counts when somebody goes rummy: the whole hand in one turn", ge=1, le=2)
    ] = 2
    rummy_bonus: Annotated[
        Annotated[int, Meta(ge=0, le=200)] | UnsetType,
        about(
            "Points in favour of a seat that goes rummy, besides: as penalties it takes them off (French dry: 50)",
            extra={"unset": 0},
        ),
        Wording("Points for going rummy, besides"),
    ] = UNSET
    block_scoring: Annotated[
        Literal["all_penalty", "lowest_wins_difference", "lowest_collects_minus_own"],
        about("If nobody goes out: all score, or lowest hand wins the differences or the rest"),
        Wording(
            "When nobody goes out",
            {
                "all_penalty": "all score their cards",
                "lowest_wins_difference": "the lowest hand wins the differences",
                "lowest_collects_minus_own": "the lowest hand collects the others, less its own",
            },
        ),
    ] = "all_penalty"
    one_meld_per_turn: Annotated[bool, about("Only one meld a turn", extra=PLAYS_ONLY)] = True
    lay_off_before_meld: Annotated[
        bool, about("Cards may be laid off before the first own meld", "Lay off before melding", extra=PLAYS_ONLY)
    ] = True
    discard_last: Annotated[bool, about("Going out needs a discard", "Discard the last card", extra=PLAYS_ONLY)] = False

    @property
    def bonus(self) -> int:
        """The bonus of going rummy for the seat itself."""
        return self.rummy_bonus if isinstance(self.rummy_bonus, int) else 0

    @property
    def ace_value(self) -> int:
        return ACE_VALUES[self.ace]

    @property
    def card_values(self) -> CardValues:
        """The cost of cards in hand, whether they could be melded or not."""
        return replace(RUM_VALUES, ace=self.ace_value, joker=self.joker_value)

    @property
    def blocks(self) -> bool:
        """Whether a deal may end with no one out."""
        return True

    def dearest(self, cards: int | None = None) -> int:
        """The most that so many cards of one pack can cost, most expensive first; without a number the whole pack."""
        values = [self.joker_value] * self.jokers + [self.ace_value] * SUITS
        values += [pip for pip in PIPS for _ in range(SUITS)] + [TOP_VALUE] * COURT_CARDS_AND_TENS
        return sum(sorted(values, reverse=True)[:cards])

    def cards_each(self, seats: int) -> int:
        """How many cards each seat is dealt."""
        if seats == 2:
            return 10
        return 7 if seats <= 4 else 6


def bonus_reminder(options: RumFamilyOptions) -> Message:
    """The bonus of going rummy for the seat itself."""
    if options.mode == "penalty":
        return say("A player who goes rummy takes {points} points off.", points=options.bonus)
    return say("A player who goes rummy scores {points} points more.", points=options.bonus)


def end_reminder(options: RumFamilyOptions) -> Message:
    """When the game is over."""
    return played_to(options.target) if options.end == "target" else deals_played(options.rounds)
