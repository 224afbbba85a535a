"""`flush`, as tests need it: lift the guards of append-only tables, empty the tables, restore the guards.

Every trigger counts as a guard, whichever room put it up. The service itself has no such command: there a
flush is refused by the database.

In one transaction: three hundred statements that each wait for the disk took a second, after each test that commits.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.management.color import no_style
from django.core.management.commands import flush
from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from scoring.ledger.triggers import BOOKS
from tournaments.log.triggers import LOG
from tournaments.projections.shown import SHOWN

# What `migrate` fills from the models: emptied, it would only be filled again.
OF_MODELS = {"auth_permission", "django_content_type"}
STATES = {"A": "ENABLE ALWAYS", "O": "ENABLE", "R": "ENABLE REPLICA", "D": "DISABLE"}


class Command(flush.Command):
    """Django's flush with the guards lifted."""

    def handle(self, **options: Any) -> None:
        """Lift, flush, restore."""
        connection = connections[options["database"]]
        tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
        statements = connection.ops.sql_flush(
            no_style(),
            [table for table in tables if table not in OF_MODELS],
            reset_sequences=options["reset_sequences"],
            allow_cascade=options["allow_cascade"],
        )
        with transaction.atomic(using=connection.alias), lifted(connection):
            connection.ops.execute_sql_flush(statements)
        # A test that dropped a guard leaves it dropped; a rolled-back transaction never does.
        for guards in (BOOKS, LOG, SHOWN):
            if guards.tables <= set(tables):
                guards.restore(connection)


@contextmanager
def lifted(connection: BaseDatabaseWrapper) -> Iterator[None]:
    """The database without its triggers for the length of the block. Afterwards they are exactly as they were."""
    lift = _lift_sqlite if connection.vendor == "sqlite" else _lift_postgresql
    with connection.cursor() as cursor:
        put_back = lift(cursor)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            for statement in put_back:
                cursor.execute(statement)


def _lift_sqlite(cursor: Any) -> list[str]:
    cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
    triggers = cursor.fetchall()
    for name, _definition in triggers:
        cursor.execute(f'DROP TRIGGER "{name}"')
    # A receiver of post_migrate may have restored a trigger already.
    return [statement for name, sql in triggers for statement in (f'DROP TRIGGER IF EXISTS "{name}"', sql)]


def _lift_postgresql(cursor: Any) -> list[str]:
    cursor.execute(
        "SELECT DISTINCT tgrelid::regclass::text, tgname, tgenabled::text FROM pg_trigger"
        " JOIN pg_class ON pg_class.oid = tgrelid"
        " WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace"
    )
    triggers = cursor.fetchall()
    for table in {table for table, _, _ in triggers}:
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    return [f"ALTER TABLE {table} {STATES[state]} TRIGGER {name}" for table, name, state in triggers]
