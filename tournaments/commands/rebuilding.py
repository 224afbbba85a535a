"""Rebuilding: the boards made again from the log alone, or compared with it.

Whatever cannot be made again from the log is not true; this is the proof.
"""

from collections.abc import Callable, Iterator
from uuid import UUID

from django.db import transaction

from tournaments import log
from tournaments.commands.boards import sheet_values, standings_of, write_boards
from tournaments.folding import table_from_log
from tournaments.models import Scoresheet, Standing
from tournaments.models import Table as TableRow

Progress = Callable[[int, int], None]


def rebuild(*, progress: Progress | None = None) -> int:
    """Write every board again from the log, table by table. Returns how many events were read."""
    count = 0
    for row, stored in _tables(progress):
        with transaction.atomic():
            current = Scoresheet.objects.select_for_update().get(table_id=row.id)
            if current.version != stored[-1].version:
                stored = log.read(row.id)  # noqa: PLW2901 - a fact was saved since the table was read
            write_boards(row, table_from_log(stored), position=stored[-1].position, recorded_at=stored[-1].recorded_at)
        count += len(stored)
    return count


def rebuild_differences(*, progress: Progress | None = None) -> list[str]:
    """Every way in which a board says something else than the log."""
    return [difference for row, stored in _tables(progress) for difference in _differences(row, stored)]


def _tables(progress: Progress | None) -> Iterator[tuple[TableRow, list[log.StoredEvent]]]:
    """Each table with its events."""
    rows = list(TableRow.objects.select_related("tournament").order_by("created_at"))
    for index, row in enumerate(rows, start=1):
        yield row, log.read(row.id)
        if progress:
            progress(index, len(rows))


def _differences(row: TableRow, stored: list[log.StoredEvent]) -> Iterator[str]:
    if not stored:
        yield f"table {row.id} has no events"
        return
    table = table_from_log(stored)
    sheet = Scoresheet.objects.filter(table_id=row.id).first()
    wanted = sheet_values(table) | {"last_position": stored[-1].position}
    yield from _unequal(f"score sheet of table {row.id}", sheet, wanted)
    kept = {standing.seat_number: standing for standing in Standing.objects.filter(table_id=row.id)}
    for standing in standings_of(row, table, position=stored[-1].position):
        wanted = {field: getattr(standing, field) for field in _COMPARED}
        wanted["player_id"] = UUID(str(wanted["player_id"]))
        found = kept.pop(standing.seat_number, None)
        yield from _unequal(f"standing of seat {standing.seat_number} at table {row.id}", found, wanted)
    for number in kept:
        yield f"standing of seat {number} at table {row.id} belongs to nobody"


def _unequal(what: str, found: object | None, wanted: dict[str, object]) -> Iterator[str]:
    if found is None:
        yield f"{what} is missing"
        return
    for field, value in wanted.items():
        kept = getattr(found, field)
        if kept != value:
            yield f"{what}: {field} is {str(kept)[:80]!r}, the log says {str(value)[:80]!r}"


_COMPARED = [
    field.attname
    for field in Standing._meta.concrete_fields
    if field.name not in ("id", "position", "table", "tournament", "club")
]
