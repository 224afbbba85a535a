"""Phones without network, for the director: waiting late sheets, and phones that are silent or hold deals."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Q

from scoring.rules.table.admission import considered
from tournaments.models import Device, LateSheet
from tournaments.people.permissions import CARD
from tournaments.people.players import actor_names
from tournaments.tables.queries.sheets import LoadedTable

# An open page reports every half minute.
QUIET_AFTER = timedelta(minutes=2)
FORGOTTEN_AFTER = timedelta(hours=12)


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingSheet:
    """A waiting sheet, its content, who typed it, and whether with a table card."""

    sheet: LateSheet
    deal: int
    text: str
    who: str
    by_card: bool


def late_at(seen: LoadedTable) -> Sequence[WaitingSheet]:
    """Return what waits at a table, by deal, in two queries."""
    waiting = list(LateSheet.objects.filter(table=seen.row, answer=LateSheet.Answer.WAITING))
    names = actor_names({late.actor for late in waiting}, seen.club.pk)
    waiting_sheets = []
    for late in waiting:
        event, _ = considered(seen.table, raw := late.event)
        text = seen.event_text(event) if event is not None else late.body
        who = names.get(late.actor, late.actor)
        deal, by_card = int(str(raw.get("deal", 0))), late.actor.startswith(CARD)
        waiting_sheets.append(WaitingSheet(sheet=late, deal=deal, text=text, who=who, by_card=by_card))
    return sorted(waiting_sheets, key=lambda late: late.deal)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenDevice:
    """A device, whether it has been silent for a while, and for how many minutes its oldest deal has waited."""

    device: Device
    is_quiet: bool
    minutes: int
    by_card: bool

    def mark(self) -> str:
        """Return what a page shows of it: new heartbeats change nothing while it is not silent."""
        since = self.device.seen_at.isoformat() if self.is_quiet else ""
        return f"{self.device.pk}:{self.device.waiting}:{self.minutes}:{since}:{self.device.table_id}"


def devices_of(tournament_id: UUID, *, now: datetime) -> Sequence[SeenDevice]:
    """Return devices at running tables, and those with waiting deals, these first; in one query."""
    is_played = Q(table__scoresheet__is_closed=False, table__scoresheet__is_cancelled=False)
    devices = (
        Device.objects.filter(is_played | Q(waiting__gt=0), table__tournament_id=tournament_id)
        .filter(seen_at__gte=now - FORGOTTEN_AFTER)
        .select_related("table")
        .order_by("table__round", "table__number", "key")
    )
    return sorted((_seen(device, now) for device in devices), key=lambda one: not one.device.waiting)


def _seen(device: Device, now: datetime) -> SeenDevice:
    waits = now - device.oldest_at if device.oldest_at is not None else timedelta()
    return SeenDevice(
        device=device,
        is_quiet=now - device.seen_at > QUIET_AFTER,
        minutes=max(0, int(waits.total_seconds()) // 60),
        by_card=device.actor.startswith(CARD),
    )
