"""The obligation to work out seasons and ratings anew: a number on the club's row, raised with what changed a night.

Rules: docs/decisions/0020-seasons-and-ratings.md. Whoever calls is in the transaction of the change.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils.module_loading import import_string

from tournaments.models import ClubReadings, Tournament, WorkerHeartbeat

# Messages to a worker once a fact is saved. One that is lost costs time, never money: the sweep looks for what is owed.

SETTLE = "tournaments.tasks.settle_table"
SETTLE_EVENING = "tournaments.tasks.settle_evening"
READ_NIGHTS = "tournaments.tasks.read_nights"
logger = logging.getLogger(__name__)


def _enqueue(task: str, which: UUID) -> None:
    transaction.on_commit(lambda: _send(task, str(which)), robust=True)


# Each asks a worker, after the transaction at hand has been committed: for a table's money, for a tournament's prizes,
# for a club's seasons and ratings.
enqueue_settlement = partial(_enqueue, SETTLE)
enqueue_prizes = partial(_enqueue, SETTLE_EVENING)
enqueue_readings = partial(_enqueue, READ_NIGHTS)


def _send(task: str, argument: str) -> None:
    """Send without retrying: the fact is stored already and its writer is waiting for the answer."""
    try:
        import_string(settings.TASK_APP).send_task(task, args=[argument], retry=False)
    except Exception as error:  # noqa: BLE001 - any broker failure means the same: the sweep will find the table
        logger.warning(
            "no message could be sent; the sweep will find what is owed", extra={"task": task, "error": str(error)}
        )


def mark_stale(club_id: UUID) -> None:
    """A club's seasons and ratings are behind from now on, until a worker has caught up."""
    if not ClubReadings.objects.filter(club_id=club_id).update(due=F("due") + 1, problem=""):
        row, is_new = ClubReadings.objects.get_or_create(club_id=club_id, defaults={"due": 1})
        if not is_new:
            ClubReadings.objects.filter(pk=row.pk).update(due=F("due") + 1, problem="")
    enqueue_readings(club_id)


def mark_tournament_stale(tournament_id: UUID) -> None:
    """The same where a night changed after it was closed; while it runs, nothing reads it."""
    closed = Tournament.objects.filter(id=tournament_id, closed_at__isnull=False)
    club_id = closed.values_list("club_id", flat=True).first()
    if club_id is not None:
        mark_stale(club_id)


# Whether money is being settled at all: when a worker was last well, and whether it reaches the broker.


class Settling(StrEnum):
    """How it stands with settling."""

    FINE = "fine"
    # Every table is settled, by the rounds of the worker alone.
    SLOW = "slow"
    STOPPED = "stopped"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerState:
    """How it stands with settling, and since when it is not as it should be."""

    settling: Settling
    last_beat: datetime | None = None
    since: datetime | None = None

    @property
    def is_fine(self) -> bool:
        """Whether there is nothing to say."""
        return self.settling is Settling.FINE

    def minutes(self, moment: datetime) -> int:
        """For how long, in whole minutes."""
        return max(0, int((moment - (self.since or moment)).total_seconds()) // 60)


def worker_state(*, now: datetime) -> WorkerState:
    """One worker that is well is enough; one that reaches the broker too."""
    rows = list(WorkerHeartbeat.objects.order_by("-beat_at").values_list("beat_at", "broker_down_since"))
    if not rows:
        return WorkerState(settling=Settling.NEVER)
    last = rows[0][0]
    oldest = now - timedelta(seconds=settings.WORKER_HEARTBEAT_MAX_AGE)
    if last < oldest:
        return WorkerState(settling=Settling.STOPPED, last_beat=last, since=last)
    missing = [down for beat, down in rows if beat >= oldest]
    lost = [down for down in missing if down is not None]
    if len(lost) == len(missing):
        return WorkerState(settling=Settling.SLOW, last_beat=last, since=max(lost))
    return WorkerState(settling=Settling.FINE, last_beat=last)
