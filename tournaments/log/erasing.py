"""Erases the free text beside facts; the facts, their hashes and every total stay.

The rule: docs/decisions/0003-log-hash-covers-every-column.md, "What may go".
"""

from collections.abc import Sequence
from uuid import UUID

from tournaments.models import EventNote


def erase_notes(club_id: UUID, positions: Sequence[int]) -> int:
    """Erase the notes at these positions of a club; how many there were."""
    erased, _ = EventNote.objects.filter(event__club=club_id, event__position__in=positions).delete()
    return erased
