"""The obligation to recompute seasons and ratings: a counter of the club, raised when a closed tournament changes.

Rules: docs/decisions/0020-seasons-and-ratings.md. Call within the transaction of the change.
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

from tournaments.models import ClubReadings, SiteCheck, Tournament, WorkerHeartbeat

# Messages to a worker once an event is saved. One that is lost costs time, never money: the sweep finds what is owed.

SETTLE = "tournaments.tasks.settle_table"
SETTLE_EVENING = "tournaments.tasks.settle_evening"
READ_NIGHTS = "tournaments.tasks.read_nights"
SEND_SECONDS = 3
logger = logging.getLogger(__name__)


def _enqueue(task: str, which: UUID) -> None:
    transaction.on_commit(lambda: _send(task, str(which)), robust=True)


# Each asks a worker, after the current transaction has been committed: to settle a table, to settle a tournament's
# prizes, to recompute a club's seasons and ratings.
enqueue_settlement = partial(_enqueue, SETTLE)
enqueue_prizes = partial(_enqueue, SETTLE_EVENING)
enqueue_readings = partial(_enqueue, READ_NIGHTS)


def _send(task: str, argument: str) -> None:
    """Send without retrying: the event is stored already and its writer is waiting for the answer."""
    try:
        # A RabbitMQ that is short of memory or disk reads nothing more from whoever sends, and would never answer.
        import_string(settings.TASK_APP).send_task(task, args=[argument], retry=False, timeout=SEND_SECONDS)
    except Exception as error:  # noqa: BLE001 - any broker failure means the same: the sweep will find the table
        logger.warning(
            "no message could be sent; the sweep will find what is owed", extra={"task": task, "error": str(error)}
        )


def mark_stale(club_id: UUID) -> None:
    """Mark a club's seasons and ratings as out of date until a worker has caught up."""
    if not ClubReadings.objects.filter(club_id=club_id).update(due=F("due") + 1, problem=""):
        row, is_new = ClubReadings.objects.get_or_create(club_id=club_id, defaults={"due": 1})
        if not is_new:
            ClubReadings.objects.filter(pk=row.pk).update(due=F("due") + 1, problem="")
    enqueue_readings(club_id)


def mark_tournament_stale(tournament_id: UUID) -> None:
    """Do the same for a tournament that changed after it was closed; an open one is not in them yet."""
    closed = Tournament.objects.filter(id=tournament_id, closed_at__isnull=False)
    club_id = closed.values_list("club_id", flat=True).first()
    if club_id is not None:
        mark_stale(club_id)


# What lies further ahead was written while the clock of a machine was wrong; clocks of machines differ by less.
AHEAD = timedelta(hours=1)

# Whether settling works at all: the last heartbeat of a worker, and whether it reaches the broker.


class Settling(StrEnum):
    """The state of settling."""

    FINE = "fine"
    # Tables are settled only by the periodic sweep of the worker.
    SLOW = "slow"
    STOPPED = "stopped"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerState:
    """The state of settling, and since when it has not been normal."""

    settling: Settling
    last_beat: datetime | None = None
    since: datetime | None = None

    @property
    def is_fine(self) -> bool:
        """Whether there is nothing to report."""
        return self.settling is Settling.FINE

    def minutes(self, moment: datetime) -> int:
        """How long the problem has lasted, in whole minutes."""
        return max(0, int((moment - (self.since or moment)).total_seconds()) // 60)


def worker_state(*, now: datetime) -> WorkerState:
    """Return the state of settling. One live worker is enough, and one that reaches the broker."""
    # One that lies ahead would pass for a live worker until then.
    beats = WorkerHeartbeat.objects.filter(beat_at__lte=now + AHEAD)
    rows = list(beats.values_list("beat_at", "broker_down_since"))
    if not rows:
        return WorkerState(settling=Settling.NEVER)
    # After a step of the clock back, those of before lie ahead for a while.
    last = min((beat for beat, _ in rows), key=lambda beat: abs(now - beat))
    oldest = now - timedelta(seconds=settings.WORKER_HEARTBEAT_MAX_AGE)
    if last < oldest:
        return WorkerState(settling=Settling.STOPPED, last_beat=last, since=last)
    missing = [down for beat, down in rows if beat >= oldest]
    lost = [down for down in missing if down is not None]
    if len(lost) == len(missing):
        return WorkerState(settling=Settling.SLOW, last_beat=last, since=max(lost))
    return WorkerState(settling=Settling.FINE, last_beat=last)


# Workers look every five minutes (rummy_site/operations/alarms.py); what none of them has seen since is not known.
SEEN_WITHIN = timedelta(minutes=15)
# Some minutes may go into reading a new backup of gigabytes.
CHECKED_WITHIN = timedelta(minutes=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteState:
    """What the checks of the site found lately: what is bad, the oldest first, and what went well when."""

    bad: tuple[SiteCheck, ...]
    backup_at: datetime | None
    restored_at: datetime | None
    checked_at: datetime | None


def site_state(*, now: datetime) -> SiteState:
    """Return what was found, in one query."""
    rows = SiteCheck.objects.order_by("since")
    bad = tuple(row for row in rows if row.bad_at is not None and abs(now - row.bad_at) <= SEEN_WITHIN)
    good_at = {row.subject: row.good_at for row in rows}
    return SiteState(
        bad=bad,
        backup_at=good_at.get("backups"),
        restored_at=good_at.get("restores"),
        checked_at=good_at.get("checks"),
    )


def unchecked_since(*, now: datetime) -> datetime | None:
    """When a worker last ran all checks, if that is long ago although a worker is at work: one of them hangs."""
    checked_at = SiteCheck.objects.filter(subject="checks").values_list("good_at", flat=True).first()
    if checked_at is None or abs(now - checked_at) <= CHECKED_WITHIN:
        return None
    return checked_at if worker_state(now=now).settling in (Settling.FINE, Settling.SLOW) else None


def note_checks(*, now: datetime) -> None:
    """Note that a worker has run all checks, or is about to."""
    SiteCheck.objects.update_or_create(subject="checks", defaults={"good_at": now})
