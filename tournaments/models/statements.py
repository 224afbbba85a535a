"""SQL for what Django's models do too slowly: reads that happen for every deal, and bulk writes."""

from collections.abc import Callable, Collection, Sequence
from copy import copy
from datetime import datetime
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable
from django.db.models.sql.compiler import SQLCompiler

from scoring import storage

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
    return (club, *columns) if storage.of(connection).KEYS_LEAD_WITH_THE_CLUB else columns


def places(values: Collection[object]) -> str:
    """Return a placeholder for each of some values, for a list in a statement; an empty list finds nothing."""
    return ", ".join(["%s"] * len(values)) or "NULL"


def upsert(
    table: str, columns: Sequence[str], rows: Sequence[Row], *, key: Collection[str], keeps: Collection[str] = ()
) -> None:
    """Insert or replace rows in one statement; an existing row is given all columns but those that it `keeps`."""
    changed = [column for column in columns if column not in (*key, *keeps)]
    changes = ", ".join(f"{name} = excluded.{name}" for name in changed)
    insert(table, columns, rows, on_conflict=f"ON CONFLICT ({', '.join(key)}) DO UPDATE SET {changes}")


def insert(table: str, columns: Sequence[str], rows: Sequence[Row], *, on_conflict: str = "") -> None:
    """Insert rows in one statement."""
    if rows:
        storage.of(connection).insert_rows(table, columns, rows, on_conflict)
