"""The board of a tournament, read from the standings that were written with the facts.

Standings and tables come in one statement, so a board is never half of one moment and half of another: it names
the position in the club's log that it shows, and equals the fold up to there. Rules: docs/rules/leaderboard.md. What
else is published (boards of the past, players, clubs, explanations) is read in the modules of this room.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple
from uuid import UUID

import msgspec
from django.db.models import Case, F, Q, TextField, Value, When

from scoring.evening import Evening, Plan, load_evening
from scoring.evening.standings.results import stage_of
from scoring.evening.state.played import SeatPlayed
from scoring.evening.state.terms import Terms
from scoring.rules.table.standing import SeatLine
from scoring.sheets.leaderboard import BoardRow, leaderboard
from tournaments.evenings.queries.stages import Called, names_for, planned_rows
from tournaments.log.dialect import uuid_from
from tournaments.log.seals import Change, board_fingerprint, changes_of, heads_at
from tournaments.models import Scoresheet, Standing, Tournament
from tournaments.models.public_names import Names
from tournaments.projections.boards import (
    MOST_SEATS,
    STORED,
    LastDeals,
    asks_for_last_deals,
    line_of,
    played_from,
    read_last_deals,
    read_rows,
)
from tournaments.projections.terms import stage_terms, terms_of
from tournaments.rendering.i18n.translating import stands_in

_SEAT = ("player_id", "place", "seat_number")
_TABLE = (
    "table_id",
    "table__round",
    "table__number",
    "table__name",
    "table__scoresheet__version",
    "table__scoresheet__deals",
    "table__scoresheet__is_finished",
    "table__scoresheet__is_closed",
    "table__scoresheet__is_cancelled",
    "table__scoresheet__has_conflict",
    "table__scoresheet__has_dispute",
    "table__scoresheet__unconfirmed",
    "table__scoresheet__last_position",
    "table__scoresheet__last_recorded_at",
    "table__scoresheet__has_moved_on",
)

# A seat's line, its place at its table, and whether that was given up.
Placed = tuple[SeatLine, int | None, bool]
_EVENING = ("evening", "tournament__evening_sheet__last_position")


class TableLine(NamedTuple):
    """One table of a tournament, as a list of tables shows it."""

    id: UUID
    round: int
    number: int
    name: str
    version: int
    deals: int
    is_finished: bool
    is_closed: bool
    is_cancelled: bool
    has_conflict: bool
    has_dispute: bool
    unconfirmed: int
    last_position: int
    last_recorded_at: datetime
    has_moved_on: bool = False


class SeatAtTable(NamedTuple):
    """One player's line with the place it has at its own table, and the number of the seat there."""

    line: SeatLine
    table: TableLine
    place: int | None
    number: int = 0


class Planned(NamedTuple):
    """The evening of a tournament that has a plan, and what the last deals changed where its ties ask for it."""

    evening: Evening | None = None
    last_deals: LastDeals = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A tournament's leaderboard at a position of its club's log. `names` are the players' by id.

    `table_winners` are the players who won the table that their row stands for, or in a planned evening all of it;
    `corrected` the tables where a deal was corrected or voided; `evening` is that of a planned tournament, and `played`
    what its rows follow from; `seats` are all that there were, in the order of rounds, tables and numbers.
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
    evening: Evening | None = None
    played: tuple[SeatPlayed, ...] = ()
    seats: tuple[SeatAtTable, ...] = ()

    @property
    def plan(self) -> Plan | None:
        return self.evening.plan if self.evening is not None else None

    @property
    def compares(self) -> str:
        """How the stage in force compares its players; without a plan by the score."""
        if self.evening is None or self.plan is None or not self.evening.rounds:
            return "score"
        return stage_of(self.plan, self.stage).compares

    @property
    def has_net_points(self) -> bool:
        """Standings keep a nought there for variants that know no net points."""
        return self.terms.rules.race == "net_points" or any(row.line.net_points for row in self.rows)

    @property
    def stage(self) -> int:
        """The stage in force, whose places come first."""
        return self.evening.rounds[-1].stage if self.evening is not None and self.evening.rounds else 1

    @property
    def terms(self) -> Terms:
        """What the stage in force plays."""
        return self.terms_of(self.stage)

    def terms_of(self, stage: int) -> Terms:
        """What a stage plays; without a plan what the tournament does."""
        return stage_terms(self.tournament, self.evening, stage)

    def other_game(self, stage: int) -> str:
        """The variant of a stage where it is not the tournament's; else nothing."""
        played = self.terms_of(stage).variant
        return "" if played == self.tournament.variant else played

    @property
    def stages_in_other_units(self) -> frozenset[int]:
        """Stages whose scores cannot stand under the heading of the stage in force."""
        shown, unit = {row.stage for row in self.rows}, self.terms.unit
        return frozenset(one for one in shown if one not in (0, self.stage) and self.terms_of(one).unit != unit)

    @property
    def corrected(self) -> frozenset[UUID]:
        return frozenset(change.table for change in self.changes)

    def seat_called(self, player: str, number: int | None = None) -> str:
        """A player by name; a substitute with whose place it is: now, or in the seat of a round."""
        if self.evening is None or player not in self.evening.entrants:
            return self.names[player]
        holder = self.evening.seat_holder(player, number or 0)
        now, first = (self.names[each] for each in holder)
        return now if holder[0] == holder[1] else stands_in(now, first)

    @property
    def listed(self) -> tuple[TableLine, ...]:
        """The tables without those given up before a deal: another draw, or other seats, took their place."""
        return tuple(table for table in self.tables if table.deals or not table.is_cancelled)

    @property
    def is_finished(self) -> bool:
        """Every table has its result; a planned evening goes on until it is closed."""
        if self.evening is not None and not self.evening.is_closed:
            return False
        return bool(self.tables) and all(table.is_finished for table in self.tables)


def board(tournament: Tournament, names: Names = Names.PUBLIC) -> Board:
    """The leaderboard as it stands, in three queries. `tournament` must be read before: what it names is included.

    Two more where a plan breaks ties by the last deal.
    """
    standings = (
        Standing.objects.filter(tournament_id=tournament.id)
        .order_by("table__round", "table__number", "seat_number")
        .annotate(evening=_planned_evening(tournament.id))
        .values_list(*_SEAT, *STORED, *_TABLE, *_EVENING, f"player__{names}")
    )
    evening, position = None, tournament.board_position
    called: dict[str, str] = {}
    seats: list[SeatAtTable] = []
    for row in read_rows(standings):
        seat = _seat_of(tuple(row[:_EVENING_AT]))
        called[seat.line.player] = row[-1]
        seats.append(seat)
        if row[_EVENING_AT]:
            evening, position = load_evening(row[_EVENING_AT]), max(position, row[_EVENING_AT + 1])
    last_deals: LastDeals = {}
    if evening and asks_for_last_deals(evening):
        last_deals = read_last_deals(tournament.id)
        shown = max(seat.table.last_position for seat in seats)
        lines = Standing.objects.filter(tournament_id=tournament.id)
        if lines.filter(table__scoresheet__last_position__gt=shown).exists():
            # A deal came in between: it would decide ties on a board that does not show it.
            return board(tournament, names)
    return board_of(tournament, seats, Called(names, called), position=position, plan=Planned(evening, last_deals))


# What rows say, which a process remembers of those that it read lately.


@lru_cache(MOST_SEATS)
def _seat_of(row: tuple[Any, ...]) -> SeatAtTable:
    """The seat that a row is, without anybody's name."""
    player, place, number = row[:_STORED_AT]
    table = _table_line(row[_TABLE_AT:])
    stored = (msgspec.json.decode(row[_STORED_AT]), *row[_STORED_AT + 1 : _TABLE_AT])
    return SeatAtTable(line_of(uuid_from(player), table.number, stored), table, place, number)


@lru_cache(MOST_SEATS)
def _table_line(row: tuple[Any, ...]) -> TableLine:
    """SQLite keeps moments in UTC, and does not say so."""
    line = TableLine(*row)
    heard = line.last_recorded_at
    return line._replace(id=uuid_from(line.id), last_recorded_at=heard if heard.tzinfo else heard.replace(tzinfo=UTC))


def board_of(
    tournament: Tournament,
    seats: Sequence[SeatAtTable],
    called: Called,
    *,
    position: int,
    plan: Planned,
) -> Board:
    """The board that follows from every seat of a tournament, at `position` or at a later fact of a table."""
    tables = tuple({seat.table.id: seat.table for seat in seats}.values())
    lines = [(seat.line, seat.place, seat.table.is_cancelled) for seat in seats]
    rows, played = rows_of(tournament, plan.evening, lines, plan.last_deals)
    position = max(position, *(table.last_position for table in tables), 0)
    heads = heads_at(tournament.club_id, [table.last_position for table in tables])
    return Board(
        tournament=tournament,
        position=position,
        rows=rows,
        names=names_for(rows, called, plan.evening),
        tables=tables,
        table_winners=_winners(seats, rows, plan.evening),
        changes=changes_of(tournament.club_id, [table.id for table in tables], position),
        recorded_at=max((table.last_recorded_at for table in tables), default=None),
        fingerprint=board_fingerprint(position, heads),
        evening=plan.evening,
        played=played,
        seats=tuple(seats),
    )


def tables_of(tournament_id: UUID) -> tuple[TableLine, ...]:
    """The tournament's tables in the order of rounds and numbers, in one query."""
    sheets = (
        Scoresheet.objects.filter(table__tournament_id=tournament_id)
        .order_by("table__round", "table__number")
        .values_list(*(field.removeprefix("table__scoresheet__") for field in _TABLE))
    )
    return tuple(TableLine(*sheet) for sheet in sheets)


def _planned_evening(tournament_id: UUID) -> Case:
    """The evening of a planned tournament beside its first standing, so that both are of one moment; else nothing."""
    first = Standing.objects.filter(tournament_id=tournament_id).order_by("id").values("id")[:1]
    is_planned = Q(id=first) & Q(tournament__evening_sheet__has_plan=True)
    return Case(
        When(is_planned, then=F("tournament__evening_sheet__state")), default=Value(""), output_field=TextField()
    )


def rows_of(
    tournament: Tournament, evening: Evening | None, lines: Sequence[Placed], last_deals: LastDeals
) -> tuple[tuple[BoardRow, ...], tuple[SeatPlayed, ...]]:
    """The rows of a board, by stages where the evening is planned, with what they follow from; else tables added up, or
    the latest one: what was played at a table that was given up counts nothing for those who sat down at another."""
    if evening is None or evening.plan is None:
        elsewhere = {line.player for line, _, is_cancelled in lines if not is_cancelled}
        counting = (line for line, _, is_cancelled in lines if not (is_cancelled and line.player in elsewhere))
        return leaderboard(counting, adds_up=terms_of(tournament).rules.adds_up), ()
    played = played_from(tournament, evening, lines, last_deals)
    by_seat = {(line.round, line.table, line.player): line for line, _, _ in lines}
    return planned_rows(tournament, evening, played, by_seat), played


def _winners(seats: Sequence[SeatAtTable], rows: Sequence[BoardRow], evening: Evening | None) -> frozenset[str]:
    """In a planned evening whoever is first once the last stage is played; else the winners of the tables."""
    if evening is None or evening.plan is None:
        return _table_winners(seats, rows)
    if evening.stage < len(evening.plan.stages) or not _is_played(seats, evening):
        return frozenset()
    return frozenset(row.line.player for row in rows if row.place == 1 and row.stage == evening.stage)


def _is_played(seats: Sequence[SeatAtTable], evening: Evening) -> bool:
    """Every round of the last stage was seated, and all its tables are finished."""
    rounds = evening.rounds_of(evening.stage)
    stage = evening.current
    tables = [seat.table.is_finished for seat in seats if rounds and seat.table.round >= rounds[0].round]
    return stage is not None and len(rounds) >= stage.rounds and all(tables)


def _table_winners(seats: Iterable[SeatAtTable], rows: Iterable[BoardRow]) -> frozenset[str]:
    """Who is first at a finished table: of the latest round they sat in."""
    latest = {row.line.player: row.line.round for row in rows}
    return frozenset(
        seat.line.player
        for seat in seats
        if seat.place == 1
        and seat.table.is_finished
        and not seat.table.is_cancelled
        and latest[seat.line.player] == seat.line.round
    )


_STORED_AT = len(_SEAT)
_TABLE_AT = _STORED_AT + len(STORED)
_EVENING_AT = _TABLE_AT + len(_TABLE)
