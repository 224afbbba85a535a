"""The rounds of a tournament as they were played: who sat where, who won each table, and who qualified.

Read from a board, so that places and seats are of one state; works for tournaments with and without a plan.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from scoring.rules.variants import variant
from scoring.sheets.leaderboard import BoardRow, leaderboard
from scoring.tournament import TournamentState, load_tournament_state
from tournaments.boards import Board, tables_of
from tournaments.boards.seats import SeatAtTable, TableLine
from tournaments.log.seals import board_fingerprint, heads_at
from tournaments.models import EveningSheet, Player, Tournament
from tournaments.models.public_names import Names
from tournaments.projections.boards import NamedLine, lines_by_tournament, played_from
from tournaments.projections.cached import cached_object, keep_object, known_object
from tournaments.projections.shown import Shown, shown_of
from tournaments.projections.terms import stage_terms
from tournaments.rendering.left_out import pairs_of
from tournaments.running.queries.stages import PlayerNames, names_for, planned_rows, tournament_state

# The leaders of several tournaments at once: the first places of each, as on its board.

MOST_IN_FRONT = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class InFront:
    """One of the first places. `number` is the total the game ranks by; `score` is what a stage compares, as text.

    `players` are all players on the board: a substitute and the player who was replaced are one. `player` is the id of
    the one who is named.
    """

    place: int
    player: str
    players: int
    is_tied: bool
    name: str
    number: int | None
    score: str = ""
    race: str = "total"


def planned_states(tournaments: Sequence[Tournament]) -> dict[UUID, TournamentState]:
    """The states of the tournaments that have a plan, in one query."""
    states = EveningSheet.objects.filter(tournament__in=tournaments, has_plan=True)
    return {
        sheet.pk: state for sheet, state in pairs_of(states.only("state"), lambda row: load_tournament_state(row.state))
    }


def known_in_front(tournaments: Sequence[Tournament]) -> dict[UUID, tuple["InFront", ...]]:
    """The first places of those tournaments of which they are cached; all must have their clubs loaded."""
    fronts = {each.id: known_object(f"in_front/{each.pk}", shown_of(each)) for each in tournaments}
    return {key: front for key, front in fronts.items() if front is not None}


def in_front(
    tournaments: Sequence[Tournament], states: Mapping[UUID, TournamentState]
) -> dict[UUID, tuple[InFront, ...]]:
    """The first places of each tournament, in one query; none before the first deal. Then they are cached."""
    shown = {each.id: shown_of(each) for each in tournaments}
    lines = lines_by_tournament([each.id for each in tournaments]) if tournaments else {}
    played = [each for each in tournaments if any(named.line.deals_played for named in lines[each.id])]

    def places(tournament: Tournament) -> tuple[InFront, ...]:
        seats, state = lines[tournament.id], states.get(tournament.id)
        hidden = state.hidden if state is not None else frozenset()
        rows = [row for row in _rows(tournament, state, seats) if row.line.player not in hidden]
        return _in_front(tournament, state, rows[:MOST_IN_FRONT], seats, players=len(rows))

    fronts = {tournament.id: front for tournament, front in pairs_of(played, places)}
    for key, front in fronts.items():
        keep_object(f"in_front/{key}", shown[key], front)
    return fronts


def _rows(tournament: Tournament, state: TournamentState | None, seats: Sequence[NamedLine]) -> tuple[BoardRow, ...]:
    """The board's rows: by stages with a plan; else the tables that were not cancelled, added up or the latest one."""
    if state is not None:
        played = played_from(tournament, state, [(seat.line, seat.place, seat.is_cancelled) for seat in seats], {})
        by_seat = {(seat.line.round, seat.line.table, seat.line.player): seat.line for seat in seats}
        return planned_rows(tournament, state, played, by_seat)
    counting = (seat.line for seat in seats if seat.line.deals_played and not seat.is_cancelled)
    return leaderboard(counting, adds_up=variant(tournament.variant).adds_up)


def _in_front(
    tournament: Tournament,
    state: TournamentState | None,
    rows: Sequence[BoardRow],
    seats: Sequence[NamedLine],
    *,
    players: int,
) -> tuple[InFront, ...]:
    names = names_for(rows, PlayerNames(Names.PUBLIC, {seat.line.player: seat.name for seat in seats}))
    races = [stage_terms(tournament, state, row.stage).rules.race for row in rows]
    return tuple(
        InFront(
            place=row.place,
            player=row.line.player,
            players=players,
            is_tied=row.is_tied,
            name=names[row.line.player],
            number=getattr(row.line, race),
            score=row.score,
            race=race,
        )
        for row, race in zip(rows, races, strict=True)
    )


# The rounds of a tournament as they were played: who sat where, who won each table, and who qualified.


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTable:
    """One table of a round with its seats in seat order."""

    line: TableLine
    seats: tuple[SeatAtTable, ...]

    @property
    def is_seated(self) -> bool:
        """Whether players sit there, or sat there to the end: it was neither cancelled nor replaced by other tables."""
        return not (self.line.is_cancelled or self.line.has_moved_on)

    @property
    def by_place(self) -> list[SeatAtTable]:
        """The seats by place at their table; in seat order before the first deal."""
        return sorted(self.seats, key=lambda seat: (seat.place or 0 if self.line.has_begun else 0, seat.number))

    @property
    def winners(self) -> frozenset[str]:
        """The winners of the table; none while it is played, or if it was cancelled."""
        if not (self.line.is_finished and self.is_seated):
            return frozenset()
        return frozenset(seat.line.player for seat in self.seats if seat.place == 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round. `stage` is 0 without a plan; `went_on` are the players who qualified in the cut after it."""

    number: int
    stage: int
    tables: tuple[RoundTable, ...]
    sits_out: tuple[str, ...] = ()
    went_on: tuple[str, ...] = ()

    @property
    def seated(self) -> list[RoundTable]:
        """The tables that players sit at, after all moves."""
        return [table for table in self.tables if table.is_seated]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a page can be verified by: the position it shows, when that was recorded, and the fingerprint."""

    position: int
    fingerprint: str
    recorded_at: datetime | None


def rounds_of(shown: Board) -> tuple[Round, ...]:
    """Every round that was seated, in order. Needs no query."""
    seats: dict[UUID, list[SeatAtTable]] = {}
    for seat in shown.seats:
        seats.setdefault(seat.table.id, []).append(seat)
    tables = [RoundTable(line=line, seats=tuple(seats.get(line.id, ()))) for line in shown.listed]
    return tuple(
        _round(shown, number, [table for table in tables if table.line.round == number])
        for number in sorted({line.round for line in shown.listed})
    )


def sitting_out(tournament_id: UUID) -> dict[str, str]:
    """The public names of all players who sat out a round of a planned tournament, in two queries; in one if none did.

    Without those who are hidden from the public.
    """
    state = tournament_state(tournament_id)
    players = {player for seated in state.rounds for player in seated.sitting_out} if state else set()
    players -= state.hidden if state else set()
    return names_of(players) if players else {}


def names_of(players: Collection[str]) -> dict[str, str]:
    """The public names of some players by id, in one query and a fixed order."""
    player_rows = Player.objects.filter(id__in=[UUID(player) for player in players]).order_by("id")
    return {str(player): name for player, name in player_rows.values_list("id", Names.PUBLIC)}


def evidence_of(tournament: Tournament) -> Evidence:
    """The position and fingerprint of the tournament's current board, in two queries without its rows; then cached.

    The tournament must have its club with its `shown_version` loaded.
    """
    shown = shown_of(tournament)
    return cached_object(f"evidence/{tournament.pk}", shown, lambda: _read_evidence(shown))


def _read_evidence(shown: Shown) -> Evidence:
    tables = tables_of(shown.tournament)
    lasts = [table.last_position for table in tables]
    position = max(shown.position, *lasts, 0)
    return Evidence(
        position=position,
        fingerprint=board_fingerprint(position, heads_at(shown.club, lasts)),
        recorded_at=max((table.last_recorded_at for table in tables), default=None),
    )


def _round(shown: Board, number: int, tables: list[RoundTable]) -> Round:
    state = shown.state
    seated = state.round_of(number) if state is not None else None
    if state is None or seated is None:
        return Round(number=number, stage=0, tables=tuple(tables))
    is_last_of_stage = state.rounds_of(seated.stage)[-1] is seated
    cut = next((cut for cut in state.cuts if cut.stage == seated.stage), None)
    return Round(
        number=number,
        stage=seated.stage,
        tables=tuple(tables),
        sits_out=seated.sitting_out,
        went_on=tuple(player for player in cut.advancing if player not in shown.unlisted)
        if cut is not None and is_last_of_stage
        else (),
    )
