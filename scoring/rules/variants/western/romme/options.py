"""House options of Romme, as the Rummy Palace and German clubs play it.

Rules: docs/rules/romme.md, sections 3 (values) and 6 (options). Knows nothing of sheets.
"""

from typing import Annotated, Literal

from msgspec import Meta

from scoring.options import Options
from scoring.rules.cards import ROMME_VALUES
from scoring.rules.variants.indian.outcomes import PLAYS_ONLY

PACK, SUITS = 52, 4
COURT_CARDS_AND_TENS = 4


class RommeOptions(Options, frozen=True, kw_only=True):
    """House options of a Romme table."""

    scoring: Annotated[
        Literal["winner_collects", "penalty_only", "match_points", "casino"],
        Meta(
            description="The winner collects what the others lose, losers only lose, match points as clubs award "
            "them, or casino: the winner also gets the value of the cards laid (unverified: its table is lost)"
        ),
    ] = "winner_collects"
    rounds: Annotated[int, Meta(ge=1, le=50, description="Rounds to play")] = 5
    end_minus: Annotated[
        Annotated[int, Meta(ge=100, le=1000)] | None,
        Meta(description="The table ends when a seat has lost so many points; none: only after the last round"),
    ] = None
    eliminate_minus: Annotated[
        Annotated[int, Meta(ge=50, le=1000)] | None,
        Meta(description="A seat that has lost so many points is out, and the last one in wins; none: nobody goes out"),
    ] = None
    tie: Annotated[
        Literal["share", "extra_round", "most_rounds_won"],
        Meta(description="Seats level at the top share, play an extra round, or most rounds won decide"),
    ] = "share"
    settlement: Annotated[
        Literal["none", "pay_points"],
        Meta(description="Each round the losers pay the winner their points, at the value of a point"),
    ] = "none"
    hand_multiplier: Annotated[int, Meta(ge=1, le=3, description="What a round counts that a hand romme has won")] = 2
    hand_requires_no_opponent_meld: Annotated[
        bool, Meta(description="A hand romme needs that nobody else has melded; if not, one turn is enough")
    ] = True
    stock_out: Annotated[
        Literal["all_lose", "reshuffle", "void", "lowest_wins"],
        Meta(description="When the stock runs out: all lose their counts, play on, void, or the lowest hand wins"),
    ] = "all_lose"
    no_meld_flat: Annotated[
        Annotated[int, Meta(ge=0, le=200)] | None,
        Meta(description="What a loser pays who has not melded; none: the count, as everybody"),
    ] = None
    match_win: Annotated[int, Meta(ge=0, le=50, description="Match points of a round won")] = 5
    match_hand_win: Annotated[int, Meta(ge=0, le=50, description="Match points of a hand romme")] = 8
    match_three_up_to: Annotated[int, Meta(ge=0, le=200, description="Largest count worth 3 match points")] = 10
    match_two_up_to: Annotated[int, Meta(ge=0, le=200, description="Largest count worth 2 match points")] = 20
    match_one_up_to: Annotated[int, Meta(ge=0, le=200, description="Largest count worth 1 match point")] = 30
    joker_hand: Annotated[int, Meta(ge=15, le=50, description="What a joker in hand costs")] = 20
    ace_hand: Annotated[int, Meta(ge=1, le=25, description="What an ace in hand costs")] = 11
    jokers: Annotated[int, Meta(ge=0, le=6, description="Jokers in play; a short hand has 3")] = 6
    first_meld_min: Annotated[
        int, Meta(ge=0, le=100, description="Points that a first meld must be worth; 0: without registration")
    ] = 30
    short_hand: Annotated[
        bool,
        Meta(description="Short hand: one pack of 55, ten cards for two seats and seven for more, no limit to meld"),
    ] = False
    cyclic_runs: Annotated[bool, Meta(description="Cyclic laying: runs may go on past the ace", extra=PLAYS_ONLY)] = (
        False
    )
    strict_joker: Annotated[
        bool, Meta(description="Strict jokers: they are not discarded, nor laid side by side", extra=PLAYS_ONLY)
    ] = False
    strict_groups: Annotated[
        bool, Meta(description="Strict groups: sets keep the order clubs, spades, hearts, diamonds", extra=PLAYS_ONLY)
    ] = False
    knock: Annotated[
        bool, Meta(description="Knocking: a discard may be claimed out of turn, for one card more", extra=PLAYS_ONLY)
    ] = False
    win_without_discard: Annotated[
        bool, Meta(description="Winning without a discard: the last card may be laid down", extra=PLAYS_ONLY)
    ] = False
    training: Annotated[bool, Meta(description="Training: unrated, no league points", extra=PLAYS_ONLY)] = False

    @property
    def packs(self) -> int:
        return 1 if self.short_hand else 2

    @property
    def pack_cards(self) -> int:
        """How many cards are in play."""
        return self.packs * PACK + self.jokers

    def dearest(self, cards: int | None = None) -> int:
        """The most that so many cards can cost, dearest first; without a number all cards in play."""
        each_suit = [self.ace_hand, *ROMME_VALUES.pips, *[ROMME_VALUES.court] * COURT_CARDS_AND_TENS]
        values = self.packs * SUITS * each_suit + [self.joker_hand] * self.jokers
        return sum(sorted(values, reverse=True)[:cards])

    def is_enough_to_meld(self, points: int) -> bool:
        """Whether a first meld of so many points may be laid down."""
        return points >= self.first_meld_min

    def match_points(self, count: int) -> int:
        """What a loser's count is still worth."""
        for points, most in ((3, self.match_three_up_to), (2, self.match_two_up_to), (1, self.match_one_up_to)):
            if count <= most:
                return points
        return 0


def cards_each(seats: int, options: RommeOptions) -> int:
    """How many cards each seat is dealt."""
    if not options.short_hand:
        return 13
    return 10 if seats == 2 else 7
