"""What a projector needs to know of a tournament: where the evening stands, who sits where, and what the director said.

Read beside a board, so that seats, tables and places are of one moment. Rules: docs/how-to/publishing.md, "The
projector".
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from scoring.evening import Evening, Stage, load_evening
from tournaments.boards import Board
from tournaments.boards.seats import SeatAtTable, TableLine
from tournaments.evenings.screens import Phase, Steering, steering_of
from tournaments.models import EveningSheet, Player, Screen, ScreenProgramme, Tournament
from tournaments.models.public_names import Names


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenNight:
    """A tournament's evening and how its projectors are steered. `unseated` are the names of those who sit out."""

    tournament: Tournament
    evening: Evening
    steering: Steering
    unseated: Mapping[str, str]


class SeatFound(NamedTuple):
    """Where a player sits; at no table where the round is played without them."""

    name: str
    table: int | None
    seat: int | None


class TableNow(NamedTuple):
    """A table of the round in play with whoever is first there; nobody is before its first deal."""

    table: TableLine
    leaders: tuple[str, ...]


def screen_night(tournament: Tournament) -> ScreenNight:
    """The evening and the steering, in two queries; in three where somebody sits out."""
    steering = steering_of(ScreenProgramme.objects.filter(tournament_id=tournament.pk).first())
    state = EveningSheet.objects.filter(tournament_id=tournament.pk).values_list("state", flat=True).first()
    evening = load_evening(state) if state is not None else Evening()
    players = evening.last_round.sitting_out if evening.last_round else ()
    found = Player.objects.filter(id__in=players).order_by("id").values_list("id", Names.PUBLIC) if players else ()
    return ScreenNight(
        tournament=tournament,
        evening=evening,
        steering=steering,
        unseated={str(player): name for player, name in found},
    )


@dataclass(frozen=True, kw_only=True)
class Room:
    """A board with the evening around it, as somebody sees it who looks up from a table."""

    board: Board
    night: ScreenNight

    @cached_property
    def tables(self) -> tuple[TableLine, ...]:
        """The tables of the latest round, and of earlier ones those that still play."""
        shown = [table for table in self.board.tables if not (table.is_cancelled or table.has_moved_on)]
        latest = max((table.round for table in shown), default=0)
        return tuple(table for table in shown if table.round == latest or not (table.is_finished or table.is_closed))

    @cached_property
    def phase(self) -> Phase:
        """Where the evening stands."""
        tournament, deals = self.board.tournament, [table.deals for table in self.tables]
        if tournament.is_cancelled:
            return Phase.GIVEN_UP
        if tournament.closed_at is not None or self.board.is_finished:
            return Phase.OVER
        if not deals:
            return Phase.BEFORE
        if not any(deals):
            return Phase.NEXT_ROUND if any(table.deals for table in self.board.tables) else Phase.SEATED
        is_played = all(table.is_finished or table.is_closed for table in self.tables)
        return Phase.PAUSE if is_played else Phase.PLAYING

    @cached_property
    def stage(self) -> Stage | None:
        """The stage of the latest round; None without a plan."""
        plan, seated = self.night.evening.plan, self.night.evening.last_round
        return plan.stages[seated.stage - 1] if plan and seated and seated.stage <= len(plan.stages) else None

    @cached_property
    def filled(self) -> frozenset[Screen]:
        """The screens on which there is something."""
        is_on = not self.night.evening.is_closed and self.phase is not Phase.OVER
        found = {
            Screen.SEATING: is_on and bool(self._seated or self.night.unseated),
            Screen.STANDINGS: bool(self.board.rows),
            Screen.TABLES: bool(self.tables),
            Screen.CLOCK: is_on and self._is_timed,
            Screen.WINNERS: self.phase is Phase.OVER and any(row.place for row in self.board.rows),
            Screen.ADDRESS: True,
            Screen.MESSAGE: bool(self.night.steering.message),
        }
        return frozenset(screen for screen, is_there in found.items() if is_there)

    def seats(self) -> list[SeatFound]:
        """Everybody of the latest round from A to Z, also those who sit out."""
        names = self.board.names
        found = [SeatFound(names[seat.line.player], seat.table.number, seat.number) for seat in self._seated]
        found += [SeatFound(name, None, None) for name in self.night.unseated.values()]
        return sorted(found, key=lambda seat: (seat.name.casefold(), seat.table or 0))

    def standing_tables(self) -> list[TableNow]:
        """The tables with their leaders, in the order of rounds and numbers."""
        leaders: dict[object, list[str]] = {}
        for seat in self.board.seats:
            if seat.place == 1 and seat.table.deals:
                leaders.setdefault(seat.table.id, []).append(self.board.names[seat.line.player])
        return [TableNow(table, tuple(leaders.get(table.id, ()))) for table in self.tables]

    @cached_property
    def _seated(self) -> list[SeatAtTable]:
        latest = max((table.round for table in self.tables), default=0)
        shown = {table.id for table in self.tables if table.round == latest}
        return [seat for seat in self.board.seats if seat.table.id in shown]

    @property
    def _is_timed(self) -> bool:
        """Whether the latest round has a clock, or will have one."""
        evening = self.night.evening
        seated = evening.last_round
        is_started = seated is not None and str(seated.round) in evening.clocks
        return is_started or (self.stage is not None and self.stage.length == "minutes")
