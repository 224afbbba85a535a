"""Whether the database has the migrations of this code: not fewer, and none of a newer release.

Older code on a newer database answers errors or, worse, writes what the newer one does not expect: whoever serves,
works on, migrates, copies or proves a database asks here first. Reads names of files only: loading migrations takes
longer than all other checks of a start.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from pkgutil import iter_modules

from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder


def unapplied_migrations() -> int:
    """How many migrations of this code have not been applied."""
    if migrations_by_name() <= MigrationRecorder(connection).applied_migrations().keys():
        return 0
    executor = MigrationExecutor(connection)
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def newer_migrations(last: Mapping[str, str] | None = None) -> list[str]:
    """The last migration of each app that this code does not know; `last` has those of a backup, else this database's.

    Earlier ones may be gone from newer code, which has replaced them by one.
    """
    if last is None:
        last = dict(sorted(MigrationRecorder(connection).applied_migrations()))
    labels = {config.label for config in apps.get_app_configs()}
    return [
        f"{label} {name}"
        for label, name in sorted(last.items())
        if label in labels and (label, name) not in migrations_by_name()
    ]


def release_fault() -> str | None:
    """Why this code cannot read the database, in one line; None where it can."""
    if newer := newer_migrations():
        return f"the database was written by newer code, which has {', '.join(newer)}: update this code first"
    if waiting := unapplied_migrations():
        return f"{waiting} migrations wait: run manage.py migrate"
    return None


def refuse_newer_database() -> None:
    """Stop this process before it works on a database of a newer release."""
    try:
        newer = newer_migrations()
    finally:
        connection.close()
    if newer:
        raise ImproperlyConfigured(
            f"the database was written by newer code, which has {', '.join(newer)}: update this code first."
        )


@cache
def migrations_by_name() -> set[tuple[str, str]]:
    """App and name of each migration of this code."""
    return {
        (app.label, name)
        for app in apps.get_app_configs()
        for _, name, is_package in iter_modules([str(Path(app.path) / "migrations")])
        if not is_package and name[0] not in "_~"
    }
