"""The board of a tournament, read from the standings that were written with the facts.

Standings and tables come in one statement, so a board is never half of one moment and half of another: it names
the position in the club's log that it shows, and equals the fold up to there. Rules: docs/rules/leaderboard.md.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from scoring.projections.announcements import announce
from scoring.projections.leaderboard import BoardRow, SeatLine, leaderboard
from scoring.rules.forms import Setup
from scoring.rules.money import Stakes
from scoring.rules.options import read_options
from scoring.rules.table import Table
from scoring.rules.variants import variant
from tournaments.models import Scoresheet, Standing, Tournament
from tournaments.models import Table as TableRow
from tournaments.queries.fingerprints import board_fingerprint, changed_tables, heads_at

_SEAT = ("player_id", "player__name", "place", "rank_key")
_NUMBERS = (
    "round",
    "total",
    "chips",
    "net_points",
    "is_in",
    "out_in_deal",
    "drops_left",
    "may_rejoin",
    "deals_played",
    "deals_won",
    "wrong_shows",
    "drops",
    "payout_minor",
    "is_finished",
)
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
    "table__scoresheet__last_position",
    "table__scoresheet__last_recorded_at",
)


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
    last_position: int
    last_recorded_at: datetime


class SeatAtTable(NamedTuple):
    """One player's line with the place it has at its own table."""

    line: SeatLine
    table: TableLine
    place: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A tournament's leaderboard at a position of its club's log. `names` are the players' by id.

    `table_winners` are the players who won the table that their row stands for; `corrected` the tables where a
    deal was corrected or voided.
    """

    tournament: Tournament
    position: int
    rows: tuple[BoardRow, ...]
    names: dict[str, str]
    tables: tuple[TableLine, ...]
    table_winners: frozenset[str] = frozenset()
    corrected: frozenset[UUID] = frozenset()
    recorded_at: datetime | None = None
    fingerprint: str = ""

    @property
    def is_finished(self) -> bool:
        return bool(self.tables) and all(table.is_finished for table in self.tables)


def board(tournament: Tournament) -> Board:
    """The leaderboard as it stands, in three queries. `tournament` must be read before: what it names is included."""
    standings = (
        Standing.objects.filter(tournament_id=tournament.id)
        .order_by("table__round", "table__number", "seat_number")
        .values_list(*_SEAT, *_NUMBERS, *_TABLE)
    )
    names: dict[str, str] = {}
    tables: dict[UUID, TableLine] = {}
    seats: list[SeatAtTable] = []
    for row in standings:
        table = tables.get(row[_TABLE_AT]) or tables.setdefault(row[_TABLE_AT], TableLine(*row[_TABLE_AT:]))
        player = str(row[0])
        names[player] = row[1]
        numbers = dict(zip(_NUMBERS, row[_NUMBERS_AT:_TABLE_AT], strict=True))
        line = SeatLine(player=player, table=table.number, rank_key=tuple(row[3]), **numbers)
        seats.append(SeatAtTable(line, table, row[2]))
    return board_of(tournament, seats, names, position=tournament.board_position)


def board_of(tournament: Tournament, seats: Sequence[SeatAtTable], names: dict[str, str], *, position: int) -> Board:
    """The board that follows from every seat of a tournament, at `position` or at a later fact of a table."""
    tables = tuple({seat.table.id: seat.table for seat in seats}.values())
    rows = leaderboard((seat.line for seat in _counting(seats)), adds_up=variant(tournament.variant).adds_up)
    position = max(position, *(table.last_position for table in tables), 0)
    heads = heads_at(tournament.club_id, [table.last_position for table in tables])
    return Board(
        tournament=tournament,
        position=position,
        rows=rows,
        names=names,
        tables=tables,
        table_winners=_table_winners(seats, rows),
        corrected=changed_tables([table.id for table in tables], position),
        recorded_at=max((table.last_recorded_at for table in tables), default=None),
        fingerprint=board_fingerprint(position, heads),
    )


def seat_lines(row: TableRow, table: Table) -> dict[str, SeatLine]:
    """Each seat of a table in memory as a line of a board."""
    paid = announce(table).payouts_minor
    return {
        seat: SeatLine(
            player=table.players[seat],
            table=row.number,
            round=row.round,
            rank_key=view.rank_key,
            total=view.total,
            chips=view.chips,
            net_points=view.net_points or 0,
            is_in=view.is_in,
            out_in_deal=view.out_in_deal,
            drops_left=view.drops_left,
            may_rejoin=view.may_rejoin,
            deals_played=table.deals,
            deals_won=view.deals_won,
            wrong_shows=view.wrong_shows,
            drops=view.drops,
            payout_minor=paid.get(seat),
            is_finished=table.is_finished,
        )
        for seat, view in table.seats().items()
    }


def setup_of(tournament: Tournament) -> Setup:
    """The house options of a tournament's tables before anybody is seated."""
    rules = variant(tournament.variant)
    given = tournament.options
    options = read_options(rules.options_type, given, rules.defaults(given, rules.seats_allowed[0]))
    return Setup(options=options, stakes=Stakes(), seats=())


def tables_of(tournament_id: UUID) -> tuple[TableLine, ...]:
    """The tournament's tables in the order of rounds and numbers, in one query."""
    sheets = (
        Scoresheet.objects.filter(table__tournament_id=tournament_id)
        .order_by("table__round", "table__number")
        .values_list(*(field.removeprefix("table__scoresheet__") for field in _TABLE))
    )
    return tuple(TableLine(*sheet) for sheet in sheets)


def _counting(seats: Sequence[SeatAtTable]) -> Iterator[SeatAtTable]:
    """What was played at a table that was given up counts nothing for those who sat down at another."""
    elsewhere = {seat.line.player for seat in seats if not seat.table.is_cancelled}
    return (seat for seat in seats if not (seat.table.is_cancelled and seat.line.player in elsewhere))


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


_NUMBERS_AT = len(_SEAT)
_TABLE_AT = _NUMBERS_AT + len(_NUMBERS)
