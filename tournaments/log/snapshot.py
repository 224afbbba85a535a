"""Many statements that see the database as it stood at one moment, while others go on writing."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction

_ONE_VIEW = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"


@contextmanager
def one_snapshot(shared: str = "") -> Iterator[None]:
    """Everything read inside is of one moment. Nothing can be written, and nobody who writes has to wait.

    `shared` names a snapshot of another process (`shared_snapshot`), which must last as long. Inside a transaction that
    has begun already it changes nothing: what that one sees is its own to say.
    """
    if connection.in_atomic_block:
        yield
        return
    with _deferred(connection), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(_ONE_VIEW)
                if shared:
                    cursor.execute("SET TRANSACTION SNAPSHOT %s", [shared])
        yield


def shared_snapshot() -> str:
    """The name by which other processes see what is seen here; empty on SQLite, where each sees its own moment."""
    if connection.vendor != "postgresql":
        return ""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        return str(cursor.fetchone()[0])


@contextmanager
def _deferred(database: Any) -> Iterator[None]:
    """On SQLite a transaction of ours takes the only write lock at once; one that only reads needs none."""
    if database.vendor != "sqlite":
        yield
        return
    # A connection that was never opened does not know its mode yet: a command may begin with a proof.
    database.ensure_connection()
    mode, database.transaction_mode = database.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        database.transaction_mode = mode
