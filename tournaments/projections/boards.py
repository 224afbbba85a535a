"""Writes what the boards read, in the transaction of the fact that changed it.

The same rows are written by `rebuild`, from the same fold, so a board can always be proved from the log.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection
from django.db.models.functions import Greatest

from scoring.rules.table.dealing import announce
from scoring.rules.table.table import Status, Table, places
from scoring.sheets.snapshots import dump_table
from tournaments.log.dialect import uuid_value
from tournaments.models import Scoresheet, Tournament
from tournaments.models import Table as TableRow

MOST_LINES = 500


def sheet_values(table: Table) -> dict[str, Any]:
    """The columns of a score sheet row that follow from the table alone."""
    return {
        "version": table.version,
        "state": dump_table(table),
        "is_finished": table.is_finished,
        "is_closed": table.status is Status.CLOSED,
        "is_cancelled": table.status is Status.CANCELLED,
        "has_conflict": bool(table.conflicts),
        "has_dispute": bool(table.disputed),
        "has_moved_on": table.has_moved_on,
        "unconfirmed": len(table.unconfirmed),
        "deals": table.deals,
    }


class StandingLine(NamedTuple):
    """One seat's standing, column by column as the table of standings keeps it."""

    table_id: UUID
    seat_number: int
    tournament_id: UUID
    player_id: UUID
    club_id: UUID
    round: int
    place: int
    total: int | None
    chips: int | None
    net_points: int
    is_in: bool
    out_in_deal: int | None
    drops_left: int | None
    may_rejoin: bool
    deals_played: int
    deals_won: int
    wrong_shows: int
    drops: int
    rank_key: list[int]
    payout_minor: int | None
    is_finished: bool
    position: int


def standings_of(row: TableRow, table: Table, *, position: int) -> list[StandingLine]:
    """One standing a seat. `row` must carry its tournament."""
    views = table.seats()
    place, paid, deals, is_finished = places(views), announce(table).payouts_minor, table.deals, table.is_finished
    club_id = row.tournament.club_id
    return [
        StandingLine(
            table_id=row.id,
            seat_number=int(seat),
            tournament_id=row.tournament_id,
            player_id=UUID(table.players[seat]),
            club_id=club_id,
            round=row.round,
            place=place[seat],
            total=view.total,
            chips=view.chips,
            net_points=view.net_points or 0,
            is_in=view.is_in,
            out_in_deal=view.out_in_deal,
            drops_left=view.drops_left,
            may_rejoin=view.may_rejoin,
            deals_played=deals,
            deals_won=view.deals_won,
            wrong_shows=view.wrong_shows,
            drops=view.drops,
            rank_key=list(view.rank_key),
            payout_minor=paid.get(seat),
            is_finished=is_finished,
            position=position,
        )
        for seat, view in views.items()
    ]


def write_boards(row: TableRow, table: Table, *, position: int, recorded_at: datetime) -> None:
    """Bring the score sheet, the standings and the board's position up to a stored fact, in three statements."""
    values = sheet_values(table) | {"last_position": position, "last_recorded_at": recorded_at}
    Scoresheet.objects.filter(table_id=row.id).update(**values)
    write_standings(standings_of(row, table, position=position))
    # A rebuild writes tables in any order; the board's position must not fall, or old tags would hold again.
    Tournament.objects.filter(id=row.tournament_id).update(board_position=Greatest("board_position", position))


def write_standings(lines: Sequence[StandingLine]) -> None:
    """Insert or replace standings, in one statement for each five hundred.

    Plain SQL: a rebuild writes one of these for every event or two, and the ORM took twice as long over them.
    """
    with connection.cursor() as cursor:
        for start in range(0, len(lines), MOST_LINES):
            chunk = lines[start : start + MOST_LINES]
            cursor.execute(
                f"{_INSERT} VALUES {', '.join([_PLACES] * len(chunk))} {_OR_UPDATE}",
                [value for line in chunk for value in _stored(line)],
            )


def _stored(line: StandingLine) -> Iterator[Any]:
    """The values as the database takes them."""
    for value in line:
        if isinstance(value, UUID):
            yield uuid_value(value)
        else:
            yield json.dumps(value) if isinstance(value, list) else value


_KEY = ("table_id", "seat_number")
_INSERT = f"INSERT INTO tournaments_standing ({', '.join(StandingLine._fields)})"
_PLACES = f"({', '.join(['%s'] * len(StandingLine._fields))})"
_CHANGES = ", ".join(f"{name} = excluded.{name}" for name in StandingLine._fields if name not in _KEY)
_OR_UPDATE = f"ON CONFLICT ({', '.join(_KEY)}) DO UPDATE SET {_CHANGES}"
