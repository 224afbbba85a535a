"""A SQLite file of older code, in which ids are hex digits, is converted to bytes, completely or not at all.

Planted faults: guards that are not restored; a table that is skipped; an id converted only in the row that it names.
"""

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.db import IntegrityError, connection

from rummy_site import sqlite
from rummy_site.sqlite import keep_ids_as_bytes
from tests.builders.playing import finished_pool
from tests.flushing.management.commands.flush import lifted
from tournaments import log
from tournaments.log import triggers
from tournaments.log.auditing import verify_log
from tournaments.models import Club, Seat

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL has always stored ids as its own type"),
]

IDS = [
    (model._meta.db_table, str(field.column))
    for model in apps.get_models()
    for field in model._meta.concrete_fields
    if field.db_type(connection) == sqlite.IDS
]


@pytest.fixture
def club() -> Club:
    """A club with played games, with every id in hex digits, as older code left it."""
    table = finished_pool()
    with connection.constraint_checks_disabled(), lifted(connection):
        for name, column in IDS:
            run(f"UPDATE {name} SET {column} = lower(hex({column})) WHERE {column} IS NOT NULL")
    return table.row.tournament.club


@pytest.mark.slow
def test_digits_become_bytes_once_and_everything_is_found_and_proven(club: Club):
    assert not Club.objects.filter(id=club.id).exists()
    keep_ids_as_bytes(using="default")
    assert Club.objects.get(id=club.id).name == club.name
    assert Seat.objects.filter(table__tournament__club=club).exists()
    assert log.read_club(club.id)
    assert triggers.missing(connection) == []
    assert {kind for name, column in IDS for kind in kinds(name, column)} == {"blob"}
    before = run("PRAGMA data_version")
    keep_ids_as_bytes(using="default")
    assert run("PRAGMA data_version") == before
    assert verify_log(is_full=True).findings == ()


def test_where_it_cannot_be_finished_nothing_is_changed(club: Club, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sqlite, "_bytes", lambda stored: stored if stored == club.id.hex else uuid4().bytes)
    with pytest.raises(IntegrityError):
        keep_ids_as_bytes(using="default")
    assert triggers.missing(connection) == []
    assert run("SELECT id FROM tournaments_club WHERE id = %s", club.id.hex)


def test_an_id_is_searched_for_as_it_is_written(club: Club):
    keep_ids_as_bytes(using="default")
    assert Club.objects.get(id__iexact=str(club.id).upper()) == club
    assert Club.objects.get(id__startswith=str(club.id)[:12]) == club
    assert Club.objects.get(id__range=(UUID(int=club.id.int - 1), UUID(int=club.id.int + 1))) == club


def kinds(table: str, column: str) -> set[str]:
    return {kind for (kind,) in run(f"SELECT DISTINCT typeof({column}) FROM {table} WHERE {column} IS NOT NULL")}


def run(statement: str, *parameters: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[Any] = cursor.fetchall()
        return rows
