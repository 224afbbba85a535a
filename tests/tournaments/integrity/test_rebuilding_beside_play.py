"""A rebuild and whoever stores events take their locks in one order: both wait, and neither is refused.

Planted fault: a part that locks score sheets first, while an event has written standings and comes to its score sheet.
"""

import threading
from collections.abc import Callable
from functools import partial

import pytest
from django.db import OperationalError, connection, transaction

from tests.builders.patience import PATIENCE
from tests.builders.playing import loses, new_table, show
from tests.builders.racing import at_once, beside
from tests.builders.waiting import wait_until
from tournaments import log
from tournaments.integrity.ranges import of_each, ranges
from tournaments.integrity.rebuild import (
    CASH,
    MERGED,
    PAST,
    rebuild,
    rebuild_differences,
    write_of_club,
    write_tournaments,
)
from tournaments.integrity.rebuild_tables import write_tables
from tournaments.models import Standing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


@pytest.fixture(autouse=True)
def locks_of_rows() -> None:
    if connection.vendor == "sqlite":
        pytest.skip("a writer of SQLite locks the whole file")


def is_waited_for() -> bool:
    """Whether somebody waits for a row that this transaction holds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_stat_activity WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))")
        return cursor.fetchone() is not None


def test_a_deal_that_is_being_stored_when_a_rebuild_comes_is_stored():
    table = new_table()
    table.deal(1, show, loses(3), loses(4), loses(5))
    is_half_stored = threading.Event()

    def dealing() -> None:
        with transaction.atomic():
            log.lock_club(table.row.tournament.club_id)
            list(Standing.objects.select_for_update())
            is_half_stored.set()
            wait_until(is_waited_for)
            table.deal(2, show, loses(30), loses(3), loses(4))

    def rebuilding() -> None:
        assert is_half_stored.wait(PATIENCE)
        rebuild()

    at_once([dealing, rebuilding])
    assert Standing.objects.get(seat_number=2).total == 33
    assert rebuild_differences() == []


def test_each_part_of_a_rebuild_waits_for_who_writes_in_the_club():
    """Seasons and ratings do not: a worker writes them, and no event does."""
    club = new_table().row.tournament.club_id
    writes: list[Callable[[], object]] = [
        *(partial(write_tables, part, int) for part in ranges(log.StreamKind.TABLE)),
        *(partial(write_tournaments, part, int) for part in ranges(log.StreamKind.TOURNAMENT)),
        *(partial(write_of_club, part, int) for part in of_each([club], MERGED, PAST, CASH)),
    ]
    refused: list[Callable[[], object]] = []

    def rebuilding() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = 100")
        for write in writes:
            with pytest.raises(OperationalError, match="lock timeout"):
                write()
            refused.append(write)

    with transaction.atomic():
        log.lock_club(club)
        assert beside(rebuilding)
    assert refused == writes
