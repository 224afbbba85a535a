"""How players say the options that rum and block rummy share, and what is asked for at their tables.

Rules: docs/rules/rum.md, "House options". Knows nothing of where it is printed.
"""

from scoring.messages import Message, say
from scoring.options import Wording
from scoring.rules.variants.western.rum_options import RumFamilyOptions
from scoring.rules.variants.western.words import deals_played, played_to

WORDINGS: dict[str, Wording] = {
    "mode": Wording(
        "How deals are scored",
        choices={
            "penalty": "losers add penalties, the lowest score wins",
            "winner_scores": "only winners score",
            "cash": "every deal is paid in money",
        },
    ),
    "end": Wording(
        "The game is played",
        choices={"target": "to a target", "rounds": "a fixed number of deals"},
    ),
    "target_per_opponent": Wording("Target for each other seat", unset="the target as set"),
    "rummy_bonus": Wording("Points for going rummy, besides"),
    "tie": Wording("Seats level at the top", choices={"share": "they share", "extra_deal": "an extra deal"}),
    "ace": Wording(
        "Aces",
        choices={
            "low": "low only",
            "high_or_low": "low or high, 15 points",
            "g4a": "11 points",
            "around_the_corner": "around the corner, 15 points",
        },
    ),
    "block_scoring": Wording(
        "When nobody goes out",
        choices={
            "all_penalty": "all score their cards",
            "lowest_wins_difference": "the lowest hand wins the differences",
            "lowest_collects_minus_own": "the lowest hand collects the others, less its own",
        },
    ),
}


def bonus_reminder(options: RumFamilyOptions) -> Message:
    """What going rummy is worth to the seat itself."""
    if options.mode == "penalty":
        return say("A player who goes rummy takes {points} points off.", points=options.bonus)
    return say("A player who goes rummy scores {points} points more.", points=options.bonus)


def end_reminder(options: RumFamilyOptions) -> Message:
    """When the game is over."""
    return played_to(options.target) if options.end == "target" else deals_played(options.rounds)
