"""How players say the options of gin rummy, and what is asked for at its tables.

Rules: docs/rules/gin.md, "House options". Knows nothing of where it is printed.
"""

from collections.abc import Iterator

from scoring.messages import Message, say, words
from scoring.options import Wording
from scoring.rules.variants.western.gin.options import GinOptions
from scoring.rules.variants.western.words import played_to

WORDINGS: dict[str, Wording] = {
    "big_gin_bonus": Wording(words("Points for big gin, in place of the gin bonus"), unset=words("not played")),
    "undercut_on_tie": Wording(words("Equal counts are an undercut")),
    "shutout": Wording(
        words("When the loser won no hand"),
        choices={
            "double_difference": words("the difference doubles"),
            "double_points": words("the winner’s points double"),
            "flat": words("a flat sum"),
            "none": words("counts as any other"),
        },
    ),
    "ace_means_gin": Wording(words("Oklahoma: an ace means gin only")),
    "spades_double": Wording(
        words("Oklahoma: a spade turned up"),
        choices={
            "none": words("doubles nothing"),
            "points": words("doubles the points"),
            "points_and_boxes": words("doubles points and boxes"),
        },
    ),
    "games": Wording(words("Games scored side by side")),
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
