"""Writes what the boards read, in the transaction of the fact that changed it.

The same rows are written by `rebuild`, from the same fold, so a board can always be proved from the log.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models.functions import Greatest

from scoring.projections.announcements import announce
from scoring.projections.snapshots import dump_table
from scoring.rules.table import SeatView, Status, Table, places
from tournaments.models import Scoresheet, Standing, Tournament
from tournaments.models import Table as TableRow

STANDING_KEY = ("table", "seat_number")


def sheet_values(table: Table) -> dict[str, Any]:
    """The columns of a score sheet row that follow from the table alone."""
    return {
        "version": table.version,
        "state": dump_table(table),
        "is_finished": table.is_finished,
        "is_closed": table.status is Status.CLOSED,
        "is_cancelled": table.status is Status.CANCELLED,
        "has_conflict": bool(table.conflicts),
        "deals": table.deals,
    }


def standings_of(row: TableRow, table: Table, *, position: int) -> list[Standing]:
    """One standing a seat. `row` must carry its tournament."""
    views = table.seats()
    place, paid, deals = places(views), announce(table).payouts_minor, table.deals
    return [
        Standing(
            table=row,
            seat_number=int(seat),
            tournament=row.tournament,
            player_id=table.players[seat],
            club_id=row.tournament.club_id,
            round=row.round,
            place=place[seat],
            deals_played=deals,
            payout_minor=paid.get(seat),
            is_finished=table.is_finished,
            position=position,
            **_shown(view),
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


def write_standings(standings: list[Standing]) -> None:
    """Insert or replace standings, all in one statement."""
    Standing.objects.bulk_create(
        standings, update_conflicts=True, unique_fields=list(STANDING_KEY), update_fields=_CHANGING
    )


def _shown(view: SeatView) -> Mapping[str, Any]:
    """The numbers of a seat that a standing row keeps."""
    return {
        "rank_key": list(view.rank_key),
        "total": view.total,
        "chips": view.chips,
        "net_points": view.net_points or 0,
        "is_in": view.is_in,
        "out_in_deal": view.out_in_deal,
        "drops_left": view.drops_left,
        "may_rejoin": view.may_rejoin,
        "deals_won": view.deals_won,
        "wrong_shows": view.wrong_shows,
        "drops": view.drops,
    }


_CHANGING = [
    "place",
    "deals_played",
    "payout_minor",
    "is_finished",
    "position",
    "player",
    "round",
    *_shown(SeatView(rank_key=())),
]
