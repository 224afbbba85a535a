"""An update while a backup reads and people write: `migrate` waits for the backup, and nobody waits for `migrate`.

Planted faults these catch: a migration that waits for a table, with everybody behind it; an index that is built while
nobody may write.
"""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import psycopg
import pytest
from django.db import connection

from tests.builders.fresh_database import connected, new_database
from tests.builders.loaded_site import ROOT
from tests.builders.patience import PATIENCE
from tests.plugins.postgres import MIGRATED

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'postgresql'", reason="nobody waits for a reader of SQLite"),
]
PLANTED = """
import django; django.setup()
from django.core.management import execute_from_command_line
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from rummy_site.management.commands import migrate
from scoring.storage.indexes import AddIndexConcurrently

migrate.PAUSE_SECONDS = 1
load_disk = MigrationLoader.load_disk

def load_planted(self):
    load_disk(self)
    last = max(name for app, name in self.disk_migrations if app == "tournaments")
    planted = migrations.Migration("9999_planted", "tournaments")
    planted.dependencies = [("tournaments", last)]
    planted.operations = [OPERATION]
    planted.atomic = not isinstance(planted.operations[0], AddIndexConcurrently)
    self.disk_migrations["tournaments", "9999_planted"] = planted

MigrationLoader.load_disk = load_planted
execute_from_command_line(["manage.py", "migrate", "--skip-checks"])
"""
# As a backup reads, and as a web process writes.
READS = "SELECT count(*) FROM tournaments_player"
WRITES = "UPDATE tournaments_player SET member_number = member_number WHERE false"
WEB_WAITS = "SET lock_timeout = '4500ms'"


class Writer(threading.Thread):
    """A web process that writes all the time."""

    def __init__(self, environment: dict[str, str]) -> None:
        super().__init__()
        self.environment = environment
        self.is_over = threading.Event()
        self.refusals: list[Exception] = []

    def run(self) -> None:
        with connected(self.environment) as database:
            database.execute(WEB_WAITS)
            while not self.is_over.wait(0.02):
                try:
                    database.execute(WRITES)
                except psycopg.errors.LockNotAvailable as error:
                    self.refusals.append(error)


@pytest.mark.parametrize(
    "operation",
    [
        'migrations.AddField("player", "later", models.CharField(max_length=9, default="", db_default=""))',
        'AddIndexConcurrently("player", models.Index(fields=["member_number"], name="planted"))',
    ],
    ids=["field", "index"],
)
def test_migrate_waits_for_a_backup_and_nobody_who_writes_waits_for_it(operation: str, tmp_path: Path):
    settings = {"DJANGO_SETTINGS_MODULE": "rummy_site.settings", "VAR_DIR": str(tmp_path), "PYTHONUNBUFFERED": "1"}
    log = tmp_path / "migrate.log"
    # The database of this process is as empty; it stands in where the server was given to the run.
    empty = os.environ.get(MIGRATED, str(connection.settings_dict["NAME"]))
    connection.close()
    with new_database("beside", empty) as address:
        environment = {**os.environ, **settings, "DATABASE_URL": address}
        writer = Writer(environment)
        with connected(environment) as reader, log.open("w") as file:
            reader.execute("SET application_name = 'pg_dump'")
            reader.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            reader.execute(READS)
            writer.start()
            command = [sys.executable, "-c", PLANTED.replace("OPERATION", operation)]
            process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file, stderr=file)
            try:
                deadline = time.monotonic() + PATIENCE
                while f"pg_dump (process {reader.info.backend_pid}, since " not in log.read_text():
                    assert process.poll() is None, log.read_text()
                    assert time.monotonic() < deadline, log.read_text()
                    assert writer.refusals == []
                    time.sleep(0.1)
                # It goes on waiting.
                time.sleep(3)
                assert process.poll() is None, log.read_text()
                reader.execute("COMMIT")
                assert process.wait(PATIENCE) == 0, log.read_text()
            finally:
                process.kill()
                process.wait()
                writer.is_over.set()
                writer.join()
        with connected(environment) as database:
            assert database.execute("SELECT count(*) FROM pg_index WHERE NOT indisvalid").fetchone() == (0,)
        assert writer.refusals == []
