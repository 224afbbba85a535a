"""Whether the database has the migrations of this code: not fewer, and of newer code only those that leave it room.

Older code on a newer database answers errors or, worse, writes what the newer one does not expect: whoever serves,
works on, migrates, copies or proves a database asks here first. Newer code notes in the database which of its
migrations earlier code may serve beside (rummy_site/served_migrations.py). Reads names of files only: loading
migrations takes longer than all other checks of a start.
"""

import logging
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from pkgutil import iter_modules

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

# The app under which a migration is noted beside which earlier code may serve.
SERVED = "{} (earlier code serves)"

logger = logging.getLogger(__name__)


def unapplied_migrations() -> int:
    """How many migrations of this code have not been applied."""
    if migrations_by_name() <= MigrationRecorder(connection).applied_migrations().keys():
        return 0
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def migrations_wait(number: int) -> str:
    """So many migrations wait, as the beginning of a sentence."""
    return "1 migration waits" if number == 1 else f"{number} migrations wait"


def note_served(app: str, name: str) -> None:
    """Note that code before this migration may serve beside it.

    It is a record of a migration of an app that does not exist: Django passes those over, and each copy has it.
    """
    recorder = MigrationRecorder(connection)
    if (SERVED.format(app), name) not in recorder.applied_migrations():
        recorder.record_applied(SERVED.format(app), name)


def newer_migrations() -> list[str]:
    """Migrations of newer code beside which this code cannot serve."""
    applied = MigrationRecorder(connection).applied_migrations()
    return [f"{label} {name}" for label, name in _unknown(applied) if (SERVED.format(label), name) not in applied]


def served_beside() -> str | None:
    """A sentence on migrations of newer code, beside which this code may serve; None where there are none."""
    names = [f"{label} {name}" for label, name in _unknown(MigrationRecorder(connection).applied_migrations())]
    return f"newer code has migrated ({', '.join(names)}), and this code may serve beside it" if names else None


def _unknown(applied: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Those that this code does not know and that are later than all that it knows.

    Earlier ones may be gone from this code, which has replaced them by one.
    """
    unknown = []
    for label in sorted(config.label for config in apps.get_app_configs()):
        for name in sorted((name for app, name in applied if app == label), reverse=True):
            if (label, name) in migrations_by_name():
                break
            unknown.append((label, name))
    return unknown


def last_migrations() -> dict[str, str]:
    """By app, the last migration that code must know to open a copy of this database: later ones leave it room."""
    applied = MigrationRecorder(connection).applied_migrations()
    labels = {config.label for config in apps.get_app_configs()}
    return {
        label: name
        for label, name in sorted(applied)
        if label in labels and (SERVED.format(label), name) not in applied
    }


def newer_in_backup(last: Mapping[str, str]) -> list[str]:
    """Of `last_migrations`, as a backup has them, those that are later than all that this code knows."""
    newest: dict[str, str] = dict(sorted(migrations_by_name()))
    return [f"{label} {name}" for label, name in sorted(last.items()) if label in newest and name > newest[label]]


def release_fault() -> str | None:
    """Why this code cannot read the database, in one line; None where it can."""
    if newer := newer_migrations():
        return f"the database was written by newer code, which has {', '.join(newer)}: update this code first"
    if waiting := unapplied_migrations():
        return f"{migrations_wait(waiting)}: run manage.py migrate"
    return None


def refuse_newer_database() -> None:
    """Stop this process before it works on a database of a newer release that has no room for this code."""
    try:
        newer, beside = newer_migrations(), served_beside()
    finally:
        connection.close()
    if newer:
        raise ImproperlyConfigured(
            f"the database was written by newer code, which has {', '.join(newer)}: update this code first."
        )
    if beside:
        logger.warning(beside)


@cache
def migrations_by_name() -> set[tuple[str, str]]:
    """App and name of each migration of this code."""
    return {
        (app.label, name)
        for app in apps.get_app_configs()
        for _, name, is_package in iter_modules([str(Path(app.path) / "migrations")])
        if not is_package and name[0] not in "_~"
    }
