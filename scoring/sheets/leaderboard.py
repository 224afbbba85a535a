"""The leaderboard: players in order, ties shown as ties.

Rules: docs/rules/leaderboard.md. Where a variant adds up, a player's tables are added; otherwise the latest round
counts. Knows nothing of names, pages or storage.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec


class SeatLine(msgspec.Struct, frozen=True, kw_only=True):
    """One player at one table, as it stands."""

    player: str
    table: int
    round: int
    rank_key: tuple[int, ...]
    total: int | None = None
    chips: int | None = None
    net_points: int | None = None
    is_in: bool = True
    out_in_deal: int | None = None
    drops_left: int | None = None
    may_rejoin: bool = False
    deals_played: int = 0
    deals_won: int = 0
    wrong_shows: int = 0
    drops: int = 0
    payout_minor: int | None = None
    is_finished: bool = False


class BoardRow(msgspec.Struct, frozen=True, kw_only=True):
    """One player on the board. `line` holds the numbers shown: of the latest table, or of all added together.

    In a planned tournament `stage` is the one reached, `score` what its standings compare, and `decided` what put the
    player before or behind one who was level.
    """

    place: int
    is_tied: bool
    line: SeatLine
    stage: int = 0
    score: str = ""
    decided: str = ""


def leaderboard(lines: Iterable[SeatLine], *, adds_up: bool) -> tuple[BoardRow, ...]:
    """Everybody in order, best first. Equal keys share a place and the next place is skipped."""
    by_player: dict[str, list[SeatLine]] = {}
    for line in lines:
        by_player.setdefault(line.player, []).append(line)
    groups = list(by_player.values())
    if not adds_up:
        merged = [_latest(group) for group in groups]
    elif any(len(group) > 1 for group in groups):
        merged = [_added(group) for group in groups]
    else:
        merged = [line for (line,) in groups]
    keys = [line.rank_key for line in merged]
    counts = Counter(keys)
    first_place: dict[tuple[int, ...], int] = {}
    for index, key in enumerate(sorted(keys), start=1):
        first_place.setdefault(key, index)
    rows = [BoardRow(place=first_place[line.rank_key], is_tied=counts[line.rank_key] > 1, line=line) for line in merged]
    return tuple(sorted(rows, key=lambda row: row.place))


def _latest(group: Sequence[SeatLine]) -> SeatLine:
    """The latest round counts, and having reached it counts before everything else."""
    last = max(group, key=lambda line: line.round)
    return msgspec.structs.replace(last, rank_key=(-last.round, *last.rank_key))


def _added(group: Sequence[SeatLine]) -> SeatLine:
    """All tables of a player added together; what breaks ties at one table says nothing over several."""
    last = max(group, key=lambda line: line.round)
    return msgspec.structs.replace(
        last,
        rank_key=(sum(line.rank_key[0] for line in group),),
        total=_sum(line.total for line in group),
        chips=_sum(line.chips for line in group),
        net_points=_sum(line.net_points for line in group),
        deals_played=sum(line.deals_played for line in group),
        deals_won=sum(line.deals_won for line in group),
        wrong_shows=sum(line.wrong_shows for line in group),
        drops=sum(line.drops for line in group),
        payout_minor=_sum(line.payout_minor for line in group),
        is_finished=all(line.is_finished for line in group),
    )


def _sum(numbers: Iterable[int | None]) -> int | None:
    """The sum of the numbers there are; None where there are none."""
    known = [number for number in numbers if number is not None]
    return sum(known) if known else None
