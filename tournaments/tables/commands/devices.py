"""What a phone at a table says of itself: that it is there, and how many deals wait on it.

Rules: docs/how-to/without-network.md, "What a director sees". A clock of a phone may be wrong by a day, so that it says
for how long its oldest deal has waited, not since when.
"""

from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import transaction

from tournaments.log.context import Order
from tournaments.models import Device, Scoresheet
from tournaments.models.play import MOST_DEVICE_KEY, MOST_WAITING

# The newest of a table are kept: whoever opens it again and again in private windows fills nothing.
MOST_DEVICES = 20
MOST_AGE = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A device by its own key, how many deals of the table wait there, and for how many seconds the oldest does."""

    key: str
    waiting: int
    oldest_seconds: int


def note_device(table_id: UUID, heard: Heard, *, order: Order) -> None:
    """Keep what a device says, in place of what it said before. Numbers beyond their limits count as the limit."""
    waiting = min(max(heard.waiting, 0), MOST_WAITING)
    age = min(timedelta(seconds=min(max(heard.oldest_seconds, 0), MOST_AGE.total_seconds())), MOST_AGE)
    said = {
        "club_id": Scoresheet.objects.values_list("club_id", flat=True).get(table_id=table_id),
        "actor": order.actor,
        "seen_at": order.now,
        "waiting": waiting,
        "oldest_at": order.now - age if waiting else None,
    }
    with transaction.atomic():
        Device.objects.update_or_create(table_id=table_id, key=heard.key[:MOST_DEVICE_KEY], defaults=said)
        older = Device.objects.filter(table_id=table_id).order_by("-seen_at", "pk").values_list("pk", flat=True)
        Device.objects.filter(pk__in=list(older[MOST_DEVICES : 2 * MOST_DEVICES])).delete()
