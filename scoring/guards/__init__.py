"""The database's own guards over the books: entries balance, are complete, and never change.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. The guards are triggers, so that they hold for
every program that writes, ours or not. They are put back after each migration, because SQLite loses a
table's triggers when Django rebuilds it; `missing` says which do not stand as they were made, and `strangers`
what else has a say there. Nothing here lifts them for a running service.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004 - Django's own word
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.signals import post_migrate, pre_migrate

from scoring.guards import postgresql, sqlite
from scoring.guards.definitions import unlike

VENDORS: dict[str, ModuleType] = {"postgresql": postgresql, "sqlite": sqlite}
GUARDED_TABLES = frozenset({"scoring_account", "scoring_journalentry", "scoring_posting", "scoring_settledcause"})


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Names of guards that do not stand as they should: dropped, switched off, or made otherwise in any part."""
    with connection.cursor() as cursor:
        standing: dict[str, str] = VENDORS[connection.vendor].standing(cursor)
    return unlike(VENDORS[connection.vendor].WANTED, standing)


def strangers(connection: BaseDatabaseWrapper) -> dict[str, str]:
    """Triggers, rules and settings that are none of ours and have a say in what is written: what is wrong, by name."""
    with connection.cursor() as cursor:
        found: dict[str, str] = VENDORS[connection.vendor].strangers(cursor)
    return found


def faults(connection: BaseDatabaseWrapper) -> list[str]:
    """What is wrong with the guards, a sentence each."""
    down = "does not stand as it was made; manage.py migrate puts it back: anybody could have changed the books"
    return [
        *(f"the guard {name} {down}" for name in missing(connection)),
        *(f"{name} {wrong}: find out who put it there" for name, wrong in strangers(connection).items()),
    ]


def restore(connection: BaseDatabaseWrapper) -> None:
    """Put up the guards that do not stand. Changes nothing where all do."""
    absent = missing(connection)
    if absent:
        with connection.cursor() as cursor:
            for statement in VENDORS[connection.vendor].rebuilding(absent):
                cursor.execute(statement)


def connect(app: AppConfig) -> None:
    """Keep the guards standing through migrations, and check them at start-up."""
    pre_migrate.connect(_make_way, sender=app)
    post_migrate.connect(_put_back, sender=app)
    register(Tags.database)(guards_stand)


def guards_stand(
    app_configs: Sequence[AppConfig] | None, *, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """A warning for each guard that is down. No error: `migrate`, which puts it back, would not start."""
    absent = [
        (alias, name)
        for alias in databases or ()
        if _has_books(connections[alias])
        for name in missing(connections[alias])
    ]
    hint = "Find out who took it down, then run manage.py migrate and manage.py check_ledger."
    return [
        Warning(f"the books are not guarded: {name} does not stand", hint=hint, obj=alias, id="scoring.W001")
        for alias, name in absent
    ]


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


def _put_back(*, using: str, **_: Any) -> None:
    if _has_books(connections[using]):
        restore(connections[using])


def _has_books(connection: BaseDatabaseWrapper) -> bool:
    return set(connection.introspection.table_names()) >= GUARDED_TABLES
