"""Settling: bring the club's books to what a table owes, once, however often and by however many it is asked.

The obligation is a row (`due_version`), written with the fact that caused it. Nothing is posted while the facts of
a table contradict each other.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q

from scoring import ledger
from scoring.money import plan_entries
from scoring.problems import RummyError
from scoring.sheets.snapshots import load_table
from tournaments.models import EveningSheet, Scoresheet

CONFLICT = "facts of this table contradict each other: a director must resolve that first"
OWED = Q(due_version__gt=F("settled_version"))
REHEARSAL = "this is a table of a rehearsal: nothing was paid, and nothing is settled"
REHEARSED = Q(table__tournament__evening_sheet__is_rehearsal=True)
_REHEARSAL = EveningSheet.objects.filter(tournament__tables=OuterRef("table"), is_rehearsal=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What a settlement did: entries posted and reversed, or why it could not."""

    posted: int = 0
    reversed: int = 0
    problem: str = ""


def settle_table(table_id: UUID, *, now: datetime) -> Settled:
    """Post what the table owes now. Posting nothing is the right answer where the books agree already."""
    try:
        with transaction.atomic():
            return _settle(table_id, now)
    except RummyError as error:
        note_failure(table_id, str(error))
        return Settled(problem=str(error))


def is_rehearsal(table_id: UUID) -> bool:
    """Whether a table is played for training only."""
    return EveningSheet.objects.filter(tournament__tables=table_id, is_rehearsal=True).exists()


def note_failure(table_id: UUID, reason: str) -> None:
    """Keep why a settlement failed, where the director sees it; unless another worker has settled it meanwhile."""
    behind = Scoresheet.objects.filter(OWED, table_id=table_id)
    behind.update(settle_problem=reason[:500], settle_attempts=F("settle_attempts") + 1)


def tables_to_settle(limit: int = 200) -> list[UUID]:
    """Tables whose books are behind, the longest waiting first; those that fail again and again come last."""
    owed = Scoresheet.objects.filter(OWED, has_conflict=False).exclude(REHEARSED)
    return list(owed.order_by("settle_attempts", "last_recorded_at").values_list("table_id", flat=True)[:limit])


def _settle(table_id: UUID, now: datetime) -> Settled:
    """Under a lock on the score sheet: two workers take turns, and the second finds nothing to do."""
    sheets = Scoresheet.objects.select_for_update(of=("self",)).annotate(is_rehearsal=Exists(_REHEARSAL))
    sheet = sheets.get(table_id=table_id)
    if sheet.settled_version >= sheet.due_version:
        return Settled()
    if sheet.is_rehearsal:
        return Settled(problem=REHEARSAL)
    table = load_table(sheet.state)
    if table.conflicts:
        Scoresheet.objects.filter(pk=sheet.pk).update(settle_problem=CONFLICT)
        return Settled(problem=CONFLICT)
    entries = plan_entries(table.dues(), players=table.players, currency=table.setup.stakes.currency)
    result = ledger.settle(sheet.club_id, f"table:{table_id}", version=sheet.version, entries=entries, now=now)
    Scoresheet.objects.filter(pk=sheet.pk).update(
        settled_version=sheet.version, settled_at=now, settle_problem="", settle_attempts=F("settle_attempts") + 1
    )
    return Settled(posted=len(result.posted), reversed=len(result.reversed))
