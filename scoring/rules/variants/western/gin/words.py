"""How players say the options of gin rummy, and what is asked for at its tables.

Rules: docs/rules/gin.md, "House options". Knows nothing of where it is printed.
"""

from collections.abc import Iterator

from scoring.messages import Message, say
from scoring.options import Wording
from scoring.rules.variants.western.gin.options import GinOptions
from scoring.rules.variants.western.words import played_to

WORDINGS: dict[str, Wording] = {
    "big_gin_bonus": Wording("Points for big gin, in place of the gin bonus", unset="not played"),
    "undercut_on_tie": Wording("Equal hand points are an undercut"),
    "shutout": Wording(
        "When the loser won no hand",
        choices={
            "double_difference": "the difference doubles",
            "double_points": "the winner’s points double",
            "flat": "a flat sum",
            "none": "counts as any other",
        },
    ),
    "ace_means_gin": Wording("Oklahoma: an ace means gin only"),
    "spades_double": Wording(
        "Oklahoma: a spade turned up",
        choices={
            "none": "doubles nothing",
            "points": "doubles the points",
            "points_and_boxes": "doubles points and boxes",
        },
    ),
    "games": Wording("Games scored side by side"),
}


def reminders(options: GinOptions) -> Iterator[Message]:
    """When a game is over, and what its bonuses are."""
    yield played_to(options.target)
    yield say(
        "Gin {gin} points, undercut {undercut}, game {game}, each box {box}.",
        gin=options.gin_bonus,
        undercut=options.undercut_bonus,
        game=options.game_bonus,
        box=options.box_bonus,
    )
