"""The current seats of a tournament, cached per process: later reads fetch only what has changed since.

A deal changes four of two thousand seats. Every change to a seat or a table has an event with a higher position, or
raises the club's versions: docs/decisions/0069-boards-by-what-changed.md. One statement says which changed, and whether
the cached seats belong to this log at all; so a board shows one state, even if it was read at two times.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.core.cache import caches
from django.db import connection

from scoring.rules.table.standing import SeatLine
from scoring.storage import uuid_from
from scoring.tournament import TournamentState, load_tournament_state
from tournaments.log.seals import STILL, Change, changes_of, heads_at
from tournaments.models import Tournament
from tournaments.models.public_names import Names
from tournaments.projections.boards import MOST_SEATS, STORED, line_of
from tournaments.running.queries.stages import PlayerNames

_SEAT = ("player_id", "place", "seat_number")
_TABLE = ("round", "number", "name")
_SHEET = (
    *("version", "deals", "is_finished", "is_closed", "is_cancelled", "has_conflict", "has_dispute", "unconfirmed"),
    *("last_position", "last_recorded_at", "has_moved_on", "has_totals"),
)
# The columns of a table by their Django names, in the order of `TableLine`.
TABLE = ("table_id", *(f"table__{name}" for name in _TABLE), *(f"table__scoresheet__{name}" for name in _SHEET))
_STORED_AT = len(_SEAT)
_TABLE_AT = _STORED_AT + len(STORED)
# After these: a planned tournament and its last event, whether the cached seats hold, the club's versions, the name.
_EVENING_AT = _TABLE_AT + len(TABLE)
_COLUMNS = ", ".join(
    [
        *(f"seat.{name}" for name in (*_SEAT, *STORED, "table_id")),
        *(f"numbered.{name}" for name in _TABLE),
        *(f"sheet.{name}" for name in _SHEET),
    ]
)
# Plain SQL: the ORM took longer to build it than the database to answer. Keys are fetched in a subquery, so that
# seats are filtered before anything is joined to them.
_CHANGED = f"""
WITH now AS MATERIALIZED (
  SELECT coalesce(shown.version, 0) AS version, coalesce(shown.names, 0) AS names,
    planned.state AS state, planned.last_position AS planned,
    (SELECT id FROM tournaments_standing WHERE tournament_id = night.id ORDER BY id LIMIT 1) AS first,
    coalesce(shown.version, 0) = %s AND coalesce(shown.names, 0) = %s AS is_named, {STILL} AS is_still
  FROM tournaments_tournament AS night
  LEFT JOIN tournaments_shownversion AS shown ON shown.club_id = night.club_id
  LEFT JOIN tournaments_eveningsheet AS planned ON planned.tournament_id = night.id AND planned.has_plan
  WHERE night.id = %s)
SELECT {_COLUMNS}, CASE WHEN seat.id = now.first THEN coalesce(now.state, '') ELSE '' END, now.planned,
  now.is_named, now.is_still, now.version, now.names, player.{{name}}
FROM now CROSS JOIN tournaments_standing AS seat
JOIN tournaments_table AS numbered ON numbered.id = seat.table_id
JOIN tournaments_scoresheet AS sheet ON sheet.table_id = seat.table_id
JOIN tournaments_player AS player ON player.id = seat.player_id
WHERE seat.tournament_id = %s AND (NOT now.is_named OR NOT now.is_still OR (seat.id = now.first AND now.planned > %s)
  OR seat.table_id IN (
  SELECT newer.table_id FROM tournaments_scoresheet AS newer JOIN tournaments_table AS own ON own.id = newer.table_id
  WHERE own.tournament_id = %s AND newer.last_position > %s))"""  # noqa: S608 - names of columns


class TableLine(NamedTuple):
    """One table of a tournament, as a list of tables shows it."""

    id: UUID
    round: int
    number: int
    name: str
    version: int
    deals: int
    is_finished: bool
    is_closed: bool
    is_cancelled: bool
    has_conflict: bool
    has_dispute: bool
    unconfirmed: int
    last_position: int
    last_recorded_at: datetime
    has_moved_on: bool = False
    has_totals: bool = False

    @property
    def has_begun(self) -> bool:
        """Whether a deal counts, or the table was entered by its totals."""
        return self.has_totals or self.deals > 0


class SeatAtTable(NamedTuple):
    """One player's line with its place at its own table, and the number of the seat there."""

    line: SeatLine
    table: TableLine
    place: int | None
    number: int = 0


class Mark(NamedTuple):
    """The state that the seats were read at: the last event that they show, with its hash, and the club's versions."""

    position: int = 0
    head: bytes = b""
    version: int = 0
    names: int = 0


class Seated(NamedTuple):
    """Every seat of a tournament in the order of rounds, tables and numbers, with everything else a board needs.

    `heads` are the last hashes of its tables, and of a planned tournament, whose last event is at `planned`.
    """

    called: PlayerNames
    seats: tuple[SeatAtTable, ...] = ()
    heads: Mapping[UUID, bytes] = {}
    changes: tuple[Change, ...] = ()
    state: TournamentState | None = None
    planned: int = 0
    mark: Mark = Mark()


def seats_now(tournament: Tournament, names: Names) -> Seated:
    """The current seats, in three queries; in one if nothing has changed.

    Inside a transaction everything is read and nothing is cached: it may be rolled back, and its positions reused.
    """
    if connection.in_atomic_block:
        return _read(tournament, Seated(called=PlayerNames(names, {})))
    objects, key = caches["objects"], f"seats/{tournament.pk}/{names}"
    now = _read(tournament, objects.get(key) or Seated(called=PlayerNames(names, {})))
    objects.set(key, now)
    return now


def seats_then(tournament: Tournament, seats: Sequence[SeatAtTable], called: PlayerNames, position: int) -> Seated:
    """Seats computed from the log, as of a position or of a later event of a table, in two queries."""
    lasts = {seat.table.id: seat.table.last_position for seat in seats}
    changes = changes_of(tournament.club_id, list(lasts), max(position, *lasts.values(), 0))
    heads = dict(heads_at(tournament.club_id, list(lasts.values())))
    return Seated(seats=tuple(seats), called=called, heads=heads, changes=changes)


def _read(tournament: Tournament, known: Seated) -> Seated:
    """The cached seats with what has changed since; all are read if none are cached or the log is another."""
    rows = _changed(tournament, known)
    if not rows:
        return known
    is_named, is_still, *numbers = rows[0][_EVENING_AT + 2 : -1]
    if not is_still:
        known = Seated(called=PlayerNames(known.called.by, {}))
    elif not is_named:
        # All seats are read again, but only new events.
        known = known._replace(seats=(), called=PlayerNames(known.called.by, {}))
    seats = {(seat.table.id, seat.number): seat for seat in known.seats}
    names, state, planned = dict(known.called.names), known.state, known.planned
    lasts: dict[UUID, int] = {}
    for row in rows:
        seat = _seat_of(row[:_EVENING_AT])
        seats[seat.table.id, seat.number] = seat
        names[seat.line.player] = row[-1]
        if seat.table.last_position > known.mark.position:
            lasts[seat.table.id] = seat.table.last_position
        if row[_EVENING_AT] and row[_EVENING_AT + 1] != planned:
            state, planned = load_tournament_state(row[_EVENING_AT]), row[_EVENING_AT + 1]
            lasts[tournament.pk] = planned
    heads = {**known.heads, **dict(heads_at(tournament.club_id, list(lasts.values())))}
    (position, head), after = known.mark[:2], known.mark.position
    if lasts:
        last = max(lasts, key=lasts.__getitem__)
        position, head = lasts[last], heads.get(last, b"")
    return Seated(
        seats=tuple(sorted(seats.values(), key=lambda seat: (seat.table.round, seat.table.number, seat.number))),
        called=PlayerNames(known.called.by, {seat.line.player: names[seat.line.player] for seat in seats.values()}),
        heads=heads,
        changes=changes_of(tournament.club_id, list(lasts), position, after=after) + known.changes,
        state=state,
        planned=planned,
        mark=Mark(position, head, *numbers),
    )


def _changed(tournament: Tournament, known: Seated) -> list[tuple[Any, ...]]:
    """The seats of tables with newer events, or all. A planned tournament is read in the first seat's row."""
    mark, own = known.mark, tournament.pk
    still = (mark.version, mark.names, tournament.club_id, mark.position, mark.head)
    with connection.cursor() as cursor:
        question = _CHANGED.format(name=known.called.by)
        cursor.execute(question, [*still, own, own, known.planned, own, mark.position])
        rows: list[tuple[Any, ...]] = cursor.fetchall()
        return rows


# The decoded rows, cached in the process for those read lately.


@lru_cache(MOST_SEATS)
def _seat_of(row: tuple[Any, ...]) -> SeatAtTable:
    """The seat of a row, without the player's name."""
    player, place, number = row[:_STORED_AT]
    table = _table_line(row[_TABLE_AT:])
    stored_values = (msgspec.json.decode(row[_STORED_AT]), *row[_STORED_AT + 1 : _TABLE_AT])
    return SeatAtTable(line_of(uuid_from(player), table.number, stored_values), table, place, number)


@lru_cache(MOST_SEATS)
def _table_line(row: tuple[Any, ...]) -> TableLine:
    """The table of a row; SQLite returns UTC times without a time zone."""
    line = TableLine(*row)
    heard = line.last_recorded_at
    return line._replace(id=uuid_from(line.id), last_recorded_at=heard if heard.tzinfo else heard.replace(tzinfo=UTC))
