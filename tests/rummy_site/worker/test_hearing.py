"""What tells a worker that hears from one that is deaf, and who is told that it is well."""

import time
from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import pytest
from celery.signals import task_received
from django.db import OperationalError

from rummy_site.worker import rounds
from rummy_site.worker.rounds import DEAF_SECONDS, LOOP_SECONDS, Ear, Heartbeat, Loop, Round, bells_waiting
from tournaments.models import WorkerHeartbeat


class Consumer:
    """As Celery's: it does what it is handed in its next turn, while it turns."""

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
    """How many bells wait; an exception is a broker that is away."""

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
def ear(queue: Queue) -> Iterator[Ear]:
    ear = Ear(queue)
    yield ear
    task_received.disconnect(ear._on_received)


def test_a_loop_that_turns_is_alive_and_one_that_stands_still_is_not():
    """Planted fault it catches: a loop asked whether its thread lives."""
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


def test_bells_that_wait_and_are_not_taken_tell_a_deaf_worker(ear: Ear, queue: Queue):
    """Planted fault it catches: a connection that stands taken for one that brings something."""
    for moment in range(0, 300, 10):
        ear.look(now=moment)
        assert not ear.is_deaf(now=moment)
    queue.waiting = 40
    ear.look(now=300)
    ear.look(now=300 + DEAF_SECONDS)
    assert not ear.is_deaf(now=300 + DEAF_SECONDS)
    assert ear.is_deaf(now=301 + DEAF_SECONDS)


def test_a_worker_that_takes_bells_is_not_deaf_however_many_wait(ear: Ear, queue: Queue):
    queue.waiting = 1_000
    for moment in range(0, 600, 10):
        ear.look(now=moment)
        assert not ear.is_deaf(now=moment + 9)
        if moment % 50 == 0:
            task_received.send(sender=None, request=None)


def test_a_worker_whose_broker_is_away_is_not_deaf_and_says_since_when(ear: Ear, queue: Queue):
    """Planted fault it catches: silence before the outage counted on after it."""
    queue.waiting = 5
    ear.look(now=0)
    ear.look(now=DEAF_SECONDS)
    queue.waiting = ConnectionError("gone")
    ear.look(now=DEAF_SECONDS + 5)
    assert not ear.is_deaf(now=DEAF_SECONDS + 10)
    since = ear.broker_down_since
    assert since is not None
    ear.look(now=DEAF_SECONDS + 15)
    assert ear.broker_down_since == since
    queue.waiting = 5
    ear.look(now=DEAF_SECONDS + 25)
    assert ear.broker_down_since is None
    assert not ear.is_deaf(now=2 * DEAF_SECONDS)


@pytest.mark.broker
@pytest.mark.django_db
def test_the_bells_that_wait_are_counted_on_this_broker():
    from rummy_site.celery import app

    app.control.purge()
    assert bells_waiting(app) == 0
    for _ in range(3):
        app.send_task("tournaments.tasks.seal_logs")
    assert bells_waiting(app) == 3
    app.control.purge()
    assert bells_waiting(app) == 0


@pytest.fixture
def told() -> Iterator[list[str]]:
    """What whoever watches was told."""
    words: list[str] = []
    with patch.object(rounds, "notify", words.append):
        yield words


def heartbeat_of(ear: Ear, consumer: Consumer) -> Heartbeat:
    return Heartbeat("celery@here", Loop(consumer, now=time.monotonic()), ear)


@pytest.mark.django_db
def test_a_worker_that_settles_and_hears_is_well(ear: Ear, told: list[str]):
    heartbeat_of(ear, Consumer()).settle()
    assert set(told) == {"WATCHDOG=1"}
    assert [row.name for row in WorkerHeartbeat.objects.all()] == ["celery@here"]


@pytest.mark.django_db
@pytest.mark.parametrize("fault", ["deaf", "stands still"])
def test_a_worker_that_does_not_hear_settles_and_is_not_well(
    ear: Ear, queue: Queue, told: list[str], fault: str, caplog: pytest.LogCaptureFixture
):
    """Planted faults it catches: a heartbeat that means that a thread lives; settling that stops with the hearing."""
    began = time.monotonic()
    heartbeat = Heartbeat("celery@here", Loop(Consumer(), now=began - (fault != "deaf") * 2 * LOOP_SECONDS), ear)
    if fault == "deaf":
        queue.waiting = 1
        ear.look(now=began - 2 * DEAF_SECONDS)
    else:
        heartbeat._loop._sign = (0, 0, 0)
    with patch("rummy_site.worker.rounds.tasks.settle_owed", return_value=iter(["one", "two"])) as settled:
        heartbeat.settle()
    assert settled.call_count == 1
    assert told == []
    assert not WorkerHeartbeat.objects.exists()
    assert caplog.text.count("hears nothing any more") == 1


@pytest.mark.django_db
def test_a_database_that_is_away_ends_nobody_and_nobody_is_called_well_in_it(ear: Ear, told: list[str]):
    """Planted faults it catches: a worker ended because its database is away; a round that ends the thread."""

    def gone() -> Iterator[Any]:
        raise OperationalError("gone")
        yield

    # The transaction of this test is no connection that a worker would have.
    kept = patch.object(rounds, "close_old_connections")
    with kept, patch("rummy_site.worker.rounds.tasks.settle_owed", gone):
        Round("settling", heartbeat_of(ear, Consumer()).settle, every=1).once()
    assert told == ["WATCHDOG=1"]
    assert not WorkerHeartbeat.objects.exists()


@pytest.mark.django_db
def test_a_defect_in_one_round_leaves_the_next_one():
    done = []

    def work() -> None:
        done.append(1)
        raise ZeroDivisionError

    thread = Round("settling", work, every=0.01)
    thread.start()
    deadline = time.monotonic() + 30
    while len(done) < 3:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    thread.stop()
    thread.join(30)
    assert not thread.is_alive()
