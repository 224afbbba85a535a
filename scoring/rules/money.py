"""Money in whole minor units: fees rounded half up, equal divisions in which every leftover unit has an owner.

Rules: docs/rules/points.md, "Money". Amounts are integers of the minor unit (paise, cents); never a float.
Knows nothing of accounts or entries: scoring.settlement makes those.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from scoring.rules.options import Options, read_options

FULL_BP = 10_000
MOST_MINOR = 10**12


class Stakes(Options, frozen=True, kw_only=True):
    """What a table is played for, frozen when it opens."""

    currency: Annotated[str, Meta(pattern="^[A-Z]{3}$", description="ISO 4217 code of the money")] = "INR"
    entry_minor: Annotated[int, Meta(ge=0, le=MOST_MINOR, description="Entry fee of one seat, in minor units")] = 0
    fee_bp: Annotated[int, Meta(ge=0, le=FULL_BP, description="House fee in basis points (100 = 1 %)")] = 0
    point_value_minor: Annotated[
        int, Meta(ge=0, le=1_000_000, description="What one point is worth, in minor units")
    ] = 0


class Payout(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Money that moves for one cause: a whole table, or one deal of a points table.

    `charges` is what each seat pays, `awards` what each receives (both >= 0, in minor units), `fee` the house's.
    Charges always equal awards plus fee. `because` shows the arithmetic in words. `is_change`: what seats pay each
    other, told as each seat's signed change; otherwise awards are prizes, told without what was paid in.
    """

    slot: str
    charges: dict[str, int]
    awards: dict[str, int]
    fee: int = 0
    because: tuple[str, ...] = ()
    is_change: bool = False

    @property
    def is_balanced(self) -> bool:
        return sum(self.charges.values()) == sum(self.awards.values()) + self.fee


def read_stakes(given: Mapping[str, Any]) -> Stakes:
    """Stakes from untrusted values. Raises OptionsRejected (`out_of_range` for a fee over 100 %)."""
    return read_options(Stakes, given)


def house_fee(gross_minor: int, fee_bp: int) -> int:
    """The house's part of a gross amount, rounded half up to the minor unit."""
    return (gross_minor * fee_bp * 2 + FULL_BP) // (2 * FULL_BP)


def divide(amount_minor: int, heirs: Sequence[str]) -> dict[str, int]:
    """Equal parts of an amount; the first heirs in the order given get one leftover unit each."""
    part, left = divmod(amount_minor, len(heirs))
    return {heir: part + (1 if index < left else 0) for index, heir in enumerate(heirs)}
