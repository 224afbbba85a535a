"""A worker killed at any moment of a settlement, and started again, leaves the books of an undisturbed evening."""

import os
import random
import select
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from celery.signals import task_prerun
from django.db import connections, transaction

from rummy_site.celery import app
from scoring.models import Posting
from tests.builders.club_at_play import Evening, new_evening
from tests.builders.patience import PATIENCE
from tests.builders.playing import NOW, Playing, loses, show
from tests.builders.proofs import complaints, is_settled
from tournaments.books.commands import settle_table

TABLES_A_LIFE, MOST_KILLS = 2, 100
# Most settlements take less, so some kills come before a claim, some inside, some between two tables.
LONGEST_LIFE = 0.03
WORKER = ["worker", "-P", "threads", "-c", "2", "--without-gossip", "--without-mingle", "--without-heartbeat"]
# What a worker imports when it starts; loaded before the first fork, so that not each child has to.
LOADED = (
    *("rummy_site.urls", "celery.bin.celery", "celery.apps.worker", "celery.concurrency.thread"),
    *("celery.worker.autoscale", "celery.worker.components", "celery.worker.consumer", "kombu.transport.filesystem"),
)


def play(evening: Evening) -> list[UUID]:
    """Tables with a deal each: points are paid after every deal. No worker takes their messages."""
    tables = [Playing(row=evening.new_table()) for _ in range(TABLES_A_LIFE)]
    for table in tables:
        table.deal(1, show, loses(60), loses(70), loses(80))
    return [table.row.id for table in tables]


def books_of(tables: list[UUID]) -> list[tuple[Any, ...]]:
    """Everything that was posted for some tables."""
    causes = [f"table:{table}" for table in tables]
    columns = ("entry__reference", "account__kind", "account__owner", "purpose", "amount_minor")
    return sorted(Posting.objects.filter(entry__cause__in=causes).values_list(*columns))


def undisturbed(tables: list[UUID]) -> list[tuple[Any, ...]]:
    """What the books would hold if no worker were killed. Nothing of it stays."""
    with transaction.atomic():
        for table in tables:
            settle_table(table, now=NOW)
        found = books_of(tables)
        transaction.set_rollback(True)
    return found


@contextmanager
def worker_until_killed(log: Path) -> Iterator[int]:
    """A worker process; the pipe reports each settlement that it begins. It ends by SIGKILL."""
    connections.close_all()
    told, tell = os.pipe()
    process = os.fork()
    if process == 0:
        _work(tell, log)
    os.close(tell)
    try:
        yield told
    finally:
        os.kill(process, signal.SIGKILL)
        _, status = os.waitpid(process, 0)
        os.close(told)
    assert os.WIFSIGNALED(status), log.read_text()[-4000:]


def _work(tell: int, log: Path) -> None:
    """Forked, because starting Python again for each kill would take longer than all the rest."""
    try:
        words = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        os.dup2(words, 1)
        os.dup2(words, 2)

        def begun(**_: Any) -> None:
            os.write(tell, b".")

        task_prerun.connect(begun, weak=False)
        forked: Any = app
        forked._after_fork()
        app.worker_main(WORKER)
    finally:
        os._exit(1)


def wait_for_work(told: int, log: Path) -> None:
    ready, _, _ = select.select([told], [], [], PATIENCE)
    assert ready, log.read_text()[-4000:]
    assert os.read(told, 1), log.read_text()[-4000:]


def settle_in_the_end(evening: Evening, log: Path) -> None:
    """The last worker is not killed."""
    with worker_until_killed(log):
        deadline = time.monotonic() + PATIENCE
        while not is_settled(evening.club):
            assert time.monotonic() < deadline, log.read_text()[-4000:]
            time.sleep(0.05)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "kills", [2, pytest.param(10, marks=pytest.mark.slow), pytest.param(200, marks=pytest.mark.slow(long=True))]
)
def test_worker_killed_at_any_moment_and_started_again_posts_what_an_undisturbed_one_would(kills: int, tmp_path: Path):
    """Two more tables for each worker; what one left undone, or did twice, would differ from what is expected."""
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    log = tmp_path / "workers.log"
    for name in LOADED:
        import_module(name)
    app.control.purge()
    evening = new_evening()
    expected: list[tuple[Any, ...]] = []
    tables: list[UUID] = []
    hits = done = 0
    # A kill after the work is done proves nothing: kill again until one has come before that.
    while done < kills or (not hits and done < MOST_KILLS):
        done += 1
        fresh = play(evening)
        expected += undisturbed(fresh)
        tables += fresh
        with worker_until_killed(log) as told:
            wait_for_work(told, log)
            time.sleep(chance.uniform(0, LONGEST_LIFE))
        hits += not is_settled(evening.club)
    settle_in_the_end(evening, log)
    assert hits, f"every worker was done before it was killed: seed {seed}"
    assert books_of(tables) == sorted(expected), f"seed {seed}"
    assert complaints() == [], f"seed {seed}"
