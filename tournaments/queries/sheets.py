"""One table's page: who sits there, every line of its sheet, and the fingerprint of its log."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from scoring.projections.scoresheet import RaceSeries, SheetLine, race, sheet_lines
from scoring.projections.snapshots import load_table
from scoring.rules.table import SeatView, Table, places
from tournaments.models import Scoresheet, Seat
from tournaments.models import Table as TableRow
from tournaments.queries.fingerprints import Change, changes_at, table_fingerprint


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPage:
    """A table as its page shows it. `names` are by seat; `fingerprint` stands for everything in its log up to here."""

    row: TableRow
    table: Table
    names: dict[str, str]
    players: dict[str, str]
    views: dict[str, SeatView]
    places: dict[str, int]
    lines: tuple[SheetLine, ...]
    race: tuple[RaceSeries, ...]
    fingerprint: str
    recorded_at: datetime
    changes: tuple[Change, ...] = ()


def seat_names(table_id: UUID) -> dict[str, str]:
    """The players' names by seat."""
    seats = Seat.objects.filter(table_id=table_id).order_by("number").values_list("number", "player__name")
    return {str(number): name for number, name in seats}


def sheet_page(table_id: UUID) -> SheetPage:
    """The table's sheet from its snapshot, in three queries. Raises Scoresheet.DoesNotExist."""
    sheet = Scoresheet.objects.select_related("table__tournament__club").get(table_id=table_id)
    return page_of(sheet.table, load_table(sheet.state), recorded_at=sheet.last_recorded_at)


def page_of(row: TableRow, table: Table, *, recorded_at: datetime) -> SheetPage:
    """The page of a table as it stands in memory: today's, or one of the past."""
    lines = sheet_lines(table)
    views = table.seats()
    return SheetPage(
        row=row,
        table=table,
        names=seat_names(row.id),
        players=dict(table.players),
        views=views,
        places=places(views),
        lines=lines,
        race=race(table, lines),
        fingerprint=table_fingerprint(row.id, table.version),
        recorded_at=recorded_at,
        changes=changes_at(row.id, table.version) if any(line.corrected_at for line in lines) else (),
    )
