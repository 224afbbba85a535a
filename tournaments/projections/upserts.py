"""Inserts or replaces many rows of a read model in one statement.

PostgreSQL gets them as one JSON document: to quote a hundred thousand values one by one, and to look through a
statement for their places, took longer than to fold the facts they follow from. SQLite binds each row to one prepared
statement.
"""

import json
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from uuid import UUID

import msgspec
from django.db import connection

# In the order of the columns. A list is a column of JSON, a moment has its zone.
Bound = int | str | bytes | UUID | datetime | None
Row = Sequence[Bound | list[int]]


def upsert(
    table: str, columns: Sequence[str], rows: Sequence[Row], *, key: Collection[str], keeps: Collection[str] = ()
) -> None:
    """Store rows; a row of the same key that stands is given all columns but those that it `keeps`."""
    if not rows:
        return
    named, changed = ", ".join(columns), [each for each in columns if each not in (*key, *keeps)]
    changes = ", ".join(f"{name} = excluded.{name}" for name in changed)
    insert = f"INSERT INTO {table} ({named})"
    replace = f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            question = f"{insert} SELECT {named} FROM json_populate_recordset(NULL::{table}, %s) {replace}"  # noqa: S608 - names
            told = [dict(zip(columns, row, strict=True)) for row in rows]
            cursor.execute(question, [msgspec.json.encode(told).decode()])
        else:
            places = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"{insert} VALUES ({places}) {replace}", [tuple(_bound(row)) for row in rows])


def _bound(row: Row) -> Iterator[Bound]:
    """The values as SQLite takes them."""
    for value in row:
        if isinstance(value, list):
            yield json.dumps(value)
        elif isinstance(value, datetime):
            yield connection.ops.adapt_datetimefield_value(value)
        else:
            yield value
