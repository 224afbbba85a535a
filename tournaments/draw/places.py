"""Seats at the tables of a night: everybody deals first, and sits in each place, about equally often.

Rules: docs/how-to/seating.md, section 4. Players pass a seat along a chain of tables until no player has it twice more
often than another; such a chain always exists where a whole night is planned for tables of one size. Seat 0 deals
first. Knows nothing of who meets whom: the tables are given, only their order is chosen.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

DEALER = 0

Seating = list[list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """At a table, `giver` could give the seat to `taker`."""

    table: int
    giver: str
    taker: str


def balanced(tables: Iterable[Sequence[str]], *, past: Iterable[Sequence[str]] = ()) -> Seating:
    """The same tables with their players in an order that balances dealers first, then the other seats."""
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
    """Table by table, each seat to whoever has had it least; the order given decides between equals."""
    tally = defaultdict(Counter, {player: Counter(sat) for player, sat in before.items()})
    seats: Seating = []
    for table in tables:
        left, order = list(table), []
        for seat in range(len(left)):
            player = min(left, key=lambda one: tally[one][seat])
            left.remove(player)
            order.append(player)
            tally[player][seat] += 1
        seats.append(order)
    return seats


def _balance_dealers(seats: Seating, before: Mapping[str, Counter[int]]) -> None:
    """Who has dealt first twice more often than somebody down a chain of tables hands it on to them."""
    held = _held(seats, before, DEALER)
    while True:
        steps = defaultdict(list)
        for number, table in enumerate(seats):
            for taker in table[DEALER + 1 :]:
                steps[table[DEALER]].append(_Step(table=number, giver=table[DEALER], taker=taker))
        chain = _chain(steps, held, gap=2)
        if not chain:
            return
        for step in chain:
            _swap(seats[step.table], DEALER, seats[step.table].index(step.taker))
        held[chain[0].giver] -= 1
        held[chain[-1].taker] += 1


def _balance_pair(seats: Seating, before: Mapping[str, Counter[int]], *, first: int, second: int) -> bool:
    """Even out how often each player has one seat rather than the other. Says whether anything was changed."""
    ones, others = _held(seats, before, first), _held(seats, before, second)
    lead = {player: ones[player] - others[player] for player in ones}
    changed = False
    while True:
        steps = defaultdict(list)
        for number, table in enumerate(seats):
            if len(table) > second:
                steps[table[first]].append(_Step(table=number, giver=table[first], taker=table[second]))
        chain = _chain(steps, lead, gap=3)
        if not chain:
            return changed
        changed = True
        for step in chain:
            _swap(seats[step.table], first, second)
        lead[chain[0].giver] -= 2
        lead[chain[-1].taker] += 2


def _chain(steps: Mapping[str, Sequence[_Step]], held: Mapping[str, int], *, gap: int) -> list[_Step]:
    """The shortest chain from a player who holds most to one who holds less by `gap`. Empty where there is none."""
    least = min(held.values(), default=0)
    for start in sorted(steps, key=lambda player: (-held[player], player)):
        if held[start] - least < gap:
            return []
        chain = _chain_from(start, steps, held, gap=gap)
        if chain:
            return chain
    return []


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
    held = {player: past[player][seat] if player in past else 0 for table in seats for player in table}
    for table in seats:
        if len(table) > seat:
            held[table[seat]] += 1
    return held


def _swap(table: list[str], one: int, other: int) -> None:
    table[one], table[other] = table[other], table[one]
