"""What a projector shows of a tournament: its phase, who sits where, and the director's message.

Read with a board, so that seats, tables and places are of the same state. Rules: docs/how-to/publishing.md, "The
projector".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from scoring.tournament import Stage, TournamentState, load_tournament_state
from tournaments.boards import Board
from tournaments.boards.seats import SeatAtTable, TableLine
from tournaments.models import EveningSheet, Player, Screen, ScreenProgramme, Tournament
from tournaments.models.people import search_key
from tournaments.models.public_names import Names
from tournaments.running.screens import Phase, Steering, steering_of


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenedTournament:
    """A tournament's state and the settings of its projectors. `unseated` are the names of players who sit out,
    without those who are hidden from the public.
    """

    tournament: Tournament
    state: TournamentState
    steering: Steering
    unseated: Mapping[str, str]


class SeatFound(NamedTuple):
    """Where a player sits; table and seat are None for players who sit out the round."""

    name: str
    table: int | None
    seat: int | None


class TableNow(NamedTuple):
    """A table of the current round with its leaders; there are none before its first deal."""

    table: TableLine
    leaders: tuple[str, ...]


def screened_tournament(tournament: Tournament) -> ScreenedTournament:
    """The tournament and the projector settings, in two queries; in three if players sit out."""
    steering = steering_of(ScreenProgramme.objects.filter(tournament_id=tournament.pk).first())
    stored = EveningSheet.objects.filter(tournament_id=tournament.pk).values_list("state", flat=True).first()
    state = load_tournament_state(stored) if stored is not None else TournamentState()
    out = state.last_round.sitting_out if state.last_round else ()
    players = [player for player in out if player not in state.hidden]
    name_rows = Player.objects.filter(id__in=players).order_by("id").values_list("id", Names.PUBLIC) if players else ()
    return ScreenedTournament(
        tournament=tournament,
        state=state,
        steering=steering,
        unseated={str(player): name for player, name in name_rows},
    )


@dataclass(frozen=True, kw_only=True)
class Room:
    """A board and the tournament, as the projector shows them."""

    board: Board
    screened: ScreenedTournament

    @cached_property
    def tables(self) -> tuple[TableLine, ...]:
        """The tables of the latest round, and those of earlier rounds that are still in play."""
        remaining_tables = [table for table in self.board.tables if not (table.is_cancelled or table.has_moved_on)]
        latest = max((table.round for table in remaining_tables), default=0)
        return tuple(
            table for table in remaining_tables if table.round == latest or not (table.is_finished or table.is_closed)
        )

    @cached_property
    def phase(self) -> Phase:
        """The phase of the tournament."""
        tournament, begun = self.board.tournament, [table.has_begun for table in self.tables]
        if tournament.is_cancelled:
            return Phase.GIVEN_UP
        if tournament.closed_at is not None or self.board.is_finished:
            return Phase.OVER
        if not begun:
            return Phase.BEFORE
        if not any(begun):
            return Phase.NEXT_ROUND if any(table.has_begun for table in self.board.tables) else Phase.SEATED
        is_played = all(table.is_finished or table.is_closed for table in self.tables)
        return Phase.PAUSE if is_played else Phase.PLAYING

    @cached_property
    def stage(self) -> Stage | None:
        """The stage of the latest round; None without a plan."""
        plan, seated = self.screened.state.plan, self.screened.state.last_round
        return plan.stages[seated.stage - 1] if plan and seated and seated.stage <= len(plan.stages) else None

    @cached_property
    def filled(self) -> frozenset[Screen]:
        """The screens that have something to show."""
        is_on = not self.screened.state.is_closed and self.phase is not Phase.OVER
        filled_by_screen = {
            Screen.SEATING: is_on and bool(self._seated or self.screened.unseated),
            Screen.STANDINGS: bool(self.board.rows),
            Screen.TABLES: bool(self.tables),
            Screen.CLOCK: is_on and self._is_timed,
            Screen.WINNERS: self.phase is Phase.OVER and any(row.place for row in self.board.rows),
            Screen.ADDRESS: True,
            Screen.MESSAGE: bool(self.screened.steering.message),
        }
        return frozenset(screen for screen, is_there in filled_by_screen.items() if is_there)

    def seats(self) -> list[SeatFound]:
        """All players of the latest round from A to Z, including those who sit out."""
        names = self.board.names
        round_seats = [SeatFound(names[seat.line.player], seat.table.number, seat.number) for seat in self._seated]
        round_seats += [SeatFound(name, None, None) for name in self.screened.unseated.values()]
        return sorted(round_seats, key=lambda seat: (search_key(seat.name), seat.table or 0))

    def standing_tables(self) -> list[TableNow]:
        """The tables with their leaders, in the order of rounds and numbers."""
        leaders: dict[object, list[str]] = {}
        for seat in self.board.seats:
            if seat.place == 1 and seat.table.has_begun:
                leaders.setdefault(seat.table.id, []).append(self.board.names[seat.line.player])
        return [TableNow(table, tuple(leaders.get(table.id, ()))) for table in self.tables]

    @cached_property
    def _seated(self) -> list[SeatAtTable]:
        latest = max((table.round for table in self.tables), default=0)
        table_ids = {table.id for table in self.tables if table.round == latest}
        return [seat for seat in self.board.seats if seat.table.id in table_ids]

    @property
    def _is_timed(self) -> bool:
        """Whether the latest round has a clock, or will have one."""
        state = self.screened.state
        seated = state.last_round
        is_started = seated is not None and str(seated.round) in state.clocks
        return is_started or (self.stage is not None and self.stage.length == "minutes")
