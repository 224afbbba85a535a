"""Promise 14: a backup is proven where it is restored, before it is served, and is never restored over anything."""

import json
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils.timezone import now

from rummy_site.database_release import note_served
from rummy_site.environment import MANIFEST
from rummy_site.operations.backup import NotCopied, digest_of, take_backup
from rummy_site.operations.doctor import examine
from rummy_site.operations.restore import NotRestored, prove_and_open, restore
from rummy_site.startup import CLOSED, why_closed
from tests.builders.backups import backup_words, programs_of_this_server
from tests.builders.club_at_play import deal, new_evening
from tests.builders.fresh_database import new_database
from tests.builders.loaded_site import Loaded
from tests.builders.phones import NearPhone
from tests.builders.playing import finished_pool
from tests.builders.serve import free_port
from tests.builders.unreadable_tables import a_club_with_an_unreadable_table
from tests.conftest import ROOT
from tournaments.management.terminal import UNREAD
from tournaments.models import SiteCheck, Standing
from tournaments.tasks import store_heartbeat

pytestmark = pytest.mark.django_db(transaction=True)
Manage = Callable[..., "subprocess.CompletedProcess[str]"]
SERVED = "import rummy_site.wsgi"


@dataclass
class Place:
    """An empty place for a database, as if on another machine."""

    folder: Path
    environment: dict[str, str]
    loaded_site: Loaded

    @property
    def url(self) -> str:
        return self.environment["DATABASE_URL"]

    def keys(self) -> set[str] | None:
        """The keys in the log there; None where there is no log."""
        try:
            return {key for (key,) in self.ask("SELECT key FROM tournaments_event")}
        except (sqlite3.OperationalError, psycopg.errors.UndefinedTable):
            return None

    def is_closed(self) -> bool:
        try:
            return bool(self.ask(f"SELECT reason FROM {CLOSED}"))
        except (sqlite3.OperationalError, psycopg.errors.UndefinedTable):
            return False

    def ask(self, question: str) -> list[tuple[Any, ...]]:
        if self.url.startswith("sqlite"):
            with closing(sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)) as database:
                return database.execute(question).fetchall()
        with psycopg.connect(self.url.replace("postgres://", "postgresql://")) as database:
            return database.execute(question).fetchall()

    @property
    def file(self) -> Path:
        return self.folder / "rummy.sqlite3"

    def served(self) -> "subprocess.CompletedProcess[str]":
        """A web process that starts there, and ends at once."""
        return self.loaded_site.run(["-c", SERVED], self.environment)

    def words(self, backup: Path) -> list[str]:
        words = ["restore", str(backup)]
        if self.url.startswith("sqlite"):
            return words
        return [*words, "--pg-restore", str(programs_of_this_server() / "pg_restore")]


@pytest.fixture
def place(site_environment: dict[str, str], loaded_site: Loaded, tmp_path: Path) -> Iterator[Place]:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    environment = {**site_environment, "VAR_DIR": str(folder)}
    if connection.vendor == "sqlite":
        yield Place(folder, {**environment, "DATABASE_URL": f"sqlite:///{folder}/rummy.sqlite3"}, loaded_site)
        return
    with new_database("restored") as address:
        yield Place(folder, {**environment, "DATABASE_URL": address}, loaded_site)


@dataclass(frozen=True)
class Taken:
    """A backup as it was taken, the keys that were in the log then, and when it began, in seconds since 1970."""

    folder: Path
    keys: set[str]
    began: int


@pytest.fixture(scope="module")
def _taken() -> list[Taken]:
    """The one backup of this module, once it is there: each test damages or restores a copy of it."""
    return []


@pytest.fixture
def taken(_taken: list[Taken], tmp_path_factory: pytest.TempPathFactory, settings: Any) -> Taken:
    """An evening with a few deals, and its backup; the machine keeps a key of its own."""
    if not _taken:
        folder = tmp_path_factory.mktemp("taken")
        settings.VAR_DIR = folder / "var-of-the-club"
        settings.VAR_DIR.mkdir()
        (settings.VAR_DIR / "secret_key").write_text("the key of the club")
        evening = new_evening()
        phone, table = NearPhone(evening), evening.new_table()
        for played in range(1, 4):
            assert phone.send(deal(table.id, played, random.Random(played))).status_code == 201
        pg_dump = None if connection.vendor == "sqlite" else str(programs_of_this_server() / "pg_dump")
        began = now()
        SiteCheck.objects.create(subject="backups", problem="full", since=began, bad_at=began, good_at=began)
        store_heartbeat("worker", at=began)
        copy = take_backup(folder / "backups", now=began, pg_dump=pg_dump)
        _taken.append(Taken(copy.folder, keys_here(), int(began.timestamp())))
    return _taken[0]


@pytest.fixture
def backup(taken: Taken, tmp_path: Path) -> Path:
    return Path(shutil.copytree(taken.folder, tmp_path / "backups" / taken.folder.name))


def keys_here() -> set[str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT key FROM tournaments_event")
        return {key for (key,) in cursor.fetchall()}


def changed(backup: Path, **told: Any) -> None:
    manifest = json.loads((backup / MANIFEST).read_text())
    (backup / MANIFEST).write_text(json.dumps({**manifest, **told}))


def test_a_restored_backup_is_proven_and_then_served(taken: Taken, backup: Path, place: Place, manage: Manage):
    """Planted faults it catches: a database that stays closed; a key or events left behind.

    And boards with ETags that are used again: a phone may hold lost events, at positions that others will get; backups,
    disks and workers of the machine that it comes from.
    """
    answer = manage(*place.words(backup), **place.environment)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert "proven and open" in answer.stdout
    assert place.keys() == taken.keys
    assert place.ask("SELECT min(version) FROM tournaments_shownversion")[0][0] > taken.began
    assert not place.is_closed()
    for seen_there in ("sitecheck", "workerheartbeat"):
        assert place.ask(f"SELECT count(*) FROM tournaments_{seen_there}") == [(0,)]
    assert (place.folder / "secret_key").read_text() == "the key of the club"
    assert place.served().returncode == 0
    assert manage("prove", **place.environment).returncode == 0


@pytest.mark.slow
def test_code_that_was_gone_back_to_restores_the_backups_that_it_makes(place: Place, manage: Manage, tmp_path: Path):
    """Newer code has migrated, and this code serves beside it: on trial each week, and in earnest.

    Planted fault it catches: the manifest names the last migration, though this code need not know it.
    """
    new_evening()
    recorder = MigrationRecorder(connection)
    recorder.record_applied("tournaments", "9999_later")
    note_served("tournaments", "9999_later")
    pg_dump = None if connection.vendor == "sqlite" else str(programs_of_this_server() / "pg_dump")
    try:
        copy = take_backup(tmp_path / "backups", now=now(), pg_dump=pg_dump)
    finally:
        recorder.migration_qs.filter(name="9999_later").delete()
    for options in (["--try"], []):
        answer = manage(*place.words(copy.folder), *options, **place.environment)
        assert answer.returncode == 0, answer.stdout + answer.stderr
    assert place.keys() == keys_here()
    assert place.served().returncode == 0


def test_what_cannot_be_proven_stays_closed(backup: Path, place: Place, manage: Manage):
    """A club noted a fingerprint that the log in the backup has never had: the log was rewritten.

    Planted faults it catches: opened before the proof; a proof whose result is ignored.
    """
    clubs = json.loads((backup / MANIFEST).read_text())["clubs"]
    changed(backup, clubs=[{**clubs[0], "fingerprint": "2-0000-0000-0000-0000"}])
    answer = manage(*place.words(backup), **place.environment)
    assert answer.returncode == 1
    assert "the database stays closed: not proved: verify_log" in answer.stderr
    assert place.is_closed()
    for refused in (place.served(), manage("serve", "--port", str(free_port()), **place.environment)):
        assert refused.returncode != 0
        assert "the database is closed: it" in refused.stderr
    doctor = manage("doctor", **place.environment)
    assert "opened" in doctor.stderr
    assert manage(*place.words(backup), **place.environment).returncode == 1, "it is not restored over"
    opened = manage("restore", "--here", **place.environment)
    assert opened.returncode == 0, opened.stderr
    assert place.served().returncode == 0
    assert manage("restore", "--here", **place.environment).returncode == 0, "as what other programs have restored"
    assert not place.is_closed()


@pytest.mark.slow
def test_a_worker_does_not_work_on_a_closed_database(backup: Path, place: Place, manage: Manage):
    """Planted fault it catches: money settled from a log that nobody has proven."""
    changed(backup, clubs=[{"fingerprint": "2-0000-0000-0000-0000"}])
    manage(*place.words(backup), **place.environment)
    command = [sys.executable, "-m", "celery", "-A", "rummy_site", "worker", "--pool", "solo"]
    environment = {**place.environment, "CELERY_BROKER_URL": "filesystem://localhost"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode != 0
    assert "worker refused: the database is closed" in done.stdout + done.stderr


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def given_a_key(backup: Path) -> None:
    """The backup of a site that had its key in the environment, with a key that somebody laid beside it."""
    manifest = json.loads((backup / MANIFEST).read_text())
    del manifest["files"]["secret_key"]
    changed(backup, files=manifest["files"])


def led_out(backup: Path) -> None:
    """The manifest names a file outside the backup, whole and with the right digest."""
    shutil.copy(next(backup.glob("rummy.*")), backup.parent / "outside")
    changed(backup, file="../outside")


HARM: dict[str, tuple[Callable[[Path], object], str]] = {
    "database": (lambda backup: flipped(next(backup.glob("rummy.*"))), "was changed since the backup was taken"),
    "key": (lambda backup: flipped(backup / "secret_key"), "secret_key was changed since"),
    "missing": (lambda backup: next(backup.glob("rummy.*")).unlink(), "is not there"),
    "foreign": (lambda backup: (backup / "stowaway").touch(), "stowaway is not part of the backup"),
    "a key": (given_a_key, "secret_key is not part of the backup"),
    "newer": (lambda backup: changed(backup, migrations={"tournaments": "9999_next"}), "newer code, which has tourn"),
    "no manifest": (lambda backup: (backup / MANIFEST).unlink(), "was never finished"),
    "torn manifest": (lambda backup: (backup / MANIFEST).write_text('{"file":'), "cannot be read"),
    "odd manifest": (lambda backup: (backup / MANIFEST).write_text("[1]"), "cannot be read"),
    "deep manifest": (lambda backup: (backup / MANIFEST).write_text('{"a":' * 100_000), "cannot be read"),
    "a number for a name": (lambda backup: changed(backup, file=5), "cannot be read"),
    "a list for names": (lambda backup: changed(backup, migrations=["0001"]), "cannot be read"),
    "a name too long": (lambda backup: changed(backup, file="x" * 5_000), "is not there"),
    "a way out": (led_out, "../outside is not there"),
}


def test_a_backup_that_is_not_as_it_was_written_is_named(taken: Taken, tmp_path: Path):
    """Planted faults it catches: the database's digest alone compared; a path of the manifest followed; a key restored
    that the manifest does not list.
    """
    for what, (do, said) in HARM.items():
        backup = Path(shutil.copytree(taken.folder, tmp_path / what / taken.folder.name))
        do(backup)
        with pytest.raises(NotRestored, match=said):
            restore(backup, noted=[], pg_restore=None, write=print)


def test_a_damaged_backup_leaves_the_place_empty(backup: Path, place: Place, manage: Manage):
    """Planted fault it catches: restored first and compared afterwards."""
    flipped(next(backup.glob("rummy.*")))
    answer = manage(*place.words(backup), **place.environment)
    assert answer.returncode == 1
    assert "nothing was restored" in answer.stderr
    assert place.keys() is None
    assert not place.is_closed()
    assert not place.file.exists()


def test_nothing_is_ever_restored_over_anything(backup: Path, place: Place, manage: Manage):
    """Planted fault it catches: yesterday's copy over today's evening, by a mistake in DATABASE_URL."""
    assert manage(*place.words(backup), **place.environment).returncode == 0
    before = place.keys()
    again = manage(*place.words(backup), **place.environment)
    assert again.returncode == 1
    assert "already: restore into" in again.stderr
    assert place.keys() == before
    assert not place.is_closed()
    assert place.served().returncode == 0


def gone_on_with(place: Place, words: list[str]) -> subprocess.CompletedProcess[str]:
    return place.loaded_site.run(["manage.py", *words], place.environment)


@pytest.mark.slow
def test_a_restore_that_is_killed_leaves_nothing_or_a_whole_database_that_is_closed(
    taken: Taken, backup: Path, place: Place
):
    """Killed at five moments; the place is then empty, or holds a whole, closed database with which restore continues.

    Planted faults it catches: the database put under its name before it is whole; opened before it is proven.
    """
    command = [sys.executable, "manage.py", *place.words(backup)]
    for pause in (0.9, 1.3, 1.7, 2.2, 3.0):
        process = subprocess.Popen(
            command, cwd=ROOT, env=place.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        time.sleep(pause)
        process.send_signal(signal.SIGKILL)
        said = process.communicate()[0]
        keys = place.keys()
        assert keys is None or keys == taken.keys
        if keys is not None:
            assert place.is_closed() or "proven and open" in said or place.served().returncode == 0
            break
    if place.keys() is None or place.is_closed():
        done = gone_on_with(place, place.words(backup) if place.keys() is None else ["restore", "--here"])
        if "restore --here" in done.stderr:
            # A server may finish the last statement of a client that was killed: then it says what to do.
            done = gone_on_with(place, ["restore", "--here"])
        assert done.returncode == 0, done.stdout + done.stderr
    assert place.keys() == taken.keys
    assert place.served().returncode == 0


def test_a_copy_that_is_only_laid_in_place_is_closed(backup: Path, place: Place, manage: Manage):
    """Planted fault it catches: a file copied by hand and served before it was proven."""
    if connection.vendor != "sqlite":
        pytest.skip("a dump is a database only once somebody restores it")
    shutil.copy(backup / "rummy.sqlite3", place.file)
    assert "the database is closed: it is a copy, taken on" in place.served().stderr
    assert manage("restore", "--here", **place.environment).returncode == 0
    assert place.served().returncode == 0


@pytest.mark.slow
def test_a_backup_of_an_earlier_release_is_restored_too(taken: Taken, backup: Path, place: Place, manage: Manage):
    """Its manifest listed the database alone, and its copy was not closed.

    Planted fault it catches: everything without the new fields called damaged.
    """
    manifest = json.loads((backup / MANIFEST).read_text())
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(backup / manifest["file"])) as copy:
            copy.execute(f"DROP TABLE {CLOSED}")
            copy.commit()
    old = {name: manifest[name] for name in ("taken_at", "database", "file", "bytes", "clubs")}
    (backup / MANIFEST).write_text(json.dumps({**old, "sha256": digest_of(backup / manifest["file"])}))
    answer = manage(*place.words(backup), **place.environment)
    assert answer.returncode == 0, answer.stderr
    assert place.keys() == taken.keys
    assert not place.is_closed()


@pytest.mark.slow
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="a dump is not written in")
def test_what_newer_code_has_written_stays_closed_whatever_its_manifest_says(
    backup: Path, place: Place, manage: Manage
):
    """Planted fault it catches: only the manifest checked, which is empty if it was made by hand."""
    manifest = json.loads((backup / MANIFEST).read_text())
    with closing(sqlite3.connect(backup / manifest["file"])) as copy:
        copy.execute("INSERT INTO django_migrations (app, name, applied) VALUES ('tournaments', '9999_next', '2030')")
        copy.commit()
    changed(backup, sha256=digest_of(backup / manifest["file"]), migrations={}, files={})
    (backup / "secret_key").unlink()
    answer = manage(*place.words(backup), **place.environment)
    assert answer.returncode == 1
    assert "it was written by newer code, which has tournaments 9999_next: update first" in answer.stderr
    assert place.is_closed()
    assert "newer code" in manage("restore", "--here", **place.environment).stderr


def test_a_closed_database_is_not_backed_up(backup: Path, place: Place, manage: Manage, tmp_path: Path):
    """Planted fault it catches: a copy of an unproven database that looks like any other."""
    changed(backup, clubs=[{"fingerprint": "2-0000-0000-0000-0000"}])
    manage(*place.words(backup), **place.environment)
    answer = manage(*backup_words(tmp_path / "second"), **place.environment)
    assert answer.returncode == 1
    assert "the database is closed" in answer.stderr


def test_what_cannot_be_read_is_backed_up_told_and_restored(place: Place, manage: Manage, tmp_path: Path):
    """An update made an event unreadable: until a director excludes it, backups of the evenings are possible.

    Planted faults it catches: a copy that is deleted for it; one that is kept without a message; a restore that stays
    closed, or opens without a message; a doctor who does not report it.
    """
    bad, stored = a_club_with_an_unreadable_table()
    where = f"{bad.row.tournament.club.slug}: position {stored.position}"
    taken = manage(*backup_words(tmp_path / "backups"), "--keep", "1")
    assert taken.returncode == UNREAD == 3, taken.stderr
    assert "the backup was made, but 1 events in it cannot be read: manage.py leave_out" in taken.stderr
    assert f"cannot be read: {where}" in taken.stdout
    (folder,) = (tmp_path / "backups").iterdir()
    (noted,) = json.loads((folder / MANIFEST).read_text())["unreadable"]
    assert noted.startswith(where)
    answer = manage(*place.words(folder), **place.environment)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    assert answer.stdout.index("proved but for events that cannot be read") < answer.stdout.index("\nopen")
    assert "proven and open" not in answer.stdout
    assert not place.is_closed()
    assert place.keys() == keys_here()
    assert f"warning  events       cannot be read: {where}" in manage("doctor", **place.environment).stdout


@pytest.mark.slow
def test_what_was_changed_stays_closed_although_something_cannot_be_read(place: Place, manage: Manage, tmp_path: Path):
    """Planted fault it catches: an event that cannot be read taken as an excuse for everything else."""
    a_club_with_an_unreadable_table()
    manage(*backup_words(tmp_path / "backups"))
    (folder,) = (tmp_path / "backups").iterdir()
    changed(folder, clubs=[{"fingerprint": "2-0000-0000-0000-0000"}])
    answer = manage(*place.words(folder), **place.environment)
    assert answer.returncode == 1
    assert "the database stays closed: not proved: verify_log" in answer.stderr
    assert place.is_closed()


@pytest.mark.slow
def test_a_copy_that_was_changed_is_no_backup_although_something_cannot_be_read(tmp_path: Path):
    """Planted fault it catches: the exit status of the proof taken alone, whatever it found."""
    if connection.vendor != "sqlite":
        pytest.skip("a dump is proven where it is restored")
    bad, _ = a_club_with_an_unreadable_table()
    Standing.objects.filter(table=bad.row).delete()
    good = finished_pool()
    Standing.objects.filter(table=good.row).delete()
    with pytest.raises(NotCopied, match="not proved: rebuild"):
        take_backup(tmp_path / "backups", now=now(), pg_dump=None)
    assert list((tmp_path / "backups").iterdir()) == []


def test_the_doctor_says_that_every_event_is_read():
    finished_pool()
    assert [finding.text for finding in examine(now=now()) if finding.subject == "events"] == [
        "every event can be read"
    ]


@pytest.mark.django_db
def test_a_site_at_work_is_not_closed_by_a_proof_that_was_meant_for_another():
    """Planted fault: `restore --here`, typed on the machine that serves, closes it before the proof."""
    store_heartbeat("worker", at=now())
    with pytest.raises(NotRestored, match="a worker was seen here 90 seconds ago or less"):
        prove_and_open([], write=print)
    assert why_closed(connection) is None
