"""House options of basic rum and of block rummy.

Rules: docs/rules/rum.md, sections 2 (modes), 3 (values) and 5 (options). Knows nothing of sheets.
"""

from typing import Annotated, Literal

from msgspec import Meta

from scoring.options import PLAYS_ONLY, Options
from scoring.rules.table.variant import Preset

ACE_VALUES = {"low": 1, "high_or_low": 15, "g4a": 11, "around_the_corner": 15}


COURT_CARDS_AND_TENS, TOP_VALUE, SUITS = 16, 10, 4


PIPS = range(2, 10)


class RumFamilyOptions(Options, frozen=True, kw_only=True):
    """What rum and block rummy share."""

    mode: Annotated[
        Literal["penalty", "winner_scores", "cash"],
        Meta(description="Losers add penalties and the lowest wins, only winners score, or deals are paid in money"),
    ] = "penalty"
    end: Annotated[
        Literal["target", "rounds"], Meta(description="Play to a target, or a fixed number of deals (cash: rounds)")
    ] = "target"
    target: Annotated[int, Meta(ge=25, le=1000, description="The score that ends the game, reached or passed")] = 100
    rounds: Annotated[int, Meta(ge=1, le=50, description="Deals to play where their number is fixed")] = 5
    tie: Annotated[
        Literal["share", "extra_deal"], Meta(description="Seats level at the top share, or play an extra deal")
    ] = "share"
    ace: Annotated[
        Literal["low", "high_or_low", "g4a", "around_the_corner"],
        Meta(description="Aces are low (1), high or low (15), 11 (g4a), or go around the corner (15)"),
    ] = "low"
    jokers: Annotated[int, Meta(ge=0, le=4, description="Printed jokers in the pack")] = 0
    joker_value: Annotated[int, Meta(ge=1, le=50, description="What a joker in hand costs")] = 15
    rummy_multiplier: Annotated[
        int, Meta(ge=1, le=2, description="What a deal counts when somebody goes rummy: the whole hand in one turn")
    ] = 2
    block_scoring: Annotated[
        Literal["all_penalty", "lowest_wins_difference", "lowest_collects_minus_own"],
        Meta(
            description="When nobody goes out: all score their cards, the lowest hand wins the differences, or it "
            "collects the other hands less its own (default in modes winner_scores and cash: the differences)"
        ),
    ] = "all_penalty"
    one_meld_per_turn: Annotated[bool, Meta(description="Only one meld a turn", extra=PLAYS_ONLY)] = True
    lay_off_before_meld: Annotated[
        bool, Meta(description="Cards may be laid off before the first own meld", extra=PLAYS_ONLY)
    ] = True
    discard_last: Annotated[bool, Meta(description="Going out needs a discard", extra=PLAYS_ONLY)] = False

    @property
    def ace_value(self) -> int:
        return ACE_VALUES[self.ace]

    @property
    def blocks(self) -> bool:
        """A deal may end with nobody out."""
        return True

    def dearest(self, cards: int | None = None) -> int:
        """The most that so many cards of one pack can cost, dearest first; without a number the whole pack."""
        values = [self.joker_value] * self.jokers + [self.ace_value] * SUITS
        values += [pip for pip in PIPS for _ in range(SUITS)] + [TOP_VALUE] * COURT_CARDS_AND_TENS
        return sum(sorted(values, reverse=True)[:cards])


class RumOptions(RumFamilyOptions, frozen=True, kw_only=True):
    """House options of a rum table."""

    stock_exhausted: Annotated[
        Literal["reshuffle", "block"], Meta(description="When the stock runs out: reshuffle, or the deal is blocked")
    ] = "reshuffle"
    reshuffle: Annotated[
        Literal["shuffle", "turn_over"],
        Meta(description="The discard pile is shuffled, or only turned over", extra=PLAYS_ONLY),
    ] = "shuffle"
    reshuffle_limit: Annotated[
        Annotated[int, Meta(ge=1, le=20)] | None,
        Meta(description="How often the discard pile may become the stock in a deal", extra=PLAYS_ONLY),
    ] = None

    @property
    def blocks(self) -> bool:
        return self.stock_exhausted == "block"


class BlockOptions(RumFamilyOptions, frozen=True, kw_only=True):
    """House options of a block rummy table: the discard pile is never used again."""


def cards_each(seats: int) -> int:
    """How many cards each seat is dealt."""
    if seats == 2:
        return 10
    return 7 if seats <= 4 else 6


# Rum and block rummy as people play them: the basic game, and each variation of it under a name of its own.


ON_THE_PAGE = "A variation on the page of basic rum."


REST_AS_BASIC = "All else as in basic rum."


RUM = (
    Preset(
        name="rum",
        title="Basic rum, to 100 penalty points",
        options={"mode": "penalty", "end": "target", "target": 100, "ace": "low", "jokers": 0},
        note="As the page of basic rum prints it. Going rummy doubles, as many play. The page does not break ties.",
    ),
    Preset(
        name="rum_no_doubling",
        title="Basic rum, going rummy counts once",
        options={"rummy_multiplier": 1},
        note=f"The page prints the double count as what many give, not as the rule. {REST_AS_BASIC}",
    ),
    Preset(
        name="rum_rounds",
        title="Basic rum, a fixed number of deals",
        options={"mode": "penalty", "end": "rounds"},
        note=f"{ON_THE_PAGE} The lowest total wins. Not verified: the number of deals; five here.",
    ),
    Preset(
        name="rum_many_melds",
        title="Basic rum, any number of melds a turn",
        options={"one_meld_per_turn": False},
        note=f"{ON_THE_PAGE} It changes the play and not the count.",
    ),
    Preset(
        name="rum_lay_off_after_meld",
        title="Basic rum, lay off only after an own meld",
        options={"lay_off_before_meld": False},
        note=f"{ON_THE_PAGE} It changes the play and not the count.",
    ),
    Preset(
        name="rum_aces_high",
        title="Basic rum, aces high or low",
        options={"ace": "high_or_low"},
        note=f"{ON_THE_PAGE} An ace then costs 15, and king, ace, two is no run.",
    ),
    Preset(
        name="rum_around_the_corner",
        title="Basic rum, aces around the corner",
        options={"ace": "around_the_corner"},
        note="The page calls king, ace, two rare. Not verified: what such an ace costs; 15 here, as if high.",
    ),
    Preset(
        name="rum_ace_11",
        title="Basic rum, aces cost 11",
        options={"ace": "g4a"},
        note=f"One page of rules (g4a) counts an ace in hand as 11. {REST_AS_BASIC}",
    ),
    Preset(
        name="rum_jokers",
        title="Basic rum with jokers",
        options={"jokers": 2, "joker_value": 15},
        note=f"{ON_THE_PAGE} A joker costs 15. Not verified: how many jokers; two here.",
    ),
    Preset(
        name="rum_discard_last",
        title="Basic rum, the last card is discarded",
        options={"discard_last": True},
        note=f"{ON_THE_PAGE} It changes the play and not the count.",
    ),
    Preset(
        name="rum_turn_over",
        title="Basic rum, discards turned over unshuffled",
        options={"stock_exhausted": "reshuffle", "reshuffle": "turn_over"},
        note="The old rule; the page advises against it, Bicycle prints it. It changes the play and not the count.",
    ),
    Preset(
        name="rum_one_reshuffle",
        title="Basic rum, discards used once more",
        options={"stock_exhausted": "block", "reshuffle_limit": 1},
        note=f"{ON_THE_PAGE} Not verified: how often, and what then follows; once here, and then the deal is blocked.",
    ),
    Preset(
        name="rum_winner_scores",
        title="Rum, only the winner scores, to 100",
        options={"mode": "winner_scores", "end": "target", "target": 100},
        note=f"{ON_THE_PAGE} Dummies and Bicycle print it as the rule.",
    ),
    Preset(
        name="rum_winner_scores_250",
        title="Rum, only the winner scores, to 250",
        options={"mode": "winner_scores", "end": "target", "target": 250},
        note="Published: the page names 100 or 250 as the target, and so does Dummies.",
    ),
    Preset(
        name="rum_cash",
        title="Rum for cash",
        options={"mode": "cash", "end": "rounds"},
        note=f"{ON_THE_PAGE} Needs the value of a point. Not verified: the number of deals; five here.",
    ),
)


BLOCK = (
    Preset(
        name="block",
        title="Block rummy, all score their cards",
        options={"mode": "penalty", "block_scoring": "all_penalty"},
        note="As the page of basic rum prints it: the stock is gone, and all score what they hold.",
    ),
    Preset(
        name="block_differences",
        title="Block rummy, the lowest hand wins the differences",
        options={"mode": "penalty", "block_scoring": "lowest_wins_difference"},
        note="Not verified for block rummy: taken over from knock rummy. The lowest hand gets rid of what others take.",
    ),
    Preset(
        name="block_lowest_collects",
        title="Block rummy, the lowest hand collects less its own",
        options={"mode": "penalty", "block_scoring": "lowest_collects_minus_own"},
        note="Published by rrrummy.com for games that end early. The points of such a deal do not add up to 0.",
    ),
    Preset(
        name="block_winner_scores",
        title="Block rummy, only the winner scores",
        options={"mode": "winner_scores", "block_scoring": "lowest_wins_difference"},
        note="Not on a page as such: rum in which only winners score, and so a blocked deal needs one.",
    ),
    Preset(
        name="block_cash",
        title="Block rummy for cash",
        options={"mode": "cash", "end": "rounds", "block_scoring": "lowest_wins_difference"},
        note="Needs the value of a point. Not on a page as such: rum for cash, a blocked deal paid by the differences.",
    ),
)
