"""A settlement happens once: asked for by many workers at the same moment, or by one that dies half-way."""

import os
import signal
import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest
from django.db import connection, connections

from scoring import storage
from scoring.ledger import SettleResult, ledger_problems, trial_balance
from scoring.models import JournalEntry
from scoring.money import PlannedEntry
from tests.builders.ledger import CLUB, deal, holdings, moved, settled
from tests.builders.patience import PATIENCE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]

TABLE_17 = (deal(1, asha=-600, bo=540, house=60), deal(2, asha=-100, cy=100))
TABLE_21 = (deal(1, asha=-600, bo=540, house=60), deal(2, asha=-200, cy=200))


def at_once(*deeds: Callable[[], SettleResult]) -> list[SettleResult]:
    """Run all of them in threads of their own, from the same moment on."""
    start = threading.Barrier(len(deeds))

    def run(deed: Callable[[], SettleResult]) -> SettleResult:
        start.wait(PATIENCE)
        try:
            return deed()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(deeds)) as threads:
        return [future.result(PATIENCE) for future in [threads.submit(run, deed) for deed in deeds]]


def settle_many_tables_by_two_workers_each(tables: int) -> None:
    for number in range(tables):
        cause = f"table:{number}"
        for version, sheet in ((17, TABLE_17), (21, TABLE_21)):
            deed = partial(settled, version, *sheet, cause=cause)
            assert sorted(result.is_news for result in at_once(deed, deed)) == [False, True]
    assert JournalEntry.objects.count() == 4 * tables
    assert holdings() == {"asha": -800 * tables, "bo": 540 * tables, "cy": 200 * tables, "house": 60 * tables}
    assert ledger_problems() == []


def test_two_workers_on_one_table_post_one_set_of_entries():
    """Planted faults: a claim that reads the version and then writes it; both workers posted, or one got an error."""
    settle_many_tables_by_two_workers_each(25)


@pytest.mark.slow(long=True)
def test_two_workers_on_each_of_many_tables_post_one_set_of_entries_each():
    settle_many_tables_by_two_workers_each(1_000)


def test_workers_that_open_the_same_accounts_at_once_do_not_wait_for_each_other_for_ever(
    monkeypatch: pytest.MonkeyPatch,
):
    """Planted faults: accounts opened in the order in which a sheet names them; PostgreSQL found a deadlock."""
    # SQLite has one writer at a time, so no deadlock.
    writers, players = (2, 1_500) if connection.vendor == "postgresql" else (1, 100)
    crowd = [f"player {number}" for number in range(players)]
    found_none = threading.Barrier(writers)
    database = storage.of(connection)
    find = database.find_accounts

    def find_at_the_same_moment(*given: Any) -> Any:
        found = find(*given)
        if not found:
            found_none.wait(PATIENCE)
        return found

    monkeypatch.setattr(database, "find_accounts", find_at_the_same_moment)
    for _ in range(3):
        club = uuid.uuid4()
        paying: dict[str, Any] = dict.fromkeys(crowd, -1)
        repaid: dict[str, Any] = dict.fromkeys(reversed(crowd), 1)
        paid = moved("table", **paying, asha=len(crowd))
        returned = moved("table", asha=-len(crowd), **repaid)
        at_once(
            partial(settled, 1, paid, cause="table:a", club=club),
            partial(settled, 1, returned, cause="table:b", club=club),
        )
        assert holdings(club) == {}


def test_of_two_versions_settled_at_once_the_newer_stands_whoever_comes_first():
    """Planted fault: without comparing versions, the older settlement sometimes came last and stayed."""
    for number in range(15):
        cause = f"table:{number}"
        at_once(partial(settled, 17, *TABLE_17, cause=cause), partial(settled, 21, *TABLE_21, cause=cause))
    assert holdings() == {"asha": -800 * 15, "bo": 540 * 15, "cy": 200 * 15, "house": 60 * 15}
    assert ledger_problems() == []


def killed_while(step: str, *, version: int, entries: tuple[PlannedEntry, ...]) -> None:
    """Settle in a process that is killed right after one of the ledger's steps, before it commits."""
    connections.close_all()
    child = os.fork()
    if child == 0:
        database = storage.of(connection)
        original = getattr(database, step)

        def last_step(*given: object) -> None:
            original(*given)
            os.kill(os.getpid(), signal.SIGKILL)

        setattr(database, step, last_step)
        try:
            settled(version, *entries)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the process was to be killed, and ended by itself"


@pytest.mark.skipif("connection.vendor != 'postgresql'", reason="only PostgreSQL settles in one statement")
def test_settlement_in_one_statement_killed_before_it_commits_leaves_nothing():
    """Planted fault: the statement outside the transaction that settles."""
    settled(17, *TABLE_17, cause="table:opens the accounts")
    before = JournalEntry.objects.count()
    killed_while("claim_and_post", version=17, entries=TABLE_17)
    assert JournalEntry.objects.count() == before
    assert settled(17, *TABLE_17).is_news
    assert not settled(17, *TABLE_17).is_news
    assert ledger_problems() == []


@pytest.mark.parametrize("step", ["claim", "find_accounts", "insert_entries"])
def test_settlement_killed_in_the_middle_leaves_nothing_and_is_done_by_the_next_worker(step: str):
    """Planted fault: the claim in a transaction of its own; the next worker then believed that all was done."""
    killed_while(step, version=17, entries=TABLE_17)
    assert not JournalEntry.objects.exists()
    assert settled(17, *TABLE_17).is_news
    killed_while(step, version=21, entries=TABLE_21)
    assert settled(21, *TABLE_21).reversed == ("deal:2",)
    assert holdings() == {"asha": -800, "bo": 540, "cy": 200, "house": 60}
    assert sum(line.balance_minor for line in trial_balance(CLUB)) == 0
    assert connection.is_usable()
