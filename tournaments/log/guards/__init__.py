"""The database's own guards over the log: what is stored stays, whichever program writes.

They are triggers, and on PostgreSQL the function that stores an event. They are put back after each migration,
because SQLite loses a table's triggers when Django rebuilds it; `missing` says which do not stand as they were made,
and `strangers` what else has a say there. Nothing here lifts them for a running service.
"""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004 - Django's own word
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.signals import post_migrate

from scoring.guards.definitions import unlike
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
    down = "does not stand as it was made; manage.py migrate puts it back: anybody could have changed the log"
    return [
        *(f"the guard {name} {down}" for name in missing(connection)),
        *(f"{name} {wrong}: find out who put it there" for name, wrong in strangers(connection).items()),
    ]


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
