"""Compares triggers and functions with their definitions, finds foreign ones, and restores ours.

A trigger of the right name that was created again for fewer operations, for no row or on another table protects
nothing: so definitions are compared, not names. Rules: docs/decisions/0028-what-is-proven-how.md. The definitions for
each database are in `scoring.ledger.triggers` (the books) and `tournaments.log.triggers` (the log).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.apps import AppConfig
from django.core.checks import CheckMessage, Tags, Warning, register  # noqa: A004 - Django's own word
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.signals import post_migrate, pre_migrate

from scoring.storage.postgresql import parts_of

# Wide enough for any club, and narrow enough that with any time zone, season and timetable dates stay within the range
# of programs that read our pages, feeds and files.
FIRST_MOMENT = datetime(2000, 1, 1, tzinfo=UTC)
LAST_MOMENT = datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)
_END = LAST_MOMENT + timedelta(seconds=1)
FIRST_YEAR, END_YEAR = FIRST_MOMENT.year, _END.year
_FIRST_NUMBER, _LAST_NUMBER = int(FIRST_MOMENT.timestamp()) * 1_000_000, int(_END.timestamp()) * 1_000_000 - 1
# The range of PostgreSQL's integer columns, which SQLite does not enforce.
MOST_COUNT = 2_147_483_647
MOST_SMALL = 32_767
# Positions in a club's log, which are counted one by one.
MOST_POSITION = 10**15
# Fires in every session, also in one that plays a replica's part: that setting would disable an ordinary trigger.
ALWAYS = "A"
NOT_ALWAYS = {"O": "fires in ordinary sessions only", "R": "fires in replicas only", "D": "is switched off"}
SESSION = "session_replication_role"
_FUNCTIONS = """
SELECT p.proname, quote_ident(current_schema()), pg_get_functiondef(p.oid)
FROM pg_proc AS p
WHERE p.proname = ANY(%s) AND p.pronamespace = current_schema()::regnamespace AND p.prokind = 'f'"""
_TRIGGERS = """
SELECT c.relname, t.tgname, pg_get_triggerdef(t.oid, true), t.tgenabled::text
FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
WHERE NOT t.tgisinternal AND c.relname = ANY(%s) AND c.relnamespace = current_schema()::regnamespace"""
# References are triggers as well, of the database's own: they can be disabled, but not rewritten.
_REFERENCES_OFF = """
SELECT DISTINCT c.relname
FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
WHERE t.tgisinternal AND t.tgenabled <> 'O' AND c.relname = ANY(%s)
  AND c.relnamespace = current_schema()::regnamespace"""
_RULES = """
SELECT r.rulename, c.relname
FROM pg_rewrite AS r JOIN pg_class AS c ON c.oid = r.ev_class
WHERE c.relname = ANY(%s) AND c.relnamespace = current_schema()::regnamespace"""
_SESSIONS = """
SELECT current_setting('session_replication_role') <> 'origin' OR EXISTS (
  SELECT 1 FROM pg_db_role_setting AS given, unnest(given.setconfig) AS setting
  WHERE setting LIKE 'session_replication_role=%%' AND setting <> 'session_replication_role=origin'
    AND (given.setdatabase = 0 OR given.setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())))
"""

BEYOND = """
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME,
    MESSAGE = format('a value of %s is beyond its bound', TG_TABLE_NAME);
END
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class OnPostgresql:
    """Functions, and the triggers that call them, by name and as PostgreSQL prints them."""

    functions: Mapping[str, str]
    triggers: Mapping[str, str]

    @property
    def wanted(self) -> dict[str, str]:
        """All definitions by name."""
        return {**self.functions, **self.triggers}

    def standing(self, cursor: Any, tables: Collection[str]) -> dict[str, str]:
        """Our functions and every trigger of some tables by name, as PostgreSQL would create them; a trigger that a
        partition lacks is marked with it."""
        cursor.execute(_FUNCTIONS, [list(self.functions)])
        # The schema's name is left out.
        definition_by_name = {
            name: text.replace(f"FUNCTION {schema}.", "FUNCTION ", 1) for name, schema, text in cursor.fetchall()
        }
        parts = parts_of(cursor, tables)
        on_parts = _triggers_on_postgresql(cursor, parts)
        for (table, name), text in _triggers_on_postgresql(cursor, tables).items():
            expected_by_part = {part: _on_part(text, table, part) for part, whole in parts.items() if whole == table}
            missed = [part for part, expected in expected_by_part.items() if on_parts.get((part, name)) != expected]
            definition_by_name[name] = f"{text} -- not on {', '.join(missed)}" if missed else text
        return definition_by_name

    def strangers(self, cursor: Any, tables: Collection[str]) -> dict[str, str]:
        """Other triggers, rules and settings that affect writes to some tables: what they are, by name."""
        everywhere = [*tables, *parts_of(cursor, tables)]
        stranger_by_name = _unknown(self.wanted, {name for _, name in _triggers_on_postgresql(cursor, everywhere)})
        cursor.execute(_REFERENCES_OFF, [everywhere])
        stranger_by_name |= {f"references of {table}": "are not checked" for (table,) in cursor.fetchall()}
        cursor.execute(_RULES, [everywhere])
        stranger_by_name |= {f"rule {name} on {table}": "is none of this code" for name, table in cursor.fetchall()}
        cursor.execute(_SESSIONS)
        if cursor.fetchone()[0]:
            stranger_by_name[SESSION] = "is set to something else than origin: references are not checked then"
        return stranger_by_name

    def dropping(self, cursor: Any) -> Iterator[str]:
        """Statements that drop every trigger; the functions stay."""
        for name, definition in self.triggers.items():
            yield from (f"DROP TRIGGER IF EXISTS {name} ON {table}" for table in _places(cursor, definition))

    def rebuilding(self, cursor: Any, absent: Collection[str]) -> Iterator[str]:
        """Statements that create the named functions and triggers, whatever is left of them."""
        yield from (self.functions[name] for name in absent if name in self.functions)
        for name in self.triggers.keys() & absent:
            for table, definition in _places(cursor, self.triggers[name]).items():
                yield f"DROP TRIGGER IF EXISTS {name} ON {table}"
                yield definition
                yield f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OnSqlite:
    """Triggers by name, with the SQL text that creates them, which is what SQLite stores."""

    wanted: Mapping[str, str]

    def standing(self, cursor: Any, tables: Collection[str]) -> dict[str, str]:
        """Every trigger of some tables by name, with the SQL that created it."""
        named = ", ".join(["%s"] * len(tables))
        cursor.execute(
            f"SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ({named})",  # noqa: S608
            sorted(tables),
        )
        return dict(cursor.fetchall())

    def strangers(self, cursor: Any, tables: Collection[str]) -> dict[str, str]:
        """Triggers of some tables that are not ours."""
        return _unknown(self.wanted, self.standing(cursor, tables).keys())

    def dropping(self, _: Any) -> Iterator[str]:
        """Statements that drop every trigger."""
        yield from (f"DROP TRIGGER IF EXISTS {name}" for name in self.wanted)

    def rebuilding(self, _: Any, absent: Collection[str]) -> Iterator[str]:
        """Statements that create the named triggers, whatever is left of them."""
        for name in absent:
            yield f"DROP TRIGGER IF EXISTS {name}"
            yield self.wanted[name]


def trigger_functions(bodies: Mapping[str, str]) -> dict[str, str]:
    """Functions for triggers by name, from their bodies, as PostgreSQL prints them."""
    return {
        name: (
            f"CREATE OR REPLACE FUNCTION {name}()\n RETURNS trigger\n LANGUAGE plpgsql\nAS $function${body}$function$\n"
        )
        for name, body in bodies.items()
    }


def _triggers_on_postgresql(cursor: Any, tables: Collection[str]) -> dict[tuple[str, str], str]:
    """Triggers by table and name. One that may be disabled is marked so."""
    cursor.execute(_TRIGGERS, [list(tables)])
    return {
        (table, name): text if enabled == ALWAYS else f"{text} -- {NOT_ALWAYS.get(enabled, enabled)}"
        for table, name, text, enabled in cursor.fetchall()
    }


def _places(cursor: Any, definition: str) -> dict[str, str]:
    """How a trigger is created on each table; PostgreSQL itself creates row triggers on the partitions of a table."""
    table = definition.split(" ON ")[1].split(maxsplit=1)[0]
    parts = () if " FOR EACH ROW " in definition else parts_of(cursor, [table])
    return {table: definition, **{part: _on_part(definition, table, part) for part in parts}}


def _on_part(definition: str, table: str, part: str) -> str:
    return definition.replace(f" ON {table} ", f" ON {part} ", 1)


def _unknown(wanted: Mapping[str, str], standing: Set[str]) -> dict[str, str]:
    return {f"trigger {name}": "is none of this code" for name in sorted(standing - wanted.keys())}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Limits of the columns of one table: numbers from 0, texts and bytes up to a length, times in the calendar
    (`numbered` on SQLite). `wide` numbers and `long` texts are those whose type sets no limit on PostgreSQL either."""

    moments: tuple[str, ...] = ()
    numbered: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    wide: Mapping[str, int] = field(default_factory=dict)
    short: Mapping[str, int] = field(default_factory=dict)
    long: Mapping[str, int] = field(default_factory=dict)

    def on_sqlite(self) -> str:
        """The condition that a new row exceeds one of them. A value of another type is no date and time either."""
        moments = (f"NEW.{column} NOT BETWEEN '{FIRST_YEAR}' AND '{END_YEAR}'" for column in self.moments)
        numbered = (f"NEW.{column} NOT BETWEEN {_FIRST_NUMBER} AND {_LAST_NUMBER}" for column in self.numbered)
        numbers = (f"NEW.{name} NOT BETWEEN 0 AND {most}" for name, most in {**self.counts, **self.wide}.items())
        texts = (f"length(NEW.{name}) > {most}" for name, most in {**self.short, **self.long}.items())
        return " OR ".join((*moments, *numbered, *numbers, *texts))

    def on_postgresql(self) -> str:
        """The same, as PostgreSQL prints it; the range of its types needs no trigger."""
        # Seconds instead of a date: a date is printed in the session's format.
        return " OR ".join(self._on_postgresql())

    def _on_postgresql(self) -> Iterator[str]:
        for column in (*self.moments, *self.numbered):
            yield f"new.{column} < to_timestamp({FIRST_MOMENT.timestamp():.0f}::double precision)"
            yield f"new.{column} >= to_timestamp('{_END.timestamp():.0f}'::bigint::double precision)"
        for name, most in self.wide.items():
            yield f"""new.{f'"{name}"' if name == "position" else name} > '{most}'::bigint"""
        for name, most in self.long.items():
            yield f"length(new.{name}) > {most}"


# The books. Amounts have a check of their own; a memo is generated, a line for each reason.
OF_BOOKS = {
    "scoring_account": Bounds(short={"kind": 16, "owner": 64, "currency": 3}),
    "scoring_journalentry": Bounds(
        moments=("posted_at",),
        counts={"posting_count": MOST_COUNT},
        wide={"version": MOST_POSITION},
        short={"reference": 200, "cause": 80, "slot": 40, "currency": 3},
        long={"digest": 32},
    ),
    "scoring_settledcause": Bounds(
        moments=("settled_at",), wide={"version": MOST_POSITION}, short={"cause": 80}, long={"digest": 32}
    ),
}


def within_bounds(tables: Mapping[str, Bounds], refusing: str) -> dict[str, str]:
    """A trigger for each table whose types do not enforce limits on PostgreSQL; it calls the function `refusing`."""
    return {
        f"{table}_within_bounds": (
            f"CREATE TRIGGER {table}_within_bounds BEFORE INSERT ON {table} "
            f"FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION {refusing}()"
        )
        for table, bounds in tables.items()
        if (condition := bounds.on_postgresql())
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Guards:
    """The triggers over some tables. `noun` names what they protect in messages; `proof` is the verifying command.

    `names_others` means that one of them names another table than its own; `anew` runs where one was missing.
    """

    vendors: Mapping[str, OnPostgresql | OnSqlite]
    tables: frozenset[str]
    noun: str
    unguarded: str
    proof: str
    check: str
    names_others: bool = False
    anew: Callable[[BaseDatabaseWrapper], None] | None = None

    def missing(self, connection: BaseDatabaseWrapper) -> list[str]:
        """Names of triggers that are not as they should be: dropped, disabled, or different in any partition."""
        vendor = self.vendors[connection.vendor]
        with connection.cursor() as cursor:
            standing = vendor.standing(cursor, self.tables)
        return [name for name, definition in vendor.wanted.items() if standing.get(name) != definition]

    def strangers(self, connection: BaseDatabaseWrapper) -> dict[str, str]:
        """Triggers, rules and settings that are not ours and affect writes: a message for each."""
        with connection.cursor() as cursor:
            return self.vendors[connection.vendor].strangers(cursor, self.tables)

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
        absent = self.missing(connection)
        with connection.cursor() as cursor:
            for statement in list(self.vendors[connection.vendor].rebuilding(cursor, absent)):
                cursor.execute(statement)
        if absent and self.anew:
            self.anew(connection)

    def make_way(self, connection: BaseDatabaseWrapper) -> None:
        """Drop the triggers for a migration that changes the protected tables. The end of `migrate` puts them back."""
        with connection.cursor() as cursor:
            for statement in list(self.vendors[connection.vendor].dropping(cursor)):
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
        # SQLite refuses to rename a rebuilt table while another table's trigger names it.
        rebuilds = any(migration.app_label == sender.label for migration, _is_backwards in plan)
        if rebuilds and connections[using].vendor == "sqlite":
            self.make_way(connections[using])

    def _put_back(self, *, using: str, **_: object) -> None:
        if self._has_tables(connections[using]):
            self.restore(connections[using])

    def _has_tables(self, connection: BaseDatabaseWrapper) -> bool:
        return set(connection.introspection.table_names()) >= self.tables
