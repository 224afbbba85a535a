"""Whether a database may be served: what came out of a backup stays closed until it has been proven.

Rules: docs/how-to/resilience.md, "Backup and restore". A closed database carries one table more, which `manage.py
restore` takes away last. It stands in the database and not beside it, so that it travels with every copy.
"""

from collections.abc import Iterable
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

CLOSED = "rummy_closed"
HOW_TO_OPEN = "Run manage.py restore --here, which proves it and opens it"


def closing(reason: str) -> Iterable[str]:
    """The statements that close a database of either kind, for whoever has it open."""
    # The reason is the column's default: the two drivers do not mark parameters alike, and none is needed so.
    said = reason.replace("'", "''")
    yield f"CREATE TABLE {CLOSED} (reason varchar(200) NOT NULL DEFAULT '{said}')"
    yield f"INSERT INTO {CLOSED} DEFAULT VALUES"


def why_closed(database: BaseDatabaseWrapper) -> str | None:
    """Why this database may not be served; None where it may."""
    with database.cursor() as cursor:
        if CLOSED not in database.introspection.table_names(cursor):
            return None
        cursor.execute("SELECT reason FROM rummy_closed")
        row: Any = cursor.fetchone()
    return str(row[0]) if row else "it was closed"


def open_database(database: BaseDatabaseWrapper) -> None:
    """From now on it is served."""
    with database.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {CLOSED}")


def refuse_closed_database() -> None:
    """Stop this process before it serves what nobody has proven."""
    try:
        reason = why_closed(connection)
    finally:
        connection.close()
    if reason:
        raise ImproperlyConfigured(f"the database is closed: {reason}. {HOW_TO_OPEN}.")
