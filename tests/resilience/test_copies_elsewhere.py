"""The recipes of docs/how-to/backups.md that copy backups elsewhere, encrypted: run as printed, and back again."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils.timezone import now

from rummy_site.backup_folder import backups_in, last_tries
from rummy_site.worker import nightly
from rummy_site.worker.nightly import keep_backups
from tests.builders.backups import blocks_of, require_programs
from tests.builders.club_at_play import Evening, new_evening
from tests.builders.serve import free_port
from tests.builders.waiting import wait_until
from tests.conftest import ROOT
from tournaments.privacy import erase_player, list_erasures_beside

pytestmark = [
    pytest.mark.slow,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="what is copied are files"),
]


@dataclass(frozen=True)
class Machine:
    """A club's machine with a table in its log, and the shell of whoever follows the page."""

    evening: Evening
    folder: Path
    environment: dict[str, str]

    @property
    def backups(self) -> Path:
        return self.folder / "backups" / "rummy"

    @property
    def program(self) -> Path:
        return self.folder / "etc" / "copy"

    def save(self, text: str) -> None:
        self.program.write_text(text)
        self.program.chmod(0o700)

    def back_up(self) -> Path:
        self.run(f"rummy-evening manage backup {self.backups} --keep 1")
        return backups_in(self.backups, now=now())[0][1]

    def run(self, script: str) -> str:
        command = ["bash", "-e", "-c", script]
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}{done.stderr}"
        return done.stdout

    def copy_elsewhere(self) -> str:
        """As the worker does; what went wrong."""
        keep_backups(self.backups, now=now())
        tried = last_tries(self.backups, now=now()).elsewhere
        assert tried is not None
        return tried.problem

    def lose_everything(self) -> None:
        shutil.rmtree(self.folder / "backups")

    def keys(self) -> set[bytes]:
        """Those in the log of the database that was restored."""
        with closing(sqlite3.connect(self.folder / "new" / "rummy.sqlite3")) as database:
            return {key for (key,) in database.execute("SELECT key FROM tournaments_event")}


@pytest.fixture
def machine(
    tmp_path: Path, site_environment: dict[str, str], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> Machine:
    evening = new_evening()
    evening.new_table()
    for name in ("etc", "backups/rummy", "new", "bin", "other", "keys"):
        (tmp_path / name).mkdir(parents=True)
    # The installed command, and the one that root has for the service's user; there is no such user here.
    for name, text in {
        "rummy-evening": f'shift\nexec {sys.executable} {ROOT}/manage.py "$@"',
        "chown": '[ "$1 $2" = "--recursive rummy:" ]',
    }.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (tmp_path / "bin" / name).chmod(0o700)
    environment = site_environment | {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    made = Machine(evening, tmp_path, environment)
    settings.BACKUP_THEN = str(made.program)
    monkeypatch.setattr(nightly, "is_backup_due", lambda *_, **__: False)
    monkeypatch.setattr(nightly, "is_restore_due", lambda *_, **__: False)
    # What failed is not waited for.
    monkeypatch.setattr(nightly, "AGAIN", nightly.QUIET * 0)
    return made


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A store that speaks S3, for programs that go through a proxy."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    with subprocess.Popen(
        [sys.executable, "-m", "moto.proxy", "--port", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as store:
        wait_until(lambda: answers(address))
        monkeypatch.setenv("HTTP_PROXY", address)
        yield "s3:http://s3.amazonaws.com/rummy-backups"
        store.terminate()


def answers(address: str) -> bool:
    try:
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(address, timeout=1).close()
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False
    return True


@pytest.mark.parametrize("kind", ["folder", "s3"])
def test_restic_copies_what_is_new_forgets_what_is_old_and_gives_it_back(
    kind: str, machine: Machine, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
):
    """Planted faults: a snapshot of each folder alone, none of which is ever forgotten; a repository that only grows
    because the machine has another name; a failure that nobody is told of.
    """
    require_programs("restic")
    folder, printed = machine.folder, "s3:https://s3.amazonaws.com/rummy-backups"
    repository = request.getfixturevalue("bucket") if kind == "s3" else str(folder / "other" / "repository")
    monkeypatch.setenv("RESTIC_CACHE_DIR", str(folder / "cache"))
    machine.environment.update(
        {name: os.environ[name] for name in ("HTTP_PROXY", "RESTIC_CACHE_DIR") if name in os.environ}
    )
    where, begin, program, get_back = blocks_of(
        "With restic: another disk, another machine, S3",
        {
            printed: repository,
            "/etc/rummy": str(folder / "etc"),
            "/restored/backups/rummy": f"{folder}/restored{machine.backups}",
            "/restored": f"{folder}/restored",
        },
    )
    (folder / "etc" / "restic").write_text(where)
    machine.save(program)
    first = machine.back_up()
    assert "restic-password" in machine.copy_elsewhere()
    machine.run(begin)
    machine.run(f". {folder}/etc/restic; restic backup --host old --time '2020-01-01 00:00:00' {machine.backups}")
    assert machine.copy_elsewhere() == ""
    [snapshot] = json.loads(machine.run(f". {folder}/etc/restic; restic snapshots --json"))
    assert snapshot["paths"] == [str(machine.backups)]
    keys = event_keys()
    machine.lose_everything()
    assert f"every file of {folder}/restored{first}" in machine.run(in_the_new_place(machine, get_back))
    assert machine.keys() == keys


def test_what_age_has_encrypted_rotates_with_the_backups_and_comes_back_with_either_key(machine: Machine):
    """Planted faults: copies that only grow; half of one under the name of a whole; a player who was erased is back."""
    require_programs("age", "rsync")
    folder, other = machine.folder, machine.folder / "other"
    make_keys, program, get_back = blocks_of(
        "With age: files that only your key opens",
        {
            "rummy@other.example:rummy/": f"{other}/",
            "/etc/rummy": str(folder / "etc"),
            "/sealed": str(folder / "sealed"),
            "/keys": str(folder / "keys"),
            "/restored": str(folder / "restored"),
        },
    )
    machine.save(program)
    first = machine.back_up()
    assert "age-recipients" in machine.copy_elsewhere()
    assert not list(other.iterdir())
    machine.run(make_keys)
    assert machine.copy_elsewhere() == ""
    assert [path.name for path in other.iterdir()] == [f"{first.name}.tar.age"]
    machine.back_up()
    assert machine.copy_elsewhere() == ""
    newest = machine.back_up()
    assert not first.exists()
    erase_player(machine.evening.players[0], now=now(), with_balance=True)
    list_erasures_beside(machine.backups)
    assert machine.copy_elsewhere() == ""
    copies = [path.name for path in sorted(other.glob("*.age"))]
    assert copies == [f"{path.name}.tar.age" for _, path in reversed(backups_in(machine.backups, now=now()))]
    assert copies[-1] == f"{newest.name}.tar.age"
    assert b"SQLite" not in (other / copies[-1]).read_bytes()
    keys = event_keys()
    machine.lose_everything()
    shown = machine.run(in_the_new_place(machine, get_back))
    assert "1 players were erased after the backup was taken, and are again" in shown
    assert machine.keys() == keys


def in_the_new_place(machine: Machine, script: str) -> str:
    """On another machine, where no database is yet."""
    new = machine.folder / "new"
    return f"export VAR_DIR={new} DATABASE_URL=sqlite:///{new}/rummy.sqlite3\n{script}"


def event_keys() -> set[bytes]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT key FROM tournaments_event")
        return {bytes(key) for (key,) in cursor.fetchall()}
