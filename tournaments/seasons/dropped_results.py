"""Tournaments that no longer count for a season or ratings: reopened, abandoned, or no longer published.

Rules: docs/how-to/seasons.md, "Tournaments that leave". Knows nothing of points.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal
from uuid import UUID
from zoneinfo import ZoneInfo

from django.db.models import OuterRef, Q, QuerySet

from tournaments import log
from tournaments.models import Club, Season, Tournament
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.rendering.left_out import lines_of
from tournaments.seasons.results import StoredResult, days_of

Why = Literal["reopened", "given_up", "unpublished"]
LEAVING: dict[Why, str] = {"reopened": "tournament_reopened", "given_up": "tournament_cancelled"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedResult:
    """A tournament that no longer counts: its first day on the club's clock, why, and since when, if known.

    `result` is None where the tournament is no longer published: no page may name it.
    """

    id: str
    day: date
    why: Why
    at: datetime | None
    result: StoredResult | None


def left_since(season: Season, counted: Collection[str]) -> list[DroppedResult]:
    """Return the season's tournaments that no longer count and are not `counted`, the latest first, in two queries.

    `season` must carry its club.
    """
    within = _dropped_results(season.club, _left(season.club_id).filter(**days_of(season)))
    return [dropped for dropped in within if dropped.id not in counted]


def left_after(club: Club, moment: datetime) -> list[DroppedResult]:
    """Return the tournaments of all years that left a club's ratings after a moment, the latest first; two queries."""
    return [dropped for dropped in _dropped_results(club, _left(club.pk)) if dropped.at and dropped.at > moment]


def left_of(season: Season, ids: Collection[str]) -> list[DroppedResult]:
    """Return some tournaments as no longer counting, the latest first; two queries, none without ids.

    `season` must carry its club.
    """
    if not ids:
        return []
    tournaments = Tournament.objects.filter(club_id=season.club_id, id__in=[UUID(key) for key in ids])
    return _dropped_results(season.club, tournaments)


def _left(club_id: UUID) -> QuerySet[Tournament]:
    """The tournaments that were closed once, and now are not closed or not published."""
    out = Q(is_published=True) & (Q(closed_at__isnull=True) | Q(is_cancelled=True))
    out |= Q(is_published=False, unpublished_at__isnull=False)
    tournaments = Tournament.objects.filter(out, club_id=club_id).exclude(evening_sheet__is_rehearsal=True)
    return tournaments.filter(log.happened(OuterRef("pk"), club=club_id, kinds=["tournament_closed"]))


def _dropped_results(club: Club, found: QuerySet[Tournament]) -> list[DroppedResult]:
    zone = zone_of(club.timezone)
    tournaments = list(found.order_by("-starts_at", "-id"))
    events = log.find(club=club.pk, streams=[tournament.id for tournament in tournaments], kinds=LEAVING.values())
    at = {(event.stream_id, event.kind): event.recorded_at for event in events}

    def line(each: Tournament) -> DroppedResult:
        why = _why(each)
        return DroppedResult(
            id=str(each.id),
            day=each.starts_at.astimezone(zone).date(),
            why=why,
            at=each.unpublished_at if why == "unpublished" else at.get((each.id, LEAVING[why])),
            result=_named(each, zone) if each.is_published else None,
        )

    return lines_of(tournaments, line)


def _why(tournament: Tournament) -> Why:
    """Return the reason. One that is closed again counts as reopened until a worker has read it."""
    if not tournament.is_published:
        return "unpublished"
    return "given_up" if tournament.is_cancelled else "reopened"


def _named(tournament: Tournament, zone: ZoneInfo) -> StoredResult:
    """Return the tournament as other counted ones are named; none of its results are read."""
    own = {name: getattr(tournament, name) for name in ("name", "slug", "variant", "preset", "starts_at")}
    return StoredResult(tournament.id, **own, timezone=str(zone), position=0, closed_position=0, corrected_at=None)
