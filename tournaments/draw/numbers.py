"""Which group sits at which table of the room: nobody at the same table more than twice where the tables allow it.

Rules: docs/seating.md, section 4. Only whole groups change tables, so no meeting is changed by it. Knows players and
tables by number from 0.
"""

import random
from collections.abc import Sequence
from itertools import combinations

TRIES_A_ROUND = 6_000
ROAMING = 12.0
# What one more visit costs, by the visits before: a second one hardly, a third and a fourth very much.
VISIT = [0, 1] + [20 * times for times in range(1, 1_000)]

Groups = list[list[int]]


def number_tables(
    rounds: Sequence[Sequence[Sequence[int]]],
    visits: list[list[int]],
    *,
    pinned: Sequence[set[int]],
    chance: random.Random,
) -> list[Groups]:
    """The groups of each round in the order of their tables. `visits` counts past visits; pinned tables stay."""
    placed = [[list(group) for group in groups] for groups in rounds]
    for groups in placed:
        _count(visits, groups, 1)
    ways = [_exchanges(groups, stay) for groups, stay in zip(placed, pinned, strict=True)]
    open_rounds = [number for number, way in enumerate(ways) if way]
    if not open_rounds:
        return placed
    draw = chance.random
    tries = TRIES_A_ROUND * len(open_rounds)
    for tried in range(tries):
        number = open_rounds[int(draw() * len(open_rounds))]
        one, other = ways[number][int(draw() * len(ways[number]))]
        change = _change(visits, placed[number], one, other)
        if change < ROAMING * (1 - tried / tries) * draw():
            _exchange(visits, placed[number], one, other)
    return placed


def _exchanges(groups: Sequence[Sequence[int]], stay: set[int]) -> list[tuple[int, int]]:
    """The pairs of tables whose groups could change places: as many seats, and nobody who needs that table."""
    free = [table for table in range(len(groups)) if table not in stay]
    return [(one, other) for one, other in combinations(free, 2) if len(groups[one]) == len(groups[other])]


def _count(visits: list[list[int]], groups: Sequence[Sequence[int]], amount: int) -> None:
    for table, group in enumerate(groups):
        for player in group:
            visits[player][table] += amount


def _change(visits: list[list[int]], groups: Groups, one: int, other: int) -> int:
    change = 0
    for here, there in ((one, other), (other, one)):
        for player in groups[here]:
            visited = visits[player]
            change += VISIT[visited[there]] - VISIT[visited[here] - 1]
    return change


def _exchange(visits: list[list[int]], groups: Groups, one: int, other: int) -> None:
    for here, there in ((one, other), (other, one)):
        for player in groups[here]:
            visits[player][here] -= 1
            visits[player][there] += 1
    groups[one], groups[other] = groups[other], groups[one]
