"""The worker's periodic jobs: they look into the database for pending work, with a broker or without one.

A message makes a settlement quick; these periodic jobs make it certain. They run in threads of the worker's process,
beside the tasks: work that both of them find is done once, because it is done while holding a lock or a lease of its
row. The settling job reports that the worker is well, to its watchdog and in the database, and only while the consumer
takes messages too. Rules: docs/decisions/0030-a-worker-proves-that-it-works.md.
"""

import gc
import logging
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from celery import Celery, bootsteps
from celery.signals import task_received
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.db import close_old_connections, connection
from django.utils.timezone import now

from rummy_site.worker.broker_faults import broker_fault
from rummy_site.worker.watchdog import ALIVE, notify
from tournaments import tasks
from tournaments.models import Receiver
from tournaments.projections.stale import note_checks
from tournaments.transient_errors import outage_line

# Whether a worker still consumes: its consumer loop runs, and no message waits that it does not take.

# Between two attempts to connect the consumer waits up to 32 s, and each attempt may take some seconds itself.
LOOP_SECONDS = 75.0
LOOK_EVERY_SECONDS = 10.0
# Where a message waits so long although no worker is busy with others, the consumer takes none at all.
STALLED_SECONDS = 60.0
# A broker that accepts a request and never answers counts as unreachable.
ANSWER_SECONDS = 5.0


class Loop:
    """The consumer's loop: whether it still runs what it is given, or keeps trying to reach its broker."""

    def __init__(self, consumer: Any, *, now: float) -> None:
        self._consumer = consumer
        self._answers = 0
        self._sign: tuple[int, int, int] | None = None
        self._changed_at = now

    def is_turning(self, *, now: float) -> bool:
        """Whether the loop has run lately; asks it to run once more."""
        sign = (self._answers, self._consumer.restart_count, self._consumer.broker_connection_retry_attempt)
        if sign != self._sign:
            self._sign, self._changed_at = sign, now
        self._consumer.call_soon(self._answer)
        return now - self._changed_at <= LOOP_SECONDS

    def _answer(self) -> None:
        self._answers += 1


class QueueWatch(threading.Thread):
    """Looks at the queue now and then: is the broker there, and do messages wait that this worker does not take?"""

    def __init__(self, messages_waiting: Callable[[], int]) -> None:
        super().__init__(name="queue-watch", daemon=True)
        self.broker_down_since: datetime | None = None
        self._messages_waiting = messages_waiting
        self._received = 0
        self._untaken_since: float | None = None
        self._received_then = 0
        self._ending = threading.Event()
        task_received.connect(self._on_received, weak=False)

    def run(self) -> None:
        """Look until the worker ends."""
        while not self._ending.wait(LOOK_EVERY_SECONDS):
            self.look(now=time.monotonic())

    def stop(self) -> None:
        """Let the worker end."""
        self._ending.set()

    def look(self, *, now: float) -> None:
        """Ask the broker how many messages wait. An unreachable broker does not make a worker stalled."""
        began = datetime.now(UTC)
        try:
            waiting = self._messages_waiting()
        except Exception as error:  # noqa: BLE001 - each transport has failures of its own; all mean that it is gone
            if self.broker_down_since is None:
                logger.warning(broker_fault(error))
            # Not one that lies ahead, of a time when the clock was wrong.
            self.broker_down_since = min(self.broker_down_since or began, began)
            self._untaken_since = None
            return
        self.broker_down_since = None
        if not waiting or self._received != self._received_then or self._untaken_since is None:
            self._untaken_since = now if waiting else None
            self._received_then = self._received

    def is_stalled(self, *, now: float) -> bool:
        """Whether messages have been waiting for long, and none was taken in all that time."""
        since = self._untaken_since
        return since is not None and now - since > STALLED_SECONDS and self._received == self._received_then

    def _on_received(self, **_: Any) -> None:
        self._received += 1


def messages_waiting(app: Celery) -> int:
    """How many messages no worker has taken from the queue. Raises the transport's error where it is unreachable."""
    patience = {"read_timeout": ANSWER_SECONDS, "write_timeout": ANSWER_SECONDS}
    with app.connection_for_read(heartbeat=0, transport_options=patience) as connection:
        connection.ensure_connection(max_retries=0, timeout=3)
        channel: Any = connection.default_channel
        try:
            declared = channel.queue_declare(queue=app.conf.task_default_queue, passive=True)
        except connection.channel_errors as error:
            if getattr(error, "code", 0) == REFUSED:
                raise
            # No such queue: no message has been sent yet.
            return 0
        return int(declared.message_count)


logger = logging.getLogger(__name__)

# AMQP's code of a user without permission.
REFUSED = 403
SETTLE_EVERY_SECONDS = 10.0
READ_EVERY_SECONDS = 10.0
SEAL_EVERY_SECONDS = 900.0
PUBLISH_EVERY_SECONDS = 1.0
# A message is at its receiver within three seconds, and recording a deal sends none itself.
TELL_EVERY_SECONDS = 1.0
TIDY_EVERY_SECONDS = 3_600.0
# A name leaves the books in the first hour of its day, in whatever zone the club is.
FORGET_EVERY_SECONDS = 3_600.0
FORGET_FIRST_SECONDS = 120.0
# A box is there soon after its tournament has closed, and nobody waits for it.
BOX_EVERY_SECONDS = 600.0
BOX_FIRST_SECONDS = 180.0
ALARM_EVERY_SECONDS = 300.0
ALARM_FIRST_SECONDS = 90.0
BACKUP_LOOK_SECONDS = 600.0
BACKUP_FIRST_SECONDS = 120.0
# A worker that crashes again and again seals too.
SEAL_FIRST_SECONDS = 60.0
# A settlement in progress may finish; one that is interrupted is rolled back and found again.
STOP_SECONDS = 3.0


class PeriodicJob(threading.Thread):
    """One periodic job, run at an interval until the worker ends."""

    def __init__(self, name: str, work: Callable[[], object], *, every: float, first_after: float = 0) -> None:
        super().__init__(name=name, daemon=True)
        self._work = work
        self._every = every
        self._first_after = first_after
        self._ending = threading.Event()

    def run(self) -> None:
        """Run and wait in turns."""
        rest = self._first_after
        while not self._ending.wait(rest):
            self.once()
            rest = self._every

    def stop(self) -> None:
        """Let the worker end; the current run is the last one."""
        self._ending.set()

    def once(self) -> None:
        """Run the job once: an outage, or a defect, ends this run and not the next one."""
        close_old_connections()
        try:
            self._work()
        except Exception as error:
            if outage := outage_line(error):
                logger.warning("%s: %s", self.name, outage)
            else:
                logger.exception("%s failed", self.name)
        finally:
            if self._every > SETTLE_EVERY_SECONDS:
                # A connection unused for a quarter of an hour is closed, so that others can have one.
                connection.close()


class Heartbeat:
    """Reports that this worker is well: due settlements are done, and its consumer takes messages."""

    def __init__(self, name: str, loop: Loop, watch: QueueWatch) -> None:
        self._name = name
        self._loop = loop
        self._watch = watch
        self._was_well = True
        self._stored_at: float | None = None

    def settle(self) -> None:
        """Settle what is due. An unreachable database stops neither the next run nor the report to the watchdog:
        a new process could not reach it either.
        """
        try:
            for _ in tasks.settle_owed():
                self._beat()
            self._beat()
        finally:
            self._is_well()

    def _beat(self) -> None:
        """Write it to the database too, a little more often than readers check."""
        moment = time.monotonic()
        is_due = self._stored_at is None or moment - self._stored_at >= SETTLE_EVERY_SECONDS / 2
        if self._is_well() and is_due:
            if self._stored_at is None:
                note_checks(now=now())
            tasks.store_heartbeat(self._name, at=now(), broker_down_since=self._watch.broker_down_since)
            self._stored_at = moment

    def _is_well(self) -> bool:
        """Check, and notify the watchdog. A worker that takes no messages settles on, unreported, until it ends."""
        moment = time.monotonic()
        is_well = self._loop.is_turning(now=moment) and not self._watch.is_stalled(now=moment)
        if is_well:
            notify(ALIVE)
        elif self._was_well:
            logger.error("the consumer takes no messages any more; this worker asks to be ended by its silence")
        self._was_well = is_well
        return is_well


def _forget() -> None:
    tasks.forget_names()
    tasks.forget_entry_requests()
    SessionStore.clear_expired()


def _publish() -> None:
    # The pages of the site, which no other job needs.
    from tournaments.web.publishing import publish_owed  # noqa: PLC0415

    for _ in publish_owed():
        pass


def _tell() -> None:
    if not Receiver.objects.filter(is_on=True).exists():
        return
    # The reports and the mail of the site, which a club without receivers does not need.
    from tournaments.outbox.sending import in_threads, tell_owed  # noqa: PLC0415

    tell_owed(in_threads)


def _keep_backups() -> None:
    # Where no backups are made, nothing of it is loaded.
    from rummy_site.worker.nightly import keep_backups  # noqa: PLC0415

    if settings.BACKUP_DIR is not None:
        keep_backups(settings.BACKUP_DIR, now=now())


def _tidy() -> None:
    from tournaments.outbox.sending import sweep  # noqa: PLC0415

    sweep(now=now())
    tasks.end_claims_ahead(now=now())


def _alarm() -> None:
    call_command("doctor", tell=True)


class PeriodicJobs(bootsteps.StartStopStep):
    """The step of Celery's worker that starts the jobs. It comes before the consumer, which waits for the broker."""

    requires = ("celery.worker.components:Pool",)

    def __init__(self, worker: Any, **options: Any) -> None:
        super().__init__(worker, **options)
        self.threads: list[PeriodicJob | QueueWatch] = []

    def start(self, worker: Any) -> None:
        """Start every job."""
        # Loaded objects stay: no full collection need walk them again. While they are loaded there may have been none.
        gc.collect()
        gc.freeze()
        gc.enable()
        watch = QueueWatch(partial(messages_waiting, worker.app))
        heartbeat = Heartbeat(worker.hostname, Loop(worker.consumer, now=time.monotonic()), watch)
        self.threads = [
            PeriodicJob("settling", heartbeat.settle, every=SETTLE_EVERY_SECONDS),
            PeriodicJob("reading", tasks.sweep_readings, every=READ_EVERY_SECONDS),
            PeriodicJob("sealing", tasks.seal_logs, every=SEAL_EVERY_SECONDS, first_after=SEAL_FIRST_SECONDS),
            PeriodicJob("forgetting", _forget, every=FORGET_EVERY_SECONDS, first_after=FORGET_FIRST_SECONDS),
            PeriodicJob("telling", _tell, every=TELL_EVERY_SECONDS),
            PeriodicJob("tidying", _tidy, every=TIDY_EVERY_SECONDS, first_after=FORGET_FIRST_SECONDS),
            PeriodicJob("boxes", tasks.keep_boxes, every=BOX_EVERY_SECONDS, first_after=BOX_FIRST_SECONDS),
            PeriodicJob("alarms", _alarm, every=ALARM_EVERY_SECONDS, first_after=ALARM_FIRST_SECONDS),
            watch,
        ]
        if settings.BACKUP_DIR is not None and settings.BACKUP_EVERY_HOURS:
            self.threads.append(
                PeriodicJob("backups", _keep_backups, every=BACKUP_LOOK_SECONDS, first_after=BACKUP_FIRST_SECONDS)
            )
        if settings.PUBLISH_TO:
            self.threads.append(PeriodicJob("publishing", _publish, every=PUBLISH_EVERY_SECONDS))
        for thread in self.threads:
            thread.start()

    def stop(self, worker: Any) -> None:
        """End the jobs; a running one has a moment to finish."""
        for thread in self.threads:
            thread.stop()
        deadline = time.monotonic() + STOP_SECONDS
        for thread in self.threads:
            thread.join(max(0.0, deadline - time.monotonic()))

    def terminate(self, worker: Any) -> None:
        """The same, for a worker that was asked twice."""
        self.stop(worker)
