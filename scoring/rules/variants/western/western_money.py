"""Money of the Western games: the pot of entry fees, and points that seats pay each other.

Rules: docs/rules/western.md, "Money". Points are money only where a payout here says so: a score that nobody can
collect moves nothing. Knows nothing of how points are won.
"""

from collections.abc import Mapping, Sequence

import msgspec

from scoring.money.payouts import Payout, divide, house_takes, parts_said
from scoring.problems import Problem
from scoring.rules.table.variant import Setup


class PaidDeal(msgspec.Struct, frozen=True, array_like=True):
    """Points that change hands in one deal: what each seat pays, and who takes them."""

    deal: int
    points: dict[str, int]
    takers: tuple[str, ...]


def pot(setup: Setup, winners: Sequence[str]) -> tuple[Payout, ...]:
    """All entries less the fee to the winners in equal parts; nothing where nobody paid to play."""
    entry = setup.stakes.entry_minor
    if not entry or not winners:
        return ()
    gross = entry * len(setup.seats)
    taken = house_takes(gross, setup.stakes.fee_bp, setup.stakes)
    awards = _parts(taken.net, winners)
    return (
        Payout(
            slot="table",
            charges=setup.entries,
            awards=awards,
            fee=taken.fee,
            because=(f"{len(setup.seats)} entries of {entry} make {gross}", *taken.because, *parts_said(awards)),
            house=taken.house,
        ),
    )


def paid_deal(setup: Setup, paid: PaidDeal) -> Payout:
    """One deal that is paid at once."""
    return paid_points(setup, f"deal:{paid.deal}", paid.points, paid.takers)


def paid_points(setup: Setup, slot: str, points: Mapping[str, int], takers: Sequence[str]) -> Payout:
    """Each loser pays points times value; the takers share the sum less what the house takes."""
    value = setup.stakes.point_value_minor
    charges = {seat: owed * value for seat, owed in points.items() if owed} if takers else {}
    gross = sum(charges.values())
    taken = house_takes(gross, setup.stakes.fee_bp, setup.stakes)
    awards = _parts(taken.net, takers) if takers else {}
    what = f"{slot.replace(':', ' ')}: " if ":" in slot else ""
    made = f"{what}{sum(points.values())} points of {value} make {gross}"
    return Payout(
        slot=slot,
        charges=charges,
        awards=awards,
        fee=taken.fee,
        because=(made, *taken.because, *parts_said(awards)),
        is_change=True,
        house=taken.house,
    )


def value_problems(setup: Setup, what: str) -> list[Problem]:
    """Where points are paid, a point must be worth something."""
    if setup.stakes.point_value_minor:
        return []
    detail = f"{what} needs the value of a point, more than 0"
    return [Problem(code="missing_field", field="point_value_minor", detail=detail)]


def _parts(amount_minor: int, takers: Sequence[str]) -> dict[str, int]:
    return {seat: part for seat, part in divide(amount_minor, takers).items() if part}
