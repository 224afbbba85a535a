"""House options of gin rummy, and the knock limit that follows from the card turned up.

Rules: docs/rules/gin.md, sections 3 (Oklahoma) and 9 (options). Knows nothing of sheets.
"""

from typing import Annotated, Literal

from msgspec import Meta

from scoring.options import Options
from scoring.rules.cards import ACE, RANK_NAMES, RANKS, SPELLINGS, CardValues

GIN_VALUES = CardValues(ace=1, joker=0)
SPADES = "S"


class GinOptions(Options, frozen=True, kw_only=True):
    """House options of a gin table."""

    target: Annotated[int, Meta(ge=25, le=1000, description="The points that end a game, reached or passed")] = 100
    knock_max: Annotated[int, Meta(ge=0, le=10, title="Knock limit", description="Most deadwood to knock with")] = 10
    gin_bonus: Annotated[
        int, Meta(ge=0, le=100, description="Points for gin, on top of the opponent's hand points")
    ] = 25
    big_gin_bonus: Annotated[
        Annotated[int, Meta(ge=0, le=200)] | None,
        Meta(description="Points for big gin instead of the gin bonus (usually 31); not set: not played"),
    ] = None
    undercut_bonus: Annotated[
        int, Meta(ge=0, le=100, description="Points for an undercut, on top of the difference")
    ] = 25
    undercut_on_tie: Annotated[
        bool,
        Meta(
            title="Equal hand points: undercut", description="Equal hand points are an undercut; no: the knocker wins 0"
        ),
    ] = True
    game_bonus: Annotated[int, Meta(ge=0, le=500, description="Points for the game")] = 100
    box_bonus: Annotated[int, Meta(ge=0, le=100, description="Points for each box: one for every hand won")] = 25
    gin_extra_boxes: Annotated[int, Meta(ge=0, le=10, description="Extra boxes for gin, and for big gin")] = 0
    undercut_extra_boxes: Annotated[int, Meta(ge=0, le=10, description="Extra boxes for an undercut")] = 0
    shutout: Annotated[
        Literal["double_difference", "double_points", "flat", "none"],
        Meta(description="If the loser won no hand: double difference, double points, or a flat sum"),
    ] = "double_difference"
    shutout_flat: Annotated[
        int, Meta(ge=0, le=500, title="Flat sum for a shutout", description="The flat sum for a shutout")
    ] = 100
    oklahoma: Annotated[bool, Meta(description="The card turned up sets the knock limit")] = False
    ace_means_gin: Annotated[bool, Meta(description="Oklahoma: an ace means gin only; if not, knock with 1")] = True
    spades_double: Annotated[
        Literal["none", "points", "points_and_boxes"],
        Meta(description="Oklahoma: a spade turned up doubles the hand, with its boxes or without"),
    ] = "none"
    games: Annotated[int, Meta(ge=1, le=5, description="Games scored side by side; 3: Hollywood, 1: plain gin")] = 1
    last_game_doubles: Annotated[bool, Meta(description="Hollywood: the last game counts double")] = False
    partnership: Annotated[
        bool, Meta(description="Two sides of two or three partners, seated in turn; each plays one opponent")
    ] = False

    def knock_limit(self, upcard: str | None) -> int:
        """The most deadwood to knock with: in Oklahoma gin the value of the card turned up, an ace maybe gin alone."""
        if not self.oklahoma or upcard is None:
            return self.knock_max
        rank = RANKS.index(upcard[0])
        if rank == ACE and self.ace_means_gin:
            return 0
        return min(self.knock_max, GIN_VALUES.of_rank(rank))

    def doubles(self, upcard: str | None) -> bool:
        """Whether the card turned up doubles the hand."""
        return self.spades_double != "none" and upcard is not None and upcard.endswith(SPADES)


def read_upcard(written: object) -> str | None:
    """A card turned up, or its rank, as it is always written; None where it is neither."""
    name = written.strip().upper() if isinstance(written, str) else ""
    if name in RANK_NAMES:
        return RANKS[RANK_NAMES[name]]
    card = SPELLINGS.get(name)
    return None if card is None or card.is_printed_joker else card.text
