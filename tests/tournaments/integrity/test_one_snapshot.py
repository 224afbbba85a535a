"""A proof of many statements reads one snapshot, and no writer has to wait for it.

Planted faults: each statement in a snapshot of its own; on SQLite a transaction that takes the write lock.
"""

from typing import Any

import pytest
from django.db import connection, transaction
from django.db.utils import DatabaseError

from scoring.ledger.audit import settled_versions
from tests.builders.log_writers import new_club
from tests.builders.playing import NOW, finished_pool
from tests.builders.racing import beside
from tests.builders.unreadable_events import told
from tournaments.books.commands import settle_table
from tournaments.log.parts import one_snapshot
from tournaments.models import Club

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


def test_what_is_written_meanwhile_is_not_seen_and_not_held_up():
    new_club("before")
    with one_snapshot():
        assert Club.objects.count() == 1
        assert beside(lambda: new_club("meanwhile"))
        assert Club.objects.count() == 1
    assert Club.objects.count() == 2


def test_a_proof_may_be_the_first_thing_that_is_read():
    """Planted fault: the mode read from a connection that was never opened, as in a command of its own."""
    seen = []

    def first() -> None:
        with one_snapshot():
            seen.append(Club.objects.count())

    assert beside(first)
    assert seen == [0]


def test_the_books_of_a_live_club_are_no_false_alarm(monkeypatch):
    """A table is closed and settled between the first and the second half of the proof."""
    table = finished_pool()
    compared: list[Any] = []

    def settled_meanwhile() -> None:
        table.close()
        settle_table(table.row.id, now=NOW)

    def late(*args):
        if not compared:
            compared.append(beside(settled_meanwhile))
        return settled_versions(*args)

    monkeypatch.setattr("tournaments.integrity.audit.settled_versions", late)
    holds, said = told("check_ledger")
    assert compared == [True]
    assert holds, said


def test_inside_a_transaction_that_has_begun_nothing_changes():
    with transaction.atomic(), one_snapshot():
        new_club("written")
    assert Club.objects.count() == 1


@pytest.mark.skipif(connection.vendor != "postgresql", reason="only PostgreSQL refuses a write while it reads")
def test_nothing_is_written_inside():
    with pytest.raises(DatabaseError), one_snapshot():
        new_club("never")


def test_a_transaction_after_it_is_one_that_writes_again():
    with one_snapshot():
        assert Club.objects.count() == 0
    with transaction.atomic():
        new_club("after")
    assert connection.vendor != "sqlite" or getattr(connection, "transaction_mode", "") == "IMMEDIATE"
