"""Rebuilding what spans nights: kept nights, season tables and ratings again from the boards, or compared with them.

What a closed season was published with is no reading: it is kept for itself, and never written again.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from uuid import UUID

from django.db import transaction
from django.db.models import F, Model
from django.utils.timezone import now

from tournaments.log.evidence.unread import as_far_as_it_goes
from tournaments.models import ClubReadings, NightResult, PlayerRating, Season, SeasonTable, Tournament
from tournaments.seasons.commands.update import (
    BATCH,
    BEHIND,
    rate,
    rating_rows,
    row_of,
    season_table,
    write_nights,
    write_ratings,
    write_tables,
)
from tournaments.seasons.nights import NightRead, nights_of, read_nights
from tournaments.seasons.season_tables import kept_nights, publication_digest

NIGHT = ("position", "closed_position", "corrected_at", "state")
TABLE = ("position", "state")
RATING = ("mu", "sigma", "nights", "tables", "history")


def rebuild_readings() -> list[str]:
    """Write every club's kept nights, season tables and ratings again, whatever they say. Returns what could not be."""
    return [line for club_id in _clubs() for line in as_far_as_it_goes(_of(club_id), partial(_rebuilt, club_id))]


def _of(club_id: UUID) -> str:
    return f"what spans nights of club {club_id}"


def _rebuilt(club_id: UUID) -> tuple[str, ...]:
    with transaction.atomic():
        ClubReadings.objects.get_or_create(club_id=club_id)
        list(ClubReadings.objects.select_for_update().filter(club_id=club_id))
        NightResult.objects.filter(club_id=club_id).delete()
        for batch in _read(club_id):
            write_nights(club_id, batch)
        kept, moment = kept_nights(club_id), now()
        write_tables([season_table(season, kept, moment) for season in Season.objects.filter(club_id=club_id)])
        write_ratings(club_id, rate(kept))
        ClubReadings.objects.filter(club_id=club_id).update(done=F("due"), computed_at=moment, problem="")
    return ()


def reading_differences() -> Iterator[str]:
    """Every kept night, season table and rating that says something else than the boards.

    Clubs that a worker has not caught up with are passed over: there, something else is what they must say.
    """
    behind = set(ClubReadings.objects.filter(BEHIND).values_list("club_id", flat=True))
    for club_id in _clubs():
        if club_id not in behind:
            with transaction.atomic():
                yield from as_far_as_it_goes(_of(club_id), partial(_differences, club_id))


def _differences(club_id: UUID) -> Iterator[str]:
    nights = {row.pk: row for row in NightResult.objects.filter(club_id=club_id)}
    wanted_nights = {night.tournament: row_of(club_id, night) for batch in _read(club_id) for night in batch}
    yield from _unequal("night of tournament", nights, wanted_nights, (*NIGHT, "club_id"))
    yield from _changed_publications(club_id)
    kept, moment = kept_nights(club_id), now()
    tables = {row.pk: row for row in SeasonTable.objects.filter(club_id=club_id)}
    seasons = Season.objects.filter(club_id=club_id)
    wanted_tables = {season.pk: season_table(season, kept, moment) for season in seasons}
    yield from _unequal("table of season", tables, wanted_tables, (*TABLE, "club_id"))
    ratings = {row.pk: row for row in PlayerRating.objects.filter(club_id=club_id)}
    wanted_ratings = {row.player_id: row for row in rating_rows(club_id, rate(kept))}
    yield from _unequal("rating of player", ratings, wanted_ratings, (*RATING, "club_id"))


def _changed_publications(club_id: UUID) -> Iterator[str]:
    """Closed seasons that do not say any more what was published."""
    for season in Season.objects.filter(club_id=club_id, closed_at__isnull=False).order_by("id"):
        if bytes(season.final_digest) != publication_digest(season):
            yield f"season {season.pk} is closed, and not what was published: a column of it was changed"


def _unequal(
    what: str, found: Mapping[UUID, Model], wanted: Mapping[UUID, Model], columns: Sequence[str]
) -> Iterator[str]:
    for key in sorted(found.keys() | wanted.keys()):
        if key not in found or key not in wanted:
            yield f"{what} {key} {'is missing' if key in wanted else 'follows from nothing'}"
            continue
        for column in columns:
            kept, said = getattr(found[key], column), getattr(wanted[key], column)
            if kept != said:
                yield f"{what} {key}: {column} is {str(kept)[:80]!r}, the boards say {str(said)[:80]!r}"


def _read(club_id: UUID) -> Iterator[list[NightRead]]:
    nights = nights_of(club_id)
    for start in range(0, len(nights), BATCH):
        yield read_nights(nights[start : start + BATCH])


def _clubs() -> list[UUID]:
    """Clubs that have anything to read, or have kept something, in one query."""
    closed = Tournament.objects.filter(closed_at__isnull=False).order_by().values_list("club_id", flat=True)
    kept = ClubReadings.objects.order_by().values_list("club_id", flat=True)
    return sorted(closed.union(kept))
