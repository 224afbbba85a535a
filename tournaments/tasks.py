"""Celery tasks: each takes an id and calls one command. Running twice, late or never does no harm.

The periodic jobs of a worker (rummy_site/worker/periodic.py) call the sweeps themselves, whether a message came or not.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from celery import shared_task
from django.conf import settings
from django.db.models import Q
from django.utils.timezone import now

from scoring.messages import Message, say
from scoring.problems import MOST_WORDS
from tournaments.books.commands import Settled, note_failure, tables_to_settle
from tournaments.books.commands import settle_table as settle
from tournaments.boxes.keeping import write_due_boxes
from tournaments.entries.commands.notices import delete_old_notices
from tournaments.entries.commands.self_entry import delete_old_requests
from tournaments.log import clubs_to_seal, seal_club
from tournaments.models import (
    ApiToken,
    ClubReadings,
    Delivery,
    Device,
    FailedAttempts,
    PlayerLink,
    PublishedCopy,
    Receiver,
    TableToken,
    WorkerHeartbeat,
)
from tournaments.privacy import forget_names_in_books, list_erasures_beside
from tournaments.projections.stale import AHEAD
from tournaments.running.commands.settle import note_tournament_failure, tournaments_to_settle
from tournaments.running.commands.settle import settle_tournament as settle_prizes
from tournaments.seasons.commands.update import bring_up, clubs_to_read, note_reading_failure
from tournaments.transient_errors import is_held_elsewhere, is_outage, is_there, refuse_hung

logger = logging.getLogger(__name__)

FORGOTTEN_AFTER = timedelta(days=1)


@shared_task(name="tournaments.tasks.settle_table")
def settle_table(table_id: str) -> str:
    """Settle one table."""
    return _settled(UUID(table_id), settle, note_failure)


@shared_task(name="tournaments.tasks.settle_evening")
def settle_tournament(tournament_id: str) -> str:
    """Settle the prizes of one tournament."""
    return _settled(UUID(tournament_id), settle_prizes, note_tournament_failure)


@shared_task(name="tournaments.tasks.sweep_settlements")
def sweep_settlements() -> int:
    """Settle everything for which no message arrived."""
    return sum(1 for _ in settle_owed())


def settle_owed() -> Iterator[UUID]:
    """Settle everything due, and yield each id. One that fails, or whose row is locked, does not stop the others.

    An unavailable or wholly locked database ends the loop: each would wait as long.
    """
    due: list[tuple[Callable[[str], str], UUID]] = [(settle_table, table_id) for table_id in tables_to_settle()]
    due += [(settle_tournament, tournament_id) for tournament_id in tournaments_to_settle()]
    for settle_one, which in due:
        try:
            settle_one(str(which))
        except Exception as error:
            if is_outage(error) and not is_held_elsewhere(error):
                raise
            logger.exception("settlement failed", extra={"which": str(which)})
        yield which


@shared_task(name="tournaments.tasks.read_nights")
def read_results(club_id: str) -> str:
    """Update a club's seasons and ratings. A failure is stored for the director to see; the sweep tries again."""
    try:
        brought = bring_up(UUID(club_id), now=now())
    except Exception as error:
        note_reading_failure(UUID(club_id), _failure(error))
        raise
    return f"{brought.tournaments} nights read, {brought.seasons} seasons and {brought.ratings} ratings written"


@shared_task(name="tournaments.tasks.sweep_readings")
def sweep_readings() -> int:
    """Update the clubs for which no message arrived. One club that fails does not stop the others."""
    return _each_club(
        clubs_to_read(), lambda club: read_results(str(club)), failed="seasons and ratings could not be worked out"
    )


@shared_task(name="tournaments.tasks.seal_logs")
def seal_logs() -> int:
    """Seal every club's log up to now, so that a truncated log can be detected by anyone who noted a seal.

    One that fails does not stop the others.
    """
    return _each_club(clubs_to_seal(), lambda club: seal_club(club, now()), failed="a log could not be sealed")


@shared_task(name="tournaments.tasks.forget_names")
def forget_names() -> int:
    """Clear names of erased players from the books whose time is over, also those that a backup brought again."""
    return forget_names_in_books(now=now())


def forget_entry_requests() -> int:
    """Delete what people sent to enter by themselves, and said with their links, once it has served."""
    return delete_old_requests(now=now()) + delete_old_notices(now=now())


def keep_boxes() -> int:
    """Write the boxes that are due, and list the erasures beside the backups. Raises OSError where their disk hangs.

    Boxes first: a full disk may take the list once the boxes are deleted whose days are over.
    """
    refuse_hung(settings.BACKUP_DIR)
    written = write_due_boxes(now=now())
    if settings.BACKUP_DIR is not None and is_there(settings.BACKUP_DIR):
        list_erasures_beside(settings.BACKUP_DIR)
    return written


def store_heartbeat(worker: str, *, at: datetime, broker_down_since: datetime | None = None) -> None:
    """Store that a worker is running, and since when it cannot reach the broker; boards show this."""
    heartbeat = {"beat_at": at, "broker_down_since": broker_down_since}
    _, is_new = WorkerHeartbeat.objects.update_or_create(name=worker[:100], defaults=heartbeat)
    if is_new:
        # Short-lived machines have a new name each time.
        WorkerHeartbeat.objects.filter(beat_at__lt=at - FORGOTTEN_AFTER).delete()


def end_claims_ahead(*, now: datetime) -> None:
    """End the claims, pauses and locks that lie further ahead than any is made for, and log of what.

    They were made while the clock of a machine was wrong, and would last until then. Where it is this clock that is
    behind, what is given up is claimed, tried and counted again; a code that was mailed has to be asked for again.
    """
    hour, days = now + AHEAD, now + timedelta(days=2)
    copies = PublishedCopy.objects.filter(Q(busy_until__gt=hour) | Q(whole_at__gt=hour))
    waiting = Delivery.objects.filter(state=Delivery.State.WAITING)
    locks = FailedAttempts.objects.filter(Q(free_at__gt=hour) | Q(lapses_at__gt=hour))
    ended = {
        "workers": WorkerHeartbeat.objects.filter(beat_at__gt=hour).delete()[0],
        "seasons": ClubReadings.objects.filter(beat_at__gt=hour).update(begun_at=None, beat_at=None),
        "published copies": copies.update(busy_until=now, whole_at=None),
        "receivers": Receiver.objects.filter(busy_until__gt=days).update(busy_until=now),
        "messages": waiting.filter(next_try_at__gt=days).update(next_try_at=now),
        "sign-ins that failed": locks.delete()[0],
        "codes of links": PlayerLink.objects.filter(code_until__gt=hour).update(code_until=now, code_digest=""),
        "mailed codes": PlayerLink.objects.filter(mailed_at__gt=hour).update(mailed_at=None),
        "devices": Device.objects.filter(seen_at__gt=hour).update(seen_at=now),
        "last uses": sum(
            model.objects.filter(last_used_at__gt=hour).update(last_used_at=None)
            for model in (ApiToken, PlayerLink, TableToken)
        ),
    }
    if counts := ", ".join(f"{count} {what}" for what, count in ended.items() if count):
        logger.warning("the clock of a machine was wrong: what lay ahead counts as over: %s", counts)


def _settled(which: UUID, settle: Callable[..., Settled], note: Callable[[UUID, Message], None]) -> str:
    """Settle and return a summary. A failure is stored where the director sees it, and the sweep tries again."""
    try:
        settled = settle(which, now=now())
    except Exception as error:
        if not is_outage(error):
            note(which, _failure(error))
        raise
    return str(settled.problem or "") or f"posted {settled.posted}, reversed {settled.reversed}"


def _each_club(due: Sequence[UUID], work: Callable[[UUID], object], *, failed: str) -> int:
    """Call `work` for each club that is due. One that fails does not stop the others."""
    for club_id in due:
        try:
            work(club_id)
        except Exception:
            logger.exception(failed, extra={"club": str(club_id)})
    return len(due)


def _failure(error: Exception) -> Message:
    """Describe an unexpected exception."""
    return say("{what}: {why}", what=type(error).__name__, why=str(error)[:MOST_WORDS])
