"""Closed tournaments for seasons and ratings, read from the boards in bulk.

Rules: docs/how-to/seasons.md, "Tournaments that count". Places are those of the board; every player with a seat
attended. Writes nothing.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from hashlib import sha256
from operator import itemgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from scoring.seasons import dump_standings, season_standings
from scoring.seasons.formula import (
    Came,
    SeasonTournament,
    TablePlayed,
    TournamentResult,
    load_formula,
    load_past,
    load_result,
    past_tournament,
)
from scoring.sheets.leaderboard import leaderboard
from scoring.storage.writes import moment_text
from scoring.tournament import TournamentState, load_tournament_state
from scoring.tournament.standings.results import stage_of
from scoring.tournament.state.reentries import brought_into
from tournaments import log
from tournaments.models import EveningSheet, NightResult, PastTournament, Season, Table, Tournament
from tournaments.people.players import merged_rows
from tournaments.projections.boards import NamedLine, final_order, lines_by_tournament, played_by_tournament
from tournaments.projections.terms import stage_terms, terms_by_round, terms_of
from tournaments.rendering.i18n.formatting import zone_of

# Events that change a tournament after it was over. Other events can only be added after it was reopened.
LATE = (
    *("deal_corrected", "deal_voided", "totals_corrected", "penalty_given", "fact_withdrawn"),
    *("table_cancelled", "tournament_reopened"),
)
# The house option that marks a tournament as practice.
TRAINING = "training"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadResult:
    """A tournament's result at a position of its board; where the log first closed it, and when it was corrected."""

    tournament: UUID
    position: int
    closed_position: int
    corrected_at: datetime | None
    result: TournamentResult


def counting_tournaments(club_id: UUID) -> list[Tournament]:
    """Return the tournaments that count: closed, not abandoned, published, and neither rehearsal nor training."""
    closed = Tournament.objects.filter(club_id=club_id, closed_at__isnull=False, is_cancelled=False, is_published=True)
    counting = closed.exclude(evening_sheet__is_rehearsal=True).order_by("starts_at", "id")
    return [tournament for tournament in counting if not tournament.options.get(TRAINING)]


def read_results(tournaments: Sequence[Tournament]) -> list[ReadResult]:
    """Read tournaments of one club in a fixed number of queries. The given rows say which position was read."""
    if not tournaments:
        return []
    club, ids = tournaments[0].club_id, [tournament.id for tournament in tournaments]
    results = current_results(tournaments)
    closings = {span.stream_id: span.first for span in log.spans(club=club, streams=ids, kinds=["tournament_closed"])}
    changes = _changes(club, ids)
    return [
        ReadResult(
            tournament=tournament.id,
            position=tournament.board_position,
            closed_position=closings[tournament.id],
            corrected_at=max(
                (at for position, at in changes.get(tournament.id, ()) if position > closings[tournament.id]),
                default=None,
            ),
            result=results[tournament.id],
        )
        for tournament in tournaments
        if tournament.id in closings
    ]


def current_results(tournaments: Sequence[Tournament]) -> dict[UUID, TournamentResult]:
    """Return the results of tournaments, closed or not, from their boards, in a fixed number of queries."""
    ids = [tournament.id for tournament in tournaments]
    lines = lines_by_tournament(ids)
    states = _planned(ids)
    places = {
        **_places_of_unplanned([tournament for tournament in tournaments if tournament.id not in states], lines),
        **_places_of_planned(
            [(tournament, states[tournament.id]) for tournament in tournaments if tournament.id in states], lines
        ),
    }
    return {
        tournament.id: _result(tournament, states.get(tournament.id), lines[tournament.id], places[tournament.id])
        for tournament in tournaments
    }


def _planned(ids: Sequence[UUID]) -> dict[UUID, TournamentState]:
    sheets = EveningSheet.objects.filter(tournament_id__in=ids, has_plan=True)
    return {
        tournament: load_tournament_state(state) for tournament, state in sheets.values_list("tournament_id", "state")
    }


def _places_of_unplanned(
    tournaments: Sequence[Tournament], lines: Mapping[UUID, Sequence[NamedLine]]
) -> dict[UUID, list[tuple[str, int]]]:
    """Return the board's places where tables were opened one by one: abandoned tables do not count."""
    return {
        tournament.id: [
            (row.line.player, row.place)
            for row in leaderboard(
                (named.line for named in lines[tournament.id] if not named.is_cancelled),
                adds_up=terms_of(tournament).rules.adds_up,
            )
        ]
        for tournament in tournaments
    }


def _places_of_planned(
    states: Sequence[tuple[Tournament, TournamentState]], lines: Mapping[UUID, Sequence[NamedLine]]
) -> dict[UUID, list[tuple[str, int]]]:
    played = played_by_tournament(states, lines)
    return {tournament.id: list(final_order(tournament, state, played[tournament.id])) for tournament, state in states}


def _result(
    tournament: Tournament, state: TournamentState | None, lines: Sequence[NamedLine], places: Sequence[tuple[str, int]]
) -> TournamentResult:
    """Return all players with their places, and the tables that have a result; empty where no deal was played."""
    if not any(named.line.deals_played for named in lines):
        return TournamentResult(came=(), tables=())
    sharing = Counter(place for _, place in places)
    scores = _scores(tournament, state, lines)
    came = (Came(player, place, sharing[place], scores.get(player, 0)) for player, place in places)
    return TournamentResult(
        came=tuple(sorted(came, key=lambda each: (each.place, each.player))), tables=tuple(_tables(lines))
    )


def _tables(lines: Iterable[NamedLine]) -> Iterator[TablePlayed]:
    """Yield tables with a result at which a deal was played, by round and number."""
    seats: dict[tuple[int, int], list[NamedLine]] = {}
    for named in lines:
        if named.line.is_finished and not named.is_cancelled and named.line.deals_played:
            seats.setdefault((named.line.round, named.line.table), []).append(named)
    for own in seats.values():
        yield TablePlayed(tuple(seat.line.player for seat in own), tuple(seat.place or 1 for seat in own))


def _scores(tournament: Tournament, state: TournamentState | None, lines: Iterable[NamedLine]) -> Counter[str]:
    """Return each player's total score over all tables of the tournament, with its sign such that more is better.

    Only the tournament's own game counts: points of other games are not comparable.
    """
    own_game, first = terms_of(tournament), stage_terms(tournament, state, 1)
    race = own_game.rules.race
    low_is_good = (first if first.variant == own_game.variant else own_game).game.low_is_good
    carried = _carried(state) if state is not None and not own_game.rules.adds_up else {}
    rounds = terms_by_round(tournament, state) if state is not None else {}
    others = {number for number, terms in rounds.items() if terms.variant != own_game.variant}
    scores: Counter[str] = Counter()
    for named in lines:
        if named.is_cancelled or named.line.round in others:
            continue
        line = named.line
        own = (getattr(line, race) or 0) - carried.get((line.round, line.player), 0)
        scores[line.player] += -own if low_is_good else own
    return scores


def _carried(state: TournamentState) -> dict[tuple[int, str], int]:
    """Return what players brought to the tables of a round from the stage before, where totals run on."""
    if state.plan is None:
        return {}
    return {
        (seated.round, player): brought
        for seated in state.rounds
        if 2 <= seated.stage <= len(state.cuts) + 1 and stage_of(state.plan, seated.stage).carries == "score"
        for player, brought in brought_into(state, seated.stage).items()
    }


def _changes(club: UUID, ids: Sequence[UUID]) -> dict[UUID, list[tuple[int, datetime]]]:
    """Return every later change by tournament, in two queries."""
    streams = dict(Table.objects.filter(tournament_id__in=ids).values_list("id", "tournament_id"))
    streams |= {tournament_id: tournament_id for tournament_id in ids}
    changes: dict[UUID, list[tuple[int, datetime]]] = {}
    for late in log.find(club=club, streams=streams, kinds=LATE):
        changes.setdefault(streams[late.stream_id], []).append((late.position, late.recorded_at))
    return changes


# A season's standings from the stored results: which tournaments are in it, and what its formula makes of them.

_COLUMNS = (
    "tournament_id",
    "tournament__name",
    "tournament__slug",
    "tournament__variant",
    "tournament__preset",
    "tournament__starts_at",
    "club__timezone",
    "position",
    "closed_position",
    "corrected_at",
)


def days_of(season: Season) -> dict[str, datetime]:
    """Lookups for tournaments that begin on a day of a season on the club's own clock. `season` must carry its club."""
    zone = zone_of(season.club.timezone)
    first = datetime.combine(season.starts_on, time.min, zone)
    return {
        "starts_at__gte": first,
        "starts_at__lt": datetime.combine(season.ends_on + timedelta(days=1), time.min, zone),
    }


def publication_digest(season: Any) -> bytes:
    """Return the SHA-256 over everything that a closed season was published with."""
    fields = (
        *(season.id.hex, season.club_id.hex, season.name, season.starts_on.isoformat(), season.ends_on.isoformat()),
        *(season.formula, moment_text(season.closed_at), season.final, str(season.final_position)),
    )
    return sha256("\x00".join(fields).encode()).digest()


class StoredResult(NamedTuple):
    """A closed tournament with its stored result; `state` is empty where it is not needed."""

    tournament: UUID
    name: str
    slug: str
    variant: str
    preset: str
    starts_at: datetime
    timezone: str
    position: int
    closed_position: int
    corrected_at: datetime | None
    state: str = ""

    @property
    def day(self) -> date:
        """The day on which it began, on the club's clock."""
        return self.starts_at.astimezone(zone_of(self.timezone)).date()


class PastResult(NamedTuple):
    """An imported tournament of one season. The name is empty where the list had none."""

    id: UUID
    season_id: UUID
    name: str
    day: date
    position: int
    state: str


def past_results(club_id: UUID, *, season: UUID | None = None) -> list[PastResult]:
    """Return the imported tournaments of a club, or of one season, the oldest first, in two queries.

    Merged rows are one player.
    """
    rows = PastTournament.objects.filter(club_id=club_id).order_by("day", "position")
    if season is not None:
        rows = rows.filter(season_id=season)
    results = [PastResult(*row) for row in rows.values_list(*PastResult._fields)]
    merged = merged_rows(club_id) if results else {}
    return [result._replace(state=_of_people(result.state, merged)) for result in results]


def results_that_count(club_id: UUID) -> list[StoredResult]:
    """Return every tournament of a club that counts, the oldest first, in two queries. Merged rows are one player.

    Stored results keep the original rows: one stored while two rows were merged is still right after the merge is
    undone.
    """
    results = [StoredResult(*row) for row in _rows_of(club_id).values_list(*_COLUMNS, "state")]
    merged = merged_rows(club_id)
    return [result._replace(state=_of_people(result.state, merged)) for result in results] if merged else results


def _of_people(state: str, merged: Mapping[str, str]) -> str:
    """Replace the ids of merged rows; ids occur only where players are named."""
    for row, target in merged.items():
        state = state.replace(row, target)
    return state


def published_results(club_id: UUID) -> list[StoredResult]:
    """Return the tournaments that pages may name, in one query. An unpublished one is excluded before a worker runs."""
    rows = _rows_of(club_id).filter(tournament__is_published=True)
    return [StoredResult(*row) for row in rows.values_list(*_COLUMNS)]


def _rows_of(club_id: UUID) -> QuerySet[NightResult]:
    return NightResult.objects.filter(club_id=club_id).order_by("tournament__starts_at", "tournament_id")


def results_between(kept: Iterable[StoredResult], first: date, last: date) -> list[StoredResult]:
    """Return the tournaments between two days, both included."""
    return [result for result in kept if first <= result.day <= last]


def season_tournaments(results: Iterable[StoredResult], past: Iterable[PastResult]) -> list[SeasonTournament]:
    """Return the input of a formula, the oldest first; on one day imported tournaments come before those played here.

    A tournament without a counting deal is skipped: no player has missed it.
    """
    result_pairs = ((result, load_result(result.state).came) for result in results)
    dated = [(result.day, past_tournament(str(result.id), load_past(result.state))) for result in past]
    dated += [
        (
            result.day,
            SeasonTournament(id=str(result.tournament), variant=result.variant, preset=result.preset, came=came),
        )
        for result, came in result_pairs
        if came
    ]
    return [tournament for _, tournament in sorted(dated, key=itemgetter(0))]


def standings_of(season: Season, kept: Sequence[StoredResult], past: Sequence[PastResult]) -> dict[str, Any]:
    """Return the columns of a season's table, computed from its tournaments."""
    results = results_between(kept, season.starts_on, season.ends_on)
    own = [result for result in past if result.season_id == season.pk]
    standings = season_standings(load_formula(season.formula), season_tournaments(results, own))
    return {
        "state": dump_standings(standings),
        "position": max([0, *(result.position for result in results), *(result.position for result in own)]),
    }
