"""The database itself protects the log: whatever program writes, nothing stored is changed.

Planted fault: each test here failed with its guard dropped.
"""

from typing import Any

import pytest
from django.core.checks import Tags, run_checks
from django.core.management.sql import emit_post_migrate_signal
from django.db import IntegrityError, connection, transaction

from scoring.problems import Defect
from tests.builders.log_writers import START, an_event, new_club, open_table
from tournaments import log
from tournaments.log import triggers
from tournaments.models.log import Event

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
TABLES = ["tournaments_event", "tournaments_seal", "tournaments_stream", "tournaments_clubhead"]
only_sqlite = pytest.mark.skipif("connection.vendor != 'sqlite'", reason="SQLite replaces rows without deleting")
only_postgresql = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="SQLite has no TRUNCATE")


@pytest.fixture
def table():
    """A table with a note, in a club with a seal."""
    table = open_table(new_club())
    table.writes(1, an_event(note="Bo was late"))
    log.seal_club(table.club.id, START)
    _check_references_now()
    return table


def refused(statement: str, parameters: list[Any] | None = None) -> None:
    """The database raises an error, as for any violated constraint."""
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, parameters or [])


def test_nothing_of_the_log_is_changed_or_deleted(table):
    """A note may only be erased, and a head only move on."""
    for statement in (
        "UPDATE tournaments_event SET body = '{}'",
        "UPDATE tournaments_event SET actor = 'user:dev'",
        "UPDATE tournaments_event SET recorded_at = occurred_at",
        "UPDATE tournaments_event SET position = position + 100",
        "UPDATE tournaments_seal SET to_position = to_position + 1",
        "UPDATE tournaments_eventnote SET text = 'Bo was on time'",
        "UPDATE tournaments_stream SET kind = 'tournament'",
        "UPDATE tournaments_stream SET id = id",
        "UPDATE tournaments_stream SET club_id = club_id",
        "UPDATE tournaments_clubhead SET club_id = club_id",
        *(f"DELETE FROM {name}" for name in TABLES),
    ):
        refused(statement)


def test_no_event_is_changed_through_the_models_either(table):
    event = Event.objects.get(version=2)
    event.body = "{}"
    with pytest.raises(IntegrityError), transaction.atomic():
        event.save()
    with pytest.raises(IntegrityError), transaction.atomic():
        Event.objects.filter(version=2).delete()


def test_a_head_set_back_gives_no_position_out_again(table):
    """The unique keys of the stored events refuse it; nothing is stored, and it is reported as our defect."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE tournaments_clubhead SET position = position - 1")
    with pytest.raises(Defect):
        table.writes(2)
    assert table.versions() == [1, 2]


@only_postgresql
def test_no_table_of_the_log_is_emptied(table):
    for name in (*TABLES, "tournaments_eventnote"):
        refused(f"TRUNCATE {name} CASCADE")


@only_sqlite
def test_no_row_is_replaced(table):
    for name in (*TABLES, "tournaments_eventnote"):
        refused(f"INSERT OR REPLACE INTO {name} SELECT * FROM {name}")


@only_sqlite
def test_no_event_takes_the_place_of_another(table):
    """With REPLACE a new row that shares one unique key with a stored one would silently delete that one."""
    others = {"id": "hex(randomblob(16))", "position": "99", "version": "99", "key": "'other'"}
    columns = [str(field.column) for field in Event._meta.concrete_fields]
    for same in ("club_id, position", "stream_id, version", "club_id, key"):
        values = [column if column in same else others.get(column, column) for column in columns]
        refused(
            f"INSERT OR REPLACE INTO tournaments_event ({', '.join(columns)})"
            f" SELECT {', '.join(values)} FROM tournaments_event WHERE version = 2"
        )


def test_all_guards_stand_and_the_check_is_content():
    assert triggers.missing(connection) == []
    assert not [said for said in _database_checks() if said.id == "tournaments.W001"]


def test_a_guard_that_was_taken_down_is_missed_and_put_back_by_the_next_migration():
    """SQLite drops a table's triggers whenever Django rebuilds the table."""
    name = _a_trigger_of_events()
    with connection.cursor() as cursor:
        on_table = " ON tournaments_event" if connection.vendor == "postgresql" else ""
        cursor.execute(f"DROP TRIGGER {name}{on_table}")
    assert triggers.missing(connection) == [name]
    assert [said.msg for said in _database_checks() if said.id == "tournaments.W001"]
    emit_post_migrate_signal(verbosity=0, interactive=False, db=connection.alias)
    assert triggers.missing(connection) == []


@only_postgresql
def test_a_guard_that_is_switched_off_or_hollowed_out_is_missed():
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE tournaments_event DISABLE TRIGGER tournaments_event_append_only")
        cursor.execute(
            "CREATE OR REPLACE FUNCTION tournaments_refuse_change() RETURNS trigger LANGUAGE plpgsql"
            " AS $body$BEGIN RETURN NULL; END$body$"
        )
    assert set(triggers.missing(connection)) == {"tournaments_event_append_only", "tournaments_refuse_change"}


@only_postgresql
def test_the_append_never_reads_a_table_from_end_to_end():
    """A plan made while there were few streams did, for as long as the session lasted."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT proconfig FROM pg_proc WHERE proname = 'tournaments_append'")
        assert cursor.fetchone() == (["enable_seqscan=off"],)


def _check_references_now() -> None:
    """PostgreSQL alters no table that has deferred foreign keys left to check at the end of the transaction."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def _database_checks():
    return run_checks(tags=[Tags.database], databases=["default"])


def _a_trigger_of_events() -> str:
    return {"postgresql": "tournaments_event_append_only", "sqlite": "tournaments_event_no_update"}[connection.vendor]
