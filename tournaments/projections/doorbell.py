"""Rings a worker once a fact is saved. A bell that nobody hears costs time, never money: the sweep comes round.

Rules: docs/decisions/0006-the-queue-is-a-doorbell.md. Knows task names, not what the tasks do.
"""

import logging
from uuid import UUID

from celery import current_app
from django.db import transaction

SETTLE = "tournaments.tasks.settle_table"
SETTLE_EVENING = "tournaments.tasks.settle_evening"
READ_NIGHTS = "tournaments.tasks.read_nights"

logger = logging.getLogger(__name__)


def ring_settlement(table_id: UUID) -> None:
    """Ask a worker to settle a table, after the transaction at hand has been committed."""
    transaction.on_commit(lambda: _send(SETTLE, str(table_id)), robust=True)


def ring_evening(tournament_id: UUID) -> None:
    """Ask a worker to settle a tournament's prizes, after the transaction at hand has been committed."""
    transaction.on_commit(lambda: _send(SETTLE_EVENING, str(tournament_id)), robust=True)


def ring_readings(club_id: UUID) -> None:
    """Ask a worker to bring a club's seasons and ratings up, after the transaction at hand has been committed."""
    transaction.on_commit(lambda: _send(READ_NIGHTS, str(club_id)), robust=True)


def _send(task: str, argument: str) -> None:
    """Send without retrying: the fact is stored already and its writer is waiting for the answer."""
    try:
        current_app.send_task(task, args=[argument], retry=False)
    except Exception as error:  # noqa: BLE001 - any broker failure means the same: the sweep will find the table
        logger.warning("doorbell not heard; the sweep will find the table", extra={"task": task, "error": str(error)})
