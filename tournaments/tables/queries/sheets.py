"""One table's page: who sits there, every line of its sheet, and the fingerprint of its log."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from scoring.rules.table.table import SeatView, Table, places
from scoring.sheets.scoresheet import RaceSeries, SheetLine, race, sheet_lines
from scoring.sheets.snapshots import load_table
from tournaments.log.evidence.fingerprints import Change, changes_at, table_fingerprint
from tournaments.models import Scoresheet, Seat
from tournaments.models import Table as TableRow
from tournaments.models.public_names import Names


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetPage:
    """A table as its page shows it. `names` are by seat; `fingerprint` stands for everything in its log up to here.

    `with_pages` are the players who have a public page.
    """

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
    with_pages: frozenset[str] = frozenset()


def seat_names(table_id: UUID, names: Names = Names.PUBLIC) -> dict[str, str]:
    """The players' names by seat."""
    return {seat: name for seat, name, _ in seats_told(table_id, names)}


def seats_told(table_id: UUID, names: Names = Names.PUBLIC) -> list[tuple[str, str, bool]]:
    """Each seat with its player's name, and whether the player has a public page."""
    seats = Seat.objects.filter(table_id=table_id).order_by("number")
    rows = seats.values_list("number", f"player__{names}", "player__has_page")
    return [(str(number), name, linked) for number, name, linked in rows]


def sheet_page(table_id: UUID, names: Names = Names.PUBLIC) -> SheetPage:
    """The table's sheet from its snapshot, in three queries. Raises Scoresheet.DoesNotExist."""
    sheet = Scoresheet.objects.select_related("table__tournament__club").get(table_id=table_id)
    return page_of(sheet.table, load_table(sheet.state), recorded_at=sheet.last_recorded_at, names=names)


def page_of(row: TableRow, table: Table, *, recorded_at: datetime, names: Names = Names.PUBLIC) -> SheetPage:
    """The page of a table as it stands in memory: today's, or one of the past."""
    lines = sheet_lines(table)
    views = table.seats()
    # Nobody sits at a table whose opening cannot be read, whatever its rows say.
    told = [each for each in seats_told(row.id, names) if each[0] in views]
    return SheetPage(
        row=row,
        table=table,
        names={seat: name for seat, name, _ in told},
        with_pages=frozenset(table.players[seat] for seat, _, linked in told if linked),
        players=dict(table.players),
        views=views,
        places=places(views),
        lines=lines,
        race=race(table, lines),
        fingerprint=table_fingerprint(row.id, table.version),
        recorded_at=recorded_at,
        changes=changes_at(row.id, table.version) if any(line.corrected_at for line in lines) else (),
    )
