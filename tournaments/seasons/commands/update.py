"""Updates a club's seasons and ratings: reads changed tournaments again, then computes all that depends on them.

The obligation is `ClubReadings.due` above `done`. Work is done outside of any transaction, so that no one at a table
waits for it, and is written in short ones: a worker that is late with older numbers writes nothing. A worker sends a
heartbeat every few seconds; without it another worker takes over, and the first one stops if it resumes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from time import monotonic
from uuid import UUID

import msgspec
from django.db import transaction
from django.db.models import F, Q

from scoring.messages import Message, stored
from scoring.seasons.formula import dump_result, load_result
from scoring.seasons.ratings import Rated, rated
from tournaments.models import ClubReadings, NightResult, PlayerRating, Season, SeasonTable, Tournament
from tournaments.models.statements import unique_key
from tournaments.projections.stale import enqueue_readings
from tournaments.seasons.results import (
    PastResult,
    ReadResult,
    StoredResult,
    counting_tournaments,
    past_results,
    read_results,
    results_that_count,
    standings_of,
)

BATCH = 20
# A worker without a heartbeat for this long is taken for dead. The sweep runs every ten seconds, so that a club waits
# for half a minute at most.
LEASE = timedelta(seconds=20)
BEAT = timedelta(seconds=2)
Beating = Callable[[Sequence[StoredResult]], Iterator[StoredResult]]
BEHIND = Q(due__gt=F("done"))


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateResult:
    """The result of an update: tournaments read, seasons and ratings written. All 0 where another worker is at it."""

    tournaments: int = 0
    seasons: int = 0
    ratings: int = 0


class TakenOver(Exception):
    """Another worker has taken over the work of this one."""


def clubs_to_read(limit: int = 50) -> list[UUID]:
    """Return the clubs whose seasons and ratings are behind; those that failed before come last."""
    behind = ClubReadings.objects.filter(BEHIND).annotate(has_failed=~Q(problem=""))
    return list(behind.order_by("has_failed", "begun_at").values_list("club_id", flat=True)[:limit])


def bring_up(club_id: UUID, *, now: datetime) -> UpdateResult:
    """Recompute all of a club's seasons and ratings. Safe to run twice, late, or concurrently."""
    due = _taken_on(club_id, now)
    if due is None:
        return UpdateResult()
    try:
        brought = _bring_up(_Work(club_id=club_id, begun_at=now, started=monotonic()), due)
    except TakenOver:
        return UpdateResult()
    finally:
        _let_go(club_id, now)
    if ClubReadings.objects.filter(BEHIND, club_id=club_id).exists():
        enqueue_readings(club_id)
    return brought


def note_reading_failure(club_id: UUID, reason: Message) -> None:
    """Store the reason of a failure, for the director to see."""
    ClubReadings.objects.filter(BEHIND, club_id=club_id).update(problem=stored(reason))


# --- One worker at a time -----------------------------------------------------------------------------------


def _taken_on(club_id: UUID, now: datetime) -> int | None:
    """Claim the work and return how far it goes; None where there is none, or another worker has it."""
    free = ClubReadings.objects.filter(BEHIND, club_id=club_id).filter(
        Q(begun_at__isnull=True) | Q(beat_at__isnull=True) | Q(beat_at__lt=now - LEASE)
    )
    if not free.update(begun_at=now, beat_at=now, progress_done=0, progress_total=0):
        return None
    return ClubReadings.objects.values_list("due", flat=True).get(club_id=club_id)


def _let_go(club_id: UUID, begun_at: datetime) -> None:
    """Release the claim, so that the next worker need not wait; nothing if another worker has it by now."""
    ClubReadings.objects.filter(club_id=club_id, begun_at=begun_at).update(begun_at=None, beat_at=None)


def _bring_up(work: "_Work", due: int) -> UpdateResult:
    """Read tournaments, then compute seasons, then ratings; progress is visible meanwhile."""
    club_id = work.club_id
    seasons = list(Season.objects.filter(club_id=club_id))
    changed = _changed(club_id)
    work.expect(len(changed) + len(seasons) + 1)
    for start in range(0, len(changed), BATCH):
        batch = changed[start : start + BATCH]
        write_results(club_id, read_results(batch), due=due)
        work.done(len(batch))
    results, past = results_that_count(club_id), past_results(club_id)
    tables = []
    for season in seasons:
        tables.append(season_table(season, results, past, work.begun_at))
        work.done(1)
    ratings = rate(results, beating=work.beating)
    if not _written(club_id, due, tables=tables, ratings=ratings, now=work.begun_at):
        return UpdateResult(tournaments=len(changed))
    return UpdateResult(tournaments=len(changed), seasons=len(tables), ratings=len(ratings))


@dataclass(slots=True, kw_only=True)
class _Work:
    """The work of one worker: its progress, shown on pages, and its heartbeat, seen by other workers.

    `begun_at` identifies the claim on the row.
    """

    club_id: UUID
    begun_at: datetime
    started: float
    beaten: float = 0.0
    total: int = 0
    so_far: int = 0

    def expect(self, steps: int) -> None:
        """Set the number of steps."""
        self.total = steps
        self.beat()

    def done(self, steps: int) -> None:
        """Add finished steps."""
        self.so_far += steps
        self.beat()

    def beating(self, kept: Iterable[StoredResult]) -> Iterator[StoredResult]:
        """Yield tournaments one by one, with a heartbeat every few seconds."""
        for result in kept:
            if monotonic() - self.beaten > BEAT.total_seconds():
                self.beat()
            yield result

    def beat(self) -> None:
        """Store progress and heartbeat. Raises TakenOver where another worker has taken over."""
        self.beaten = monotonic()
        beat_at = self.begun_at + timedelta(seconds=self.beaten - self.started)
        own = ClubReadings.objects.filter(club_id=self.club_id, begun_at=self.begun_at)
        if not own.update(beat_at=beat_at, progress_done=self.so_far, progress_total=self.total):
            raise TakenOver


# --- Tournaments -------------------------------------------------------------------------------------------


def _changed(club_id: UUID) -> list[Tournament]:
    """Return tournaments whose board has changed since it was read; delete results of those that no longer count."""
    position_by_tournament = dict(NightResult.objects.filter(club_id=club_id).values_list("tournament_id", "position"))
    tournaments = counting_tournaments(club_id)
    strays = position_by_tournament.keys() - {tournament.id for tournament in tournaments}
    if strays:
        NightResult.objects.filter(tournament_id__in=strays).delete()
    return [row for row in tournaments if position_by_tournament.get(row.id) != row.board_position]


def write_results(club_id: UUID, results: Sequence[ReadResult], *, due: int | None = None) -> None:
    """Store results in one statement, except where another worker has stored a later position meanwhile.

    Nothing is stored where another worker has completed `due` meanwhile: a removed tournament would come back.
    """
    with transaction.atomic():
        row = ClubReadings.objects.select_for_update().get(club_id=club_id)
        if due is not None and row.done >= due:
            return
        ids = [result.tournament for result in results]
        newer = dict(NightResult.objects.filter(tournament_id__in=ids).values_list("tournament_id", "position"))
        NightResult.objects.bulk_create(
            [row_of(club_id, result) for result in results if newer.get(result.tournament, 0) <= result.position],
            update_conflicts=True,
            unique_fields=unique_key("club", "tournament"),
            update_fields=["position", "closed_position", "corrected_at", "state"],
        )


def row_of(club_id: UUID, result: ReadResult) -> NightResult:
    """Return the row for a tournament's result."""
    return NightResult(
        tournament_id=result.tournament,
        club_id=club_id,
        position=result.position,
        closed_position=result.closed_position,
        corrected_at=result.corrected_at,
        state=dump_result(result.result),
    )


# --- What follows from them ---------------------------------------------------------------------------------


def season_table(
    season: Season, kept: Sequence[StoredResult], past: Sequence[PastResult], now: datetime
) -> SeasonTable:
    """Return the row for a season's standings."""
    return SeasonTable(season=season, club_id=season.club_id, computed_at=now, **standings_of(season, kept, past))


def rate(kept: Iterable[StoredResult], *, beating: Beating = iter) -> tuple[Rated, ...]:
    """Compute all ratings in the order of first closing in the log: no correction and no new date changes it."""
    in_order = beating(sorted(kept, key=lambda result: result.closed_position))
    return rated((str(result.tournament), load_result(result.state).tables) for result in in_order)


def _written(
    club_id: UUID, due: int, *, tables: Sequence[SeasonTable], ratings: Sequence[Rated], now: datetime
) -> bool:
    """Write everything at once; nothing where another worker has completed the same or more meanwhile."""
    with transaction.atomic():
        row = ClubReadings.objects.select_for_update().get(club_id=club_id)
        if row.done >= due:
            return False
        write_tables(tables)
        write_ratings(club_id, ratings)
        ClubReadings.objects.filter(pk=row.pk).update(
            done=due, computed_at=now, problem="", progress_done=F("progress_total")
        )
    return True


def write_tables(tables: Sequence[SeasonTable]) -> None:
    """Store the standings of some seasons in one statement; seasons deleted meanwhile are skipped."""
    there = set(Season.objects.filter(id__in=[table.season_id for table in tables]).values_list("id", flat=True))
    SeasonTable.objects.bulk_create(
        [table for table in tables if table.season_id in there],
        update_conflicts=True,
        unique_fields=unique_key("club", "season"),
        update_fields=["state", "position", "computed_at"],
    )


def write_ratings(club_id: UUID, ratings: Sequence[Rated]) -> None:
    """Store all ratings; players who no longer have one lose their row."""
    PlayerRating.objects.filter(club_id=club_id).exclude(
        player_id__in=[UUID(rating.player) for rating in ratings]
    ).delete()
    PlayerRating.objects.bulk_create(
        list(rating_rows(club_id, ratings)),
        update_conflicts=True,
        unique_fields=unique_key("club", "player"),
        update_fields=["mu", "sigma", "nights", "tables", "history"],
    )


def rating_rows(club_id: UUID, ratings: Iterable[Rated]) -> Iterator[PlayerRating]:
    """Yield the rows for ratings."""
    for rating in ratings:
        yield PlayerRating(
            player_id=UUID(rating.player),
            club_id=club_id,
            mu=rating.mu,
            sigma=rating.sigma,
            nights=rating.nights,
            tables=rating.tables,
            history=msgspec.json.encode(rating.history).decode(),
        )
