"""Django's SQLite backend, with ids stored as their sixteen bytes: docs/decisions/0064-ids-are-bytes-on-sqlite.md.

Here a file in which ids are hex digits becomes one in which they are bytes, before any migration reads it. Nothing else
is changed: the triggers that refuse a change are dropped and created again exactly as they were. All of it succeeds or
is rolled back, and the change is kept only if it breaks no reference.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from django.db import IntegrityError, OperationalError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

# As Django declares a column of ids.
IDS = "char(32)"
_TABLES = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
_TRIGGERS = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
_DIGITS = re.compile("[0-9a-f]{32}")


def keep_ids_as_bytes(*, using: str, **_: object) -> None:
    """Convert the ids where that has not been done. Every `migrate` begins with this."""
    database = connections[using]
    if database.vendor != "sqlite" or not _has_digits(database):
        return
    # References are checked once, at the end: checked one by one, each changed id would be looked for in every row.
    with database.constraint_checks_disabled(), transaction.atomic(using=using), database.cursor() as cursor:
        database.connection.create_function("id_bytes", 1, _bytes, deterministic=True)
        triggers = _answers(cursor, _TRIGGERS)
        for name, _sql in triggers:
            cursor.execute(f'DROP TRIGGER "{name}"')
        broken = _answers(cursor, "PRAGMA foreign_key_check")
        for table, columns in _tables_with_ids(cursor):
            changes = ", ".join(f'"{column}" = id_bytes("{column}")' for column in columns)
            cursor.execute(f'UPDATE "{table}" SET {changes}')  # noqa: S608 - names of this file's own tables
        if len(_answers(cursor, "PRAGMA foreign_key_check")) != len(broken):
            raise IntegrityError("a row would have lost what it names: nothing was changed")
        for _name, sql in triggers:
            cursor.execute(sql)
    # The rows are smaller, the file is not. With another reader or a full disk it keeps its size.
    with suppress(OperationalError), database.cursor() as cursor:
        cursor.execute("VACUUM")


def _has_digits(database: BaseDatabaseWrapper) -> bool:
    """Whether a table begins with an id in digits. All were converted at once, so one row of each table shows it."""
    with database.cursor() as cursor:
        return any(
            _answers(cursor, f'SELECT typeof("{column}") FROM "{table}" LIMIT 1') == [("text",)]  # noqa: S608 - as above
            for table, columns in _tables_with_ids(cursor)
            for column in columns
        )


def _tables_with_ids(cursor: Any) -> Iterator[tuple[str, list[str]]]:
    for (table,) in _answers(cursor, _TABLES):
        columns = [row[1] for row in _answers(cursor, f'PRAGMA table_info("{table}")') if row[2].lower() == IDS]
        if columns:
            yield table, columns


def _answers(cursor: Any, question: str) -> list[tuple[Any, ...]]:
    cursor.execute(question)
    rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _bytes(stored: Any) -> Any:
    """An id as its bytes. A value that is no id stays as it is: the checks name it."""
    return bytes.fromhex(stored) if isinstance(stored, str) and _DIGITS.fullmatch(stored) else stored
