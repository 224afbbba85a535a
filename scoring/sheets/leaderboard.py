"""The leaderboard: players in order, ties shown as ties.

Rules: docs/rules/leaderboard.md. Where a variant adds up, a player's tables are added; otherwise the latest round
counts. Money is added over all tables, whichever counts. Knows nothing of names, pages or storage.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import attrgetter

import msgspec

from scoring.messages import Words
from scoring.rules.table.standing import ADDED, SeatLine

Numbers = Iterable[int | None]
# All at once: a leaderboard of two hundred players at many tables reads each field for each of them.
_NUMBERS: Callable[[SeatLine], Numbers] = attrgetter(*ADDED)


class BoardRow(msgspec.Struct, frozen=True, kw_only=True):
    """One player on the leaderboard. `line` has the numbers shown: of the latest table, or of all added together.

    In a planned tournament `stage` is the one reached, whose tables the numbers are added over, `score` the number its
    standings compare, `decided` what put the player before or behind a tied one, and `before` the score of the stage
    before, with which the player qualified. Amounts are in minor units: `line.payout_minor` is what all tables of the
    tournament paid. Once a planned tournament is closed, `prize_minor` is what its prize pool and side pots paid, and
    `net_minor` both together less what was paid in.
    """

    place: int
    is_tied: bool
    line: SeatLine
    stage: int = 0
    score: str = ""
    decided: Words = ""
    before: str = ""
    prize_minor: int | None = None
    net_minor: int | None = None


def leaderboard(lines: Iterable[SeatLine], *, adds_up: bool) -> tuple[BoardRow, ...]:
    """All players in order, best first. Equal keys share a place and the next place is skipped."""
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
    """The latest round counts, and having reached it counts before everything else; earlier tables have paid too."""
    last = max(group, key=lambda line: line.round)
    paid = [line.payout_minor for line in group if line.payout_minor is not None]
    return msgspec.structs.replace(
        last, rank_key=(-last.round, *last.rank_key), payout_minor=sum(paid) if paid else None
    )


def _added(group: Sequence[SeatLine]) -> SeatLine:
    """All tables of a player added together; tie-breaks at one table mean nothing over several."""
    last = max(group, key=lambda line: line.round)
    return msgspec.structs.replace(
        last,
        rank_key=(sum(line.rank_key[0] for line in group),),
        **dict(zip(ADDED, reduce(plus, map(_NUMBERS, group)), strict=True)),
        is_finished=all(line.is_finished for line in group),
    )


def plus(one: Numbers, other: Numbers) -> Numbers:
    """Add field by field; a number that one of them lacks is the other's."""
    return [b if a is None else a if b is None else a + b for a, b in zip(one, other, strict=True)]
