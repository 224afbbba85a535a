"""House options of a points table.

Rules: docs/rules/points.md, "House options". Knows nothing of play.
"""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from scoring.rules.variants.indian.outcomes import DealOptions


class PointsOptions(DealOptions, frozen=True, kw_only=True):
    """House options of a points table."""

    settle: Annotated[
        Literal["per_deal", "per_session"],
        Meta(description="Pay after every deal, or once when the table closes"),
    ] = "per_deal"
    table_stakes: Annotated[
        bool, Meta(description="A seat that bought in must hold a full count before each deal, or sit out")
    ] = True
    min_buy_in: Annotated[int, Meta(ge=1, le=10, description="Smallest buy-in, in full counts at the point value")] = 1
    max_buy_ins: Annotated[
        Annotated[int, Meta(ge=1, le=50)] | UnsetType | None,
        Meta(description="Most buy-ins of a seat, the first one included; none: no limit", extra={"unset": None}),
    ] = UNSET
