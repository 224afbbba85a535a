"""The database's own guards over the log: what is stored stays, whichever program writes.

They are triggers, and on PostgreSQL the function that stores an event. They are put back after each migration,
because SQLite loses a table's triggers when Django rebuilds it, and `missing` says which do not stand. Nothing
here lifts them for a running service.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004 - Django's own word
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.signals import post_migrate

from tournaments.log.guards import postgresql, sqlite

VENDORS: dict[str, ModuleType] = {"postgresql": postgresql, "sqlite": sqlite}
GUARDED_TABLES = frozenset(
    {
        "tournaments_clubhead",
        "tournaments_stream",
        "tournaments_event",
        "tournaments_eventnote",
        "tournaments_seal",
    }
)


def missing(connection: BaseDatabaseWrapper) -> list[str]:
    """Names of guards that do not stand as they should: dropped, switched off or rewritten."""
    with connection.cursor() as cursor:
        standing: dict[str, str] = VENDORS[connection.vendor].standing(cursor)
    wanted: dict[str, str] = VENDORS[connection.vendor].WANTED
    return [name for name, definition in wanted.items() if standing.get(name) != definition]


def restore(connection: BaseDatabaseWrapper) -> None:
    """Put up the guards that do not stand. Changes nothing where all do."""
    absent = missing(connection)
    with connection.cursor() as cursor:
        for statement in VENDORS[connection.vendor].rebuilding(absent):
            cursor.execute(statement)


def connect(app: AppConfig) -> None:
    """Put the guards back after every migration, and check them at start-up."""
    post_migrate.connect(_put_back, sender=app)
    register(Tags.database)(guards_stand)


def guards_stand(
    app_configs: Sequence[AppConfig] | None, *, databases: Sequence[str] | None = None, **_: Any
) -> list[CheckMessage]:
    """A warning for each guard that is down. No error: `migrate`, which puts it back, would not start."""
    absent = [
        (alias, name)
        for alias in databases or ()
        if _has_log(connections[alias])
        for name in missing(connections[alias])
    ]
    hint = "Find out who took it down, then run manage.py migrate and manage.py verify_log --full."
    return [
        Warning(f"the log is not guarded: {name} does not stand", hint=hint, obj=alias, id="tournaments.W001")
        for alias, name in absent
    ]


def _put_back(*, using: str, **_: Any) -> None:
    if _has_log(connections[using]):
        restore(connections[using])


def _has_log(connection: BaseDatabaseWrapper) -> bool:
    return set(connection.introspection.table_names()) >= GUARDED_TABLES
