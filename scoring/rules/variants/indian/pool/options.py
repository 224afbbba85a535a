"""House options of a pool table, and the prices that belong to a limit.

Rules: docs/rules/pool.md, section 2 (limits and what belongs to each). Knows nothing of play.
"""

from typing import Annotated, Literal

from msgspec import Meta

from scoring.money.payouts import MOST_MINOR
from scoring.rules.variants.indian.outcomes import DealOptions

HOUSE_ROWS: dict[int, dict[str, int]] = {
    51: {"first_drop": 10, "middle_drop": 20, "cap": 50},
    61: {"first_drop": 15, "middle_drop": 30, "cap": 60},
    201: {"first_drop": 25, "middle_drop": 50},
}


class PoolOptions(DealOptions, frozen=True, kw_only=True):
    """House options of a pool table."""

    limit: Annotated[int, Meta(ge=41, le=1001, description="The total that puts a seat out")] = 101
    eliminate_at: Annotated[
        Literal["reach_or_exceed", "exceed"],
        Meta(description="Out on reaching the limit, or only above it"),
    ] = "reach_or_exceed"
    max_rejoins: Annotated[
        Annotated[int, Meta(ge=0, le=20)] | None,
        Meta(description="How often one seat may rejoin; none: no maximum, 0: never"),
    ] = None
    rejoin_highest: Annotated[
        Annotated[int, Meta(ge=0, le=1000)] | None,
        Meta(description="Highest survivor's total that still allows a rejoin; none: limit - 2 - first drop"),
    ] = None
    rejoin_when_one_left: Annotated[bool, Meta(description="A seat may rejoin although only one seat is left in")] = (
        False
    )
    rejoin_entry_below_minor: Annotated[
        Annotated[int, Meta(ge=0, le=MOST_MINOR)] | None,
        Meta(description="No rejoin where the entry fee is this amount or more, in minor units"),
    ] = None
    splits: Annotated[
        Literal["auto_and_manual", "auto", "manual", "none"],
        Meta(description="Which splits of the pot the house allows"),
    ] = "auto_and_manual"
    auto_split_when: Annotated[
        Literal["no_drop_left", "at_least"],
        Meta(description="Auto split: nobody left has a drop left, or everybody has at least a total"),
    ] = "no_drop_left"
    auto_split_at: Annotated[
        Annotated[int, Meta(ge=0, le=1000)] | None,
        Meta(description="The total for auto split `at_least`; none: limit - 1 - first drop"),
    ] = None
    split_needs_fewer_than_started: Annotated[bool, Meta(description="A split needs fewer seats left than started")] = (
        True
    )
    split_pool_left: Annotated[
        Literal["covers_drops", "one_entry"],
        Meta(description="After equalising drops the pot must not be negative, or must still hold one entry fee"),
    ] = "covers_drops"
    split_most_drop_difference: Annotated[
        Annotated[int, Meta(ge=0, le=50)] | None,
        Meta(description="Among three seats, the most drops by which they may differ in a manual split"),
    ] = None

    @property
    def highest_in(self) -> int:
        """The highest total that is still in."""
        return self.limit - 1 if self.eliminate_at == "reach_or_exceed" else self.limit  # Reach or exceed: D-0009.

    @property
    def rejoin_threshold(self) -> int:
        """The rejoiner must still own one first drop: highest survivor + 1 + first drop stays in.

        A house may say otherwise, but nobody comes back at a total that is out.
        """
        if self.rejoin_highest is None:
            return self.highest_in - 1 - self.first_drop
        return min(self.rejoin_highest, self.highest_in - 1)

    @property
    def auto_split_total(self) -> int:
        """The least total of each seat that is left for an auto split. Free drops never run out."""
        if self.auto_split_when == "no_drop_left":
            return self.highest_in - self.first_drop + 1
        return self.highest_in - self.first_drop if self.auto_split_at is None else self.auto_split_at

    def drops_left(self, total: int) -> int:
        """How many first drops a seat can still take and stay in; none are counted where they are free."""
        return max(0, (self.highest_in - total) // self.first_drop) if self.first_drop else 0
