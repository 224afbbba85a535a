"""Running counts of Indian rummy that every form keeps: points, deals won, wrong shows, drops.

Rules: docs/rules/indian.md, section 2. Knows nothing of limits, chips or money.
"""

from collections.abc import Sequence

import msgspec

from scoring.rules.outcomes import DealResult


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """What has added up so far, seat by seat. `deals` is how many deals count, `last_deal` the latest number."""

    deals: int
    last_deal: int
    points: dict[str, int]
    won: dict[str, int]
    wrong_shows: dict[str, int]
    drops: dict[str, int]


def blank(seats: Sequence[str]) -> Tally:
    """Nothing played yet."""
    zero = dict.fromkeys(seats, 0)
    return Tally(deals=0, last_deal=0, points=zero, won=zero, wrong_shows=zero, drops=zero)


def added(tally: Tally, deal: int, result: DealResult) -> Tally:
    """The tally with one more deal."""
    total = tally.points.copy()
    for seat, points in result.points.items():
        total[seat] += points
    return Tally(
        deals=tally.deals + 1,
        last_deal=deal,
        points=total,
        won=_counted(tally.won, result.winners),
        wrong_shows=_counted(tally.wrong_shows, result.wrong_shows),
        drops=_counted(tally.drops, result.drops),
    )


def with_points(tally: Tally, seat: str, points: int) -> Tally:
    """The tally with a seat's points set to a new total."""
    return msgspec.structs.replace(tally, points={**tally.points, seat: points})


def _counted(counts: dict[str, int], seats: Sequence[str]) -> dict[str, int]:
    """One more for each of these seats."""
    if not seats:
        return counts
    counts = counts.copy()
    for seat in seats:
        counts[seat] += 1
    return counts
