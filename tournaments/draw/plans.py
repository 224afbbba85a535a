"""Who wants to sit how, and who sits where: the words in which a seating is asked for and given.

Rules: docs/seating.md, sections 1 (wishes) and 2 (plans). Knows nothing of how seats are found.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.problems import RuleError

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
