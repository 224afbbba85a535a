"""A table or a board as it was: up to a version or position, or all that had been recorded by a moment."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import takewhile

from scoring.rules.table import Status, Table, places
from tournaments import log
from tournaments.folding import table_from_log
from tournaments.models import Player, Tournament
from tournaments.models import Table as TableRow
from tournaments.queries.boards import Board, SeatAtTable, TableLine, board_of, seat_lines
from tournaments.queries.sheets import SheetPage, page_of


def sheet_at(row: TableRow, at: int | datetime) -> SheetPage | None:
    """A table's page as it was shown then; None where nothing had been recorded, or that version never came."""
    stored = log.as_of(row.id, at)
    if not stored or (isinstance(at, int) and stored[-1].version != at):
        return None
    return page_of(row, table_from_log(stored), recorded_at=stored[-1].recorded_at)


def board_at(tournament: Tournament, at: int | datetime) -> Board:
    """The board as it was shown at a position of the club's log, or at a moment. Folds every table's prefix."""
    rows = list(tournament.tables.order_by("round", "number"))
    stored = log.read_many([row.id for row in rows])
    seats = [seat for row in rows for seat in _seats(row, _prefix(stored[row.id], at))]
    names = Player.objects.filter(id__in=[seat.line.player for seat in seats]).values_list("id", "name")
    return board_of(tournament, seats, {str(player): name for player, name in names}, position=0)


def _prefix(stored: Sequence[log.StoredEvent], at: int | datetime) -> list[log.StoredEvent]:
    """What stood there then. It stops at the first later event: a clock set back cuts no hole into the history."""
    if isinstance(at, datetime):
        return list(takewhile(lambda event: event.recorded_at <= at, stored))
    return [event for event in stored if event.position <= at]


def _seats(row: TableRow, stored: list[log.StoredEvent]) -> Iterator[SeatAtTable]:
    """Every seat of one table as of its stored prefix; none before it was opened."""
    if not stored:
        return
    table = table_from_log(stored)
    place = places(table.seats())
    shown = _table_line(row, table, stored[-1])
    for seat, line in seat_lines(row, table).items():
        yield SeatAtTable(line, shown, place[seat])


def _table_line(row: TableRow, table: Table, last: log.StoredEvent) -> TableLine:
    return TableLine(
        id=row.id,
        round=row.round,
        number=row.number,
        name=row.name,
        version=table.version,
        deals=table.deals,
        is_finished=table.is_finished,
        is_closed=table.status is Status.CLOSED,
        is_cancelled=table.status is Status.CANCELLED,
        has_conflict=bool(table.conflicts),
        last_position=last.position,
        last_recorded_at=last.recorded_at,
    )
