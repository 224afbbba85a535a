"""What the feeds of a club tell: its published tournaments, and when each was last heard of.

Rules: docs/publishing.md, "Feeds". What is not published is in no feed, whoever asks. Knows nothing of formats.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db.models import Max

from tournaments.models import Club, Scoresheet, Tournament

MOST_IN_CALENDAR = 200


def calendar_of(club: Club) -> list[Tournament]:
    """The club's latest published tournaments, the last to start first."""
    shown = club.tournaments.filter(is_published=True).exclude(evening_sheet__is_rehearsal=True)
    return list(shown.select_related("club").order_by("-starts_at", "name", "id")[:MOST_IN_CALENDAR])


def last_words(tournaments: Sequence[Tournament]) -> dict[UUID, datetime]:
    """When the latest fact of each was written, or it was closed; one that began in silence, when it was made."""
    ids = [tournament.id for tournament in tournaments]
    sheets = Scoresheet.objects.filter(table__tournament_id__in=ids).values_list("table__tournament_id")
    heard = dict(sheets.annotate(last=Max("last_recorded_at")))
    return {
        tournament.id: max(
            moment
            for moment in (tournament.created_at, tournament.closed_at, heard.get(tournament.id))
            if moment is not None
        )
        for tournament in tournaments
    }
