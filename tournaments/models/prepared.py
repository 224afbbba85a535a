"""Reads that every deal makes, whose SQL Django writes once: writing it down takes ten times as long as asking."""

from collections.abc import Callable
from copy import copy
from functools import cached_property
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.query import ModelIterable
from django.db.models.sql.compiler import SQLCompiler

M = TypeVar("M", bound=Model)


class Prepared(Generic[M]):
    """A queryset that hangs on one value; `examples` are two of them, which show where it stands in the statement."""

    def __init__(self, asked: Callable[[Any], QuerySet[M]], examples: tuple[Any, Any]) -> None:
        self._asked = asked
        self._examples = examples

    def first(self, value: Any) -> M | None:
        """The first row, read as the queryset would; None where there is none."""
        sql, before, after = self._statement
        compiler = copy(self._compiled)
        compiler.connection = connection
        vars(compiler)["as_sql"] = lambda: (sql, (*before, value, *after))
        query = SimpleNamespace(get_compiler=lambda using: compiler)
        asked: Any = SimpleNamespace(db=connection.alias, query=query, _known_related_objects={})
        return next(iter(ModelIterable(asked)), None)

    @cached_property
    def _compiled(self) -> SQLCompiler:
        compiler: SQLCompiler = self._asked(self._examples[0]).query.get_compiler(connection.alias)
        return compiler

    @cached_property
    def _statement(self) -> tuple[str, tuple[Any, ...], tuple[Any, ...]]:
        """The SQL, and its parameters before and after the value."""
        sql, one = self._compiled.as_sql()
        _, other = self._asked(self._examples[1]).query.get_compiler(connection.alias).as_sql()
        (at,) = (number for number, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1])
        return sql, one[:at], one[at + 1 :]
