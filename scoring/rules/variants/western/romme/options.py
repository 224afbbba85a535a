"""House options of Romme, their wording, and the game as the Rummy Palace and German clubs play it.

Rules: docs/rules/romme.md, sections 3 (values) and 6 (options). Knows nothing of sheets.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from scoring.messages import Message, say
from scoring.options import PLAYS_ONLY, Options, Wording, about
from scoring.rules.cards import CardValues
from scoring.rules.table.variant import Preset, presets
from scoring.rules.variants.western.entry import deals_played, stock_runs_out

ROMME_VALUES = CardValues(ace=11, joker=20)
PACK, SUITS, COURT_CARDS_AND_TENS = 52, 4, 4


class RommeOptions(Options, frozen=True, kw_only=True):
    """House options of a Romme table."""

    scoring: Annotated[
        Literal["winner_collects", "penalty_only", "match_points", "casino"],
        about(
            "Winner collects the losses, losers only lose, match points, or casino (unverified)",
            "How rounds are scored",
        ),
        Wording(
            "How rounds are scored",
            {
                "winner_collects": "the winner collects what the others lose",
                "penalty_only": "losers only lose",
                "match_points": "match points",
                "casino": "casino: with the value of the cards laid (unverified)",
            },
        ),
    ] = "winner_collects"
    rounds: Annotated[int, about("Rounds to play", ge=1, le=50)] = 5
    end_minus: Annotated[
        Annotated[int, Meta(ge=100, le=1000)] | None,
        about("The table ends at this loss of a seat; not set: after the last round", "Table ends at loss of"),
        Wording("The table ends when a seat has lost so many points", unset="only after the last round"),
    ] = None
    eliminate_minus: Annotated[
        Annotated[int, Meta(ge=50, le=1000)] | None,
        about("Out after losing this many points, last one in wins; not set: nobody is out", "Eliminated at loss of"),
        Wording("A seat that has lost so many points is out", unset="nobody goes out"),
    ] = None
    tie: Annotated[
        Literal["share", "extra_round", "most_rounds_won"],
        about("Seats tied for first share, play an extra round, or compare rounds won", "Tie for first"),
        Wording(
            "Seats tied for first",
            {"share": "they share", "extra_round": "an extra round", "most_rounds_won": "most rounds won"},
        ),
    ] = "share"
    settlement: Annotated[
        Literal["none", "pay_points"],
        about("Each round the losers pay the winner their points, at the value of a point"),
        Wording("Losers pay", {"none": "nothing is paid", "pay_points": "the winner’s points, every round"}),
    ] = "none"
    hand_multiplier: Annotated[
        int, about("What a round counts that a hand romme has won", "Hand romme multiplier", ge=1, le=3)
    ] = 2
    hand_bonus: Annotated[
        Annotated[int, Meta(ge=0, le=200)] | UnsetType,
        about("Points of a hand romme for the winner, besides (French dry: 50)", extra={"unset": 0}),
        Wording("Points of a hand romme, besides"),
    ] = UNSET
    hand_requires_no_opponent_meld: Annotated[
        bool,
        about("Hand romme only if nobody else has melded; no: one turn is enough", "Hand romme: no other melds"),
        Wording("A hand romme needs that nobody else has melded"),
    ] = True
    stock_out: Annotated[
        Literal["all_lose", "reshuffle", "void", "lowest_wins"],
        about("When the stock runs out: all lose, play on, cancel, or the lowest hand wins", "When the stock runs out"),
        Wording(
            "When the stock runs out",
            {
                "all_lose": "all lose their hand points",
                "reshuffle": "play goes on",
                "void": "the round is cancelled",
                "lowest_wins": "the lowest hand wins",
            },
        ),
    ] = "all_lose"
    no_meld_flat: Annotated[
        Annotated[int, Meta(ge=0, le=200)] | None,
        about("What a loser without a meld pays; not set: hand points, as usual", "Flat cost without a meld"),
        Wording("What a loser pays who has not melded", unset="hand points, as usual"),
    ] = None
    match_win: Annotated[int, about("Match points of a round won", "Match points for a win", ge=0, le=50)] = 5
    match_hand_win: Annotated[
        int, about("Match points of a hand romme", "Match points for a hand romme", ge=0, le=50)
    ] = 8
    match_three_up_to: Annotated[
        int, about("Most hand points worth 3 match points", "3 match points up to", ge=0, le=200)
    ] = 10
    match_two_up_to: Annotated[
        int, about("Most hand points worth 2 match points", "2 match points up to", ge=0, le=200)
    ] = 20
    match_one_up_to: Annotated[
        int, about("Most hand points worth 1 match point", "1 match point up to", ge=0, le=200)
    ] = 30
    match_tie: Annotated[
        Literal["share", "each"] | UnsetType,
        about(
            "Equal lowest hands share the match points of a win, or each gets them",
            "Match points of equal hands",
            extra={"unset": "each"},
        ),
        Wording(
            "Equal lowest hands, when the stock runs out",
            {"share": "they share the match points", "each": "each gets the match points"},
        ),
    ] = UNSET
    joker_hand: Annotated[int, about("What a joker in hand costs", "Joker in hand", ge=15, le=50)] = 20
    ace_hand: Annotated[int, about("What an ace in hand costs", "Ace in hand", ge=1, le=25)] = 11
    jokers: Annotated[int, about("Jokers in play; a short hand has 3", ge=0, le=6)] = 6
    first_meld_min: Annotated[
        int,
        about("Points that a first meld must be worth; 0: without registration", "Minimum first meld", ge=0, le=100),
    ] = 30
    short_hand: Annotated[
        bool, about("Short hand: one pack of 55, ten cards for two seats and seven for more, no limit to meld")
    ] = False
    cyclic_runs: Annotated[
        bool, about("Cyclic laying: sequences may run past the ace", "Cyclic sequences", extra=PLAYS_ONLY)
    ] = False
    strict_joker: Annotated[
        bool, about("Strict jokers: they are not discarded, nor laid side by side", "Strict jokers", extra=PLAYS_ONLY)
    ] = False
    strict_groups: Annotated[
        bool, about("Strict groups: sets keep the order clubs, spades, hearts, diamonds", extra=PLAYS_ONLY)
    ] = False
    knock: Annotated[
        bool, about("Knocking: a discard may be claimed out of turn, for one card more", extra=PLAYS_ONLY)
    ] = False
    win_without_discard: Annotated[
        bool, about("Winning without a discard: the last card may be laid down", extra=PLAYS_ONLY)
    ] = False
    training: Annotated[bool, about("Practice: unrated, no season points", "Practice", extra=PLAYS_ONLY)] = False

    @property
    def bonus(self) -> int:
        """The bonus of a hand romme for the winner alone."""
        return self.hand_bonus if isinstance(self.hand_bonus, int) else 0

    @property
    def packs(self) -> int:
        return 1 if self.short_hand else 2

    @property
    def pack_cards(self) -> int:
        """How many cards are in play."""
        return self.packs * PACK + self.jokers

    @property
    def card_values(self) -> CardValues:
        """What cards in hand cost."""
        return replace(ROMME_VALUES, ace=self.ace_hand, joker=self.joker_hand)

    def cards_each(self, seats: int) -> int:
        """How many cards each seat is dealt."""
        if not self.short_hand:
            return 13
        return 10 if seats == 2 else 7

    def dearest(self, cards: int | None = None) -> int:
        """The most that so many cards can cost, the most expensive first; without a number all cards in play."""
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

    def reminders(self) -> Iterator[Message]:
        """How many rounds are played, what a first meld needs, who is out, and what follows without a stock."""
        yield deals_played(self.rounds)
        if self.first_meld_min:
            yield say("A first meld needs at least {points} points.", points=self.first_meld_min)
        if self.bonus:
            yield say("A hand romme brings the winner {points} points besides.", points=self.bonus)
        if self.eliminate_minus:
            yield say("Out with {points} points lost.", points=self.eliminate_minus)
        yield stock_runs_out(self.choice_message("stock_out"))


# Romme as people play it: the tables of the Rummy Palace with each special rule, club nights and other houses.


STANDARD = {
    "scoring": "winner_collects",
    "first_meld_min": 30,
    "joker_hand": 20,
    "ace_hand": 11,
    "stock_out": "all_lose",
}

TABLE_RULE = "It changes the play and not the count."
FIVE_ROUNDS = "Not verified: the number of rounds is only said to be chosen; five here."


def _special(title: str, note: str, **rules: object) -> Preset:
    """A table of the Rummy Palace with one of its special rules."""
    return Preset(f"Romme, Rummy Palace: {title}", {**STANDARD, **rules}, note)


ROMME = presets(
    palace=Preset(
        "Romme, Rummy Palace",
        {**STANDARD, "jokers": 6, "hand_multiplier": 2},
        f"As on its page, without special rules. {FIVE_ROUNDS}",
    ),
    palace_short_hand=_special(
        "short hand",
        "Its special rule: one pack with three jokers, ten cards for two seats and seven for more, no registration.",
        short_hand=True,
        jokers=3,
        first_meld_min=0,
    ),
    palace_registration_40=_special(
        "registration with 40",
        "Its special rule: the first meld of a round must be worth 40. rommee.de and others print it as the rule.",
        first_meld_min=40,
    ),
    palace_no_registration=_special(
        "without registration", "Its special rule: the first meld of a round may be worth anything.", first_meld_min=0
    ),
    palace_cyclic=_special(
        "cyclic laying", f"Its special rule: an ace may lie between king and two. {TABLE_RULE}", cyclic_runs=True
    ),
    palace_no_jokers=_special("without jokers", "Its special rule: 104 cards and no joker among them.", jokers=0),
    palace_strict_joker=_special(
        "strict jokers",
        f"Its special rule: jokers are not discarded, nor laid side by side. {TABLE_RULE}",
        strict_joker=True,
    ),
    palace_strict_groups=_special(
        "strict groups", f"Its special rule: the suits of a set keep their order. {TABLE_RULE}", strict_groups=True
    ),
    palace_knock=_special(
        "knocking",
        f"Its special rule: a discard may be claimed out of turn. Only worth it with three seats or more. {TABLE_RULE}",
        knock=True,
    ),
    palace_no_discard=_special(
        "winning without a discard",
        f"Its special rule: the last card may be laid down as well. {TABLE_RULE}",
        win_without_discard=True,
    ),
    palace_training=_special(
        "practice, unrated",
        "Its special rule: no points, chips or strength are kept. "
        "That site counts experience instead; this service does not.",
        training=True,
    ),
    palace_casino=_special(
        "casino ranking (unverified)",
        "Unverified: the table that belongs to it is lost. Its footnotes say that the winner also gets the value of "
        "the cards laid, and that a hand romme doubles everything.",
        scoring="casino",
    ),
    palace_minus_500=_special(
        "the table ends at 500 lost",
        "Published: rummy-palace.com ends a table at -500; romme-palast.de says more than 500. Fifty rounds at most.",
        end_minus=500,
        rounds=50,
    ),
    romme_match_points=Preset(
        "Romme, match points of clubs",
        {"scoring": "match_points", "match_win": 5, "match_hand_win": 8, "rounds": 20},
        "As deaf sports clubs print it (Halle 2012, Weissenfels 2013): 5 for a win, 8 for a hand romme, 1 to 3 "
        "for losers with up to 30 left, twice 20 deals. Not verified: the edges of the bands, 10, 20 and 30.",
    ),
    romme_out_at_101=Preset(
        "Romme, out with 101 bad points",
        {
            "scoring": "penalty_only",
            "eliminate_minus": 101,
            "first_meld_min": 40,
            "joker_hand": 25,
            "rounds": 50,
        },
        "Published by rommee.de: a first meld of 40, jokers 25, and out with 101 bad points. "
        "Not verified: that these are played together.",
    ),
    romme_french_dry=Preset(
        "Romme, French dry: minus 50",
        {"scoring": "penalty_only", "hand_multiplier": 1, "hand_bonus": 50, "first_meld_min": 51, "jokers": 4},
        "Losers lose, and a player who lays all cards in one turn (rami sec) has 50 bad points fewer. Not "
        "verified: clubs asked for it; no page was found. The first meld of 51 and four jokers are usual in France.",
    ),
    romme_51=Preset(
        "Romme, first meld of 51",
        {"first_meld_min": 51, "jokers": 4, "joker_hand": 50, "no_meld_flat": 100},
        f"Published by casino-yes: four jokers of 50, and 100 for a player who has not melded. {FIVE_ROUNDS}",
    ),
    romme_money=Preset(
        "Romme, points paid in money",
        {"settlement": "pay_points"},
        "Needs the value of a point. Not on a page: when the stock runs out nobody collects, and no money moves.",
    ),
)
