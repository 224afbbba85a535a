"""PostgreSQL returns to a minute by the recipe of docs/how-to/backups.md, run as it is printed."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import settings

from tests.builders.backups import blocks_of
from tests.builders.waiting import wait_until
from tests.conftest import OUR_OWN, ROOT
from tests.plugins import postgres
from tests.plugins.servers import Server

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.skipif("sqlite" in settings.DATABASES["default"]["ENGINE"], reason="SQLite has no log to archive"),
]
BEGIN = """
import django; django.setup()
from tests.builders.club_at_play import new_evening
evening = new_evening()
evening.new_table()
print(evening.tournament.pk, evening.players[0].pk)
"""
GO_ON = """
import django; django.setup()
import sys
from pathlib import Path
from django.utils.timezone import now
from tests.builders.playing import context
from tournaments.models import Player, Table, Tournament
from tournaments.privacy import erase_player, list_erasures_beside
from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table
tournament, player, folder = sys.argv[1:]
seats = [SeatedPlayer(number=seat.number, player=seat.player_id) for seat in Table.objects.get().seats.all()]
open_table(Tournament.objects.get(pk=tournament), TableDraft(number=1, round=2, seats=seats), context=context())
erase_player(Player.objects.get(pk=player), now=now(), with_balance=True)
list_erasures_beside(Path(folder))
"""

KEYS = "SELECT key FROM tournaments_event ORDER BY position"


@dataclass(frozen=True)
class Site:
    """A PostgreSQL server that archives its log below a folder of its own, and commands on its database."""

    server: Server
    address: str
    command: list[str]
    environment: dict[str, str]

    @property
    def archive(self) -> Path:
        return self.server.folder / "archive" / "rummy"

    def start(self) -> None:
        self.server.start(self.command, is_up=self.takes_writes)

    def takes_writes(self) -> bool:
        with suppress(psycopg.OperationalError):
            return self.ask("SELECT pg_is_in_recovery()") == [(False,)]
        return False

    def ask(self, question: str) -> list[Any]:
        with psycopg.connect(self.address, autocommit=True) as database:
            return database.execute(question).fetchall()

    def shell(self, script: str, **variables: str) -> None:
        """As the user that PostgreSQL runs as."""
        sockets = self.address.rpartition("host=")[2]
        path = f"{Path(self.command[0]).parent}:$PATH"
        lines = [f"export {name}='{value}'" for name, value in variables.items()]
        lines += [f"export PATH={path} PGUSER=postgres PGHOST={sockets}", script]
        self.server.run(["bash", "-e", "-c", "\n".join(lines)])

    def make_base_backup(self, script: str) -> str:
        before = set(self.archive.glob("base-*"))
        self.shell(script)
        [new] = set(self.archive.glob("base-*")) - before
        # Its name has whole seconds.
        time.sleep(1)
        return new.name

    def archive_the_rest(self) -> None:
        [(segment,)] = self.ask("SELECT pg_walfile_name(pg_switch_wal())")
        wait_until((self.archive / "wal" / segment).exists)

    def run(self, *words: str, status: int = 0) -> str:
        command = [sys.executable, *words]
        done = subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """With a server for this test alone: it will be killed."""
    monkeypatch.setenv(postgres.MIGRATED, "")
    server = Server("archived")
    (server.folder / "archive").mkdir()
    address = postgres.start_migrated(server)
    server.give(server.folder)
    passed = {name: value for name, value in os.environ.items() if name not in OUR_OWN}
    ours = {"DATABASE_URL": address, "VAR_DIR": str(tmp_path / "var"), "BACKUP_DIR": str(tmp_path)}
    environment = {**passed, **ours, "DJANGO_SETTINGS_MODULE": "rummy_site.settings", "LOG_LEVEL": "ERROR"}
    library = address.replace("postgres://", "postgresql://")
    with psycopg.connect(library, dbname="postgres", autocommit=True) as database:
        # It is kept closed, so that it can be copied.
        database.execute(f"ALTER DATABASE {postgres.DATABASE} ALLOW_CONNECTIONS true")
    assert server.process
    command = Path(f"/proc/{server.process.pid}/cmdline").read_text().split("\0")[:-1]
    yield Site(server, library, command, environment)
    # Stopped in order, it would try to archive first.
    server.kill()
    server.stop()


def test_the_database_is_as_it_was_at_a_minute_and_who_was_erased_since_is_erased(site: Site, tmp_path: Path):
    """Planted faults: the last base backup taken, which is younger than the moment; a log that is cleared up to the
    younger of two; a restored database that is served before it is proven, with the names of erased players.
    """
    data, archive = site.server.folder / "data", site.archive
    folders, setting, base_backup, restore, open_again = blocks_of(
        "PostgreSQL to the minute", {"/archive/rummy": str(archive)}
    )
    site.shell(folders)
    site.server.end()
    with (data / "postgresql.conf").open("a") as conf:
        conf.write(setting)
    site.start()

    site.make_base_backup(base_backup)
    tournament, player = site.run("-c", BEGIN).split()
    base = site.make_base_backup(base_backup)
    keys = site.ask(KEYS)
    [(moment,)] = site.ask("SELECT clock_timestamp()::text")
    site.run("-c", GO_ON, tournament, player, str(tmp_path))
    younger = site.make_base_backup(base_backup)
    assert sorted(path.name for path in archive.glob("base-*")) == [base, younger]
    site.archive_the_rest()
    assert len(site.ask(KEYS)) > len(keys)
    site.server.kill()

    site.shell(restore, data=str(data), base=base, moment=moment)
    site.start()
    assert site.ask(KEYS) == keys
    name = f"SELECT name FROM tournaments_player WHERE id = '{player}'"
    assert site.ask(name) == [("Asha",)]
    assert open_again == "manage.py restore --here\n"
    shown = site.run(*open_again.split())
    assert "1 players were erased after the backup was taken, and are again" in shown
    assert "proven and open" in shown
    assert site.ask(name) == [("Erased player",)]

    (archive / "wal").rename(archive / "gone")
    site.ask("SELECT pg_switch_wal()")
    wait_until(lambda: site.ask("SELECT failed_count > 0 FROM pg_stat_archiver") == [(True,)])
    assert "the write-ahead log is not archived" in site.run("manage.py", "doctor", status=1)
