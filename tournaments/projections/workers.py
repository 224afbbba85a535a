"""Whether money is being settled at all: when a worker was last well, and whether it reaches the broker."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.conf import settings

from tournaments.models import WorkerHeartbeat


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
