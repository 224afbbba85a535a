"""Strict restrictions: finds a table for every player who must not sit with another, or who needs one table.

If that is impossible, every contradiction is reported at once, with its players and numbers. Rules:
docs/how-to/seating.md, section 5. Knows nothing of meetings, seats or dealers.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from scoring.messages import Message, Seat, say, say_many
from scoring.problems import Problem
from tournaments.draw import Apart, FixedTable, SeatingConstraints, size_problems, table_sizes

MOST_STEPS = 20_000
MOST_TANGLES = 10
MOST_LISTED = 12


def seats_of(sizes: Sequence[int], fixed: Collection[FixedTable]) -> dict[int, int]:
    """The number of seats of each table: the larger tables where more players are fixed, else the lower numbers."""
    fixed_counts = Counter(fixed_table.table for fixed_table in fixed)
    order = sorted(range(1, len(sizes) + 1), key=lambda number: (-fixed_counts[number], number))
    return dict(sorted(zip(order, sorted(sizes, reverse=True), strict=True)))


def fixed_among(constraints: SeatingConstraints, seated: Collection[str]) -> tuple[FixedTable, ...]:
    """The fixed tables of the players who are seated in this round."""
    present = set(seated)
    return tuple(fixed_table for fixed_table in constraints.fixed if fixed_table.player in present)


def apart_among(constraints: SeatingConstraints, seated: Collection[str]) -> dict[str, set[str]]:
    """For each seated player with such a restriction, the players they must not sit with. In the order of the keys."""
    present = set(seated)
    mates: dict[str, set[str]] = {key: set() for key in sorted(present)}
    for pair in constraints.apart:
        if {pair.one, pair.other} <= present:
            mates[pair.one].add(pair.other)
            mates[pair.other].add(pair.one)
    return {key: others for key, others in mates.items() if others}


def firm_places(
    constraints: SeatingConstraints, seated: Collection[str], sizes: Sequence[int]
) -> dict[str, int] | None:
    """A table number for every player with a strict restriction, such that all are kept; None if none was found.

    The search is complete but limited: restrictions that it cannot decide in MOST_STEPS count as impossible.
    """
    fixed = fixed_among(constraints, seated)
    placing = _Placing(seats_of(sizes, fixed), apart_among(constraints, seated))
    for fixed_table in fixed:
        if not placing.admits(fixed_table.player, fixed_table.table):
            return None
        placing.put(fixed_table.player, fixed_table.table)
    return dict(placing.table_of) if placing.place_rest() else None


class _Placing:
    """Assigns players with strict restrictions to tables one by one, the one with the fewest possible tables first."""

    def __init__(self, seats: Mapping[int, int], apart: Mapping[str, set[str]]) -> None:
        self.apart = apart
        self.free = dict(seats)
        self.open = len(self.free)
        self.at: dict[int, set[str]] = {number: set() for number in seats}
        self.table_of: dict[str, int] = {}
        self.steps = 0

    def admits(self, player: str, table: int) -> bool:
        """Whether the table exists, has a free seat, and no player who must be kept apart from this one."""
        there = self.at.get(table)
        return there is not None and self.free[table] > 0 and not there & self.apart.get(player, set())

    def put(self, player: str, table: int) -> None:
        """Seat the player there."""
        self.free[table] -= 1
        self.open -= not self.free[table]
        self.at[table].add(player)
        self.table_of[player] = table

    def take_back(self, player: str) -> None:
        """Undo `put`."""
        table = self.table_of.pop(player)
        self.open += not self.free[table]
        self.free[table] += 1
        self.at[table].remove(player)

    def place_rest(self) -> bool:
        """Seat all remaining players, with backtracking. Uses a stack instead of recursion: rooms may be large."""
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
        kept_from = {self.table_of[mate] for mate in self.apart[player] if mate in self.table_of}
        return self.open - sum(self.free[table] > 0 for table in kept_from)

    def _tables_for(self, player: str) -> list[int]:
        """The tables that admit the player, those with most room first; of equally large empty tables only one."""
        tables = sorted(self.free, key=lambda table: (-self.free[table], table))
        alike: set[int] = set()
        admitting_tables = []
        for table in tables:
            is_new = bool(self.at[table]) or self.free[table] not in alike
            if is_new and self.admits(player, table):
                admitting_tables.append(table)
            if not self.at[table]:
                alike.add(self.free[table])
        return admitting_tables


def constraint_problems(constraints: SeatingConstraints) -> tuple[Problem, ...]:
    """Everything that makes the restrictions impossible, each problem naming its restriction. Empty without one."""
    problems = [*_list_problems(constraints), *size_problems(len(constraints.players), constraints.sizes)]
    if problems:
        return tuple(problems)
    split = table_sizes(len(constraints.players), constraints.sizes)
    plain, sound = _plain_contradictions(constraints, split.sizes)
    tangled = [] if split.sit_outs else tangles(sound, sound.keys, split.sizes)
    return (*plain, *tangled)


def tangles(constraints: SeatingConstraints, seated: Collection[str], sizes: Sequence[int]) -> list[Problem]:
    """The smallest sets of restrictions that cannot be kept together: without any one of them, the rest could be."""
    problems: list[Problem] = []
    remaining = constraints
    while len(problems) < MOST_TANGLES and firm_places(remaining, seated, sizes) is None:
        core = _core(remaining, seated, sizes)
        problems.append(_tangle_problem(core, len(sizes)))
        remaining = _without(remaining, (*core.apart, *core.fixed))
    return problems


def _list_problems(constraints: SeatingConstraints) -> list[Problem]:
    problems = []
    for key, times in Counter(constraints.keys).items():
        if times > 1:
            detail = say("{seat} is on the list {number} times", seat=constraints.called(key), number=times)
            problems.append(Problem(code="player_twice", seat=key, field="players", detail=detail))
    listed_keys = set(constraints.keys)
    named = [("apart", key) for pair in constraints.apart for key in (pair.one, pair.other)]
    named += [("fixed", fixed_table.player) for fixed_table in constraints.fixed]
    for field, key in dict.fromkeys(named):
        if key not in listed_keys:
            detail = say("{seat} has a restriction but is not on the list of players", seat=Seat(key))
            problems.append(Problem(code="player_unknown", seat=key, field=field, detail=detail))
    return problems


def _plain_contradictions(
    constraints: SeatingConstraints, sizes: Sequence[int]
) -> tuple[list[Problem], SeatingConstraints]:
    """Direct contradictions, and the restrictions that are left without them."""
    problems: list[Problem] = []
    apart = [pair for pair in constraints.apart if pair.one != pair.other]
    for pair in constraints.apart:
        if pair.one == pair.other:
            detail = say("{seat} cannot be kept apart from themselves", seat=constraints.called(pair.one))
            problems.append(Problem(code="apart_from_oneself", seat=pair.one, field="apart", detail=detail))
    tables: dict[str, int] = {}
    for fixed in constraints.fixed:
        problem = _fixed_problem(fixed, constraints, tables=tables, count=len(sizes))
        if problem:
            problems.append(problem)
        else:
            tables[fixed.player] = fixed.table
    problems += _crowded(constraints, tables, sizes)
    for pair in list(apart):
        table = tables.get(pair.one)
        if table is not None and table == tables.get(pair.other):
            detail = say(
                "{seat} and {mate} are to be kept apart, but both are fixed to table {table}",
                seat=constraints.called(pair.one),
                mate=constraints.called(pair.other),
                table=table,
            )
            problems.append(Problem(code="apart_at_one_table", seat=pair.one, field="apart", detail=detail))
            apart.remove(pair)
    fixed_tables = tuple(FixedTable(player=key, table=table) for key, table in tables.items())
    return problems, replace(constraints, apart=tuple(apart), fixed=fixed_tables)


def _fixed_problem(
    fixed: FixedTable, constraints: SeatingConstraints, *, tables: Mapping[str, int], count: int
) -> Problem | None:
    name = constraints.called(fixed.player)
    if not 1 <= fixed.table <= count:
        at = fixed.table
        detail = (
            say("{seat} is fixed to table {table}, but there is table 1 only", seat=name, table=at)
            if count == 1
            else say(
                "{seat} is fixed to table {table}, but there are tables 1 to {last} only",
                seat=name,
                table=at,
                last=count,
            )
        )
        return Problem(code="no_such_table", seat=fixed.player, field="fixed", detail=detail)
    if tables.get(fixed.player, fixed.table) != fixed.table:
        detail = say(
            "{seat} is fixed to table {table} and to table {number}",
            seat=name,
            table=tables[fixed.player],
            number=fixed.table,
        )
        return Problem(code="fixed_twice", seat=fixed.player, field="fixed", detail=detail)
    return None


def _crowded(constraints: SeatingConstraints, tables: dict[str, int], sizes: Sequence[int]) -> list[Problem]:
    """Tables with more fixed players than seats; the surplus players are removed from `tables`."""
    problems = []
    fixed = [FixedTable(player=key, table=table) for key, table in tables.items()]
    for number, seats in seats_of(sizes, fixed).items():
        fixed_keys = [key for key, table in tables.items() if table == number]
        if len(fixed_keys) > seats:
            detail = say(
                "{number} players are fixed to table {table}, which has {of} seats: {names}",
                number=len(fixed_keys),
                table=number,
                of=seats,
                names=tuple(constraints.called(key) for key in fixed_keys),
            )
            problems.append(Problem(code="fixed_table_full", seat=fixed_keys[seats], field="fixed", detail=detail))
            for key in fixed_keys[seats:]:
                del tables[key]
    return problems


def _core(constraints: SeatingConstraints, seated: Collection[str], sizes: Sequence[int]) -> SeatingConstraints:
    """These restrictions without those that the contradiction does not need."""
    core = constraints
    every: tuple[Apart | FixedTable, ...] = (*constraints.apart, *constraints.fixed)
    for restriction in every:
        fewer = _without(core, (restriction,))
        core = fewer if firm_places(fewer, seated, sizes) is None else core
    return core


def _without(constraints: SeatingConstraints, granted: Collection[Apart | FixedTable]) -> SeatingConstraints:
    apart = tuple(pair for pair in constraints.apart if pair not in granted)
    return replace(
        constraints,
        apart=apart,
        fixed=tuple(fixed_table for fixed_table in constraints.fixed if fixed_table not in granted),
    )


def _tangle_problem(core: SeatingConstraints, tables: int) -> Problem:
    players = sorted({key for pair in core.apart for key in (pair.one, pair.other)})
    field = "apart" if core.apart else "fixed"
    seat = players[0] if players else core.fixed[0].player
    names = tuple(core.called(key) for key in players)
    if not core.fixed and len(core.apart) == len(list(combinations(players, 2))):
        detail = say_many(
            "{total} players are all kept apart from one another, but there is {count} table: {names}",
            "{total} players are all kept apart from one another, but there are {count} tables: {names}",
            count=tables,
            total=len(players),
            names=names,
        )
        return Problem(code="apart_beyond_tables", seat=seat, field=field, detail=detail)
    detail = say(
        "no seating at {number} tables meets all these restrictions; drop any one of them: {why}",
        number=tables,
        why=_one_by_one(core, [*core.apart, *core.fixed]),
    )
    return Problem(code="wishes_tangled", seat=seat, field=field, detail=detail)


def _one_by_one(core: SeatingConstraints, restrictions: Sequence[Apart | FixedTable], named: int = 0) -> Message:
    """The first of many restrictions, and how many more there are."""
    if named == MOST_LISTED:
        return say_many("{count} more restriction", "{count} more restrictions", count=len(restrictions))
    first, *others = restrictions
    if isinstance(first, FixedTable):
        seat, table = core.called(first.player), first.table
        if not others:
            return say("to seat {seat} at table {table}", seat=seat, table=table)
        why = _one_by_one(core, others, named + 1)
        return say("to seat {seat} at table {table}; and {why}", seat=seat, table=table, why=why)
    seat, mate = core.called(first.one), core.called(first.other)
    if not others:
        return say("to keep {seat} apart from {mate}", seat=seat, mate=mate)
    why = _one_by_one(core, others, named + 1)
    return say("to keep {seat} apart from {mate}; and {why}", seat=seat, mate=mate, why=why)
