"""Guards of one room's tables, whichever they are: which do not stand, what else has a say, and putting them back.

What guards there are, and how each database states them, is the room's: `scoring.ledger.triggers` for the books,
`tournaments.log.triggers` for the log.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

from django.apps import AppConfig
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004 - Django's own word
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.signals import post_migrate

from scoring.ledger.triggers.definitions import unlike


@dataclass(frozen=True, slots=True, kw_only=True)
class Guards:
    """The guards over some tables. `noun` is what they keep, as sentences name it; `proof` the command that looks."""

    vendors: Mapping[str, ModuleType]
    tables: frozenset[str]
    noun: str
    unguarded: str
    proof: str
    check: str

    def missing(self, connection: BaseDatabaseWrapper) -> list[str]:
        """Names of guards that do not stand as they should: dropped, switched off, or made otherwise in any part."""
        with connection.cursor() as cursor:
            standing: dict[str, str] = self.vendors[connection.vendor].standing(cursor)
        return unlike(self.vendors[connection.vendor].WANTED, standing)

    def strangers(self, connection: BaseDatabaseWrapper) -> dict[str, str]:
        """Triggers, rules and settings that are none of ours and have a say in what is written: what is wrong."""
        with connection.cursor() as cursor:
            found: dict[str, str] = self.vendors[connection.vendor].strangers(cursor)
        return found

    def faults(self, connection: BaseDatabaseWrapper) -> list[str]:
        """What is wrong with the guards, a sentence each."""
        down = (
            f"does not stand as it was made; manage.py migrate puts it back: anybody could have changed the {self.noun}"
        )
        return [
            *(f"the guard {name} {down}" for name in self.missing(connection)),
            *(f"{name} {wrong}: find out who put it there" for name, wrong in self.strangers(connection).items()),
        ]

    def restore(self, connection: BaseDatabaseWrapper) -> None:
        """Put up the guards that do not stand. Changes nothing where all do."""
        absent = self.missing(connection)
        with connection.cursor() as cursor:
            for statement in self.vendors[connection.vendor].rebuilding(absent):
                cursor.execute(statement)

    def stand_through_migrations(self, app: AppConfig) -> None:
        """Put the guards back after every migration, and check them at start-up."""
        # Not weakly: a bound method is made anew each time it is named, and would be gone at once.
        post_migrate.connect(self._put_back, sender=app, weak=False, dispatch_uid=self.check)

        @register(Tags.database)
        def guards_stand(
            app_configs: object, *, databases: Sequence[str] | None = None, **_: object
        ) -> list[CheckMessage]:
            return self._warnings(databases or ())

    def _warnings(self, databases: Sequence[str]) -> list[CheckMessage]:
        # No errors: `migrate`, which puts the guards back, would not start.
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

    def _put_back(self, *, using: str, **_: object) -> None:
        if self._has_tables(connections[using]):
            self.restore(connections[using])

    def _has_tables(self, connection: BaseDatabaseWrapper) -> bool:
        return set(connection.introspection.table_names()) >= self.tables
