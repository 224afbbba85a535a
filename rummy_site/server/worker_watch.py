"""A worker that is dead, or hangs in its checks, cannot say so: each web process looks, and runs the alarms for it."""

import logging
import threading

from django.core.management import call_command
from django.db import connection
from django.utils.timezone import now

from tournaments.projections.stale import Settling, unchecked_since, worker_state
from tournaments.transient_errors import outage_line

EVERY_SECONDS = 60.0
# What stands in the database. Disks, backups and certificates are the worker's: it may run on another machine.
SEEN_FROM_HERE = ("settlements", "worker", "seals")

logger = logging.getLogger(__name__)


class WorkerWatch(threading.Thread):
    """Looks once a minute whether any worker shows itself and runs its checks: two queries, and alarms only if not."""

    def __init__(self) -> None:
        super().__init__(name="worker-watch", daemon=True)

    def run(self) -> None:
        """Look until the process ends."""
        never = threading.Event()
        while not never.wait(EVERY_SECONDS):
            self.look()
            connection.close()

    def look(self) -> None:
        """Look once; an unreachable database, or a defect, ends this look and not the next one."""
        try:
            if worker_state(now=now()).settling in (Settling.STOPPED, Settling.NEVER):
                call_command("doctor", tell=True, only=SEEN_FROM_HERE)
            elif unchecked_since(now=now()) is not None:
                call_command("doctor", tell=True, only=("checks",))
        except Exception as error:
            if outage := outage_line(error):
                logger.warning("nobody looks for the worker: %s", outage)
            else:
                logger.exception("looking for the worker failed")
