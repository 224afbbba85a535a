"""Django's SQLite, with ids kept as the sixteen bytes that they are: docs/decisions/0064-small-rows.md.

Here a file in which ids are hex digits becomes one in which they are bytes, before any migration reads it. Nothing else
is changed: the triggers that refuse a change are taken away and put back as they stood, whatever they were. All of it
stands or falls together, and only a file in which every reference still leads somewhere is kept.
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
    """Do it where it has not been done. Every `migrate` begins with this."""
    database = connections[using]
    if database.vendor != "sqlite" or not _has_digits(database):
        return
    # References are looked at once, at the end: one by one each changed id would be looked for in every row.
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
    # The rows are smaller, the file is not. With somebody reading or a full disk it stays as large as it was.
    with suppress(OperationalError), database.cursor() as cursor:
        cursor.execute("VACUUM")


def _has_digits(database: BaseDatabaseWrapper) -> bool:
    """Whether a table begins with an id in digits. All were turned at once, so one row of each tells."""
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
    """An id as its bytes. Whatever is none stays as it is: the proofs name it."""
    return bytes.fromhex(stored) if isinstance(stored, str) and _DIGITS.fullmatch(stored) else stored
