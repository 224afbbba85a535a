"""Writes what the boards read, in the transaction of the fact that changed it.

The same rows are written by `rebuild`, from the same fold, so a board can always be proved from the log.
"""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models.functions import Greatest
from msgspec.structs import asdict

from scoring.rules.table.dealing import announce
from scoring.rules.table.standing import SeatLine
from scoring.rules.table.table import Status, Table, places
from scoring.sheets.snapshots import dump_table
from tournaments.log.dialect import uuid_value
from tournaments.models import Scoresheet, Tournament
from tournaments.models import Table as TableRow

MOST_LINES = 500
# What a row keeps of its line: all but who sits where. The numbers beside the key that orders it have a name each.
_OTHERS = tuple(name for name in SeatLine.__struct_fields__ if name not in ("rank_key", "player", "table"))
STORED = ("rank_key", *_OTHERS)
_numbers = attrgetter(*_OTHERS)
# A row of the table of standings, in the order of its columns.
Row = tuple[Any, ...]
_KEY = ("table_id", "seat_number")
COLUMNS = (*_KEY, "tournament_id", "player_id", "club_id", "place", "position", *STORED)


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


def seat_lines(row: TableRow, table: Table) -> dict[str, SeatLine]:
    """Each seat of a table in memory as a line of a board."""
    paid, deals, is_finished = announce(table).payouts_minor, table.deals, table.is_finished
    return {
        seat: SeatLine(
            **{**asdict(view), "net_points": view.net_points or 0},
            player=table.players[seat],
            table=row.number,
            round=row.round,
            deals_played=deals,
            payout_minor=paid.get(seat),
            is_finished=is_finished,
        )
        for seat, view in table.seats().items()
    }


def standings_of(row: TableRow, table: Table, *, position: int) -> list[Row]:
    """The row of each seat, in the order of `COLUMNS`. `row` must carry its tournament."""
    lines = seat_lines(row, table)
    place = places(lines)
    club = row.tournament.club_id
    return [
        (
            *(row.id, int(seat), row.tournament_id, UUID(line.player), club, place[seat], position),
            *(list(line.rank_key), *_numbers(line)),
        )
        for seat, line in lines.items()
    ]


def line_of(player: UUID, table: int, stored: Sequence[Any]) -> SeatLine:
    """The line of a board that a row is, from its columns `STORED` and who sat at which table."""
    key, *others = stored
    return SeatLine(player=str(player), table=table, rank_key=tuple(key), **dict(zip(_OTHERS, others, strict=True)))


def write_boards(row: TableRow, table: Table, *, position: int, recorded_at: datetime) -> None:
    """Bring the score sheet, the standings and the board's position up to a stored fact, in three statements."""
    values = sheet_values(table) | {"last_position": position, "last_recorded_at": recorded_at}
    Scoresheet.objects.filter(table_id=row.id).update(**values)
    write_standings(standings_of(row, table, position=position))
    # A rebuild writes tables in any order; the board's position must not fall, or old tags would hold again.
    Tournament.objects.filter(id=row.tournament_id).update(board_position=Greatest("board_position", position))


def write_standings(rows: Sequence[Row]) -> None:
    """Insert or replace standings, in one statement for each five hundred.

    Plain SQL: a rebuild writes one of these for every event or two, and the ORM took twice as long over them.
    """
    with connection.cursor() as cursor:
        for start in range(0, len(rows), MOST_LINES):
            chunk = rows[start : start + MOST_LINES]
            cursor.execute(
                f"{_INSERT} VALUES {', '.join([_PLACES] * len(chunk))} {_OR_UPDATE}",
                [value for row in chunk for value in _stored(row)],
            )


def _stored(row: Row) -> Iterator[Any]:
    """The values as the database takes them."""
    for value in row:
        if isinstance(value, UUID):
            yield uuid_value(value)
        else:
            yield json.dumps(value) if isinstance(value, list) else value


_INSERT = f"INSERT INTO tournaments_standing ({', '.join(COLUMNS)})"
_PLACES = f"({', '.join(['%s'] * len(COLUMNS))})"
_CHANGES = ", ".join(f"{name} = excluded.{name}" for name in COLUMNS if name not in _KEY)
_OR_UPDATE = f"ON CONFLICT ({', '.join(_KEY)}) DO UPDATE SET {_CHANGES}"
