"""The obligation to work out seasons and ratings anew: a number on the club's row, raised with what changed a night.

Rules: docs/decisions/0020-seasons-and-ratings.md. Whoever calls is in the transaction of the change.
"""

from uuid import UUID

from django.db.models import F

from tournaments.models import ClubReadings, Tournament
from tournaments.projections.doorbell import ring_readings


def owe_readings(club_id: UUID) -> None:
    """A club's seasons and ratings are behind from now on, until a worker has caught up."""
    if not ClubReadings.objects.filter(club_id=club_id).update(due=F("due") + 1, problem=""):
        row, is_new = ClubReadings.objects.get_or_create(club_id=club_id, defaults={"due": 1})
        if not is_new:
            ClubReadings.objects.filter(pk=row.pk).update(due=F("due") + 1, problem="")
    ring_readings(club_id)


def owe_readings_of(tournament_id: UUID) -> None:
    """The same where a night changed after it was closed; while it runs, nothing reads it."""
    closed = Tournament.objects.filter(id=tournament_id, closed_at__isnull=False)
    club_id = closed.values_list("club_id", flat=True).first()
    if club_id is not None:
        owe_readings(club_id)
