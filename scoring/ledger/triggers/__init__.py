"""The database's own guards over the books: entries balance, are complete, and never change.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. The guards are triggers, so that they hold for
every program that writes, ours or not. They are put back after each migration, because SQLite loses a
table's triggers when Django rebuilds it; `missing` says which do not stand as they were made, and `strangers`
what else has a say there. Nothing here lifts them for a running service.
"""

from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.signals import pre_migrate

from scoring.ledger.triggers import postgresql, sqlite
from scoring.ledger.triggers.definitions import Guards

BOOKS = Guards(
    vendors={"postgresql": postgresql.GUARDS, "sqlite": sqlite.GUARDS},
    tables=frozenset({"scoring_account", "scoring_journalentry", "scoring_posting", "scoring_settledcause"}),
    noun="books",
    unguarded="books are not guarded",
    proof="check_ledger",
    check="scoring.W001",
)
VENDORS = BOOKS.vendors
missing, strangers, faults, restore = BOOKS.missing, BOOKS.strangers, BOOKS.faults, BOOKS.restore


def connect(app: AppConfig) -> None:
    """Keep the guards standing through migrations, and check them at start-up."""
    pre_migrate.connect(_make_way, sender=app)
    BOOKS.stand_through_migrations(app)


def make_way(connection: BaseDatabaseWrapper) -> None:
    """Take the guards down inside a migration that must change what they keep. The end of `migrate` puts them back."""
    with connection.cursor() as cursor:
        for statement in VENDORS[connection.vendor].dropping():
            cursor.execute(statement)


def _make_way(*, using: str, plan: Sequence[tuple[Any, bool]], **_: Any) -> None:
    # SQLite refuses to rename a rebuilt table while another table's trigger names it.
    connection = connections[using]
    rebuilds_books = any(migration.app_label == "scoring" for migration, _is_backwards in plan)
    if rebuilds_books and connection.vendor == "sqlite":
        make_way(connection)
