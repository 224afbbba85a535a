"""Which migrations the code before may serve beside, and what that code then does with the database.

Planted faults these catch: a default that Django takes away from the database again taken for one that it keeps; a
check on a table of earlier code taken for one on a new table; a note that is written though it was only asked; old code
that takes any newer migration, or refuses one that leaves it room.
"""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection, migrations, models
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations.base import Operation
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ModelState, ProjectState
from django.test import Client
from django.utils.timezone import now

from rummy_site import database_release
from rummy_site.management.commands import migrate
from rummy_site.operations.doctor import Level, examine
from rummy_site.served_migrations import reasons_to_stop
from scoring.storage.indexes import AddIndexConcurrently

NEXT = ("tournaments", "9999_next")
SHORT, LONG = (models.CharField(max_length=length, choices=[("a", "A")]) for length in (10, 20))
CHECK = models.CheckConstraint(condition=models.Q(name="a"), name="name_is_a")
BY_NAME = models.Index(fields=["name"], name="by_name")
NEW = migrations.CreateModel("Prize", fields=[("id", models.AutoField(primary_key=True)), ("name", SHORT)])


def stopping(*operations: Operation) -> list[str]:
    """The operations of a migration under which code that knows a player with a name fails."""
    state = ProjectState()
    state.add_model(ModelState("club", "Player", [("id", models.AutoField(primary_key=True)), ("name", SHORT)]))
    migration = type("Migration", (migrations.Migration,), {"operations": operations})("0002_more", "club")
    return reasons_to_stop([migration], state)["club", "0002_more"]


@pytest.mark.parametrize(
    "operations",
    [
        [NEW, migrations.AddConstraint("prize", CHECK), migrations.RemoveField("prize", "name")],
        [migrations.AddField("player", "phone", models.CharField(max_length=9, default="", db_default=""))],
        [migrations.AddField("player", "phone", models.CharField(max_length=9, null=True))],
        [migrations.AlterField("player", "name", models.CharField("name", max_length=10, choices=[("b", "B")]))],
        [AddIndexConcurrently("player", BY_NAME)],
        [migrations.SeparateDatabaseAndState(state_operations=[migrations.RemoveField("player", "name")])],
    ],
)
def test_what_adds_leaves_earlier_code_room(operations: list[Operation]):
    assert stopping(*operations) == []


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("player", "phone", models.CharField(max_length=9, default="")),
        # Both keep everybody out of the table while the index is built.
        migrations.AddField("player", "phone", models.CharField(max_length=9, null=True, unique=True)),
        migrations.AddIndex("player", BY_NAME),
        migrations.RemoveField("player", "name"),
        migrations.SeparateDatabaseAndState(database_operations=[migrations.RemoveField("player", "name")]),
        migrations.RenameField("player", "name", "title"),
        migrations.RenameModel("Player", "Person"),
        migrations.DeleteModel("Player"),
        migrations.AlterField("player", "name", LONG),
        migrations.AddConstraint("player", CHECK),
        # Earlier code may write "on conflict" with what it finds there.
        migrations.RemoveConstraint("player", "name_is_one"),
        migrations.RunPython(migrations.RunPython.noop),
        migrations.RunSQL("SELECT 1"),
    ],
)
def test_what_takes_away_or_asks_more_does_not(operation: Operation):
    assert len(stopping(operation)) == 1


@pytest.fixture
def beside(db: None) -> None:
    """Newer code has migrated the database, and this code may serve beside it."""
    MigrationRecorder(connection).record_applied(*NEXT)
    database_release.note_served(*NEXT)


@pytest.mark.usefixtures("beside")
def test_earlier_code_serves_beside_newer_migrations_that_leave_it_room_and_says_so(
    client: Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
):
    said = "newer code has migrated (tournaments 9999_next), and this code may serve beside it"
    monkeypatch.setattr(connection, "close", lambda: None)
    database_release.refuse_newer_database()
    assert caplog.messages == [said]
    assert client.get("/readyz").json()["checks"]["migrations"] == {"ok": True, "unapplied": 0}
    assert [(found.level, found.text) for found in examine(now=now()) if found.subject == "migrations"] == [
        (Level.WARNING, said)
    ]


@pytest.mark.usefixtures("beside")
def test_one_that_does_not_leave_it_room_is_named_alone():
    MigrationRecorder(connection).record_applied("tournaments", "9999_other")
    assert database_release.newer_migrations() == ["tournaments 9999_other"]


@pytest.mark.usefixtures("beside")
def test_django_passes_over_the_note():
    executor = MigrationExecutor(connection)
    executor.loader.check_consistent_history(connection)
    assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []


@pytest.mark.django_db
def test_migrate_says_who_may_serve_and_notes_it_only_when_it_migrates():
    name = max(name for app, name in database_release.migrations_by_name() if app == "tournaments")
    recorder = MigrationRecorder(connection)
    recorder.record_unapplied("tournaments", name)
    before, out = recorder.applied_migrations().keys(), StringIO()
    call_command("migrate", plan=True, stdout=out, skip_checks=True)
    assert out.getvalue().splitlines()[0].startswith("1 migration waits: ")
    assert recorder.applied_migrations().keys() == before


@pytest.mark.django_db
def test_a_migration_that_is_never_let_in_is_given_up_with_the_name_of_who_is_in_the_way(
    monkeypatch: pytest.MonkeyPatch,
):
    """Planted fault it catches: whatever else goes wrong tried again, too."""

    class NotLetIn(Exception):
        sqlstate = migrate.LOCK_NOT_AVAILABLE

    tries: list[Exception | None] = [NotLetIn(), NotLetIn(), None]

    def handle(*_: object, **__: object) -> None:
        raise OperationalError("full") from tries.pop(0)

    monkeypatch.setattr("rummy_site.management.commands.migrate.Migrate.handle", handle)
    monkeypatch.setattr(migrate, "who_may_serve", lambda **_: "")
    monkeypatch.setattr(migrate, "open_transactions", lambda _: "pg_dump (process 7)")
    monkeypatch.setattr(migrate, "TRIES", 2)
    monkeypatch.setattr(migrate, "PAUSE_SECONDS", 0)
    with pytest.raises(CommandError, match=r"^stopped: tables are in use by pg_dump \(process 7\)\. "):
        call_command("migrate", stdout=StringIO(), skip_checks=True)
    with pytest.raises(CommandError, match=r"^stopped: full\. "):
        call_command("migrate", stdout=StringIO(), skip_checks=True)
    assert tries == []
