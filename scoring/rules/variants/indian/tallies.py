"""Running counts of Indian rummy that every form keeps: points, deals won, wrong shows, drops.

Rules: docs/rules/indian.md, section 2. Knows nothing of limits, chips or money.
"""

from collections.abc import Sequence

import msgspec

from scoring.rules.variants.indian.outcomes import DealResult


class Tally(msgspec.Struct, frozen=True):
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
    return Tally(0, 0, zero, zero, zero, zero)


def added(tally: Tally, deal: int, result: DealResult) -> Tally:
    """The tally with one more deal."""
    total = tally.points.copy()
    for seat, points in result.points.items():
        total[seat] += points
    wrong_shows, drops = tally.wrong_shows, tally.drops
    if result.wrong_shows:
        wrong_shows = _counted(wrong_shows, result.wrong_shows)
    if result.drops:
        drops = _counted(drops, result.drops)
    return Tally(tally.deals + 1, deal, total, _counted(tally.won, result.winners), wrong_shows, drops)


def with_points(tally: Tally, seat: str, points: int) -> Tally:
    """The tally with a seat's points set to a new total."""
    return msgspec.structs.replace(tally, points=tally.points | {seat: points})


def _counted(counts: dict[str, int], seats: Sequence[str]) -> dict[str, int]:
    """One more for each of these seats."""
    counts = counts.copy()
    for seat in seats:
        counts[seat] += 1
    return counts
