"""The input and the output of a seating: players, table sizes, seating restrictions, and who sits where.

Rules: docs/how-to/seating.md, sections 1 (restrictions), 2 (plans) and 3 (sizes). The search for seats, the checks of a
draft, and the balancing of tables in play are in the other modules of this package. Pure: the same arguments always
give the same result, and randomness is passed as a seed. Knows nothing of the database, the web, the clock or money.

    constraints = SeatingConstraints(players=tuple(Player(key=name) for name in names), sizes=Sizes(allowed=(3, 4, 5)))
    night = draw_rounds(constraints, seed="K7QF-2M9X", rounds=7)
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from scoring.messages import Seat, say, say_many
from scoring.problems import Problem, RuleError, refuse_if

SMALLEST_TABLE = 2
LARGEST_TABLE = 10
Pair = frozenset[str]


class SeatingRejected(RuleError):
    """Restrictions that cannot all be kept: every problem names the restriction that causes it."""

    code = "seating_rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """A player to be seated. `key` decides the draw; the name is only for display."""

    key: str
    name: str = ""
    club: str = ""

    @property
    def called(self) -> str:
        """The name, or the key if no name was given."""
        return self.name or self.key


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """The table sizes allowed, and the preferred one. `most_tables` is the number of tables available."""

    allowed: tuple[int, ...] = (3, 4, 5, 6)
    preferred: int = 4
    most_tables: int | None = None
    may_sit_out: bool = True

    @property
    def ascending(self) -> tuple[int, ...]:
        """The sizes allowed, each once, the smallest first."""
        return tuple(sorted(set(self.allowed)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """Two players who must never share a table."""

    one: str
    other: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedTable:
    """A player who needs one table in every round, for example near the door or without steps."""

    player: str
    table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatingConstraints:
    """Everything that a seating respects. Sizes, apart and fixed tables are strict; clubs apart is only tried."""

    players: tuple[Player, ...]
    sizes: Sizes = Sizes()
    apart: tuple[Apart, ...] = ()
    fixed: tuple[FixedTable, ...] = ()
    clubs_apart: bool = False

    @property
    def keys(self) -> tuple[str, ...]:
        """The players' keys, as listed."""
        return tuple(player.key for player in self.players)

    def called(self, key: str) -> str:
        """The name of a player, or the key if it is not on the list."""
        return next((player.called for player in self.players if player.key == key), key)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedTable:
    """A table of one round, clockwise from seat 1. Seat 1 deals first."""

    number: int
    seats: tuple[str, ...]

    @property
    def dealer(self) -> str:
        """The player who deals first."""
        return self.seats[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedRound:
    """The seating of one round: its tables by number, and who sits out."""

    tables: tuple[SeatedTable, ...]
    sits_out: tuple[str, ...] = ()

    @property
    def table_of(self) -> Mapping[str, SeatedTable]:
        """Each seated player's table."""
        return {key: table for table in self.tables for key in table.seats}


def round_of(tables: Mapping[int, Sequence[str]], *, sits_out: Iterable[str] = ()) -> SeatedRound:
    """A round from the seats of each table number, as in a prepared plan or a director's draft."""
    numbered = tuple(SeatedTable(number=number, seats=tuple(seats)) for number, seats in sorted(tables.items()))
    return SeatedRound(tables=numbered, sits_out=tuple(sorted(sits_out)))


def swap(draft: SeatedRound, one: str, other: str) -> SeatedRound:
    """Two players change places: seat for seat, or one sits out instead of the other."""
    _must_be_here(draft, one, other)
    exchange = {one: other, other: one}
    tables = {table.number: [exchange.get(key, key) for key in table.seats] for table in draft.tables}
    return round_of(tables, sits_out=[exchange.get(key, key) for key in draft.sits_out])


def move(draft: SeatedRound, player: str, *, table: int, seat: int | None = None) -> SeatedRound:
    """The player goes to that table: to that seat, counted from 1, or to the last one.

    A table without players is opened; one that its last player leaves is closed.
    """
    _must_be_here(draft, player)
    if table < 1:
        detail = say("there is no table {table}: tables count from 1", table=table)
        raise SeatingRejected([Problem(code="no_such_table", seat=player, field="table", detail=detail)])
    tables = _without(draft, player)
    mates = tables.setdefault(table, [])
    place = len(mates) if seat is None else max(0, min(seat - 1, len(mates)))
    mates.insert(place, player)
    return _round_with(tables, [key for key in draft.sits_out if key != player])


def sit_out(draft: SeatedRound, player: str) -> SeatedRound:
    """The player sits out this round."""
    _must_be_here(draft, player)
    return _round_with(_without(draft, player), {*draft.sits_out, player})


def _must_be_here(draft: SeatedRound, *players: str) -> None:
    here = {*draft.sits_out, *draft.table_of}
    gone = [key for key in players if key not in here]
    details = ((key, say("{seat} is neither seated nor sitting out in this round", seat=Seat(key))) for key in gone)
    refuse_if([Problem("player_unknown", detail, seat=key, field="player") for key, detail in details], SeatingRejected)


def _without(draft: SeatedRound, player: str) -> dict[int, list[str]]:
    return {table.number: [key for key in table.seats if key != player] for table in draft.tables}


def _round_with(tables: Mapping[int, Sequence[str]], sits_out: Sequence[str] | set[str]) -> SeatedRound:
    return round_of({number: seats for number, seats in tables.items() if seats}, sits_out=sits_out)


def meetings(rounds: Iterable[SeatedRound]) -> Counter[Pair]:
    """How often each pair has met; meetings are counted only here."""
    tables = (table for done in rounds for table in done.tables)
    return Counter(frozenset(pair) for table in tables for pair in combinations(table.seats, 2))


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The sizes of a round's tables, largest first, and how many players are left over."""

    sizes: tuple[int, ...]
    sit_outs: int


def table_sizes(players: int, sizes: Sizes) -> Split:
    """How `players` are split into tables. Raises SeatingRejected with the restriction that makes it impossible."""
    refuse_if(size_problems(players, sizes), SeatingRejected)
    return next(split for sit_outs in range(players) if (split := _best_split(players, sit_outs, sizes)))


def size_problems(players: int, sizes: Sizes) -> list[Problem]:
    """Why no split can be found: all reasons, empty if there is one."""
    problems = _option_problems(sizes)
    if problems:
        return problems
    smallest = min(sizes.allowed)
    if players < smallest:
        detail = say_many(
            "{count} player cannot fill a table: the smallest size allowed is {first}",
            "{count} players cannot fill a table: the smallest size allowed is {first}",
            count=players,
            first=smallest,
        )
        return [Problem(code="too_few_players", field="sizes.allowed", detail=detail)]
    if not sizes.may_sit_out and _best_split(players, 0, sizes) is None:
        return [_nobody_may_sit_out(players, sizes)]
    return []


def even_sizes(seated: int, tables: int) -> tuple[int, ...]:
    """The sizes of that many tables for that many players, differing by at most one, largest first."""
    base, larger = divmod(seated, tables)
    return (base + 1,) * larger + (base,) * (tables - larger)


def _best_split(players: int, sit_outs: int, sizes: Sizes) -> Split | None:
    seated = players - sit_outs
    most = min(seated // min(sizes.allowed), sizes.most_tables or seated)
    splits = [even_sizes(seated, tables) for tables in range(1, most + 1)]
    fitting = [split for split in splits if set(split) <= set(sizes.allowed)]
    if not fitting:
        return None
    return Split(sizes=min(fitting, key=lambda split: _liking(split, sizes)), sit_outs=sit_outs)


def _liking(split: tuple[int, ...], sizes: Sizes) -> tuple[bool, Fraction, int]:
    unliked_two = SMALLEST_TABLE in split and sizes.preferred != SMALLEST_TABLE
    return (unliked_two, abs(Fraction(sum(split), len(split)) - sizes.preferred), len(split))


def _option_problems(sizes: Sizes) -> list[Problem]:
    problems = []
    if not sizes.allowed:
        problems.append(Problem(code="no_size_allowed", field="sizes.allowed", detail=say("no table size is allowed")))
    for size in sizes.allowed:
        if not SMALLEST_TABLE <= size <= LARGEST_TABLE:
            detail = say(
                "tables have {first} to {last} seats; {number} is allowed here",
                first=SMALLEST_TABLE,
                last=LARGEST_TABLE,
                number=size,
            )
            problems.append(Problem(code="size_out_of_range", field="sizes.allowed", detail=detail))
    if sizes.allowed and sizes.preferred not in sizes.allowed:
        detail = say(
            "tables of {number} are preferred, but not among the sizes allowed: {sizes}",
            number=sizes.preferred,
            sizes=sizes.ascending,
        )
        problems.append(Problem(code="preferred_not_allowed", field="sizes.preferred", detail=detail))
    if sizes.most_tables is not None and sizes.most_tables < 1:
        detail = say("the room has {number} tables; it needs one at least", number=sizes.most_tables)
        problems.append(Problem(code="no_table", field="sizes.most_tables", detail=detail))
    return problems


def _nobody_may_sit_out(players: int, sizes: Sizes) -> Problem:
    """Why two or more players cannot be split when no one may sit out."""
    room, most = sizes.most_tables, max(sizes.allowed)
    if room is not None and players > room * most:
        detail = say_many(
            "{count} table of at most {most} seats {of} of {total} players, and nobody may sit out",
            "{count} tables of at most {most} seat {of} of {total} players, and nobody may sit out",
            count=room,
            most=most,
            of=room * most,
            total=players,
        )
        return Problem(code="room_too_small", field="sizes.most_tables", detail=detail)
    detail = (
        say(
            "{total} players cannot be split into tables of {sizes} that differ by at most one, and nobody may sit out",
            total=players,
            sizes=sizes.ascending,
        )
        if room is None
        else say_many(
            "{total} players cannot be split into at most {count} table of {sizes} that differ by at most one, "
            "and nobody may sit out",
            "{total} players cannot be split into at most {count} tables of {sizes} that differ by at most one, "
            "and nobody may sit out",
            count=room,
            total=players,
            sizes=sizes.ascending,
        )
    )
    return Problem(code="sizes_do_not_add_up", field="sizes.allowed", detail=detail)
