"""Money in whole minor units: fees and levies rounded half up, divisions in which every leftover unit has an owner.

Rules: docs/rules/points.md, "Money". Amounts are integers of the minor unit (paise, cents); never a float.
Knows nothing of accounts or entries: scoring.money makes those.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from scoring.options import Options, read_options
from scoring.problems import OptionsRejected, Problem, refuse_if

FULL_BP = 10_000
# One amount that a house sets: a fee, a contribution, a guarantee. A thousand of them stay within the limit below.
MOST_MINOR = 10**12
# The limit of whatever is worked out and kept of money: amounts, sums, balances. The books refuse a larger posting, a
# bigint holds nine thousand of them, and JSON has exact whole numbers up to nine of them: D-0026.
MOST_SUM = 10**15
# The same for scores and counts, which boards keep in columns of 32 bits.
MOST_SCORE = 2**31 - 1
# What a deal is taken to cost at most where no option says so, in points.
FULL_COUNT = 80


class FeeTerms(Options, frozen=True, kw_only=True):
    """What bounds the house fee, and what is taken beside it for somebody else."""

    fee_floor_minor: Annotated[
        int, Meta(ge=0, le=MOST_MINOR, description="The house fee is at least this much, as far as there is as much")
    ] = 0
    fee_cap_minor: Annotated[
        Annotated[int, Meta(ge=0, le=MOST_MINOR)] | None, Meta(description="The house fee is at most this much")
    ] = None
    levy_bp: Annotated[
        int, Meta(ge=0, le=FULL_BP, description="A levy or tax beside the fee, in basis points; passed on")
    ] = 0
    levy_name: Annotated[str, Meta(min_length=1, max_length=40, description="What the levy is called")] = "levy"
    levy_on: Annotated[
        Literal["gross", "fee"], Meta(description="The levy is taken on all that is paid in, or on the house fee")
    ] = "gross"


class Stakes(FeeTerms, frozen=True, kw_only=True):
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
    `house` is what other accounts of the club receive, or give where it is below nothing: `levy`, `guarantee`,
    `side_pot:High hand`. Charges always equal awards plus fee and house. `because` shows the arithmetic in words.
    `is_change`: what seats pay each other, told as each seat's signed change; otherwise awards are prizes, told
    without what was paid in.
    """

    slot: str
    charges: dict[str, int]
    awards: dict[str, int]
    fee: int = 0
    because: tuple[str, ...] = ()
    is_change: bool = False
    house: dict[str, int] = {}

    @property
    def is_balanced(self) -> bool:
        received = sum(self.awards.values()) + self.fee + sum(self.house.values())
        return sum(self.charges.values()) == received


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """What is taken from a gross amount before it is paid out, and the arithmetic of it."""

    gross: int
    fee: int
    levy: int = 0
    because: tuple[str, ...] = ()

    @property
    def net(self) -> int:
        """What is left to be won."""
        return self.gross - self.fee - self.levy

    @property
    def house(self) -> dict[str, int]:
        """The levy's account, where there is one."""
        return {"levy": self.levy} if self.levy else {}


def read_stakes(given: Mapping[str, Any]) -> Stakes:
    """Stakes from untrusted values. Raises OptionsRejected (`out_of_range` for a fee over 100 %)."""
    stakes = read_options(Stakes, given)
    refuse_if(term_problems(stakes), OptionsRejected)
    return stakes


def term_problems(terms: FeeTerms) -> list[Problem]:
    """A cap under the floor."""
    if terms.fee_cap_minor is None or terms.fee_floor_minor <= terms.fee_cap_minor:
        return []
    detail = "the least house fee is more than the most"
    return [Problem(code="out_of_range", field="fee_cap_minor", detail=detail)]


def house_takes(gross_minor: int, fee_bp: int, terms: FeeTerms) -> Taken:
    """The fee between its bounds, then the levy: together never more than there is."""
    bounded = max(terms.fee_floor_minor, house_fee(gross_minor, fee_bp))
    most = gross_minor if terms.fee_cap_minor is None else min(gross_minor, terms.fee_cap_minor)
    fee = min(most, bounded)
    levy, levied = levy_on(gross_minor, fee, terms)
    floor = f", at least {terms.fee_floor_minor}" if terms.fee_floor_minor else ""
    bound = most if most < bounded else terms.fee_cap_minor
    cap = f", at most {bound}" if bound is not None else ""
    said = f"fee {fee_bp} basis points of {gross_minor}{floor}{cap} is {fee}"
    return Taken(gross=gross_minor, fee=fee, levy=levy, because=(said, *levied))


def levy_on(gross_minor: int, fee_minor: int, terms: FeeTerms) -> tuple[int, tuple[str, ...]]:
    """The levy beside a fee that is taken already, never more than is left, and the line that says so."""
    if not terms.levy_bp:
        return 0, ()
    base = fee_minor if terms.levy_on == "fee" else gross_minor
    whole = house_fee(base, terms.levy_bp)
    levy = min(gross_minor - fee_minor, whole)
    left = f", at most {levy}" if levy < whole else ""
    return levy, (f"{terms.levy_name}: {terms.levy_bp} basis points of {base}{left} is {levy}",)


def beyond_limit(sums: Mapping[str, int], *, seat: str | None = None, most: int = MOST_SUM) -> list[Problem]:
    """A problem for each sum, by the field that it comes from, that is more than can be kept."""
    return [
        Problem(
            code="out_of_range",
            seat=seat,
            field=name,
            detail=f"{name} comes to {number}: the most that can be kept is {most}",
        )
        for name, number in sums.items()
        if abs(number) > most
    ]


def house_fee(gross_minor: int, fee_bp: int) -> int:
    """The house's part of a gross amount, rounded half up to the minor unit."""
    return (gross_minor * fee_bp * 2 + FULL_BP) // (2 * FULL_BP)


def divide(amount_minor: int, heirs: Sequence[str]) -> dict[str, int]:
    """Equal parts of an amount; the first heirs in the order given get one leftover unit each."""
    part, left = divmod(amount_minor, len(heirs))
    return {heir: part + (1 if index < left else 0) for index, heir in enumerate(heirs)}


def parts_said(parts: Mapping[str, int]) -> tuple[str, ...]:
    """A line for each seat of several that divide an amount; none where one takes all of it."""
    return tuple(f"seat {seat}: {part} as an equal part" for seat, part in parts.items()) if len(parts) > 1 else ()
