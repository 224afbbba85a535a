"""Assigns tables and seats: players are rarely at a table a third time, and all deal first about equally often.

Rules: docs/how-to/seating.md, section 4. Players pass a seat along a chain of tables until no player has had it two
times more than another; such a chain always exists if all rounds are planned at once for tables of one size. Seat 0
deals first. Knows nothing of who meets whom: the groups are given, only their order is chosen.
"""

from bisect import insort
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, takewhile
from random import Random

from tournaments.draw.search import Row

# Which group sits at which table: no player at a table more than twice where the tables allow it.

TRIES_A_ROUND = 6_000
# With more tables nearly every visit is to a new one: only groups with a third visit are moved.
MANY_TABLES = 60
MOST_VISITS = 2
ROAMING = 12.0
# The cost of one more visit, by the visits before: small for a second, very high from a third on.
VISIT = [0, 1] + [20 * times for times in range(1, 1_000)]
Groups = list[list[int]]


def number_tables(
    rounds: Sequence[Sequence[Sequence[int]]],
    visits: list[Row],
    *,
    pinned: Sequence[set[int]],
    chance: Random,
) -> list[Groups]:
    """The groups of each round in the order of their tables. `visits` counts past visits; pinned tables keep theirs."""
    placed = [[list(group) for group in groups] for groups in rounds]
    for groups in placed:
        _count(visits, groups, 1)
    if max(map(len, placed)) > MANY_TABLES:
        _part_third_visits(placed, visits, pinned=pinned, draw=chance.random)
        return placed
    ways = [_exchanges(groups, stay) for groups, stay in zip(placed, pinned, strict=True)]
    open_rounds = [number for number, way in enumerate(ways) if way]
    if not open_rounds:
        return placed
    draw = chance.random
    tries = TRIES_A_ROUND * len(open_rounds)
    for tried in range(tries):
        number = open_rounds[int(draw() * len(open_rounds))]
        table, other = ways[number][int(draw() * len(ways[number]))]
        change = _change(visits, placed[number], table, other)
        if change < ROAMING * (1 - tried / tries) * draw():
            _exchange(visits, placed[number], table, other)
    return placed


def _part_third_visits(
    placed: Sequence[Groups], visits: list[Row], *, pinned: Sequence[set[int]], draw: Callable[[], float]
) -> None:
    """Exchange groups in which a player is at the table a third time with groups of the same size."""
    for groups, stay in zip(placed, pinned, strict=True):
        alike = defaultdict(list)
        for table in sorted(set(range(len(groups))) - stay):
            alike[len(groups[table])].append(table)
        for tables in alike.values():
            for table in tables:
                _part_third_visit(groups, visits, table, tables=tables, draw=draw)


def _part_third_visit(
    groups: Groups, visits: list[Row], table: int, *, tables: Sequence[int], draw: Callable[[], float]
) -> None:
    for _ in range(MANY_TABLES):
        if all(visits[player][table] <= MOST_VISITS for player in groups[table]):
            return
        other = tables[int(draw() * len(tables))]
        if other != table and _change(visits, groups, table, other) < 0:
            _exchange(visits, groups, table, other)


def _exchanges(groups: Sequence[Sequence[int]], stay: set[int]) -> list[tuple[int, int]]:
    """The pairs of tables whose groups can change places: of the same size, and not pinned."""
    free = [table for table in range(len(groups)) if table not in stay]
    return [(table, other) for table, other in combinations(free, 2) if len(groups[table]) == len(groups[other])]


def _count(visits: list[Row], groups: Sequence[Sequence[int]], amount: int) -> None:
    for table, group in enumerate(groups):
        for player in group:
            visits[player][table] += amount


def _change(visits: list[Row], groups: Groups, one: int, other: int) -> int:
    change = 0
    for here, there in ((one, other), (other, one)):
        for player in groups[here]:
            visited = visits[player]
            change += VISIT[visited[there]] - VISIT[visited[here] - 1]
    return change


def _exchange(visits: list[Row], groups: Groups, one: int, other: int) -> None:
    for here, there in ((one, other), (other, one)):
        for player in groups[here]:
            visits[player][here] -= 1
            visits[player][there] += 1
    groups[one], groups[other] = groups[other], groups[one]


# The order of the seats at a table.

DEALER = 0

Seating = list[list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """A possible exchange at a table: `giver` passes the seat to `taker`."""

    table: int
    giver: str
    taker: str


class _Steps:
    """How much of something each player holds, and the possible exchanges: `at` lists those of a table."""

    def __init__(self, held: dict[str, int], tables: int, at: Callable[[int], list[_Step]]) -> None:
        self.held = held
        self.most_first = sorted((-amount, player) for player, amount in held.items())
        self.at = at
        self.of: dict[str, list[_Step]] = defaultdict(list)
        for number in range(tables):
            self._add(number)

    def chain(self, *, gap: int) -> list[_Step]:
        """The shortest chain from a player who holds most to one who holds less by `gap`. Empty if there is none."""
        enough = min(self.held.values(), default=0) + gap
        starts = takewhile(lambda start: -start[0] >= enough, self.most_first)
        return next(filter(None, (_chain_from(player, self.of, self.held, gap=gap) for _, player in starts)), [])

    def renew(self, taken: _Step) -> None:
        """List the exchanges of a table again, after one of them was made."""
        self.of[taken.giver] = [step for step in self.of[taken.giver] if step.table != taken.table]
        self._add(taken.table)

    def hand_on(self, chain: Sequence[_Step], amount: int) -> None:
        """The first player of the chain holds less, the last one more, by `amount`."""
        for player, change in ((chain[0].giver, -amount), (chain[-1].taker, amount)):
            self.most_first.remove((-self.held[player], player))
            self.held[player] += change
            insort(self.most_first, (-self.held[player], player))

    def _add(self, number: int) -> None:
        for step in self.at(number):
            insort(self.of[step.giver], step, key=lambda each: each.table)


def balanced(tables: Iterable[Sequence[str]], *, past: Iterable[Sequence[str]] = ()) -> Seating:
    """The players of each table in an order that balances dealers first, then the other seats."""
    before = _tally(past)
    seats = _first_order(tables, before)
    _balance_dealers(seats, before)
    widest = max((len(table) for table in seats), default=0)
    pairs = list(combinations(range(DEALER + 1, widest), 2))
    while any(_balance_pair(seats, before, first=first, second=second) for first, second in pairs):
        pass
    return seats


def _tally(tables: Iterable[Sequence[str]]) -> dict[str, Counter[int]]:
    tally: dict[str, Counter[int]] = defaultdict(Counter)
    for table in tables:
        for seat, player in enumerate(table):
            tally[player][seat] += 1
    return tally


def _first_order(tables: Iterable[Sequence[str]], before: Mapping[str, Counter[int]]) -> Seating:
    """Table by table, each seat to the player who had it least; the given order decides between equals."""
    tally = defaultdict(Counter, {player: Counter(sat) for player, sat in before.items()})
    seats: Seating = []
    for table in tables:
        unseated, order = list(table), []
        for seat in range(len(unseated)):
            player = min(unseated, key=lambda one: tally[one][seat])
            unseated.remove(player)
            order.append(player)
            tally[player][seat] += 1
        seats.append(order)
    return seats


def _balance_dealers(seats: Seating, before: Mapping[str, Counter[int]]) -> None:
    """Pass the first deal along chains of tables, from players who had it at least twice more often than others."""

    def at(number: int) -> list[_Step]:
        dealer, *takers = seats[number]
        return [_Step(table=number, giver=dealer, taker=taker) for taker in takers]

    steps = _Steps(_held(seats, before, DEALER), len(seats), at)
    while chain := steps.chain(gap=2):
        for step in chain:
            _swap(seats[step.table], DEALER, seats[step.table].index(step.taker))
            steps.renew(step)
        steps.hand_on(chain, 1)


def _balance_pair(seats: Seating, before: Mapping[str, Counter[int]], *, first: int, second: int) -> bool:
    """Balance how often each player has one seat rather than the other. Returns whether anything was changed."""

    def at(number: int) -> list[_Step]:
        table = seats[number]
        return [_Step(table=number, giver=table[first], taker=table[second])] if len(table) > second else []

    ones, others = _held(seats, before, first), _held(seats, before, second)
    lead = {player: ones[player] - others[player] for player in ones}
    steps = _Steps(lead, len(seats), at)
    changed = False
    while chain := steps.chain(gap=3):
        changed = True
        for step in chain:
            _swap(seats[step.table], first, second)
            steps.renew(step)
        steps.hand_on(chain, 2)
    return changed


def _chain_from(start: str, steps: Mapping[str, Sequence[_Step]], held: Mapping[str, int], *, gap: int) -> list[_Step]:
    came: dict[str, _Step | None] = {start: None}
    waiting = deque([start])
    while waiting:
        player = waiting.popleft()
        if held[start] - held[player] >= gap:
            return _walked(came, player)
        for step in steps.get(player, ()):
            if step.taker not in came:
                came[step.taker] = step
                waiting.append(step.taker)
    return []


def _walked(came: Mapping[str, _Step | None], end: str) -> list[_Step]:
    chain = []
    step = came[end]
    while step is not None:
        chain.append(step)
        step = came[step.giver]
    return chain[::-1]


def _held(seats: Seating, past: Mapping[str, Counter[int]], seat: int) -> dict[str, int]:
    seat_counts = {player: past[player][seat] if player in past else 0 for table in seats for player in table}
    for table in seats:
        if len(table) > seat:
            seat_counts[table[seat]] += 1
    return seat_counts


def _swap(table: list[str], one: int, other: int) -> None:
    table[one], table[other] = table[other], table[one]
