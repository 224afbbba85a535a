"""An empty database begins with one squashed migration of each app, and an earlier one goes on with the single ones.

Planted faults these catch: a key, a check or a column that the squashed migration lacks; a table made by it that keeps
Django's keys on PostgreSQL; a database half-way that gets none of the steps that move its rows.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from tests.builders.fresh_database import connected, fresh_database
from tests.builders.loaded_site import Loaded

# As an earlier release did, which had no squashed migration.
HALF_WAY = """
import django; django.setup()
from django.db import connection
from django.db.migrations import executor, loader

class SingleMigrations(loader.MigrationLoader):
    def load_disk(self):
        super().load_disk()
        squashed = [each for each in self.disk_migrations.values() if each.replaces]
        single = {key for each in squashed for key in each.replaces}
        ours = {app for app, _ in single}
        # Nor those that came after it.
        self.disk_migrations = {
            key: each for key, each in self.disk_migrations.items() if key[0] not in ours or key in single
        }

executor.MigrationLoader = SingleMigrations
executor.MigrationExecutor(connection).migrate(
    [("scoring", "0003_words_of_lists_and_forms"), ("tournaments", "0030_ends_of_tokens")]
)
"""
MIGRATE = """
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
"""
ON_SQLITE = "SELECT type, name, sql FROM sqlite_master"
ON_POSTGRESQL = """
SELECT 'column', attrelid::regclass::text, concat_ws(' ', attnum, attname, format_type(atttypid, atttypmod), attnotnull,
    attidentity, attgenerated, pg_get_expr(adbin, adrelid))
  FROM pg_attribute JOIN pg_class AS holder ON holder.oid = attrelid
    LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
  WHERE attnum > 0 AND NOT attisdropped AND relkind <> 'i' AND relnamespace = 'public'::regnamespace
UNION ALL
SELECT 'constraint', conrelid::regclass::text, concat_ws(' ', conname, pg_get_constraintdef(oid), convalidated)
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid <> 0
UNION ALL
SELECT 'index', indrelid::regclass::text, pg_get_indexdef(indexrelid)
  FROM pg_index JOIN pg_class ON oid = indexrelid WHERE relnamespace = 'public'::regnamespace
UNION ALL
SELECT 'trigger', tgrelid::regclass::text, concat_ws(' ', pg_get_triggerdef(oid), tgenabled)
  FROM pg_trigger WHERE NOT tgisinternal
UNION ALL
SELECT 'function', proname, pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
UNION ALL
SELECT 'view', viewname, definition FROM pg_views WHERE schemaname = 'public'"""


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.django_db
def test_an_empty_database_gets_the_schema_of_one_that_was_half_way_through_the_single_migrations(
    loaded_site: Loaded, tmp_path: Path
):
    empty, half_way = (
        schema_after(loaded_site, tmp_path / name, programs)
        for name, programs in {"empty": [MIGRATE], "half-way": [HALF_WAY, MIGRATE]}.items()
    )
    assert {kind for kind, *_ in empty} >= {"index", "trigger"}
    assert empty ^ half_way == set()


@pytest.mark.parametrize("app", ["scoring", "tournaments"])
def test_the_squashed_migration_replaces_each_one_up_to_the_last_that_it_names(app: str):
    """Planted fault it catches: one left out, after which an earlier database would never be up to date."""
    names = sorted(name for label, name in MigrationLoader(None).disk_migrations if label == app)
    [squashed] = [name for name in names if name.startswith("0001_squashed_")]
    last = squashed.removeprefix("0001_squashed_")
    replaced = [(app, name) for name in names if name <= last and name != squashed]
    assert MigrationLoader(None).disk_migrations[app, squashed].replaces == replaced


def schema_after(site: Loaded, folder: Path, programs: list[str]) -> set[tuple[str, ...]]:
    """Everything in the schema of a database on which these programs ran."""
    folder.mkdir()
    with fresh_database(folder) as environment:
        for program in programs:
            done = site.run(["-c", program], environment)
            assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        if connection.vendor == "postgresql":
            with connected(environment) as server:
                return {tuple(str(part) for part in row) for row in server.execute(ON_POSTGRESQL)}
        with closing(sqlite3.connect(folder / "rummy.sqlite3")) as database:
            # Columns in any order: a change of a field copied the table and put its references last.
            return {(kind, name, *sorted((sql or "").split(", "))) for kind, name, sql in database.execute(ON_SQLITE)}
