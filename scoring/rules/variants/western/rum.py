"""Basic rum: the first player out wins the deal, and the others pay for the cards they hold.

Rules: docs/rules/rum.md. Knows nothing of storage, accounts or the web.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta

from scoring.messages import Message
from scoring.options import PLAYS_ONLY, Wording, about
from scoring.rules.table.variant import Preset, Setup, presets
from scoring.rules.variants.western.entry import stock_runs_out
from scoring.rules.variants.western.rum_form import RumForm
from scoring.rules.variants.western.rum_options import RumFamilyOptions

# Basic rum as people play it: the basic game, and each variation of it under a name of its own.


ON_THE_PAGE = "A variation on the page of basic rum."
REST_AS_BASIC = "All else as in basic rum."
RUM = presets(
    rum=Preset(
        "Basic rum, to 100 penalty points",
        {"mode": "penalty", "end": "target", "target": 100, "ace": "low", "jokers": 0},
        "As on the page of basic rum. Going rummy doubles, as many play. The page does not break ties.",
    ),
    rum_no_doubling=Preset(
        "Basic rum, going rummy counts once",
        {"rummy_multiplier": 1},
        f"The page prints the double count as what many give, not as the rule. {REST_AS_BASIC}",
    ),
    rum_french_dry=Preset(
        "Basic rum, French dry: minus 50",
        {"mode": "penalty", "rummy_multiplier": 1, "rummy_bonus": 50},
        "A player who lays the whole hand in one turn (rami sec) takes 50 penalty points off. Not verified: clubs "
        f"asked for it; no page was found. {REST_AS_BASIC}",
    ),
    rum_target_by_seats=Preset(
        "Basic rum, to (seats - 1) x 100",
        {"target_per_opponent": 100},
        f"Published by bigugl: 100 points for each other player. {REST_AS_BASIC}",
    ),
    rum_rounds=Preset(
        "Basic rum, a fixed number of deals",
        {"mode": "penalty", "end": "rounds"},
        f"{ON_THE_PAGE} The lowest total wins. Not verified: the number of deals; five here.",
    ),
    rum_many_melds=Preset(
        "Basic rum, any number of melds a turn",
        {"one_meld_per_turn": False},
        f"{ON_THE_PAGE} It changes the play and not the count.",
    ),
    rum_lay_off_after_meld=Preset(
        "Basic rum, lay off only after an own meld",
        {"lay_off_before_meld": False},
        f"{ON_THE_PAGE} It changes the play and not the count.",
    ),
    rum_aces_high=Preset(
        "Basic rum, aces high or low",
        {"ace": "high_or_low"},
        f"{ON_THE_PAGE} An ace then costs 15, and king, ace, two is not a sequence.",
    ),
    rum_around_the_corner=Preset(
        "Basic rum, aces around the corner",
        {"ace": "around_the_corner"},
        "The page calls king, ace, two rare. Not verified: what such an ace costs; 15 here, as if high.",
    ),
    rum_ace_11=Preset(
        "Basic rum, aces cost 11",
        {"ace": "g4a"},
        f"One page of rules (g4a) counts an ace in hand as 11. {REST_AS_BASIC}",
    ),
    rum_jokers=Preset(
        "Basic rum with jokers",
        {"jokers": 2, "joker_value": 15},
        f"{ON_THE_PAGE} A joker costs 15. Not verified: how many jokers; two here.",
    ),
    rum_discard_last=Preset(
        "Basic rum, the last card is discarded",
        {"discard_last": True},
        f"{ON_THE_PAGE} It changes the play and not the count.",
    ),
    rum_turn_over=Preset(
        "Basic rum, discards turned over unshuffled",
        {"stock_exhausted": "reshuffle", "reshuffle": "turn_over"},
        "The old rule; the page advises against it, Bicycle prints it. It changes the play and not the count.",
    ),
    rum_one_reshuffle=Preset(
        "Basic rum, discards used once more",
        {"stock_exhausted": "block", "reshuffle_limit": 1},
        f"{ON_THE_PAGE} Not verified: how often, and what then follows; once here, and then the deal is blocked.",
    ),
    rum_winner_scores=Preset(
        "Rum, only the winner scores, to 100",
        {"mode": "winner_scores", "end": "target", "target": 100},
        f"{ON_THE_PAGE} Dummies and Bicycle print it as the rule.",
    ),
    rum_winner_scores_250=Preset(
        "Rum, only the winner scores, to 250",
        {"mode": "winner_scores", "end": "target", "target": 250},
        "Published: the page names 100 or 250 as the target, and so does Dummies.",
    ),
    rum_cash=Preset(
        "Rum for cash",
        {"mode": "cash", "end": "rounds"},
        f"{ON_THE_PAGE} Needs the value of a point. Not verified: the number of deals; five here.",
    ),
)


class RumOptions(RumFamilyOptions, frozen=True, kw_only=True):
    """House options of a rum table."""

    stock_exhausted: Annotated[
        Literal["reshuffle", "block"],
        about("When the stock runs out: reshuffle, or the deal is blocked", "When the stock runs out"),
        Wording(
            "When the stock runs out",
            {"reshuffle": "the discards are shuffled and play goes on", "block": "the deal is blocked"},
        ),
    ] = "reshuffle"
    reshuffle: Annotated[
        Literal["shuffle", "turn_over"],
        about("The discard pile is shuffled, or only turned over", extra=PLAYS_ONLY),
        Wording("The discard pile becomes the stock", {"shuffle": "shuffled", "turn_over": "only turned over"}),
    ] = "shuffle"
    reshuffle_limit: Annotated[
        Annotated[int, Meta(ge=1, le=20)] | None,
        about("How often the discard pile may become the stock in a deal", "Most reshuffles", extra=PLAYS_ONLY),
        Wording(unset="as often as needed"),
    ] = None

    @property
    def blocks(self) -> bool:
        return self.stock_exhausted == "block"


class Rum(RumForm[RumOptions]):
    """Basic rum, in one of its three modes."""

    name = "rum"
    title = "Basic rum"
    summary = "Losers pay for the cards they hold: as penalties up to a target, as the winner's points, or in cash."
    presets = RUM
    example = {"out": "1", "counts": {"2": 20}, "hands": {"3": "KH QH 9S AD"}, "went_rummy": True, "dealer": "3"}
    options_type = RumOptions

    def reminders(self, setup: Setup[RumOptions]) -> Iterator[Message]:
        yield from super().reminders(setup)
        yield stock_runs_out(setup.options.choice_message("stock_exhausted"))


GAME = Rum()
