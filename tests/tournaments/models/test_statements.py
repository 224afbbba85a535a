"""Queries whose SQL is cached return what their queryset would: the row of each value, in each thread.

Planted faults these catch: the first value queried again; a connection of another thread; rows without the
converters of their columns.
"""

import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections
from django.db.models import Value
from django.db.models.sql.compiler import SQLCompiler
from django.forms.models import model_to_dict

from tests.builders.playing import new_club, new_table, new_tournament
from tournaments.models import Tournament
from tournaments.models.statements import PreparedQuery


def asked(found):
    return Tournament.objects.select_related("club").annotate(seven=Value(7)).filter(pk=found)


@pytest.fixture
def prepared():
    return PreparedQuery(asked, (uuid.UUID(int=1), uuid.UUID(int=2)))


def values(tournament):
    return model_to_dict(tournament), model_to_dict(tournament.club), tournament.seven, tournament.starts_at


@pytest.mark.postgres
@pytest.mark.django_db
def test_each_value_finds_its_own_row_as_the_queryset_reads_it(prepared, django_assert_num_queries):
    tournaments = [new_tournament(new_club(name), "pool_101") for name in ("North", "South")]
    for tournament in tournaments:
        expected = values(asked(tournament.pk).get())
        with django_assert_num_queries(1):
            assert values(prepared.first(tournament.pk)) == expected
    assert prepared.first(uuid.uuid4()) is None


@pytest.mark.django_db
def test_django_writes_the_statement_once(prepared, monkeypatch):
    tournament = new_table(new_tournament()).row.tournament
    assert prepared.first(tournament.pk) == tournament
    monkeypatch.setattr(SQLCompiler, "as_sql", None)
    assert prepared.first(tournament.pk) == tournament


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_each_thread_asks_by_its_own_connection(prepared):
    tournament = new_tournament()
    assert prepared.first(tournament.pk) == tournament
    own = id(connection.connection)

    def ask(_):
        try:
            return prepared.first(tournament.pk), id(connection.connection)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as threads:
        for found, used in threads.map(ask, range(4)):
            assert found == tournament
            assert used != own
