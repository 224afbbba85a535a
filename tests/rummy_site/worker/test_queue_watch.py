"""How a consuming worker is told from a stalled one, and when the watchdog is told that it is well."""

import time
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import pytest
from celery.signals import task_received
from django.db import OperationalError

from rummy_site.worker import periodic
from rummy_site.worker.periodic import (
    LOOP_SECONDS,
    STALLED_SECONDS,
    Heartbeat,
    Loop,
    PeriodicJob,
    QueueWatch,
    messages_waiting,
)
from tournaments.models import WorkerHeartbeat


class Consumer:
    """Like Celery's: runs a callback in its next loop iteration, while it loops."""

    def __init__(self) -> None:
        self.restart_count = 0
        self.broker_connection_retry_attempt = 0
        self.handed: list[Callable[[], None]] = []

    def call_soon(self, what: Callable[[], None]) -> None:
        self.handed.append(what)

    def turn(self) -> None:
        for what in self.handed:
            what()
        self.handed.clear()


class Queue:
    """How many messages wait; an exception stands for a broker that is away."""

    def __init__(self) -> None:
        self.waiting: int | Exception = 0

    def __call__(self) -> int:
        if isinstance(self.waiting, Exception):
            raise self.waiting
        return self.waiting


@pytest.fixture
def queue() -> Queue:
    return Queue()


@pytest.fixture
def watch(queue: Queue) -> Iterator[QueueWatch]:
    watch = QueueWatch(queue)
    yield watch
    task_received.disconnect(watch._on_received)


def test_a_loop_that_turns_is_alive_and_one_that_stands_still_is_not():
    """Planted fault it catches: only checking whether the loop's thread is alive."""
    consumer = Consumer()
    loop = Loop(consumer, now=0)
    for moment in (0, 50, 100, 150):
        assert loop.is_turning(now=moment)
        consumer.turn()
    assert loop.is_turning(now=200)
    assert loop.is_turning(now=200 + LOOP_SECONDS)
    assert not loop.is_turning(now=201 + LOOP_SECONDS)
    consumer.turn()
    assert loop.is_turning(now=202 + LOOP_SECONDS)


def test_a_loop_that_tries_to_reach_its_broker_is_alive():
    """Planted fault it catches: a worker ended again and again for as long as its broker is away."""
    consumer = Consumer()
    loop = Loop(consumer, now=0)
    for attempt in range(10):
        consumer.broker_connection_retry_attempt = attempt
        assert loop.is_turning(now=35 * attempt)
    assert not loop.is_turning(now=400)


def test_messages_that_wait_and_are_not_taken_tell_a_stalled_worker(watch: QueueWatch, queue: Queue):
    """Planted fault it catches: an open connection taken for one that delivers."""
    for moment in range(0, 300, 10):
        watch.look(now=moment)
        assert not watch.is_stalled(now=moment)
    queue.waiting = 40
    watch.look(now=300)
    watch.look(now=300 + STALLED_SECONDS)
    assert not watch.is_stalled(now=300 + STALLED_SECONDS)
    assert watch.is_stalled(now=301 + STALLED_SECONDS)


def test_a_worker_that_takes_messages_has_not_stalled_however_many_wait(watch: QueueWatch, queue: Queue):
    queue.waiting = 1_000
    for moment in range(0, 600, 10):
        watch.look(now=moment)
        assert not watch.is_stalled(now=moment + 9)
        if moment % 50 == 0:
            task_received.send(sender=None, request=None)


def test_a_worker_whose_broker_is_away_has_not_stalled_and_says_since_when(watch: QueueWatch, queue: Queue):
    """Planted fault it catches: silence before the outage counted on after it."""
    queue.waiting = 5
    watch.look(now=0)
    watch.look(now=STALLED_SECONDS)
    queue.waiting = ConnectionError("gone")
    watch.look(now=STALLED_SECONDS + 5)
    assert not watch.is_stalled(now=STALLED_SECONDS + 10)
    since = watch.broker_down_since
    assert since is not None
    watch.look(now=STALLED_SECONDS + 15)
    assert watch.broker_down_since == since
    queue.waiting = 5
    watch.look(now=STALLED_SECONDS + 25)
    assert watch.broker_down_since is None
    assert not watch.is_stalled(now=2 * STALLED_SECONDS)


@pytest.mark.django_db
def test_the_messages_that_wait_are_counted_on_this_broker():
    from rummy_site.celery import app

    app.control.purge()
    assert messages_waiting(app) == 0
    for _ in range(3):
        app.send_task("tournaments.tasks.seal_logs")
    assert messages_waiting(app) == 3
    app.control.purge()
    assert messages_waiting(app) == 0


@pytest.fixture
def told() -> Iterator[list[str]]:
    """What the watchdog was told."""
    words: list[str] = []
    with patch.object(periodic, "notify", words.append):
        yield words


def heartbeat_of(watch: QueueWatch, consumer: Consumer) -> Heartbeat:
    return Heartbeat("celery@here", Loop(consumer, now=time.monotonic()), watch)


@pytest.mark.django_db
def test_a_worker_that_settles_and_consumes_is_well(watch: QueueWatch, told: list[str]):
    heartbeat_of(watch, Consumer()).settle()
    assert set(told) == {"WATCHDOG=1"}
    assert [row.name for row in WorkerHeartbeat.objects.all()] == ["celery@here"]


@pytest.mark.django_db
@pytest.mark.parametrize("fault", ["stalled", "stands still"])
def test_a_worker_that_takes_no_messages_settles_and_is_not_well(
    watch: QueueWatch, queue: Queue, told: list[str], fault: str, caplog: pytest.LogCaptureFixture
):
    """Planted faults it catches: a heartbeat that only means a living thread; settling that stops with the consumer."""
    began = time.monotonic()
    heartbeat = Heartbeat("celery@here", Loop(Consumer(), now=began - (fault != "stalled") * 2 * LOOP_SECONDS), watch)
    if fault == "stalled":
        queue.waiting = 1
        watch.look(now=began - 2 * STALLED_SECONDS)
    else:
        heartbeat._loop._sign = (0, 0, 0)
    with patch("rummy_site.worker.periodic.tasks.settle_owed", return_value=iter(["one", "two"])) as settled:
        heartbeat.settle()
    assert settled.call_count == 1
    assert told == []
    assert not WorkerHeartbeat.objects.exists()
    assert caplog.text.count("takes no messages any more") == 1


@pytest.mark.django_db
def test_a_database_that_is_away_ends_nobody_and_nobody_is_called_well_in_it(watch: QueueWatch, told: list[str]):
    """Planted faults it catches: a worker ended because its database is away; an error that ends the thread."""

    def gone() -> Iterator[Any]:
        raise OperationalError("gone")
        yield

    # The transaction of this test is not a connection that a worker would have.
    kept = patch.object(periodic, "close_old_connections")
    with kept, patch("rummy_site.worker.periodic.tasks.settle_owed", gone):
        PeriodicJob("settling", heartbeat_of(watch, Consumer()).settle, every=1).once()
    assert told == ["WATCHDOG=1"]
    assert not WorkerHeartbeat.objects.exists()


@pytest.mark.django_db
def test_a_defect_in_one_round_leaves_the_next_one():
    done = []

    def work() -> None:
        done.append(1)
        raise ZeroDivisionError

    thread = PeriodicJob("settling", work, every=0.01)
    thread.start()
    deadline = time.monotonic() + 30
    while len(done) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    thread.stop()
    thread.join(30)
    assert not thread.is_alive()
