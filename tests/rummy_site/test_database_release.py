"""Code on a database of another release: who serves, works, migrates, copies or proves asks first, in one line."""

import importlib
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.utils.timezone import now

from rummy_site import celery
from rummy_site import database_release as migrations
from rummy_site.operations import backup
from rummy_site.operations.backup import NotCopied, take_backup
from rummy_site.operations.doctor import Level, examine

NEWER = "the database was written by newer code, which has tournaments 9999_next: update this code first"
# Writes the file that it is told to write.
PROGRAM = '#!/bin/sh\nfor word in "$@"; do case "$word" in --file=drive*) : > "${word#--file=}";; esac; done\n'
WAITING = "1 migration waits: run manage.py migrate"

pytestmark = pytest.mark.django_db


def forget_last_migration() -> None:
    """The database lacks the last migration; if that one has replaced others, it has all of them but their last."""
    loader = MigrationLoader(None)
    (last,) = loader.graph.leaf_nodes("tournaments")
    for app, name in (last, *loader.disk_migrations[last].replaces[-1:]):
        MigrationRecorder(connection).record_unapplied(app, name)


@pytest.fixture
def newer() -> None:
    """A later release has migrated the database."""
    MigrationRecorder(connection).record_applied("tournaments", "9999_next")


@pytest.fixture
def older() -> None:
    """This code was installed, and `migrate` has not run yet."""
    forget_last_migration()


def test_migrations_are_counted_as_django_counts_them():
    """Planted faults it catches: a helper module taken for a migration; any record taken for the missing one."""
    loader = MigrationLoader(None)
    assert migrations.migrations_by_name() == loader.disk_migrations.keys()
    assert (migrations.unapplied_migrations(), migrations.newer_migrations()) == (0, [])
    forget_last_migration()
    assert migrations.unapplied_migrations() == 1


def test_a_database_that_has_every_replaced_migration_waits_for_none():
    """Planted fault it catches: names of files alone are compared, and an up-to-date club is not served."""
    squashed = [key for key, migration in MigrationLoader(None).disk_migrations.items() if migration.replaces]
    for app, name in squashed:
        MigrationRecorder(connection).record_unapplied(app, name)
    assert {app for app, _ in squashed} >= {"scoring", "tournaments"}
    assert migrations.release_fault() is None


def test_migrations_that_newer_code_has_replaced_do_not_count_as_newer():
    """A squashed migration leaves the names of earlier ones behind; those of other projects are none of ours."""
    MigrationRecorder(connection).record_applied("tournaments", "0001_before")
    MigrationRecorder(connection).record_applied("polls", "0001_initial")
    assert migrations.release_fault() is None
    # Nor in a backup, which names the last one that code must know.
    assert migrations.newer_in_backup({"tournaments": "0001_before", "polls": "9999_next"}) == []
    assert migrations.newer_in_backup({"tournaments": "9999_next"}) == ["tournaments 9999_next"]


def refused_web_process() -> None:
    importlib.reload(importlib.import_module("rummy_site.wsgi"))


DOORS: list[Callable[[], object]] = [
    migrations.refuse_newer_database,
    celery._wait_for_database,
    refused_web_process,
    lambda: call_command("serve", port=8765),
    lambda: call_command("migrate", verbosity=0),
    lambda: call_command("prove"),
    lambda: take_backup(Path("nowhere"), now=now(), pg_dump=None),
]


@pytest.mark.usefixtures("newer")
@pytest.mark.parametrize("door", DOORS)
def test_a_database_of_a_newer_release_is_refused_in_one_line(
    door: Callable[[], object], monkeypatch: pytest.MonkeyPatch
):
    """Planted fault it catches: only a restore asks; the others serve, and answer 500 on every page."""
    monkeypatch.setattr("rummy_site.management.commands.serve.close", lambda paths: [])
    # What the web process sets for itself must not stay with the tests after this one.
    monkeypatch.setenv("PROCESS_KIND", "web")
    monkeypatch.setattr("os.umask", lambda mask: mask)
    monkeypatch.setattr(connection, "close", lambda: None)
    with pytest.raises((ImproperlyConfigured, CommandError, NotCopied)) as refused:
        door()
    assert NEWER in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.usefixtures("newer")
def test_readiness_and_the_doctor_name_the_newer_migration(client: Client):
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["checks"]["migrations"] == {"ok": False, "unapplied": 0, "newer": ["tournaments 9999_next"]}
    assert (examine(now=now())[-1].level, examine(now=now())[-1].text) == (Level.BAD, NEWER)


@pytest.mark.usefixtures("older")
def test_before_migrate_the_doctor_and_the_proof_say_what_to_run():
    """Planted faults it catches: "not proved", which reads as if the log were changed; checks that end in errors."""
    assert examine(now=now())[-1].text == WAITING
    with pytest.raises(CommandError, match=f"^nothing was verified: {WAITING}$"):
        call_command("prove")


@pytest.mark.usefixtures("older")
def test_migrate_does_not_look_for_guards_that_it_has_yet_to_make(monkeypatch: pytest.MonkeyPatch):
    asked: list[object] = []
    monkeypatch.setattr(
        "rummy_site.management.commands.migrate.Migrate.check", lambda self, **kwargs: asked.append(kwargs)
    )
    call_command("migrate", plan=True, skip_checks=False, stdout=StringIO())
    assert [each["databases"] for each in asked if isinstance(each, dict)] == [[]]


@pytest.mark.usefixtures("older")
def test_before_migrate_the_nightly_copy_is_made_and_says_that_it_is_not_proven(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Planted fault it catches: a copy that reads tables this code does not know yet, and ends in a traceback."""

    def unreadable(*_: object) -> list[str]:
        raise AssertionError("the tables are those of an earlier release")

    for name in ("reaches", "unread_here", "prove_sqlite"):
        monkeypatch.setattr(backup, name, unreadable)
    monkeypatch.setattr(backup, "copy_postgresql", lambda _, copy, **__: copy.write_bytes(b"dump"))
    said = StringIO()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "copies").mkdir()
    call_command("backup", "copies", stdout=StringIO(), stderr=said)
    assert said.getvalue().split(":")[0].strip() == "not proven"
    assert len(list((tmp_path / "copies").iterdir())) == 1


def test_the_programs_of_postgresql_run_where_the_command_was_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Planted fault it catches: pg_dump run in the code's folder, which takes a relative folder for one below it."""
    for name in ("pg_dump", "pg_restore"):
        program = tmp_path / name
        program.write_text(PROGRAM)
        program.chmod(0o700)
    (tmp_path / "drive").mkdir()
    monkeypatch.chdir(tmp_path)
    backup.copy_postgresql({}, Path("drive/rummy.dump"), pg_dump="./pg_dump")
    assert (tmp_path / "drive" / "rummy.dump").exists()
    backup.restore_postgresql({}, Path("drive/rummy.dump"), pg_restore="./pg_restore")
