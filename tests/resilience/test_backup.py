"""Promise 14: a backup taken during play restores to a state that verifies and holds all acknowledged before it."""

import hashlib
import json
import random
import shutil
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
from django.db import connection
from django.utils.timezone import now

from rummy_site.operations import backup
from rummy_site.operations import backup as taking
from rummy_site.operations.backup import NotCopied
from tests.builders.backups import backup_words, programs_of_this_server
from tests.builders.club_at_play import Evening, close, deal, new_evening
from tests.builders.fresh_database import new_database
from tests.builders.patience import PATIENCE
from tests.builders.phones import NearPhone
from tests.conftest import ROOT

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]
Manage = Callable[..., "subprocess.CompletedProcess[str]"]
WRITERS = 2
DEALS_A_TABLE = 5
BETWEEN_DEALS_SECONDS = 0.1


@dataclass
class Play:
    """Writers at work in this process; `acknowledged` is what they have been answered so far."""

    state: Evening
    acknowledged: list[str] = field(default_factory=list)
    stopping: threading.Event = field(default_factory=threading.Event)

    def write(self, number: int) -> None:
        evening, chance = self.state.beside(), random.Random(number)
        phone = NearPhone(evening)
        try:
            while not self.stopping.is_set():
                table = evening.new_table()
                writes = [deal(table.id, played, chance) for played in range(1, DEALS_A_TABLE + 1)]
                for write in [*writes, close(table.id, DEALS_A_TABLE)]:
                    if phone.send(write).status_code == 201:
                        self.acknowledged.append(write.key)
                    self.stopping.wait(BETWEEN_DEALS_SECONDS)
        finally:
            connection.close()

    def wait_for(self, count: int) -> None:
        while len(self.acknowledged) < count:
            assert not self.stopping.wait(0.02)


@pytest.fixture
def play() -> Iterator[Play]:
    play = Play(new_evening())
    writers = [threading.Thread(target=play.write, args=[number], daemon=True) for number in range(WRITERS)]
    for writer in writers:
        writer.start()
    try:
        yield play
    finally:
        play.stopping.set()
        for writer in writers:
            writer.join(PATIENCE)


@dataclass(frozen=True)
class Restored:
    """A database restored elsewhere: its address, and the keys in its log."""

    url: str
    keys: set[str]


@contextmanager
def restored(folder: Path, manifest: dict[str, str], elsewhere: Path) -> Iterator[Restored]:
    """The backup, restored as docs/how-to/backups.md says."""
    elsewhere.mkdir()
    if (folder / "secret_key").exists():
        shutil.copy(folder / "secret_key", elsewhere)
    if manifest["database"] == "sqlite":
        copy = Path(shutil.copy(folder / manifest["file"], elsewhere))
        with closing(sqlite3.connect(copy)) as database:
            rows = database.execute("SELECT key FROM tournaments_event").fetchall()
            yield Restored(f"sqlite:///{copy}", {str(UUID(bytes=key)) for (key,) in rows})
        return
    with new_database("restored") as url:
        library = url.replace("postgres://", "postgresql://")
        program = programs_of_this_server() / "pg_restore"
        subprocess.run([program, "--no-owner", "--dbname", library, folder / manifest["file"]], check=True)
        with psycopg.connect(library) as database:
            rows = database.execute("SELECT key::text FROM tournaments_event").fetchall()
        yield Restored(url, {key for (key,) in rows})


def test_a_backup_taken_during_play_restores_to_all_that_was_acknowledged_before_it(
    play: Play, manage: Manage, tmp_path: Path
):
    """Two writers continue while the copy is made; the copy is opened elsewhere by the commands a club would use.

    Planted faults it catches: the database file copied without its write-ahead log; tables dumped one by one, each
    at a moment of its own; how far the log had come noted after the copy instead of before it; a folder that others
    can read; a manifest whose digest is not that of the file.
    """
    play.wait_for(20)
    before = set(play.acknowledged)
    answer = manage(*backup_words(tmp_path / "backups"))
    assert answer.returncode == 0, answer.stderr
    play.wait_for(len(before) + 5)
    play.stopping.set()

    (folder,) = (tmp_path / "backups").iterdir()
    manifest = json.loads((folder / "manifest.json").read_text())
    assert str(folder) in answer.stdout
    assert manifest["sha256"] == hashlib.sha256((folder / manifest["file"]).read_bytes()).hexdigest()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    with restored(folder, manifest, tmp_path / "elsewhere") as copy:
        assert before <= copy.keys
        there = {"DATABASE_URL": copy.url, "VAR_DIR": str(tmp_path / "elsewhere")}
        noted = [word for club in manifest["clubs"] for word in ("--noted", club["fingerprint"])]
        proof = manage("prove", *noted, **there)
        assert proof.returncode == 0, proof.stdout + proof.stderr


def test_the_medium_of_a_backup_may_have_any_name(manage: Manage, tmp_path: Path):
    """Planted fault it catches: another file proven, because an address ends at the `#` of "USB #1"."""
    new_evening().new_table()
    medium = tmp_path / "USB #1, 50%41?"
    taken = manage(*backup_words(medium))
    assert taken.returncode == 0, taken.stdout + taken.stderr
    assert {path.name for path in tmp_path.iterdir()} - {"var"} == {medium.name}


@pytest.mark.slow
def test_a_full_disk_leaves_no_half_of_a_backup_and_every_older_one(site_environment: dict[str, str], tmp_path: Path):
    """Planted faults it catches: an older one deleted to make room; a draft that fills what is left."""
    new_evening().new_table()
    words = [sys.executable, "manage.py", *backup_words(tmp_path / "backups"), "--keep", "1"]
    subprocess.run(words, cwd=ROOT, env=site_environment, check=True, stdout=subprocess.DEVNULL)
    before = set((tmp_path / "backups").iterdir())
    limited = ["bash", "-c", 'ulimit -f 16; exec "$@"', "bash", *words]
    done = subprocess.run(limited, cwd=ROOT, env=site_environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stdout
    assert "no backup was made: " in done.stderr
    assert set((tmp_path / "backups").iterdir()) == before


@pytest.mark.slow
def test_a_copy_that_does_not_verify_is_no_backup(tmp_path: Path):
    """The database was tampered with: the person who takes the backup learns it now, not on the day it is needed.

    Planted fault it catches: a copy that is only checked for being readable.
    """
    if connection.vendor != "sqlite":
        pytest.skip("a dump is verified where it is restored")
    new_evening().new_table()
    with connection.cursor() as cursor:
        cursor.execute("SELECT sql FROM sqlite_master WHERE name = 'tournaments_event_no_update'")
        (guard,) = cursor.fetchone()
        cursor.execute("DROP TRIGGER tournaments_event_no_update")
        cursor.execute("UPDATE tournaments_event SET body = replace(body, ':200', ':201') WHERE position = 2")
        cursor.execute(guard)
    with pytest.raises(NotCopied, match="first bad position 2"):
        taking.take_backup(tmp_path / "backups", now=now(), pg_dump=None)
    assert list((tmp_path / "backups").iterdir()) == []


def test_without_pg_dump_the_message_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Planted fault it catches: an empty folder left behind as if it were a backup."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite brings its own backup")
    monkeypatch.setattr(backup, "DEBIAN_HOME", tmp_path)
    monkeypatch.setattr("rummy_site.operations.backup.shutil.which", lambda name: None)
    with pytest.raises(NotCopied, match="postgresql-client"):
        taking.take_backup(tmp_path / "backups", now=now(), pg_dump=None)
    assert list((tmp_path / "backups").iterdir()) == []
