"""Rows as releases before the bounds of columns could store them."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module

from django.db import connection

MIGRATION = import_module("tournaments.migrations.0026_bounds_of_rows")


@contextmanager
def as_it_was() -> Iterator[None]:
    """The database as older code left it: without these constraints."""
    named = [(bound.model_name, bound.constraint.name) for bound in MIGRATION.BOUNDS]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = ON")
        else:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            for model, name in named:
                cursor.execute(f'ALTER TABLE tournaments_{model} DROP CONSTRAINT "{name}"')
        yield
        if connection.vendor == "sqlite":
            cursor.execute("PRAGMA ignore_check_constraints = OFF")
