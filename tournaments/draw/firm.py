"""Firm wishes: a table for everybody who must not sit with somebody, or who needs one table.

Rules: docs/how-to/seating.md, section 5. Knows nothing of meetings, seats or dealers.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from tournaments.draw.plans import FixedTable, Wishes

MOST_STEPS = 20_000


def seats_of(sizes: Sequence[int], fixed: Collection[FixedTable]) -> dict[int, int]:
    """The seats of each table number: the larger tables where more players are fixed, else the lower numbers."""
    asked = Counter(wish.table for wish in fixed)
    order = sorted(range(1, len(sizes) + 1), key=lambda number: (-asked[number], number))
    return dict(sorted(zip(order, sorted(sizes, reverse=True), strict=True)))


def fixed_among(wishes: Wishes, seated: Collection[str]) -> tuple[FixedTable, ...]:
    """The fixed tables of those who are seated this round."""
    present = set(seated)
    return tuple(wish for wish in wishes.fixed if wish.player in present)


def apart_among(wishes: Wishes, seated: Collection[str]) -> dict[str, set[str]]:
    """For each seated player who must not sit with somebody: with whom. In the order of the keys."""
    present = set(seated)
    mates: dict[str, set[str]] = {key: set() for key in sorted(present)}
    for wish in wishes.apart:
        if {wish.one, wish.other} <= present:
            mates[wish.one].add(wish.other)
            mates[wish.other].add(wish.one)
    return {key: others for key, others in mates.items() if others}


def firm_places(wishes: Wishes, seated: Collection[str], sizes: Sequence[int]) -> dict[str, int] | None:
    """A table number for everybody with a firm wish, such that all are granted; None where no such way is found.

    The search is complete but for its length: wishes that it cannot decide in MOST_STEPS count as impossible.
    """
    fixed = fixed_among(wishes, seated)
    placing = _Placing(seats_of(sizes, fixed), apart_among(wishes, seated))
    for wish in fixed:
        if not placing.admits(wish.player, wish.table):
            return None
        placing.put(wish.player, wish.table)
    return dict(placing.table_of) if placing.place_rest() else None


class _Placing:
    """Players with firm wishes put to tables one after the other, the one with the fewest tables left first."""

    def __init__(self, seats: Mapping[int, int], apart: Mapping[str, set[str]]) -> None:
        self.apart = apart
        self.free = dict(seats)
        self.at: dict[int, set[str]] = {number: set() for number in seats}
        self.table_of: dict[str, int] = {}
        self.steps = 0

    def admits(self, player: str, table: int) -> bool:
        """Whether the table exists, has a seat left, and nobody there is to be kept from the player."""
        there = self.at.get(table)
        return there is not None and self.free[table] > 0 and not there & self.apart.get(player, set())

    def put(self, player: str, table: int) -> None:
        """Seat the player there."""
        self.free[table] -= 1
        self.at[table].add(player)
        self.table_of[player] = table

    def take_back(self, player: str) -> None:
        """Undo `put`."""
        table = self.table_of.pop(player)
        self.free[table] += 1
        self.at[table].remove(player)

    def place_rest(self) -> bool:
        """Seat everybody who is left, going back where a way ends. Walks with a stack: rooms may be large."""
        ways: list[tuple[str, Iterator[int]]] = []
        while True:
            player = self._next_player()
            if player is None:
                return True
            ways.append((player, iter(self._tables_for(player))))
            while ways and not self._take_next_way(*ways[-1]):
                ways.pop()
                if ways:
                    self.take_back(ways[-1][0])
            if not ways or self.steps > MOST_STEPS:
                return False

    def _take_next_way(self, player: str, tables: Iterator[int]) -> bool:
        table = next(tables, None)
        self.steps += 1
        if table is None:
            return False
        self.put(player, table)
        return True

    def _next_player(self) -> str | None:
        waiting = [key for key in self.apart if key not in self.table_of]
        return min(waiting, key=lambda key: (self._ways_for(key), -len(self.apart[key]), key), default=None)

    def _ways_for(self, player: str) -> int:
        return sum(self.admits(player, table) for table in self.free)

    def _tables_for(self, player: str) -> list[int]:
        """The tables that admit the player, roomy first; of empty tables as large only one: they are alike."""
        tables = sorted(self.free, key=lambda table: (-self.free[table], table))
        alike: set[int] = set()
        found = []
        for table in tables:
            is_new = bool(self.at[table]) or self.free[table] not in alike
            if is_new and self.admits(player, table):
                found.append(table)
            if not self.at[table]:
                alike.add(self.free[table])
        return found
