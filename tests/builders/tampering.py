"""Changes that the owner of the database could make to a stored night, with guards lifted.

Every change is made inside a savepoint and undone, so that one night serves for thousands of them.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import IntegrityError, connection, transaction

from tests.flushing.management.commands.flush import lifted

NAMES = {"event": "id", "eventnote": "event_id", "seal": "id", "stream": "id", "clubhead": "club_id"}
# Says whether the club has moved to another installation: an owner's switch, of which the log knows nothing.
UNPROVEN = {("clubhead", "moved_to")}


class Cell(NamedTuple):
    """One value of the stored night. A change must be found at `position`; 0 for any position."""

    table: str
    column: str
    row: Any
    value: Any
    position: int


@contextmanager
def unguarded() -> Iterator[None]:
    """The database without its guards, and with deferred foreign keys already checked, until the end of the test."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    with lifted(connection):
        yield
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


@contextmanager
def undone() -> Iterator[None]:
    """Undo the change after the block."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def run(statement: str, *parameters: Any) -> None:
    """Run one statement as it is."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)


def remove_events(first: int, last: int | None = None) -> None:
    """Remove the events of these positions, with their notes."""
    gone = "SELECT id FROM tournaments_event WHERE position BETWEEN %s AND %s"
    for table, name in (("eventnote", "event_id"), ("event", "id")):
        run(f"DELETE FROM tournaments_{table} WHERE {name} IN ({gone})", first, first if last is None else last)


def cells() -> list[Cell]:
    """Every value of the log, in every column of every table of it."""
    found = []
    for table, name in NAMES.items():
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT * FROM tournaments_{table}")
            columns = [column[0] for column in cursor.description]
            rows = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
        positions = _positions() if table == "eventnote" else {}
        for row in rows:
            position = row.get("position", 0) if table == "event" else positions.get(row.get("event_id"), 0)
            found += [
                Cell(table, column, row[name], value, position)
                for column, value in row.items()
                if (table, column) not in UNPROVEN
            ]
    return found


def flips(cell: Cell, bits: range = range(8)) -> Iterator[Any]:
    """The value with one bit changed, for each of its bytes and the given bits of a byte."""
    match cell.value:
        case bool() | None:
            return
        case int():
            yield from (cell.value ^ (1 << bit) for bit in range(15))
        case uuid.UUID():
            yield from (uuid.UUID(bytes=changed) for changed in _flipped(cell.value.bytes, bits))
        case datetime():
            yield from (cell.value + timedelta(microseconds=1 << bit) for bit in range(0, 40, 5))
        case str():
            changed = (_text(raw) for raw in _flipped(cell.value.encode(), bits))
            yield from (text for text in changed if text is not None)
        case _:
            yield from _flipped(bytes(cell.value), bits)


def write(cell: Cell, value: Any) -> bool:
    """Write the changed value. False when a constraint of the database refuses it."""
    cast = "CAST(%s AS TEXT)" if connection.vendor == "sqlite" and isinstance(cell.value, str) else "%s"
    try:
        with transaction.atomic():
            run(
                f"UPDATE tournaments_{cell.table} SET {cell.column} = {cast} WHERE {NAMES[cell.table]} = %s",
                value,
                cell.row,
            )
    except IntegrityError:
        return False
    return True


def _text(raw: bytes) -> Any:
    """SQLite keeps any bytes as text; PostgreSQL only what is text, without NUL."""
    if connection.vendor == "sqlite":
        return raw
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return None
    return None if "\x00" in text else text


def _flipped(raw: bytes, bits: range) -> Iterator[bytes]:
    for at in range(len(raw)):
        for bit in bits:
            yield raw[:at] + bytes([raw[at] ^ (1 << bit)]) + raw[at + 1 :]


def _positions() -> dict[Any, int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT id, position FROM tournaments_event")
        return dict(cursor.fetchall())
