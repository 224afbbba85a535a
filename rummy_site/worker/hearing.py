"""Whether a worker still hears its broker: its consumer loop turns, and no bell waits that it does not take.

A consumer that idles looks like one that is deaf, to itself too; what tells them apart is the length of the queue. It
is asked on a connection of its own and in a thread of its own, for a broker may be so far gone that asking hangs.
Rules: docs/decisions/0030-a-worker-proves-that-it-works.md.
"""

import logging
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

from celery import Celery
from celery.signals import task_received

logger = logging.getLogger(__name__)

# Between two attempts to connect the consumer waits up to 32 s, and each attempt may take some seconds itself.
LOOP_SECONDS = 75.0
LOOK_EVERY_SECONDS = 10.0
# A bell that waits so long although nobody is at work on others is not heard at all.
DEAF_SECONDS = 60.0
# A broker that takes a question and never answers is as good as away.
ANSWER_SECONDS = 5.0


class Loop:
    """The consumer's loop turns: it runs what it is handed, or it tries to reach its broker again and again."""

    def __init__(self, consumer: Any, *, now: float) -> None:
        self._consumer = consumer
        self._answers = 0
        self._sign: tuple[int, int, int] | None = None
        self._changed_at = now

    def is_turning(self, *, now: float) -> bool:
        """Whether anything has moved lately; asks it to move once more."""
        sign = (self._answers, self._consumer.restart_count, self._consumer.broker_connection_retry_attempt)
        if sign != self._sign:
            self._sign, self._changed_at = sign, now
        self._consumer.call_soon(self._answer)
        return now - self._changed_at <= LOOP_SECONDS

    def _answer(self) -> None:
        self._answers += 1


class Ear(threading.Thread):
    """Looks at the queue now and then: is the broker there, and do bells wait that this worker does not take?"""

    def __init__(self, bells_waiting: Callable[[], int]) -> None:
        super().__init__(name="ear", daemon=True)
        self.broker_down_since: datetime | None = None
        self._bells_waiting = bells_waiting
        self._received = 0
        self._unheard_since: float | None = None
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
        """Ask the broker how many bells wait. One that is away makes nobody deaf."""
        began = datetime.now(UTC)
        try:
            waiting = self._bells_waiting()
        except Exception as error:  # noqa: BLE001 - each transport has failures of its own; all mean that it is gone
            if self.broker_down_since is None:
                logger.warning("the broker is out of reach: %s", type(error).__name__)
            self.broker_down_since = self.broker_down_since or began
            self._unheard_since = None
            return
        self.broker_down_since = None
        if not waiting or self._received != self._received_then or self._unheard_since is None:
            self._unheard_since = now if waiting else None
            self._received_then = self._received

    def is_deaf(self, *, now: float) -> bool:
        """Whether bells have been waiting for long, and none was taken in all that time."""
        since = self._unheard_since
        return since is not None and now - since > DEAF_SECONDS and self._received == self._received_then

    def _on_received(self, **_: Any) -> None:
        self._received += 1


def bells_waiting(app: Celery) -> int:
    """How many bells lie in the queue that nobody has taken. Raises what the transport raises where it is gone."""
    patience = {"read_timeout": ANSWER_SECONDS, "write_timeout": ANSWER_SECONDS}
    with app.connection_for_read(heartbeat=0, transport_options=patience) as connection:
        connection.ensure_connection(max_retries=0, timeout=3)
        channel: Any = connection.default_channel
        try:
            declared = channel.queue_declare(queue=app.conf.task_default_queue, passive=True)
        except connection.channel_errors:
            # No such queue: nobody has rung yet.
            return 0
        return int(declared.message_count)
