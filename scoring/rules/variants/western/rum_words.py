"""How players say the options that rum and block rummy share, and what is asked for at their tables.

Rules: docs/rules/rum.md, "House options". Knows nothing of where it is printed.
"""

from scoring.messages import Message, words
from scoring.options import Wording
from scoring.rules.variants.western.rum_options import RumFamilyOptions
from scoring.rules.variants.western.words import deals_played, played_to

WORDINGS: dict[str, Wording] = {
    "mode": Wording(
        words("How deals are scored"),
        choices={
            "penalty": words("losers add penalties, the lowest score wins"),
            "winner_scores": words("only winners score"),
            "cash": words("every deal is paid in money"),
        },
    ),
    "end": Wording(
        words("The game is played"),
        choices={"target": words("to a target"), "rounds": words("a fixed number of deals")},
    ),
    "tie": Wording(
        words("Seats level at the top"), choices={"share": words("they share"), "extra_deal": words("an extra deal")}
    ),
    "ace": Wording(
        words("Aces"),
        choices={
            "low": words("low only"),
            "high_or_low": words("low or high, 15 points"),
            "g4a": words("11 points"),
            "around_the_corner": words("around the corner, 15 points"),
        },
    ),
    "block_scoring": Wording(
        words("When nobody goes out"),
        choices={
            "all_penalty": words("all score their cards"),
            "lowest_wins_difference": words("the lowest hand wins the differences"),
            "lowest_collects_minus_own": words("the lowest hand collects the others, less its own"),
        },
    ),
}


def end_reminder(options: RumFamilyOptions) -> Message:
    """When the game is over."""
    return played_to(options.target) if options.end == "target" else deals_played(options.rounds)
