"""Reads a club's seasons and ratings for display: standings with every tournament, corrections, and players' names.

Rules: docs/how-to/seasons.md. Reads what workers have stored; the only difference computed here is that of a closed
season to today.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from uuid import UUID

import msgspec
from django.db.models import F, OuterRef, QuerySet, Subquery

from scoring.seasons import CategoryTable, SeasonRow, SeasonStandings, load_standings, season_standings
from scoring.seasons.formula import Formula, load_formula
from scoring.seasons.ratings import CAUTION, Step, cautious
from tournaments.models import Club, ClubReadings, Player, PlayerRating, Season, SeasonTable
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.rendering.left_out import lines_of, pairs_of
from tournaments.seasons.dropped_results import DroppedResult, left_of, left_since
from tournaments.seasons.results import (
    PastResult,
    StoredResult,
    past_results,
    published_results,
    results_between,
    results_that_count,
    season_tournaments,
)

# Long columns are loaded only when a page needs them.
LONG = ("final",)
MOST_CHANGES = 12
LAST_PLACE_SHOWN, MOST_FIRST = 3, 6
EMPTY = SeasonStandings(tables=(CategoryTable(category="", nights=(), fields=(), rows=()),))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChange:
    """The difference that corrections after the closing would make for one player: place and total then, and now."""

    player: str
    before: SeasonRow | None
    after: SeasonRow | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonView:
    """A season with its standings. `names` are the players' by id, `results` the tournaments of the standings by id.

    `past` are the imported ones. `left` are the tournaments that no longer count in an open season, or still count in a
    closed one; `moved` is what would differ in a closed season if it were computed today.
    """

    season: Season
    formula: Formula
    standings: SeasonStandings
    position: int
    computed_at: datetime | None
    results: dict[str, StoredResult]
    past: dict[str, PastResult]
    names: dict[str, str]
    is_behind: bool
    left: tuple[DroppedResult, ...] = ()
    moved: tuple[PlaceChange, ...] = ()

    def day_of(self, tournament: str) -> date | None:
        """The day on which a tournament of the standings began."""
        listed: StoredResult | PastResult | DroppedResult | None = (
            self.results.get(tournament)
            or self.past.get(tournament)
            or next((dropped for dropped in self.left if dropped.id == tournament), None)
        )
        return listed.day if listed else None

    @property
    def corrected(self) -> tuple[StoredResult, ...]:
        """The tournaments corrected after they had been closed, the latest correction first."""
        results = [result for result in self.results.values() if result.corrected_at is not None]
        return tuple(sorted(results, key=_corrected_at, reverse=True))

    @property
    def corrected_since(self) -> tuple[StoredResult, ...]:
        """Those of them that were corrected after the season was closed."""
        closed, position = self.season.closed_at, self.season.final_position
        results = (result for result in self.corrected if closed is not None and _corrected_at(result) >= closed)
        return tuple(result for result in results if result.position > position)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstOfSeason:
    """One of the leading players of a season."""

    place: int
    is_tied: bool
    player: str
    name: str
    total: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeasonCard:
    """A season on its club's page: the number of its tournaments so far, and the leading players."""

    season: Season
    nights: int
    first: tuple[FirstOfSeason, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingView:
    """A player's rating in thousandths, with its history."""

    player: str
    name: str
    place: int
    is_tied: bool
    mu: int
    sigma: int
    nights: int
    tables: int
    history: tuple[Step, ...]
    has_page: bool = False

    @property
    def shown(self) -> int:
        """The number by which players are ordered: the estimate minus its uncertainty."""
        return cautious(self.mu, self.sigma)

    @property
    def trail(self) -> tuple[int, ...]:
        """That number after each tournament, the oldest first."""
        return tuple(cautious(mu, sigma) for _, mu, sigma in self.history)

    @property
    def change(self) -> int | None:
        """The change by the last tournament; None after the first."""
        return self.trail[-1] - self.trail[-2] if len(self.history) > 1 else None


def season_by_address(club_slug: str, slug: str) -> Season | None:
    """Find a season with its club and the state of its derived data, by the slugs of its address, in one query."""
    return _with_state(Season.objects.filter(club__slug=club_slug, slug=slug)).first()


def season_by_id(season_id: UUID) -> Season | None:
    """Find the same by its id."""
    return _with_state(Season.objects.filter(pk=season_id)).first()


def _with_state(seasons: QuerySet[Season]) -> QuerySet[Season]:
    return (
        seasons.select_related("club__shown_version")
        .defer(*LONG)
        .annotate(table_computed_at=F("table__computed_at"), due=_of_readings("due"), done=_of_readings("done"))
    )


def seasons_of(club: Club, *, with_hidden: bool) -> list[Season]:
    """Return a club's seasons, the latest first."""
    seasons = Season.objects.filter(club=club).defer(*LONG)
    return list(seasons if with_hidden else seasons.filter(is_published=True))


def readings_of(club_id: UUID) -> ClubReadings | None:
    """Return how far a club's seasons and ratings follow its log; None where no tournament was ever closed."""
    return ClubReadings.objects.filter(club_id=club_id).first()


def season_view(season: Season) -> SeasonView:
    """Return a season with everything that its pages show, in eight queries, and one more if it has imported
    tournaments. `season` must carry its club.
    """
    table = SeasonTable.objects.filter(season=season).first()
    current = load_standings(table.state) if table else EMPTY
    standings = load_standings(season.final) if season.closed_at else current
    # A tournament whose day cannot be computed counts, but has no name: like one that was unpublished.
    published = [result for result, _ in pairs_of(published_results(season.club_id), lambda result: result.day)]
    within = {key for season_standings in (standings, current) for key in season_standings.tables[0].nights}
    results = {str(result.tournament): result for result in published if str(result.tournament) in within}
    past = {str(result.id): result for result in past_results(season.club_id, season=season.pk)}
    counted = standings.tables[0].nights
    if season.closed_at:
        dropped_results = left_of(season, [key for key in counted if key not in results and key not in past])
    else:
        dropped_results = left_since(season, counted)
    readings = readings_of(season.club_id)
    return SeasonView(
        season=season,
        formula=load_formula(season.formula),
        standings=standings,
        position=season.final_position if season.closed_at else table.position if table else 0,
        computed_at=season.closed_at or (table.computed_at if table else None),
        results={dropped.id: dropped.result for dropped in dropped_results if dropped.result} | results,
        past=past,
        names=_names(
            row.player for season_standings in (standings, current) for row in season_standings.tables[0].rows
        ),
        is_behind=readings is not None and readings.is_behind,
        left=tuple(dropped_results),
        moved=_moved(standings, current) if season.closed_at else (),
    )


def preview(
    club: Club, formula: Formula, first: date, last: date, *, season: Season | None = None
) -> tuple[SeasonStandings, dict[str, str]]:
    """Return what a formula makes of the closed tournaments between two days, and the names; in a few queries.

    With those that were imported for the `season`.
    """
    results = results_between(results_that_count(club.id), first, last)
    past = past_results(club.id, season=season.pk) if season is not None else []
    standings = season_standings(formula, season_tournaments(results, past))
    return standings, _names(row.player for row in standings.tables[0].rows)


def season_of_club(club: Club, *, today: date | None = None) -> SeasonCard | None:
    """Return the current or last published season of a club with its leading players: three queries at most."""
    published = Season.objects.filter(club=club, is_published=True)
    seasons = published.defer("formula", *LONG).order_by("-starts_on", "name")
    day = today or datetime.now(tz=zone_of(club.timezone)).date()
    begun = [season for season in seasons if season.starts_on <= day]
    if not begun:
        return None
    season = next((begun_season for begun_season in begun if begun_season.ends_on >= day), begun[0])
    current = SeasonTable.objects.filter(season=season).values_list("state", flat=True)
    state = season.final if season.closed_at else current.first()
    table = (load_standings(state) if state else EMPTY).tables[0]
    first = [row for row in table.rows if row.place is not None and row.place <= LAST_PLACE_SHOWN][:MOST_FIRST]
    names = _names(row.player for row in first)
    leaders = [
        FirstOfSeason(
            place=row.place or 0,
            is_tied=row.is_tied,
            player=row.player,
            name=names.get(row.player, ""),
            total=row.total,
        )
        for row in first
    ]
    ordered = sorted(leaders, key=lambda each: (each.place, each.name))
    return SeasonCard(season=season, nights=len(table.nights), first=tuple(ordered))


def ratings_of_club(club: Club) -> list[RatingView]:
    """Return all ratings of a club, the strongest first, in one query. Tied players share a place."""
    rows = PlayerRating.objects.filter(club=club).select_related("player")
    ordered = sorted(rows, key=lambda row: (-cautious(row.mu, row.sigma), row.player.public_name, str(row.pk)))
    cautious_ratings = [cautious(row.mu, row.sigma) for row in ordered]
    level = Counter(cautious_ratings)
    first = {number: place for place, number in reversed(list(enumerate(cautious_ratings, 1)))}

    def line(row: PlayerRating) -> RatingView:
        number = cautious(row.mu, row.sigma)
        return _rating(row, place=first[number], is_tied=level[number] > 1)

    return lines_of(ordered, line)


def player_rating(player_id: UUID) -> RatingView | None:
    """Return one player's rating with the place in the club, in two queries; None before the first table."""
    row = PlayerRating.objects.select_related("player").filter(pk=player_id).first()
    if row is None:
        return None
    others = PlayerRating.objects.filter(club_id=row.club_id).exclude(pk=row.pk)
    own = cautious(row.mu, row.sigma)
    numbers = [number for (number,) in others.values_list(F("mu") - CAUTION * F("sigma"))]
    return _rating(row, place=1 + sum(number > own for number in numbers), is_tied=own in numbers)


def _rating(row: PlayerRating, *, place: int, is_tied: bool) -> RatingView:
    history = msgspec.json.decode(row.history, type=tuple[Step, ...])
    return RatingView(
        player=str(row.pk),
        name=row.player.public_name,
        place=place,
        is_tied=is_tied,
        mu=row.mu,
        sigma=row.sigma,
        nights=row.nights,
        tables=row.tables,
        history=history,
        has_page=row.player.has_page and row.player.erased_at is None,
    )


def _moved(then: SeasonStandings, now: SeasonStandings) -> tuple[PlaceChange, ...]:
    """Players whose place or total in the table of all tournaments differs, the best first, at most `MOST_CHANGES`."""
    before = {row.player: row for row in then.tables[0].rows}
    after = {row.player: row for row in now.tables[0].rows}
    changes = [
        PlaceChange(player=player, before=before.get(player), after=after.get(player))
        for player in {**before, **after}
        if _place_and_total(before.get(player)) != _place_and_total(after.get(player))
    ]
    return tuple(changes[:MOST_CHANGES])


def _place_and_total(row: SeasonRow | None) -> tuple[int | None, str] | None:
    return (row.place, row.total) if row else None


def _names(players: Iterable[str]) -> dict[str, str]:
    """Return public names by id."""
    player_ids = {UUID(player) for player in players}
    return {str(key): name for key, name in Player.objects.filter(id__in=player_ids).values_list("id", "public_name")}


def _corrected_at(result: StoredResult) -> datetime:
    """When a tournament was corrected; its start where it never was."""
    return result.corrected_at or result.starts_at


def _of_readings(column: str) -> Subquery:
    return Subquery(ClubReadings.objects.filter(club_id=OuterRef("club_id")).values(column)[:1])
