"""Compares triggers and functions with their definitions, finds foreign ones, and restores ours.

A trigger of the right name that was created again for fewer operations, for no row or on another table protects
nothing: so definitions are compared, not names. Rules: docs/decisions/0028-what-is-proven-how.md. They are put back
after each migration, because SQLite loses a table's triggers when Django rebuilds it. Nothing here drops them for a
running service.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004 - Django's own word
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.signals import post_migrate, pre_migrate

from scoring import storage


@dataclass(frozen=True, slots=True, kw_only=True)
class Guards:
    """The triggers over some tables. `noun` names what they protect in messages; `proof` is the verifying command.

    `triggers` takes their definitions from the module of a database, functions that they call among them.
    `names_others` means that one of them names another table than its own; `anew` runs where one was missing.
    """

    triggers: Callable[[ModuleType], Mapping[str, str]]
    tables: frozenset[str]
    noun: str
    unguarded: str
    proof: str
    check: str
    names_others: bool = False
    anew: Callable[[BaseDatabaseWrapper], None] | None = None

    def wanted(self, connection: BaseDatabaseWrapper) -> Mapping[str, str]:
        """Every definition by name, as this database returns it."""
        return self.triggers(storage.of(connection))

    def missing(self, connection: BaseDatabaseWrapper) -> list[str]:
        """Names of triggers that are not as they should be: dropped, disabled, or different in any partition."""
        wanted = self.wanted(connection)
        with connection.cursor() as cursor:
            standing = storage.of(connection).standing_triggers(cursor, self.tables, wanted)
        return [name for name, definition in wanted.items() if standing.get(name) != definition]

    def strangers(self, connection: BaseDatabaseWrapper) -> dict[str, str]:
        """Triggers, rules and settings that are not ours and affect writes: a message for each."""
        with connection.cursor() as cursor:
            strange: dict[str, str] = storage.of(connection).strange_triggers(
                cursor, self.tables, self.wanted(connection)
            )
        return strange

    def faults(self, connection: BaseDatabaseWrapper) -> list[str]:
        """Problems with the triggers, a sentence each."""
        down = (
            f"does not stand as it was made; manage.py migrate puts it back: anybody could have changed the {self.noun}"
        )
        return [
            *(f"the guard {name} {down}" for name in self.missing(connection)),
            *(f"{name} {wrong}: find out who put it there" for name, wrong in self.strangers(connection).items()),
        ]

    def restore(self, connection: BaseDatabaseWrapper) -> None:
        """Create the triggers that are missing or changed. Changes nothing where all are right."""
        absent = {name: self.wanted(connection)[name] for name in self.missing(connection)}
        with connection.cursor() as cursor:
            for statement in list(storage.of(connection).rebuilding(cursor, absent)):
                cursor.execute(statement)
        if absent and self.anew:
            self.anew(connection)

    def make_way(self, connection: BaseDatabaseWrapper) -> None:
        """Drop the triggers for a migration that changes the protected tables. The end of `migrate` puts them back."""
        with connection.cursor() as cursor:
            for statement in list(storage.of(connection).dropping(cursor, self.wanted(connection))):
                cursor.execute(statement)

    def stand_through_migrations(self, app: AppConfig) -> None:
        """Put the triggers back after every migration, and check them at start-up."""
        # No weak reference: a bound method is a new object each time it is named, and would be gone at once.
        post_migrate.connect(self._put_back, sender=app, weak=False, dispatch_uid=self.check)
        if self.names_others:
            pre_migrate.connect(self._step_aside, sender=app, weak=False, dispatch_uid=self.check)

        @register(Tags.database)
        def guards_stand(
            app_configs: object, *, databases: Sequence[str] | None = None, **_: object
        ) -> list[CheckMessage]:
            return self._warnings(databases or ())

    def _warnings(self, databases: Sequence[str]) -> list[CheckMessage]:
        # No errors: `migrate`, which restores the triggers, would not start.
        absent = [
            (alias, name)
            for alias in databases
            if self._has_tables(connections[alias])
            for name in self.missing(connections[alias])
        ]
        hint = f"Find out who took it down, then run manage.py migrate and manage.py {self.proof}."
        return [
            Warning(f"the {self.unguarded}: {name} does not stand", hint=hint, obj=alias, id=self.check)
            for alias, name in absent
        ]

    def _step_aside(self, *, sender: AppConfig, using: str, plan: Sequence[tuple[Any, bool]], **_: object) -> None:
        rebuilds = any(migration.app_label == sender.label for migration, _is_backwards in plan)
        if rebuilds and storage.of(connections[using]).REBUILDS_TABLES:
            self.make_way(connections[using])

    def _put_back(self, *, using: str, **_: object) -> None:
        if self._has_tables(connections[using]):
            self.restore(connections[using])

    def _has_tables(self, connection: BaseDatabaseWrapper) -> bool:
        return set(connection.introspection.table_names()) >= self.tables
