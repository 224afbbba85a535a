"""SQL for what Django's models do too slowly: reads that happen for every deal, and bulk writes."""

import json
from collections.abc import Callable, Collection, Iterator, Sequence
from copy import copy
from datetime import datetime
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Generic, TypeVar
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable
from django.db.models.sql.compiler import SQLCompiler

M = TypeVar("M", bound=Model)
# In column order. A list is a JSON column, a moment has its time zone.
Bound = int | str | bytes | UUID | datetime | None
Row = Sequence[Bound | list[int]]


class PreparedQuery(Generic[M]):
    """A queryset with one variable value, whose SQL is generated once: that takes ten times as long as running it.

    `examples` are two values, used to find its place in the statement.
    """

    def __init__(self, asked: Callable[[Any], QuerySet[M]], examples: tuple[Any, Any]) -> None:
        self._asked = asked
        self._examples = examples

    def first(self, value: Any) -> M | None:
        """Return the first row, read as the queryset would; None if there is none."""
        sql, before, after = self._statement
        compiler = copy(self._compiled)
        compiler.connection = connection
        vars(compiler)["as_sql"] = lambda: (sql, (*before, value, *after))
        query = SimpleNamespace(get_compiler=lambda using: compiler)
        queryset: Any = SimpleNamespace(db=connection.alias, query=query, _known_related_objects={})
        return next(iter(ModelIterable(queryset)), None)

    @cached_property
    def _compiled(self) -> SQLCompiler:
        compiler: SQLCompiler = self._asked(self._examples[0]).query.get_compiler(connection.alias)
        return compiler

    @cached_property
    def _statement(self) -> tuple[str, tuple[Any, ...], tuple[Any, ...]]:
        """Return the SQL, and its parameters before and after the value."""
        sql, parameters = self._compiled.as_sql()
        _, other = self._asked(self._examples[1]).query.get_compiler(connection.alias).as_sql()
        (at,) = (number for number, pair in enumerate(zip(parameters, other, strict=True)) if pair[0] != pair[1])
        return sql, parameters[:at], parameters[at + 1 :]


def unique_key(club: str, *columns: str) -> tuple[str, ...]:
    """Return the unique columns of a read model: on PostgreSQL the club comes first (decision 0065)."""
    return (club, *columns) if connection.vendor == "postgresql" else columns


def places(values: Collection[object]) -> str:
    """Return a placeholder for each of some values, for a list in a statement; an empty list finds nothing."""
    return ", ".join(["%s"] * len(values)) or "NULL"


def upsert(
    table: str, columns: Sequence[str], rows: Sequence[Row], *, key: Collection[str], keeps: Collection[str] = ()
) -> None:
    """Insert or replace rows in one statement; an existing row is given all columns but those that it `keeps`.

    PostgreSQL gets them as one JSON document: quoting a hundred thousand values one by one and finding their places in
    a statement took longer than folding the events. SQLite binds each row to one prepared statement.
    """
    changed = [column for column in columns if column not in (*key, *keeps)]
    changes = ", ".join(f"{name} = excluded.{name}" for name in changed)
    insert(table, columns, rows, on_conflict=f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}")


def insert(table: str, columns: Sequence[str], rows: Sequence[Row], *, on_conflict: str = "") -> None:
    """Insert rows in one statement."""
    if not rows:
        return
    named = ", ".join(columns)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            source = f"SELECT {named} FROM json_populate_recordset(NULL::{table}, %s)"  # noqa: S608 - names
            records = [dict(zip(columns, row, strict=True)) for row in rows]
            question = f"INSERT INTO {table} ({named}) {source} {on_conflict}"
            cursor.execute(question, [msgspec.json.encode(records).decode()])
        else:
            question = f"INSERT INTO {table} ({named}) VALUES ({places(columns)}) {on_conflict}"  # noqa: S608 - names
            cursor.executemany(question, [tuple(_bound(row)) for row in rows])


def _bound(row: Row) -> Iterator[Bound]:
    """Convert the values for SQLite."""
    for value in row:
        if isinstance(value, list):
            yield json.dumps(value)
        elif isinstance(value, datetime):
            yield connection.ops.adapt_datetimefield_value(value)
        else:
            yield value
