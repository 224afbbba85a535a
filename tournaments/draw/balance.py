"""Rebalances tables in play: which players move, or which table is closed, with the fewest moves.

Rules: docs/how-to/seating.md, section 9. The players who dealt last move, and sit down where they keep the dealing
order of their new table: its next dealer stays, and no one there deals earlier or later than before relative to the
others. Knows nothing of scores, of who is eliminated, or of the clock.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.messages import Seat, say, say_many
from scoring.problems import Problem, refuse_if
from tournaments.draw import SMALLEST_TABLE, SeatingRejected, Sizes, even_sizes, size_problems


@dataclass(frozen=True, slots=True, kw_only=True)
class RunningTable:
    """A table in play: the players still in, clockwise, and the next dealer."""

    number: int
    seats: tuple[str, ...]
    next_dealer: str

    @property
    def dealing_order(self) -> tuple[str, ...]:
        """The players from the next dealer on."""
        start = self.seats.index(self.next_dealer)
        return self.seats[start:] + self.seats[:start]


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A player moves from one table to another, to the seat after `after`, clockwise."""

    player: str
    from_table: int
    to_table: int
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One way to balance the tables: who moves, which tables close, and the tables afterwards."""

    moves: tuple[Move, ...]
    closes: tuple[int, ...]
    tables: tuple[RunningTable, ...]


def is_balanced(tables: Sequence[RunningTable], sizes: Sizes) -> bool:
    """Whether every table has an allowed size and they differ by at most one."""
    counts = {len(table.seats) for table in tables}
    return counts <= set(sizes.allowed) and max(counts, default=0) - min(counts, default=0) <= 1


def proposals(tables: Sequence[RunningTable], sizes: Sizes) -> tuple[Proposal, ...]:
    """The ways to play on with balanced tables, best first: without tables of two if possible, then by fewest moves.

    One for each possible number of tables, from the present number down to one; balanced tables get no proposal to stay
    as they are. Raises SeatingRejected if a table is inconsistent or no size fits.
    """
    refuse_if(_table_problems(tables), SeatingRejected)
    players = sum(len(table.seats) for table in tables)
    possible = [count for count in range(1, len(tables) + 1) if _fits(players, count, sizes)]
    if not possible:
        refuse_if(size_problems(players, sizes) or [_no_size(players, len(tables), sizes)], SeatingRejected)
    candidates = [_proposal(tables, even_sizes(players, count)) for count in possible]
    return tuple(sorted((proposal for proposal in candidates if proposal.moves), key=lambda one: _liking(one, sizes)))


def break_up(tables: Sequence[RunningTable], number: int, sizes: Sizes) -> Proposal:
    """Close one table of the director's choice: each of its players goes to the smallest of the others.

    Raises SeatingRejected if there is no such table, or the others would be too large.
    """
    refuse_if(_table_problems(tables) or _closing_problems(tables, number, sizes), SeatingRejected)
    after = {table.number: table for table in tables if table.number != number}
    order = next(table.dealing_order for table in tables if table.number == number)
    moves = []
    for due, key in reversed(list(enumerate(order))):
        goal = min(after.values(), key=lambda table: (len(table.seats), table.number))
        move, after[goal.number] = _sit_down(goal, key, number, due=due)
        moves.append(move)
    return Proposal(moves=tuple(moves), closes=(number,), tables=tuple(table for _, table in sorted(after.items())))


def move_one(tables: Sequence[RunningTable], player: str, to_table: int, *, most: int) -> Proposal:
    """Move one player to a table of the director's choice, after those who deal there no later than they were due.

    `most` is the maximum number of seats of a table. Raises SeatingRejected.
    """
    refuse_if(_table_problems(tables) or _walking_problems(tables, player, to_table, most), SeatingRejected)
    origin = next(table for table in tables if player in table.seats)
    goal = next(table for table in tables if table.number == to_table)
    order = origin.dealing_order
    due = order.index(player)
    staying = tuple(key for key in origin.seats if key != player)
    next_dealer = order[1] if due == 0 else origin.next_dealer
    move, grown = _sit_down(goal, player, origin.number, due=due)
    shrunk = replace(origin, seats=staying, next_dealer=next_dealer)
    after = {table.number: table for table in tables} | {shrunk.number: shrunk, grown.number: grown}
    return Proposal(moves=(move,), closes=(), tables=tuple(table for _, table in sorted(after.items())))


def _walking_problems(tables: Sequence[RunningTable], player: str, to_table: int, most: int) -> list[Problem]:
    origin = next((table for table in tables if player in table.seats), None)
    goal = next((table for table in tables if table.number == to_table), None)
    if origin is None:
        detail = say("{seat} is not playing at any table", seat=Seat(player))
        return [Problem("not_in_play", detail, seat=player, field="player")]
    if goal is None:
        return [Problem("no_such_table", say("table {table} is not in play", table=to_table), field="to")]
    if goal is origin:
        detail = say("{seat} sits at table {table} already", seat=Seat(player), table=to_table)
        return [Problem("same_table", detail, seat=player, field="to")]
    problems = []
    if len(origin.seats) <= SMALLEST_TABLE:
        detail = say_many(
            "table {table} would have {count} player left: close it instead",
            "table {table} would have {count} players left: close it instead",
            count=len(origin.seats) - 1,
            table=origin.number,
        )
        problems.append(Problem(code="table_too_small", field="player", detail=detail))
    if len(goal.seats) >= most:
        detail = say(
            "table {table} has {number} players, and no seat for another", table=to_table, number=len(goal.seats)
        )
        problems.append(Problem(code="table_too_large", field="to", detail=detail))
    return problems


def _liking(proposal: Proposal, sizes: Sizes) -> tuple[bool, int, int]:
    smallest = min(len(table.seats) for table in proposal.tables)
    return (smallest == SMALLEST_TABLE != sizes.preferred, len(proposal.moves), len(proposal.closes))


def _table_problems(tables: Sequence[RunningTable]) -> list[Problem]:
    problems = []
    for number, times in Counter(table.number for table in tables).items():
        if times > 1:
            detail = say("there are {number} tables with the number {table}", number=times, table=number)
            problems.append(Problem(code="table_twice", field="tables", detail=detail))
    for key, times in Counter(key for table in tables for key in table.seats).items():
        if times > 1:
            detail = say("{seat} has {number} seats", seat=Seat(key), number=times)
            problems.append(Problem("seated_twice", detail, seat=key, field="tables"))
    for table in tables:
        if table.next_dealer not in table.seats:
            detail = say(
                "{seat} is to deal next at table {table}, but is not in play there",
                seat=Seat(table.next_dealer),
                table=table.number,
            )
            problems.append(
                Problem(code="dealer_not_seated", seat=table.next_dealer, field="next_dealer", detail=detail)
            )
    return problems


def _closing_problems(tables: Sequence[RunningTable], number: int, sizes: Sizes) -> list[Problem]:
    others = [table for table in tables if table.number != number]
    if len(others) == len(tables):
        return [Problem(code="no_such_table", field="tables", detail=say("table {table} is not in play", table=number))]
    players, most, table_count = sum(len(table.seats) for table in tables), max(sizes.allowed), len(others)
    if players <= most * table_count:
        return []
    detail = say_many(
        "without table {table} there is {count} table of at most {most} for {total} players",
        "without table {table} there are {count} tables of at most {most} for {total} players",
        count=table_count,
        table=number,
        most=most,
        total=players,
    )
    return [Problem(code="room_too_small", field="tables", detail=detail)]


def _fits(players: int, count: int, sizes: Sizes) -> bool:
    return players >= count and set(even_sizes(players, count)) <= set(sizes.allowed)


def _no_size(players: int, tables: int, sizes: Sizes) -> Problem:
    detail = say_many(
        "{total} players still in cannot be split into at most {count} table of {sizes} that differ by at most one",
        "{total} players still in cannot be split into at most {count} tables of {sizes} that differ by at most one",
        count=tables,
        total=players,
        sizes=sizes.ascending,
    )
    return Problem(code="sizes_do_not_add_up", field="sizes.allowed", detail=detail)


def _proposal(tables: Sequence[RunningTable], targets: Sequence[int]) -> Proposal:
    """Keep the fullest tables, give the fullest the larger sizes, and let the other players move."""
    by_size = sorted(tables, key=lambda table: (-len(table.seats), table.number))
    size_by_table = dict(zip((table.number for table in by_size), targets, strict=False))
    after, walking = {}, []
    for table in by_size:
        order = table.dealing_order
        staying = order[: size_by_table.get(table.number, 0)]
        walking += [(table.number, due, key) for due, key in enumerate(order) if due >= len(staying)]
        if staying:
            seats = tuple(key for key in table.seats if key in set(staying))
            after[table.number] = replace(table, seats=seats)
    moves = []
    # The player who deals soonest sits down last, so that none who come later are seated before them.
    for number, due, key in sorted(walking, key=lambda one: (-one[1], one[0])):
        goal = min(after.values(), key=lambda table: (len(table.seats) - size_by_table[table.number], table.number))
        move, after[goal.number] = _sit_down(goal, key, number, due=due)
        moves.append(move)
    return Proposal(
        moves=tuple(moves),
        closes=tuple(sorted(table.number for table in by_size[len(targets) :])),
        tables=tuple(table for _, table in sorted(after.items())),
    )


def _sit_down(table: RunningTable, player: str, origin: int, *, due: int) -> tuple[Move, RunningTable]:
    """Seat the player after all who are due to deal no later than the player was at the old table."""
    order = table.dealing_order
    after = order[min(due, len(order) - 1)]
    place = table.seats.index(after) + 1
    seats = (*table.seats[:place], player, *table.seats[place:])
    move = Move(player=player, from_table=origin, to_table=table.number, after=after)
    return move, replace(table, seats=seats)
