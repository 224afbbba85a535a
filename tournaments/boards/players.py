"""A player's public page: tournaments with places, counts per tournament, and all opponents.

Rules: docs/how-to/publishing.md, "Players". Only public tournaments count: published, no practice, not cancelled. Fifty
tournaments take as many queries as one. Places come from the results that workers store for a closed tournament, if
those are of the board's position; else they are computed from the boards.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from functools import reduce
from operator import or_
from typing import NamedTuple
from uuid import UUID

from django.db.models import Case, Count, F, Max, Q, QuerySet, TextField, UUIDField, Value, When, Window
from django.db.models.functions import Coalesce

from scoring.events import wire
from scoring.rules.table.table import Table
from scoring.seasons.formula import Came, load_past, load_result, past_tournament
from scoring.sheets.snapshots import load_table
from scoring.tournament import load_tournament_state
from tournaments.models import (
    Club,
    EveningSheet,
    NightResult,
    PastTournament,
    Player,
    Scoresheet,
    Season,
    Standing,
    Tournament,
)
from tournaments.models.people import names_with, search_key
from tournaments.people.players import rows_of
from tournaments.projections.cached import keep_object, known_object
from tournaments.projections.shown import shown_of, version_shown
from tournaments.projections.terms import terms_of
from tournaments.rendering.left_out import lines_of, pairs_of, read_at_once
from tournaments.seasons.results import current_results

MOST_LISTED = 500
# The person in a seat: merged rows are one player.
WHO = Coalesce("player__merged_into_id", "player_id", output_field=UUIDField())
# What the state of a tournament holds if a player is hidden in it; and such a state, else nothing.
IS_HIDDEN = '"is_hidden":true'
HIDING = Case(
    When(evening_sheet__state__contains=IS_HIDDEN, then=F("evening_sheet__state")),
    default=Value(""),
    output_field=TextField(),
)
_OTHER = ("table_id", "who", "player__public_name", "player__has_page", "place", "deals_won")


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """Counts over some tables of a player. A show here is a deal won by showing."""

    tables: int = 0
    deals: int = 0
    deals_won: int = 0
    shows: int = 0
    drops: int = 0
    wrong_shows: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerResult:
    """One tournament of a player with its score. `place` is None if another player continued with that score."""

    tournament: Tournament
    counts: Counts
    of: int
    place: int | None
    is_tied: bool
    score: int
    low_is_good: bool

    @property
    def is_over(self) -> bool:
        return self.tournament.closed_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Opponent:
    """An opponent: tables in common, who finished ahead how often, and how many of those deals each of the two won."""

    player: str
    name: str
    has_page: bool
    tables: int
    ahead: int
    behind: int
    won: int
    lost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedResult:
    """One imported tournament of a player. `points` are those that the club counted; None where the formula does."""

    name: str
    day: date
    season: Season
    place: int
    is_tied: bool
    of: int
    points: Fraction | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage:
    """A player's page: tournaments, the latest first, and opponents, the most frequent first.

    `imported` are the tournaments of published seasons that were played without this service, the latest first.
    """

    player: Player
    results: tuple[PlayerResult, ...]
    opponents: tuple[Opponent, ...]
    imported: tuple[ImportedResult, ...] = ()

    @property
    def tables(self) -> int:
        return sum(result.counts.tables for result in self.results)


class ListedPlayer(NamedTuple):
    """One line of a club's list of players."""

    id: UUID
    name: str
    tournaments: int
    last: datetime


class _Seat(NamedTuple):
    """One seat of the player: the columns that are read."""

    tournament_id: UUID
    table_id: UUID
    player_id: UUID
    place: int | None
    is_finished: bool
    deals_played: int
    deals_won: int
    drops: int
    wrong_shows: int


def page_player(club: Club, player_id: UUID) -> Player | None:
    """The player, if there may be a page: not for erased players or those who want none; with when ratings were made,
    and how many changes of seasons and ratings there were.

    A merged row leads to the page of the player it was merged into.
    """
    pages = Player.objects.present().filter(club=club, has_page=True)
    rows = pages.annotate(rated_at=F("club__readings__computed_at"), readings_due=F("club__readings__due"))
    return rows.filter(id=player_id).first() or rows.filter(merged_rows=player_id).first()


def has_page(player_id: str) -> bool:
    """Whether this player's name may be a link to a page."""
    return Player.objects.filter(id=player_id, has_page=True, erased_at__isnull=True).exists()


def has_public_page(player: Player) -> bool:
    """Whether a player's page is found: the player wants one, and has played in public. Must have the club loaded."""
    return player.has_page and player.club.is_published and _seats_of(player).exists()


def listed_players(club: Club, find: str = "", *, is_whole: bool = False) -> tuple[list[ListedPlayer], int]:
    """The first players with a page, or all, from A to Z, and how many more there are; in one query.

    With `find` only those whose names contain all words of it.
    """
    seats = _seats_with_page(club).filter(names_with(find, "player__public_search_key"))
    rows = (
        seats.annotate(who=WHO)
        .order_by("player__public_search_key", "who")
        .values_list("who", "player__public_name")
        .annotate(
            tournaments=Count("tournament_id", distinct=True),
            last=Max("tournament__starts_at"),
            players=Window(Count("*")),
        )
    )
    first = list(rows if is_whole else rows[:MOST_LISTED])
    return [ListedPlayer(*row) for *row, _ in first], first[0][-1] - len(first) if first else 0


def lists_players(club: Club) -> bool:
    """Whether any player of the club has a page."""
    return _seats_with_page(club).exists()


def page_marks(player: Player) -> tuple[object, ...]:
    """The values on which the player's page depends, in one query: events of the tournaments, and other club data.

    `player` must have their club with its `shown_version` loaded.
    """
    seats = _seats_of(player).order_by("tournament_id").values_list("tournament_id", "tournament__board_position")
    return (version_shown(player.club), *seats.distinct())


def player_page(player: Player) -> PlayerPage | None:
    """The content of a player's page; None for a player without a public tournament.

    Tournaments in which a director hid the player from the public are left out.

    In six queries, and four more if neither workers nor this process have stored some tournament's result yet; and two
    more where a published season of the club has imported tournaments.
    `player` must have their club with its `shown_version` loaded.
    """
    seats = [_Seat(*row) for row in _seats_of(player).values_list(*_Seat._fields)]
    if not seats:
        return None
    tournaments_by_id = Tournament.objects.annotate(hiding=HIDING).in_bulk({seat.tournament_id for seat in seats})
    tournaments = {
        key: tournament for key, tournament in tournaments_by_id.items() if not _is_hidden_in(tournament.hiding, seats)
    }
    seats = [seat for seat in seats if seat.tournament_id in tournaments]
    for tournament in tournaments.values():
        tournament.club = player.club
    came = _came(list(tournaments.values()))
    rows = {str(seat.player_id) for seat in seats}
    shows = _shows([seat.table_id for seat in seats], rows)
    readable = (tournament for tournament in tournaments.values() if tournament.id in came)
    latest = sorted(readable, key=lambda each: (each.starts_at, each.id), reverse=True)
    return PlayerPage(
        player=player,
        results=tuple(lines_of(latest, lambda each: _player_result(each, rows, seats, shows, came[each.id]))),
        opponents=tuple(_opponents(seats)),
        imported=tuple(imported_results(player)),
    )


def imported_results(player: Player) -> Iterator[ImportedResult]:
    """The imported tournaments of published seasons to which a player came, the latest first.

    In three queries, and in one for a club without any.
    """
    published = PastTournament.objects.filter(club=player.club_id, season__is_published=True)
    if not published.exists():
        return
    rows = rows_of(player.club_id, [str(player.pk)])
    named = reduce(or_, (Q(state__contains=row) for row in rows))
    for past in published.filter(named).select_related("season").order_by("-day", "-position"):
        tournament = past_tournament(str(past.pk), load_past(past.state))
        for came in tournament.came:
            if came.player in rows:
                yield ImportedResult(
                    name=past.name,
                    day=past.day,
                    season=past.season,
                    place=came.place,
                    is_tied=came.sharing > 1,
                    of=len(tournament.came),
                    points=tournament.points.get(came.player),
                )


def hidden_in(club: Club, player: str) -> set[str]:
    """The ids of the club's tournaments in which a director hid a player from the public, in two queries."""
    rows = rows_of(club.pk, [player]).keys()
    hiding = EveningSheet.objects.filter(tournament__club=club, state__contains=IS_HIDDEN)
    states = hiding.values_list("tournament_id", "state")
    return {str(tournament) for tournament, state in states if not load_tournament_state(state).hidden.isdisjoint(rows)}


def _is_hidden_in(state: str, seats: Sequence[_Seat]) -> bool:
    """Whether the player with these seats is hidden in the tournament of this state; it is empty where nobody is."""
    return bool(state) and not load_tournament_state(state).hidden.isdisjoint(str(seat.player_id) for seat in seats)


def _seats_of_published(club: Club) -> QuerySet[Standing]:
    """Seats at which a deal was played, of public tournaments."""
    seats = Standing.objects.filter(
        club=club, tournament__is_published=True, tournament__is_cancelled=False, deals_played__gt=0
    )
    return seats.filter(table__scoresheet__is_cancelled=False).exclude(tournament__evening_sheet__is_rehearsal=True)


def _seats_with_page(club: Club) -> QuerySet[Standing]:
    return _seats_of_published(club).filter(player__has_page=True, player__erased_at__isnull=True)


def _seats_of(player: Player) -> QuerySet[Standing]:
    """The public seats of one player, including merged rows."""
    return _seats_of_published(player.club).filter(Q(player=player) | Q(player__merged_into=player))


def _others_at(seats: Sequence[_Seat]) -> QuerySet[Standing]:
    """The other seats of the same tables. Erased players, known by number only, are not counted as opponents.

    Filtered by the tables' keys: with a subquery the database read the seats twice, which took longer than all other
    queries.
    """
    others = Standing.objects.filter(table_id__in={seat.table_id for seat in seats})
    opponents = others.exclude(player_id__in={seat.player_id for seat in seats}).exclude(
        player__erased_at__isnull=False
    )
    return opponents.annotate(who=WHO)


def _came(tournaments: Sequence[Tournament]) -> dict[UUID, tuple[Came, ...]]:
    """The players of each tournament with places, stored or computed now; without tournaments that cannot be read."""
    positions = {tournament.id: tournament.board_position for tournament in tournaments}
    stored_results = NightResult.objects.filter(tournament__in=tournaments).only("position", "state")
    current = [row for row in stored_results if row.position == positions[row.pk]]
    came_by_tournament = {row.pk: result.came for row, result in pairs_of(current, lambda row: load_result(row.state))}
    current_ids = {row.pk for row in current}
    return came_by_tournament | _came_so_far(
        [tournament for tournament in tournaments if tournament.id not in current_ids]
    )


def _came_so_far(tournaments: Sequence[Tournament]) -> dict[UUID, tuple[Came, ...]]:
    """The same computed from the boards, and cached: other players of a tournament need the same places."""
    shown_by_tournament = {tournament.id: shown_of(tournament) for tournament in tournaments}
    known = {
        key: came for key, of in shown_by_tournament.items() if (came := known_object(f"came/{key}", of)) is not None
    }
    missing = [tournament for tournament in tournaments if tournament.id not in known]
    results = read_at_once(missing, current_results) if missing else {}
    now = {key: result.came for key, result in results.items()}
    for key, came in now.items():
        keep_object(f"came/{key}", shown_by_tournament[key], came)
    return known | now


def _shows(tables: Collection[UUID], rows: Collection[str]) -> Counter[UUID]:
    """How many deals the player won by showing at each table, from the stored table states, in one query."""
    sheets = Scoresheet.objects.filter(table_id__in=tables).only("state")
    return Counter(
        {row.pk: shows for row, shows in pairs_of(sheets, lambda row: _shows_at(load_table(row.state), rows))}
    )


def _shows_at(table: Table, rows: Collection[str]) -> int:
    seat = next((seat for seat, who in table.players.items() if who in rows), None)
    if seat is None:
        return 0
    deals = (entry.event for entry in table.timeline if not entry.is_void)
    marks = (event.sheet.marks().get(seat) for event in deals if isinstance(event, wire.DealEvent))
    return sum(mark is not None and mark.is_win and not mark.by_default for mark in marks)


def _player_result(
    tournament: Tournament,
    rows: Collection[str],
    seats: Iterable[_Seat],
    shows: Mapping[UUID, int],
    came: Sequence[Came],
) -> PlayerResult:
    own = next((player_came for player_came in came if player_came.player in rows), None)
    low_is_good = terms_of(tournament).game.low_is_good
    here = [seat for seat in seats if seat.tournament_id == tournament.id]
    return PlayerResult(
        tournament=tournament,
        counts=_counted(here, shows),
        of=len(came),
        place=own.place if own else None,
        is_tied=own is not None and own.sharing > 1,
        score=0 if own is None else -own.score if low_is_good else own.score,
        low_is_good=low_is_good,
    )


def _counted(seats: Sequence[_Seat], shows: Mapping[UUID, int]) -> Counts:
    return Counts(
        tables=len(seats),
        deals=sum(seat.deals_played for seat in seats),
        deals_won=sum(seat.deals_won for seat in seats),
        shows=sum(shows.get(seat.table_id, 0) for seat in seats),
        drops=sum(seat.drops for seat in seats),
        wrong_shows=sum(seat.wrong_shows for seat in seats),
    )


def _opponents(seats: Sequence[_Seat]) -> Iterator[Opponent]:
    """All opponents, in one query; who finished ahead counts only at finished tables."""
    own = {seat.table_id: seat for seat in seats}
    met: dict[UUID, list[tuple[_Seat, int | None, int]]] = {}
    who: dict[UUID, tuple[str, bool]] = {}
    for table_id, player, name, linked, place, won in _others_at(seats).values_list(*_OTHER):
        met.setdefault(player, []).append((own[table_id], place, won))
        who[player] = (name, linked)
    for player in sorted(met, key=lambda each: (-len(met[each]), search_key(who[each][0]), each)):
        ends = [(seat.place, place) for seat, place, _ in met[player] if seat.is_finished and seat.place and place]
        yield Opponent(
            player=str(player),
            name=who[player][0],
            has_page=who[player][1],
            tables=len(met[player]),
            ahead=sum(mine < theirs for mine, theirs in ends if mine and theirs),
            behind=sum(mine > theirs for mine, theirs in ends if mine and theirs),
            won=sum(seat.deals_won for seat, _, _ in met[player]),
            lost=sum(won for _, _, won in met[player]),
        )
