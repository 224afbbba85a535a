"""Who wants to sit how, and who sits where: the words in which a seating is asked for and given.

Rules: docs/how-to/seating.md, sections 1 (wishes) and 2 (plans). Knows nothing of how seats are found.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from scoring.messages import Seat, say
from scoring.problems import Problem, RuleError

SMALLEST_TABLE = 2


LARGEST_TABLE = 10


class SeatingRejected(RuleError):
    """Wishes that cannot all be granted: every problem names the wish that is in the way."""

    code = "seating_rejected"


@dataclass(frozen=True, slots=True, kw_only=True)
class Player:
    """Somebody to be seated. `key` decides the draw; the name is only for reading."""

    key: str
    name: str = ""
    club: str = ""

    @property
    def called(self) -> str:
        """The name, or the key where no name was given."""
        return self.name or self.key


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How large tables may be, and which size is liked best. A room may end at `most_tables`."""

    allowed: tuple[int, ...] = (3, 4, 5, 6)
    preferred: int = 4
    most_tables: int | None = None
    may_sit_out: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """Two players who must never share a table."""

    one: str
    other: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FixedTable:
    """A player who needs one table in every round: near the door, without steps."""

    player: str
    table: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """Everything a seating is to respect. Sizes, apart and fixed tables are firm; clubs apart is tried."""

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
        """The name of a player, or the key of somebody who is not on the list."""
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
    """A round as a prepared plan or a director's draft states it: the seats of each table number."""
    numbered = tuple(SeatedTable(number=number, seats=tuple(seats)) for number, seats in sorted(tables.items()))
    return SeatedRound(tables=numbered, sits_out=tuple(sorted(sits_out)))


# Changes a director makes to a draft by hand: two players change places, one moves, one sits out.


def swap(draft: SeatedRound, one: str, other: str) -> SeatedRound:
    """The two change places: seat for seat, or one sits out in the other's stead."""
    _must_be_here(draft, one, other)
    exchange = {one: other, other: one}
    tables = {table.number: [exchange.get(key, key) for key in table.seats] for table in draft.tables}
    return round_of(tables, sits_out=[exchange.get(key, key) for key in draft.sits_out])


def move(draft: SeatedRound, player: str, *, table: int, seat: int | None = None) -> SeatedRound:
    """The player goes to that table: to that seat, counted from 1, or to the last one.

    A table nobody sat at is opened; one that the last player leaves is closed.
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
    """The player sits this round out."""
    _must_be_here(draft, player)
    return _round_with(_without(draft, player), {*draft.sits_out, player})


def _must_be_here(draft: SeatedRound, *players: str) -> None:
    here = {*draft.sits_out, *draft.table_of}
    gone = [key for key in players if key not in here]
    if gone:
        raise SeatingRejected(
            Problem(
                code="player_unknown",
                seat=key,
                field="player",
                detail=say("{seat} is neither seated nor sitting out in this round", seat=Seat(key)),
            )
            for key in gone
        )


def _without(draft: SeatedRound, player: str) -> dict[int, list[str]]:
    return {table.number: [key for key in table.seats if key != player] for table in draft.tables}


def _round_with(tables: Mapping[int, Sequence[str]], sits_out: Sequence[str] | set[str]) -> SeatedRound:
    return round_of({number: seats for number, seats in tables.items() if seats}, sits_out=sits_out)


# Who has met whom: the one way in which meetings, and repeated meetings, are counted.


Pair = frozenset[str]


def meetings(rounds: Iterable[SeatedRound]) -> Counter[Pair]:
    """How often each pair has met."""
    tables = (table for done in rounds for table in done.tables)
    return Counter(frozenset(pair) for table in tables for pair in combinations(table.seats, 2))


def repeated_meetings(rounds: Iterable[SeatedRound]) -> int:
    """The sum over all pairs of the meetings after the first."""
    return sum(times - 1 for times in meetings(rounds).values())
