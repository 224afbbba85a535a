"""House options of a deals table.

Rules: docs/rules/deals.md, "House options". Knows nothing of play.
"""

from typing import Annotated, Literal

from msgspec import Meta

from scoring.rules.variants.indian.outcomes import DealOptions


class DealsOptions(DealOptions, frozen=True, kw_only=True):
    """House options of a deals table."""

    deals: Annotated[int, Meta(ge=1, le=20, description="Deals to play; default 2 for two seats, else one a seat")] = 2
    chips_per_deal: Annotated[int, Meta(ge=40, le=200, description="Chips a seat starts with for each deal")] = 80
    absent_points: Annotated[
        int, Meta(ge=0, le=80, description="Points of a seat that is away, for each deal it misses")
    ] = 40
    tiebreak: Annotated[
        Literal["extra_deal", "most_deals_won", "share"],
        Meta(description="Equal chips at the top: an extra deal, most deals won, or share"),
    ] = "extra_deal"
    tiebreak_moves_chips: Annotated[bool, Meta(description="Chips move in an extra deal too")] = False
    stop_when_decided: Annotated[bool, Meta(description="Stop when nobody can catch the leader any more")] = False
    second_prize_bp: Annotated[
        int, Meta(ge=0, le=5_000, description="Second prize, in basis points of the pot less the fee")
    ] = 0

    @property
    def absent_price(self) -> int:
        return self.absent_points
