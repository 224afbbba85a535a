"""The board of a tournament, read from the standings that were written with the facts.

A board names the version it shows (its position in the club's log); the tag made of it tells an unchanged board
without reading one standing.
"""

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from scoring.projections.leaderboard import BoardRow, SeatLine, leaderboard
from scoring.rules.variants import variant
from tournaments.models import Scoresheet, Standing, Tournament

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """A tournament's leaderboard at a position of its club's log. `names` are the players' by id."""

    tournament: Tournament
    position: int
    rows: tuple[BoardRow, ...]
    names: dict[str, str]
    tables: tuple[TableLine, ...]

    @property
    def is_finished(self) -> bool:
        return bool(self.tables) and all(table.is_finished for table in self.tables)


def board_tag(tournament_id: UUID, position: int) -> str:
    """A strong tag: the same board, to the byte, has the same tag."""
    return f'"{tournament_id.hex}-{position}"'


def board(tournament: Tournament) -> Board:
    """The leaderboard as it stands, in two queries. `tournament` must be fresh: it names the position."""
    standings = (
        Standing.objects.filter(tournament_id=tournament.id)
        .order_by("table_id", "seat_number")
        .values("player_id", "player__name", "table__number", "rank_key", *_NUMBERS)
    )
    names: dict[str, str] = {}
    lines = []
    for row in standings:
        player = str(row.pop("player_id"))
        names[player] = row.pop("player__name")
        number, key = row.pop("table__number"), tuple(row.pop("rank_key"))
        lines.append(SeatLine(player=player, table=number, rank_key=key, **row))
    rows = leaderboard(lines, adds_up=variant(tournament.variant).adds_up)
    return Board(
        tournament=tournament,
        position=tournament.board_position,
        rows=rows,
        names=names,
        tables=tables_of(tournament.id),
    )


def tables_of(tournament_id: UUID) -> tuple[TableLine, ...]:
    """The tournament's tables in the order of rounds and numbers, in one query."""
    sheets = (
        Scoresheet.objects.filter(table__tournament_id=tournament_id)
        .order_by("table__round", "table__number")
        .values_list(
            "table_id",
            "table__round",
            "table__number",
            "table__name",
            "version",
            "deals",
            "is_finished",
            "is_closed",
            "is_cancelled",
            "has_conflict",
        )
    )
    return tuple(TableLine(*sheet) for sheet in sheets)
