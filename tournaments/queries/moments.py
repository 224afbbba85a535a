"""Which version of a table, or which position of a board, a moment of the past stands for.

So that an answer about the past has a tag, and is known to be unchanged, before anything is folded. An event counts
as recorded by a moment only if every event before it does: a clock set back cuts no hole into the history.
"""

from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import Min

from tournaments.models import Event, Table

# SQLite compares moments as texts, and the one for a whole second is shorter: so never ask for "later than".
NEXT = timedelta(microseconds=1)


def version_at(table_id: UUID, moment: datetime, *, current: int) -> int:
    """The version a table had at a moment; 0 before it was opened."""
    events = Event.objects.filter(stream_id=table_id, recorded_at__gte=moment + NEXT)
    later = events.aggregate(first=Min("version"))["first"]
    return current if later is None else later - 1


def position_at(tournament_id: UUID, moment: datetime, *, current: int) -> int:
    """The position of the club's log that a tournament's board showed at a moment; 0 before its first table."""
    tables = Table.objects.filter(tournament_id=tournament_id).values("id")
    events = Event.objects.filter(stream_id__in=tables, recorded_at__gte=moment + NEXT)
    later = events.aggregate(first=Min("position"))["first"]
    return current if later is None else later - 1
