"""The round being played with its seats: at which tables they can still change, and who has none.

Rules: docs/how-to/evening.md, "Late, missing and swapped players".
"""

from collections.abc import Mapping
from dataclasses import dataclass

from scoring.evening import Evening
from scoring.evening.state import Standing
from tournaments.models import Tournament
from tournaments.seating.queries.draft import entrant_names, evening_row
from tournaments.seating.seats import SeatedAt, round_now, tables_now

# Who could take a seat now.
WAITING = (Standing.ENTERED, Standing.STANDBY, Standing.ABSENT, Standing.LEFT)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRoom:
    """The round being played. Without a table none is."""

    evening: Evening
    names: Mapping[str, str]
    tables: tuple[SeatedAt, ...]

    @property
    def round(self) -> int:
        """Its number; 0 where none is."""
        return round_now(self.evening)

    @property
    def open_tables(self) -> list[SeatedAt]:
        """Tables with a seat for one more, the smallest first."""
        found = [table for table in self.tables if table.free]
        return sorted(found, key=lambda table: (len(table.players), table.number))

    @property
    def waiting(self) -> list[str]:
        """Who could take a seat and has none, by name."""
        seated = {player for table in self.tables for player in table.players}
        found = (one.player for one in self.evening.entrants.values() if one.standing in WAITING)
        return sorted((player for player in found if player not in seated), key=lambda one: self.names.get(one, one))


def seat_room(tournament: Tournament) -> SeatRoom:
    """The round with its tables, in three queries."""
    evening = evening_row(tournament)
    tables = tables_now(tournament, evening)
    return SeatRoom(evening=evening, names=entrant_names(tournament, evening), tables=tables)
