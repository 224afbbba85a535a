"""Who sits where and which table it is, as the rows say and as the log does: players, tournament, round, number, name.

Facts of today say all of it. Of an older table the log holds the players, and mostly round and number too: in the
digest of what was asked, or in the seating of its round. Rules: docs/decisions/0028-what-is-proven-how.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from scoring.facts import wire
from scoring.facts.stored import read_stored
from scoring.rules.table.table import Status, Table
from tournaments import log
from tournaments.models import Seat
from tournaments.models import Table as TableRow
from tournaments.tables.commands.table_tokens import NUMBERS

# How far is looked for a table of which only the digest of the request is known: 20 ms each at the most.
MOST_ROUNDS = 40
MOST_TABLES = 150


class Place(NamedTuple):
    """A round of a tournament and a table of it."""

    round: int
    table: int


Seats = Mapping[int, Seat]
Seated = dict[tuple[str, ...], set[Place]]


def seats_of(tables: Sequence[UUID]) -> dict[UUID, dict[int, Seat]]:
    """The rows of who sits where, by table and number, in one query."""
    found: dict[UUID, dict[int, Seat]] = {}
    for seat in Seat.objects.filter(table_id__in=tables):
        found.setdefault(seat.table_id, {})[seat.number] = seat
    return found


def seat_differences(row: TableRow, table: Table, kept: Seats) -> Iterator[str]:
    """Every seat whose row names another player than the log, and every row of a seat that the log does not know."""
    wanted = {int(label): player for label, player in table.players.items()}
    for number in sorted(wanted.keys() | kept.keys()):
        sits = str(kept[number].player_id) if number in kept else "nobody"
        said = wanted.get(number, "nobody")
        if sits != said:
            yield f"seat {number} of table {row.id}: player is {sits!r}, the log says {said!r}"


class Opened:
    """What the log says of where tables were opened. Keeps what it has read of a tournament's seatings."""

    def __init__(self) -> None:
        self._seated: dict[UUID, Seated] = {}

    def differences(self, row: TableRow, table: Table, first: log.StoredEvent) -> Iterator[str]:
        """Whether a table's row is of the tournament, round, number and name that it was opened with."""
        opened = read_stored(first.kind, first.schema, first.body)
        if not isinstance(opened, wire.TableOpened):
            return
        wanted = self._places(row, opened, first)
        if wanted and not any(_is_there(row, table, place) for place in wanted):
            said = " or ".join(f"round {place.round}, table {place.table}" for place in sorted(wanted))
            yield f"table {row.id} is round {row.round}, table {row.number}, the log says {said}"
        if opened.table:
            yield from _name_differences(row, opened, first)

    def _places(self, row: TableRow, opened: wire.TableOpened, first: log.StoredEvent) -> set[Place]:
        """What the log knows of round and number; nothing where an older release stored neither."""
        if opened.table:
            return {Place(opened.round, opened.table)}
        own, digest = Place(row.round, row.number), first.request_digest.hex()
        seats = repr(dict(opened.seats))
        if _asked(row.tournament_id, own, seats) == digest:
            return {own}
        seated = self._seatings(row.tournament_id).get(tuple(player for _, player in opened.seats))
        return seated or _found(row.tournament_id, seats, digest)

    def _seatings(self, tournament: UUID) -> Seated:
        """Where a tournament's own list seats the same players in the same order."""
        if tournament not in self._seated:
            found = self._seated.setdefault(tournament, {})
            for event in log.read(tournament):
                fact = read_stored(event.kind, event.schema, event.body)
                if isinstance(fact, wire.RoundSeated | wire.PlayersMoved):
                    for number, players in fact.tables:
                        found.setdefault(players, set()).add(Place(fact.round, number))
        return self._seated[tournament]


def _is_there(row: TableRow, table: Table, place: Place) -> bool:
    """A table that was given up has left its number to another, and has a higher one."""
    has_left = table.status is Status.CANCELLED and row.number - place.table >= NUMBERS
    return row.round == place.round and (row.number == place.table or has_left)


def _name_differences(row: TableRow, opened: wire.TableOpened, first: log.StoredEvent) -> Iterator[str]:
    if str(row.tournament_id) != opened.tournament:
        yield f"table {row.id} is of tournament {row.tournament_id}, the log says {opened.tournament}"
    name = first.note or ""
    if row.name != name:
        yield f"table {row.id} is called {row.name!r}, the log says {name!r}"


def _asked(tournament: UUID, place: Place, seats: str) -> str:
    """The digest of the request to open a table, as every release has made it."""
    return wire.request_digest(str(tournament), str(place.round), str(place.table), seats)


def _found(tournament: UUID, seats: str, digest: str) -> set[Place]:
    """The table that was asked for; nothing where it was opened for another reason, or is out of reach."""
    tables = (Place(a, b) for a in range(1, MOST_ROUNDS + 1) for b in range(1, MOST_TABLES + 1))
    return {place for place in tables if _asked(tournament, place, seats) == digest}
