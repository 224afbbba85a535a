"""Money in whole minor units: fees and levies rounded half up, divisions in which every leftover unit has an owner.

Rules: docs/rules/points.md, "Money". Amounts are integers of the minor unit (paise, cents); never a float.
Knows nothing of accounts or entries: scoring.money makes those.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from scoring.messages import Amount, say
from scoring.money.reasons import UNNAMED, FeeTaken, LevyTaken, Made, Reason, part_reasons
from scoring.options import Options, about, read_options
from scoring.problems import Defect, OptionsRejected, Problem, refuse_if

FULL_BP = 10_000
# One amount that a house sets: a fee, a contribution, a guarantee. A thousand of them stay within the limit below.
MOST_MINOR = 10**12
MOST_POINT_VALUE = 1_000_000
# The limit of all calculated and stored amounts, sums and balances. The books refuse a larger posting, a bigint holds
# nine thousand of them, and JSON has exact whole numbers up to nine of them: D-0026.
MOST_SUM = 10**15
# The same for scores and counts, which leaderboards store in columns of 32 bits.
MOST_SCORE = 2**31 - 1
# The highest cost of a deal that is assumed where no option limits it, in points.
FULL_COUNT = 80


class FeeTerms(Options, frozen=True, kw_only=True):
    """Limits of the house fee, and the levy that is taken beside it for a third party."""

    fee_floor_minor: Annotated[
        int, about("The house fee is at least this much, as far as there is as much", ge=0, le=MOST_MINOR)
    ] = 0
    fee_cap_minor: Annotated[
        Annotated[int, Meta(ge=0, le=MOST_MINOR)] | None, about("The house fee is at most this much")
    ] = None
    levy_bp: Annotated[int, about("A levy or tax beside the fee, in basis points; passed on", ge=0, le=FULL_BP)] = 0
    levy_name: Annotated[str, about("What the levy is called", min_length=1, max_length=40)] = UNNAMED
    levy_on: Annotated[
        Literal["gross", "fee"], about("The levy is taken on all that is paid in, or on the house fee")
    ] = "gross"


class Stakes(FeeTerms, frozen=True, kw_only=True):
    """The stakes of a table, frozen when it opens."""

    currency: Annotated[str, about("ISO 4217 code of the money", pattern="^[A-Z]{3}$")] = "INR"
    entry_minor: Annotated[int, about("Entry fee of one seat, in minor units", ge=0, le=MOST_MINOR)] = 0
    fee_bp: Annotated[int, about("House fee in basis points (100 = 1 %)", ge=0, le=FULL_BP)] = 0
    point_value_minor: Annotated[int, about("What one point is worth, in minor units", ge=0, le=MOST_POINT_VALUE)] = 0


class Payout(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Money that moves for one cause: a whole table, or one deal of a points table.

    `charges` is what each seat pays, `awards` what each receives (both >= 0, in minor units), `fee` the house's.
    `house` is what other accounts of the club receive, or give where it is negative: `levy`, `guarantee`,
    `side_pot:High hand`. Charges always equal awards plus fee and house. `because` shows the arithmetic in words.
    `is_change`: seats pay each other, shown as each seat's signed change; otherwise awards are prizes, shown without
    what was paid in.
    """

    slot: str
    charges: dict[str, int]
    awards: dict[str, int]
    fee: int = 0
    because: tuple[Reason, ...] = ()
    is_change: bool = False
    house: dict[str, int] = {}

    @property
    def is_balanced(self) -> bool:
        received = sum(self.awards.values()) + self.fee + sum(self.house.values())
        return sum(self.charges.values()) == received


class Taken(msgspec.Struct, frozen=True, kw_only=True):
    """The fee and levy taken from a gross amount before it is paid out, and the arithmetic of it."""

    gross: int
    fee: int
    levy: int = 0
    because: tuple[Reason, ...] = ()

    @property
    def net(self) -> int:
        """The amount left to be won."""
        return self.gross - self.fee - self.levy

    @property
    def house(self) -> dict[str, int]:
        """The levy's account, where there is one."""
        return {"levy": self.levy} if self.levy else {}


class PaidDeal(msgspec.Struct, frozen=True, array_like=True):
    """Points that are paid: what each seat pays in a deal (0: at the end), and who receives them."""

    deal: int
    points: dict[str, int]
    takers: tuple[str, ...]


def read_stakes(given: Mapping[str, object]) -> Stakes:
    """Stakes from untrusted values. Raises OptionsRejected (`out_of_range` for a fee over 100 %)."""
    stakes = read_options(Stakes, given)
    refuse_if(term_problems(stakes), OptionsRejected)
    return stakes


def term_problems(terms: FeeTerms) -> list[Problem]:
    """A maximum house fee below the minimum."""
    if terms.fee_cap_minor is None or terms.fee_floor_minor <= terms.fee_cap_minor:
        return []
    return [Problem("out_of_range", say("the minimum house fee is higher than the maximum"), field="fee_cap_minor")]


def house_takes(gross_minor: int, fee_bp: int, terms: FeeTerms) -> Taken:
    """The fee within its limits, then the levy: together never more than the amount."""
    bounded = max(terms.fee_floor_minor, house_fee(gross_minor, fee_bp))
    most = gross_minor if terms.fee_cap_minor is None else min(gross_minor, terms.fee_cap_minor)
    fee = min(most, bounded)
    levy, levied = levy_on(gross_minor, fee, terms)
    cap = most if most < bounded else terms.fee_cap_minor
    reason = FeeTaken(fee_bp, gross_minor, terms.fee_floor_minor or None, cap, fee)
    return Taken(gross=gross_minor, fee=fee, levy=levy, because=(reason, *levied))


def levy_on(gross_minor: int, fee_minor: int, terms: FeeTerms) -> tuple[int, tuple[Reason, ...]]:
    """The levy beside a fee that is taken already, never more than is left, and its line of arithmetic."""
    if not terms.levy_bp:
        return 0, ()
    base = fee_minor if terms.levy_on == "fee" else gross_minor
    whole = house_fee(base, terms.levy_bp)
    levy = min(gross_minor - fee_minor, whole)
    return levy, (LevyTaken(terms.levy_name, terms.levy_bp, base, levy if levy < whole else None, levy),)


def beyond_limit(
    sums: Mapping[str, int], *, currency: str = "", seat: str | None = None, most: int = MOST_SUM
) -> list[Problem]:
    """A problem for each sum above the limit, at the field that it comes from; without a currency they are points."""
    problems: list[Problem] = []
    for name, number in sums.items():
        if abs(number) > most:
            comes_to, limit = (Amount(number, currency), Amount(most, currency)) if currency else (number, most)
            detail = say("{name} comes to {number}: the maximum is {most}", name=name, number=comes_to, most=limit)
            problems.append(Problem("out_of_range", detail, seat=seat, field=name))
    return problems


def house_fee(gross_minor: int, fee_bp: int) -> int:
    """The house's part of a gross amount, rounded half up to the minor unit."""
    return (gross_minor * fee_bp * 2 + FULL_BP) // (2 * FULL_BP)


def divide(amount_minor: int, heirs: Sequence[str]) -> dict[str, int]:
    """Equal parts of an amount; the first heirs in the order given get one leftover unit each."""
    part, leftover_minor = divmod(amount_minor, len(heirs))
    return {heir: part + (1 if index < leftover_minor else 0) for index, heir in enumerate(heirs)}


def parts_of(amount_minor: int, takers: Sequence[str]) -> dict[str, int]:
    """The equal parts of all who receive anything."""
    return {seat: part for seat, part in divide(amount_minor, takers).items() if part}


def paid_points(stakes: Stakes, paid: PaidDeal, *, slot: str = "", is_change: bool = True) -> Payout:
    """Each loser pays points times value; the receivers share the sum less what the house takes."""
    value, takers = stakes.point_value_minor, paid.takers
    charges = {seat: owed * value for seat, owed in paid.points.items() if owed} if takers else {}
    house_share = house_takes(sum(charges.values()), stakes.fee_bp, stakes)
    awards = parts_of(house_share.net, takers) if takers else {}
    charge_reason = Made(sum(paid.points.values()), "points", value, deal=paid.deal)
    return Payout(
        slot=slot or f"deal:{paid.deal}",
        charges=charges,
        awards=awards,
        fee=house_share.fee,
        because=(charge_reason, *house_share.because, *part_reasons(awards)),
        is_change=is_change,
        house=house_share.house,
    )


# The arithmetic of prizes: shares to the last minor unit, and tied players who add up their prizes and divide them.

Placed = tuple[str, int]

# Shares in basis points by the number of paid places.
PAID_SHARES: tuple[tuple[int, ...], ...] = (
    (10_000,),
    (6_500, 3_500),
    (5_000, 3_000, 2_000),
    (4_000, 2_800, 1_900, 1_300),
    (3_600, 2_500, 1_700, 1_200, 1_000),
    (3_300, 2_300, 1_600, 1_150, 900, 750),
    (3_000, 2_100, 1_500, 1_100, 900, 750, 650),
    (2_800, 2_000, 1_400, 1_050, 850, 750, 600, 550),
    (2_700, 1_850, 1_350, 1_000, 850, 700, 600, 500, 450),
    (2_600, 1_750, 1_250, 950, 800, 700, 600, 500, 450, 400),
)

# Behind the tenth place, on the scale of the first ten: up to a place, so much each; and behind all of these.
FURTHER_WEIGHTS = ((15, 300), (20, 250), (30, 200))
LEAST_WEIGHT = 150


def paid_places(field: int, paid_share_bp: int) -> int:
    """How many places are paid for a number of players, rounded half up; at least one."""
    return max(1, (field * paid_share_bp * 2 + FULL_BP) // (2 * FULL_BP))


def paid_weights(places: int) -> tuple[int, ...]:
    """The shares of so many paid places. Beyond ten they are weights, and each gets its part of their sum."""
    further = tuple(
        next((weight for upto, weight in FURTHER_WEIGHTS if place <= upto), LEAST_WEIGHT)
        for place in range(len(PAID_SHARES) + 1, places + 1)
    )
    return PAID_SHARES[min(places, len(PAID_SHARES)) - 1] + further


def shares(pool_minor: int, weights: Sequence[int], *, leftover: str = "spread") -> tuple[int, ...]:
    """A pool divided by weights, exactly: the largest remainders are rounded up, the better place first.

    With `first_place` everything is rounded down, and the first place gets the rest.
    """
    whole = sum(weights)
    if not weights or whole == 0:
        raise Defect("a pool is divided by at least one weight above zero")
    parts = [divmod(pool_minor * weight, whole) for weight in weights]
    leftover_minor = pool_minor - sum(part for part, _ in parts)
    if leftover == "first_place":
        return tuple(part + (leftover_minor if place == 0 else 0) for place, (part, _) in enumerate(parts))
    up = set(sorted(range(len(parts)), key=lambda place: (-parts[place][1], place))[:leftover_minor])
    return tuple(part + (place in up) for place, (part, _) in enumerate(parts))


def weights_for(weights: Sequence[int], places: int) -> tuple[int, ...]:
    """The weights of places that are taken: the others leave their shares to them, in proportion."""
    place_weights = tuple(weights[:places])
    return place_weights if any(place_weights) else (1,)


def level_groups(placed: Sequence[Placed]) -> list[tuple[str, ...]]:
    """The players of each shared place, place by place, in the order given."""
    return [tuple(player for player, _ in level) for _, level in groupby(placed, key=lambda one: one[1])]


def by_player(placed: Sequence[Placed], prizes: Sequence[int], *, leftover: str = "spread") -> dict[str, int]:
    """Prizes by place among the players in these places. Tied ones add theirs up and divide them."""
    won: dict[str, int] = {}
    over = 0
    for tied in level_groups(placed):
        amount = sum(prizes[len(won) : len(won) + len(tied)])
        remainder_minor = amount % len(tied) if leftover == "first_place" else 0
        won |= divide(amount - remainder_minor, tied)
        over += remainder_minor
    if over:
        won[placed[0][0]] += over
    return {player: prize for player, prize in won.items() if prize}
