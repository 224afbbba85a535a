"""Backups that nobody must remember: when one is due, and what is told of those that failed."""

import fcntl
import os
import random
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.utils.timezone import now

from rummy_site.backup_folder import LONGEST, Tries, Try, backups_in, last_tries
from rummy_site.environment import ENDS_WITH_PARENT
from rummy_site.operations.doctor import Level, examine
from rummy_site.worker import nightly
from rummy_site.worker.nightly import is_backup_due, is_copy_due, is_restore_due, keep_backups
from tests.builders.backups import backup_words, programs_of_this_server
from tests.builders.club_at_play import close, deal, new_evening
from tests.builders.phones import NearPhone
from tests.builders.waiting import wait_until
from tests.conftest import ROOT
from tournaments.models import Scoresheet


def backup_of(folder: Path, moment: datetime) -> Path:
    path = folder / f"rummy-{moment:%Y%m%dT%H%M%SZ}"
    path.mkdir()
    (path / "manifest.json").write_text("{}")
    return path


def played(moment: datetime) -> Callable[..., dict[str, datetime]]:
    return lambda **_: {"last": moment}


def status_of(process: int) -> str:
    """As the kernel has it; empty for one that has ended."""
    try:
        status = Path(f"/proc/{process}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
    return "" if "\nState:\tZ" in status else status


def children_of(process: int) -> list[int]:
    others = [int(path.name) for path in Path("/proc").glob("[0-9]*")]
    return [other for other in others if f"\nPPid:\t{process}\n" in status_of(other)]


def databases_on_trial() -> list[Any]:
    if connection.vendor == "sqlite":
        return []
    with connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE datname LIKE '%on_trial'")
        return list(cursor.fetchall())


@pytest.mark.django_db
def test_a_backup_is_due_each_day_but_not_while_people_play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Planted faults: a copy in the middle of the evening; an evening that never ends, and no copy at all."""
    moment = now()
    assert is_backup_due(tmp_path, now=moment)
    backup_of(tmp_path, moment)
    assert not is_backup_due(tmp_path, now=moment + timedelta(hours=23))
    assert is_backup_due(tmp_path, now=moment + timedelta(hours=25))
    for hours, is_due in ((25, False), (29, False), (31, True)):
        at = moment + timedelta(hours=hours)
        monkeypatch.setattr(Scoresheet.objects, "aggregate", played(at - timedelta(minutes=2)))
        assert is_backup_due(tmp_path, now=at) is is_due
        monkeypatch.setattr(Scoresheet.objects, "aggregate", played(at - timedelta(minutes=31)))
        assert is_backup_due(tmp_path, now=at)


@pytest.mark.django_db
def test_one_that_failed_is_tried_again_in_an_hour_and_told(tmp_path: Path, settings: Any, monkeypatch: Any):
    """Planted faults: a full disk asked every ten minutes; a failure that only the log knows."""
    settings.BACKUP_DIR, moment = tmp_path, now()
    monkeypatch.setattr(nightly, "_manage", lambda command: [sys.executable, "-c", "raise SystemExit('no room')"])
    keep_backups(tmp_path, now=moment)
    failed = last_tries(tmp_path, now=now() + timedelta(days=2)).backup
    assert failed is not None
    assert (failed.problem, failed.good_at) == ("no room", None)
    assert not is_backup_due(tmp_path, now=moment + timedelta(minutes=50))
    assert is_backup_due(tmp_path, now=moment + timedelta(minutes=61))
    told = [finding.text for finding in examine(now=moment) if finding.level is Level.BAD]
    assert "the last backup failed, 0 s ago: no room" in told


def test_a_week_passes_between_trials_and_a_day_after_one_that_failed(tmp_path: Path, monkeypatch: Any):
    moment = now()
    assert not is_restore_due(tmp_path, now=moment), "there is nothing to restore"
    backup_of(tmp_path, moment)
    assert is_restore_due(tmp_path, now=moment)
    for problem, days, is_due in (("", 6, False), ("", 8, True), ("broken", 0.5, False), ("broken", 1.5, True)):
        tried = Try(at=moment - timedelta(days=days), problem=problem)
        monkeypatch.setattr(nightly, "last_tries", lambda folder, now, tried=tried: Tries(restore=tried))
        assert is_restore_due(tmp_path, now=moment) is is_due


@pytest.mark.django_db
def test_a_trial_waits_until_nobody_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: a club that was set up on a Saturday evening proves a backup in each Saturday's tournament."""
    moment = now()
    backup_of(tmp_path, moment)
    for hours, is_due in ((1, False), (7, True)):
        tried = Try(at=moment - timedelta(days=7, hours=hours))
        monkeypatch.setattr(nightly, "last_tries", lambda folder, now, tried=tried: Tries(restore=tried))
        monkeypatch.setattr(Scoresheet.objects, "aggregate", played(moment - timedelta(minutes=2)))
        assert is_restore_due(tmp_path, now=moment) is is_due


@pytest.mark.parametrize("status", [1, 3])
def test_a_copy_that_failed_is_told_and_tried_again_in_an_hour(
    status: int, tmp_path: Path, settings: Any, monkeypatch: Any
):
    """Planted faults: a bad night of the network, and no copy elsewhere until the next backup; status 3, with which
    restic says that not everything was read, is a success; a program that does not print UTF-8 is never told of.
    """
    moment = now()
    backup_of(tmp_path, moment)
    code = f"import sys; sys.stdout.buffer.write(bytes([228])); sys.exit({status})"
    settings.BACKUP_THEN = f'{sys.executable} -c "{code}"'
    monkeypatch.setattr(nightly, "is_backup_due", lambda *_, **__: False)
    monkeypatch.setattr(nightly, "is_restore_due", lambda *_, **__: False)
    keep_backups(tmp_path, now=moment)
    failed = last_tries(tmp_path, now=now() + timedelta(days=2)).elsewhere
    assert failed is not None
    assert failed.problem
    assert not is_copy_due(tmp_path, now=moment + timedelta(minutes=50))
    settings.BACKUP_THEN = f"{sys.executable} -c pass"
    keep_backups(tmp_path, now=moment + timedelta(minutes=61))
    copied = last_tries(tmp_path, now=now() + timedelta(days=2)).elsewhere
    assert copied is not None
    assert (copied.problem, copied.good_at) == ("", moment + timedelta(minutes=61))
    assert not is_copy_due(tmp_path, now=moment + timedelta(hours=5))
    backup_of(tmp_path, moment + timedelta(hours=24))
    assert is_copy_due(tmp_path, now=moment + timedelta(hours=24))


def test_a_step_that_takes_too_long_is_ended_with_all_that_it_has_started(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
):
    """Planted fault: the program ended alone, and what it called goes on for hours."""
    backup_of(tmp_path, now())
    program = tmp_path / "copy"
    program.write_text(f"#!/bin/sh\n(trap '' TERM; sleep 600) & echo $! > {tmp_path}/started\nwait\n")
    program.chmod(0o700)
    settings.BACKUP_THEN = str(program)
    monkeypatch.setattr(nightly, "LONGEST", timedelta(seconds=0.5))
    monkeypatch.setattr(nightly, "ENDING_SECONDS", 0.5)
    monkeypatch.setattr(nightly, "is_backup_due", lambda *_, **__: False)
    monkeypatch.setattr(nightly, "is_restore_due", lambda *_, **__: False)
    keep_backups(tmp_path, now=now())
    failed = last_tries(tmp_path, now=now() + timedelta(days=2)).elsewhere
    assert failed is not None
    assert failed.problem == "it was ended after 0 hours"
    wait_until(lambda: not status_of(int((tmp_path / "started").read_text())))


def test_of_two_workers_one_makes_the_backup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Planted fault: each worker makes its own, at the same second."""
    with (tmp_path / ".tries.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        monkeypatch.setattr(nightly, "is_backup_due", lambda *_, **__: pytest.fail("somebody else is at it"))
        keep_backups(tmp_path, now=now())


@pytest.mark.slow
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_backup_is_made_copied_elsewhere_and_restored_on_trial(
    tmp_path: Path, settings: Any, site_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    """The whole night, on this database. Planted faults: a trial in the real place; one that leaves a database behind.

    A backup that was changed since is told.
    """
    evening = new_evening()
    phone, table = NearPhone(evening), evening.new_table()
    for write in (deal(table.id, 1, random.Random(1)), close(table.id, 1)):
        assert phone.send(write).status_code == 201

    folder, elsewhere = tmp_path / "backups", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    for name, value in {**site_environment, "BACKUP_DIR": str(folder)}.items():
        monkeypatch.setenv(name, value)
    if connection.vendor == "postgresql":
        # The server of the tests is newer than what this machine may have.
        programs, real = {"backup": "pg_dump", "restore": "pg_restore"}, nightly._manage
        monkeypatch.setattr(
            nightly,
            "_manage",
            lambda command: [
                *real(command),
                f"--{programs[command].replace('_', '-')}",
                str(programs_of_this_server() / programs[command]),
            ],
        )
    settings.BACKUP_DIR, settings.BACKUP_THEN = folder, f"cp -r -t {elsewhere}"
    moment = now()
    keep_backups(folder, now=moment)
    tries = last_tries(folder, now=now() + timedelta(days=9))
    for step in (tries.backup, tries.elsewhere, tries.restore):
        assert step is not None
        assert (step.problem, step.good_at) == ("", moment)
    ((_, made),) = backups_in(folder, now=now())
    assert [path.name for path in elsewhere.iterdir()] == [made.name]
    assert tries.restore is not None
    assert tries.restore.backup == made.name

    data = next(path for path in made.iterdir() if path.name.startswith("rummy."))
    data.write_bytes(data.read_bytes()[:-1] + b"x")
    monkeypatch.setattr(nightly, "is_backup_due", lambda *_, **__: False)
    keep_backups(folder, now=moment + timedelta(days=8))
    trial = last_tries(folder, now=now() + timedelta(days=9)).restore
    assert trial is not None
    assert f"{data.name} was changed since the backup was taken" in trial.problem
    assert trial.good_at == moment
    assert databases_on_trial() == []


@pytest.mark.slow
def test_a_command_of_a_step_ends_with_the_process_that_began_it(tmp_path: Path):
    """Planted fault: a restore that is silent for an hour, while it proves, and goes on when its worker was killed."""
    log, words = tmp_path / "log", ["backup", str(tmp_path / "not-mounted"), "--every", "1000"]
    begin = ["bash", "-c", '"$@" 2> "$0" & wait', str(log), sys.executable, "manage.py", *words]
    environment = {**os.environ, "VAR_DIR": str(tmp_path / "var"), ENDS_WITH_PARENT: "true"}
    with subprocess.Popen(begin, cwd=ROOT, env=environment) as parent:
        wait_until(lambda: log.exists() and "is not there" in log.read_text())
        [command] = children_of(parent.pid)
        parent.kill()
    wait_until(lambda: not status_of(command))


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_trial_ends_with_the_process_that_began_it_and_the_next_one_clears_up(
    tmp_path: Path, site_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    """Killed outright, as for want of memory. Planted faults: its copy of all data, or its database, stays for ever."""
    new_evening().new_table()
    for name, value in {**site_environment, "TMPDIR": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    manage = [sys.executable, "manage.py"]
    subprocess.run([*manage, *backup_words(tmp_path / "backups")], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    ((_, made),) = backups_in(tmp_path / "backups", now=now())
    words = ["restore", str(made), "--try"]
    if connection.vendor == "postgresql":
        words += ["--pg-restore", str(programs_of_this_server() / "pg_restore")]
    with subprocess.Popen([*manage, *words], cwd=ROOT) as trial:
        wait_until(lambda: bool(children_of(trial.pid)))
        inner = children_of(trial.pid)
        trial.kill()
    wait_until(lambda: not any(map(status_of, inner)))
    [left] = tmp_path.glob("rummy-on-trial-*")
    long_ago = left.stat().st_mtime - LONGEST.total_seconds() - 1
    os.utime(left, (long_ago, long_ago))
    subprocess.run([*manage, *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    assert not list(tmp_path.glob("rummy-on-trial-*"))
    assert databases_on_trial() == []
