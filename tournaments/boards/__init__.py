"""The board of a tournament, built from the standings, which are updated in the same transaction as each event.

Standings and tables come from one SQL statement, so a board never mixes two states: it names the position in the club's
log that it shows, and equals the fold up to that position. Rules: docs/rules/leaderboard.md. What else is published
(boards of the past, players, clubs, explanations) is read in the other modules of this package.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

import msgspec

from scoring.rules.table.standing import SeatLine
from scoring.sheets.leaderboard import BoardRow, leaderboard
from scoring.tournament import Plan, TournamentState
from scoring.tournament.standings.results import stage_of
from scoring.tournament.state.played import SeatPlayed
from scoring.tournament.state.terms import Terms
from tournaments.boards.seats import TABLE, SeatAtTable, Seated, TableLine, seats_now
from tournaments.log.seals import Change, board_fingerprint
from tournaments.models import Scoresheet, Standing, Tournament
from tournaments.models.public_names import Names
from tournaments.projections.boards import LastDeals, asks_for_last_deals, played_from, read_last_deals
from tournaments.projections.terms import stage_terms, terms_of
from tournaments.rendering.i18n.translating import stands_in
from tournaments.running.queries.stages import names_for, planned_rows

# A seat's line, its place at its table, and whether that table was cancelled.
Placed = tuple[SeatLine, int | None, bool]


class Planned(NamedTuple):
    """The state of a tournament with a plan, and what the last deals changed if the plan breaks ties by them."""

    state: TournamentState | None = None
    last_deals: LastDeals = {}


class StageGame(NamedTuple):
    """The number that decides in a stage, and the stage's variant if it differs from the tournament's."""

    race: str
    other: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A tournament's leaderboard at a position of its club's log. `names` are the players' names by id.

    `table_winners` are the players who won the table that their row shows, or in a planned tournament the whole
    tournament; `corrected` are the tables where a deal was corrected or voided; `state` is set for a planned
    tournament, and `played` is what its rows are computed from; `placed` are all players in order with their places,
    for the prizes; `seats` are all seats in the order of rounds, tables and numbers. `hidden` are the players whom a
    director hid from the public after they had left; `unlisted` are the same where the board is the public's, which
    lists neither them nor their seats. With public names, rows and seats have no amounts unless the club publishes
    them.
    """

    tournament: Tournament
    position: int
    rows: tuple[BoardRow, ...]
    names: dict[str, str]
    tables: tuple[TableLine, ...]
    table_winners: frozenset[str] = frozenset()
    changes: tuple[Change, ...] = ()
    recorded_at: datetime | None = None
    fingerprint: str = ""
    state: TournamentState | None = None
    played: tuple[SeatPlayed, ...] = ()
    placed: tuple[tuple[str, int], ...] = ()
    seats: tuple[SeatAtTable, ...] = ()
    hidden: frozenset[str] = frozenset()
    unlisted: frozenset[str] = frozenset()

    @property
    def plan(self) -> Plan | None:
        return self.state.plan if self.state is not None else None

    @property
    def compares(self) -> str:
        """How the current stage ranks its players; without a plan by the score."""
        return self.compares_in(self.stage)

    def compares_in(self, stage: int) -> str:
        """How a stage ranks its players; without a plan by the score."""
        if self.state is None or self.plan is None or not self.state.rounds:
            return "score"
        return stage_of(self.plan, stage).compares

    @property
    def has_net_points(self) -> bool:
        """Whether the board has net points: standings store 0 for variants without them."""
        return self.terms.rules.race == "net_points" or any(row.line.net_points for row in self.rows)

    @property
    def stage(self) -> int:
        """The current stage, whose players are listed first."""
        return self.state.rounds[-1].stage if self.state is not None and self.state.rounds else 1

    @property
    def terms(self) -> Terms:
        """The terms of the current stage."""
        return self.terms_of(self.stage)

    def terms_of(self, stage: int) -> Terms:
        """The terms of a stage; without a plan those of the tournament."""
        return stage_terms(self.tournament, self.state, stage)

    def other_game(self, stage: int) -> str:
        """The variant of a stage if it differs from the tournament's, else an empty string."""
        played = self.terms_of(stage).variant
        return "" if played == self.tournament.variant else played

    @property
    def games(self) -> Mapping[int, StageGame]:
        """The game of each stage that is shown."""
        stages = {row.stage for row in self.rows}
        return {stage: StageGame(self.terms_of(stage).rules.race, self.other_game(stage)) for stage in stages}

    @property
    def stages(self) -> tuple[int, ...]:
        """The stages in which the tournament of some player ended, the latest first; 0 without a plan."""
        return tuple(dict.fromkeys(row.stage for row in self.rows))

    def rows_in(self, stage: int) -> tuple[BoardRow, ...]:
        """The players whose tournament ended in a stage, or who are in it."""
        return tuple(row for row in self.rows if row.stage == stage)

    @property
    def corrected(self) -> frozenset[UUID]:
        return frozenset(change.table for change in self.changes)

    def seat_called(self, player: str, number: int | None = None) -> str:
        """A player's name; for a substitute also the name of the player replaced: now, or in the seat of a round."""
        if self.state is None or player not in self.state.entrants:
            return self.names[player]
        holder = self.state.seat_holder(player, number or 0)
        now, first = (self.names[person] for person in holder)
        return now if holder[0] == holder[1] else stands_in(now, first)

    @property
    def listed(self) -> tuple[TableLine, ...]:
        """The tables without those cancelled before a deal, which another draw or seating replaced."""
        return tuple(table for table in self.tables if table.has_begun or not table.is_cancelled)

    @property
    def is_finished(self) -> bool:
        """Every table has its result; a planned tournament goes on until it is closed."""
        if self.state is not None and not self.state.is_closed:
            return False
        return bool(self.tables) and all(table.is_finished for table in self.tables)


def board(tournament: Tournament, names: Names = Names.PUBLIC) -> Board:
    """The current leaderboard, in three queries. Read `tournament` first: the board covers at least its position.

    Two more queries if the plan breaks ties by the last deal.
    """
    seated = seats_now(tournament, names)
    last_deals: LastDeals = {}
    if seated.state and asks_for_last_deals(seated.state):
        last_deals = read_last_deals(tournament.id)
        shown_position = max(seat.table.last_position for seat in seated.seats)
        lines = Standing.objects.filter(tournament_id=tournament.id)
        if lines.filter(table__scoresheet__last_position__gt=shown_position).exists():
            # A deal was recorded between the queries: it would break ties on a board that does not show it.
            return board(tournament, names)
    position = max(tournament.board_position, seated.planned)
    hidden = seated.state.hidden if seated.state is not None else frozenset()
    whole = board_of(tournament, seated, position=position, plan=Planned(seated.state, last_deals), hidden=hidden)
    return as_listed(whole) if names is Names.PUBLIC else whole


def as_listed(shown: Board) -> Board:
    """The board as the public reads it: without the players who are hidden. All others keep their places."""
    if not shown.hidden or shown.state is None:
        return shown
    holder = shown.state.seat_holder
    return replace(
        shown,
        rows=tuple(row for row in shown.rows if row.line.player not in shown.hidden),
        seats=tuple(seat for seat in shown.seats if holder(seat.line.player, seat.line.round)[0] not in shown.hidden),
        unlisted=shown.hidden,
    )


def board_of(
    tournament: Tournament, seated: Seated, *, position: int, plan: Planned, hidden: frozenset[str] = frozenset()
) -> Board:
    """The board computed from all seats of a tournament, at `position` or at a later event of a table."""
    tables = tuple({seat.table.id: seat.table for seat in seated.seats}.values())
    lines = [(seat.line, seat.place, seat.table.is_cancelled) for seat in seated.seats]
    rows, played = rows_of(tournament, plan.state, lines, plan.last_deals)
    seats = seated.seats
    if seated.called.by is Names.PUBLIC and not tournament.club.shows_money:
        rows, seats = tuple(map(_without_money, rows)), tuple(map(_seat_without_money, seats))
    position = max(position, *(table.last_position for table in tables), 0)
    heads = [(table.id, seated.heads[table.id]) for table in tables if table.id in seated.heads]
    return Board(
        tournament=tournament,
        position=position,
        rows=rows,
        names=names_for(rows, seated.called, plan.state),
        tables=tables,
        table_winners=_winners(seated.seats, rows, plan.state),
        changes=seated.changes,
        recorded_at=max((table.last_recorded_at for table in tables), default=None),
        fingerprint=board_fingerprint(position, heads),
        state=plan.state,
        played=played,
        placed=tuple((row.line.player, row.place) for row in rows),
        seats=seats,
        hidden=hidden,
    )


def _without_money(row: BoardRow) -> BoardRow:
    """The row as the public sees it where the club does not publish amounts beside names."""
    line = msgspec.structs.replace(row.line, payout_minor=None)
    return msgspec.structs.replace(row, line=line, prize_minor=None, net_minor=None)


def _seat_without_money(seat: SeatAtTable) -> SeatAtTable:
    return seat._replace(line=msgspec.structs.replace(seat.line, payout_minor=None))


def tables_of(tournament_id: UUID) -> tuple[TableLine, ...]:
    """The tournament's tables in the order of rounds and numbers, in one query."""
    sheets = (
        Scoresheet.objects.filter(table__tournament_id=tournament_id)
        .order_by("table__round", "table__number")
        .values_list(*(field.removeprefix("table__scoresheet__") for field in TABLE))
    )
    return tuple(TableLine(*sheet) for sheet in sheets)


def rows_of(
    tournament: Tournament, state: TournamentState | None, lines: Sequence[Placed], last_deals: LastDeals
) -> tuple[tuple[BoardRow, ...], tuple[SeatPlayed, ...]]:
    """The rows of a board and the results behind them: by stage with a plan, else tables added up or the latest one.

    A cancelled table does not count for players who also sat at another.
    """
    if state is None or state.plan is None:
        elsewhere = {line.player for line, _, is_cancelled in lines if not is_cancelled}
        counting = (line for line, _, is_cancelled in lines if not (is_cancelled and line.player in elsewhere))
        return leaderboard(counting, adds_up=terms_of(tournament).rules.adds_up), ()
    played = played_from(tournament, state, lines, last_deals)
    by_seat = {(line.round, line.table, line.player): line for line, _, _ in lines}
    return planned_rows(tournament, state, played, by_seat), played


def _winners(seats: Sequence[SeatAtTable], rows: Sequence[BoardRow], state: TournamentState | None) -> frozenset[str]:
    """With a plan the players placed first once the last stage is played; else the winners of the tables."""
    if state is None or state.plan is None:
        return _table_winners(seats, rows)
    if state.stage < len(state.plan.stages) or not _is_played(seats, state):
        return frozenset()
    return frozenset(row.line.player for row in rows if row.place == 1 and row.stage == state.stage)


def _is_played(seats: Sequence[SeatAtTable], state: TournamentState) -> bool:
    """Whether every round of the last stage was seated and all its tables are finished."""
    rounds = state.rounds_of(state.stage)
    stage = state.current
    tables = [seat.table.is_finished for seat in seats if rounds and seat.table.round >= rounds[0].round]
    return stage is not None and len(rounds) >= stage.rounds and all(tables)


def _table_winners(seats: Iterable[SeatAtTable], rows: Iterable[BoardRow]) -> frozenset[str]:
    """The players placed first at a finished table, if it is the latest that they sat at."""
    latest = {row.line.player: row.line.round for row in rows}
    return frozenset(
        seat.line.player
        for seat in seats
        if seat.place == 1
        and seat.table.is_finished
        and not seat.table.is_cancelled
        and latest[seat.line.player] == seat.line.round
    )
