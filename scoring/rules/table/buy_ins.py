"""How often a seat may buy in, where a house limits it.

Rules: docs/rules/points.md, section 3. Counted only where there is a limit: what is kept of other tables stays as it
is. Knows nothing of what is bought.
"""

from collections.abc import Iterable

from msgspec import UNSET, UnsetType

from scoring.messages import Seat, say_many
from scoring.problems import Problem

Most = int | UnsetType | None
BuyIns = dict[str, int] | UnsetType


def with_buy_ins(most: Most, so_far: BuyIns, seats: Iterable[str]) -> BuyIns:
    """The buy-ins of each seat after these seats have bought in once more."""
    if not isinstance(most, int):
        return so_far
    known = so_far if so_far is not UNSET else {}
    return known | {seat: known.get(seat, 0) + 1 for seat in seats}


def too_often(most: Most, so_far: BuyIns, seats: Iterable[str], *, field: str) -> list[Problem]:
    """Seats that have bought in as often as the house allows."""
    if not isinstance(most, int) or so_far is UNSET:
        return []
    return [_too_often(seat, so_far[seat], field) for seat in seats if so_far.get(seat, 0) >= most]


def _too_often(seat: str, times: int, field: str) -> Problem:
    detail = say_many(
        "{seat} has bought in {count} time: no more are allowed at this table",
        "{seat} has bought in {count} times: no more are allowed at this table",
        count=times,
        seat=Seat(seat),
    )
    return Problem(code="too_many_buy_ins", seat=seat, field=field, detail=detail)
