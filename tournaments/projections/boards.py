"""Writes the read models of boards in the transaction of the event that changed them, and reads them for every use.

The same rows are written by `rebuild`, from the same fold, so a board can always be checked against the log. Only
tables that the tournament seated count: an abandoned one does not, one whose players were moved does.
"""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.core.cache import caches
from django.db import connection
from django.db.models import BooleanField, QuerySet
from msgspec.structs import asdict

from scoring.money.payouts import Placed
from scoring.rules.table.dealing import announce
from scoring.rules.table.standing import SeatLine, SeatStanding
from scoring.rules.table.table import Status, Table, places
from scoring.sheets.scoresheet import sheet_lines
from scoring.sheets.snapshots import dump_table, load_table
from scoring.storage import uuid_from
from scoring.tournament import TournamentState
from scoring.tournament.standings import StagePlaces, last_stage, tournament_places
from scoring.tournament.standings.results import Memory
from scoring.tournament.state.played import Game, SeatPlayed
from tournaments.models import Scoresheet, Standing, Tournament
from tournaments.models import Table as TableRow
from tournaments.models.statements import unique_key, upsert
from tournaments.projections.terms import game_of, terms_by_round

# The seats of two tournaments of 5,000 players: of one that does not fit all are read again after a deal at one table.
MOST_SEATS = 10_240
# The columns stored for a line: all but player and table. The numbers beside `rank_key` are a column each.
_OTHERS = tuple(name for name in SeatLine.__struct_fields__ if name not in ("rank_key", "player", "table"))
STORED = ("rank_key", *_OTHERS)
_numbers = attrgetter(*_OTHERS)
_TRUTHS = {field.name for field in Standing._meta.concrete_fields if isinstance(field, BooleanField)}
# A row of the table of standings, in the order of its columns.
Row = tuple[Any, ...]
_KEY = ("table_id", "seat_number")
COLUMNS = (*_KEY, "tournament_id", "player_id", "club_id", "place", "position", *STORED)
LastDeals = Mapping[tuple[int, int, str], int]
_SEAT = ("tournament_id", "player_id", "table__number", "place")
# What a `SeatPlayed` takes from its line.
_VIEW = SeatStanding.__struct_fields__
_view = attrgetter(*_VIEW)


def sheet_values(table: Table) -> dict[str, Any]:
    """Return the columns of a score sheet row that are derived from the table alone."""
    return {
        "version": table.version,
        "state": dump_table(table),
        "is_finished": table.is_finished,
        "is_closed": table.status is Status.CLOSED,
        "is_cancelled": table.status is Status.CANCELLED,
        "has_conflict": bool(table.conflicts),
        "has_dispute": bool(table.disputed),
        "has_moved_on": table.has_moved_on,
        "unconfirmed": len(table.unconfirmed),
        "deals": table.deals,
        "has_totals": table.has_totals,
    }


def seat_lines(row: TableRow, table: Table, *, with_money: bool = True) -> dict[str, SeatLine]:
    """Return each seat of a table as a line of a board; without what it was paid where that is not public.

    Once a table has paid, a seat that was paid nothing has 0; until then, nobody has an amount.
    """
    paid = announce(table).payouts_minor if with_money else {}
    deals, is_finished = table.deals, table.is_finished
    return {
        seat: SeatLine(
            **{**asdict(view), "net_points": view.net_points or 0},
            player=table.players[seat],
            table=row.number,
            round=row.round,
            deals_played=deals,
            payout_minor=paid.get(seat, 0) if paid else None,
            is_finished=is_finished,
        )
        for seat, view in table.seats().items()
    }


def standings_of(row: TableRow, table: Table, *, position: int) -> list[Row]:
    """Return the row of each seat, in the order of `COLUMNS`. `row` must carry its tournament."""
    lines = seat_lines(row, table)
    place = places(lines)
    club = row.tournament.club_id
    return [
        (
            *(row.id, int(seat), row.tournament_id, UUID(line.player), club, place[seat], position),
            *(list(line.rank_key), *_numbers(line)),
        )
        for seat, line in lines.items()
    ]


def line_of(player: UUID, table: int, stored: Sequence[Any]) -> SeatLine:
    """Build the line of a board from its columns `STORED`, its player and its table."""
    key, *others = stored
    return SeatLine(player=str(player), table=table, rank_key=tuple(key), **dict(zip(_OTHERS, others, strict=True)))


def write_boards(row: TableRow, table: Table, *, position: int, recorded_at: datetime) -> None:
    """Update the score sheet, the standings and the board's position for a stored event, in three statements."""
    values = sheet_values(table) | {"last_position": position}
    moment = connection.ops.adapt_datetimefield_value(recorded_at)
    write_standings(standings_of(row, table, position=position))
    with connection.cursor() as cursor:
        named = ", ".join(f"{name} = %s" for name in values)
        cursor.execute(
            f"UPDATE tournaments_scoresheet SET {named}, last_recorded_at = %s WHERE table_id = %s",  # noqa: S608 - names
            [*values.values(), moment, row.id],
        )
    raise_position(row.tournament_id, position)


def raise_position(tournament_id: UUID, position: int) -> None:
    """Update a board's position. A rebuild writes tables in any order: if it fell, old tags would hold again."""
    with connection.cursor() as cursor:
        cursor.execute(_RAISE_POSITION, [position, tournament_id, position])


def write_standings(rows: Sequence[Row]) -> None:
    """Insert or replace standings, in one statement."""
    upsert("tournaments_standing", COLUMNS, rows, key=unique_key("club_id", *_KEY))


_RAISE_POSITION = "UPDATE tournaments_tournament SET board_position = %s WHERE id = %s AND board_position < %s"


class NamedLine(NamedTuple):
    """One seat's standing with its place, whether its table was abandoned, and the player's public name."""

    line: SeatLine
    place: int | None
    is_cancelled: bool
    name: str


def seats_played(tournament: Tournament, state: TournamentState) -> tuple[SeatPlayed, ...]:
    """Return every seat of the tournament from its standings, in one query; in two where the last deal breaks ties."""
    return played_by_tournament([(tournament, state)], lines_by_tournament([tournament.id]))[tournament.id]


def played_by_tournament(
    states: Sequence[tuple[Tournament, TournamentState]], named: Mapping[UUID, Sequence[NamedLine]]
) -> dict[UUID, tuple[SeatPlayed, ...]]:
    """Return the seats of many tournaments from their lines, with one query more where the last deal breaks ties."""
    last_deals = _last_deals_by_tournament(
        [tournament.id for tournament, state in states if asks_for_last_deals(state)]
    )
    return {
        tournament.id: played_from(
            tournament,
            state,
            [(seat.line, seat.place, seat.is_cancelled) for seat in named[tournament.id]],
            last_deals.get(tournament.id, {}),
        )
        for tournament, state in states
    }


def lines_by_tournament(tournaments: Collection[UUID]) -> dict[UUID, list[NamedLine]]:
    """Return every seat of some tournaments, in one query."""
    rows = (
        Standing.objects.filter(tournament_id__in=tournaments)
        .order_by("round", "table__number", "seat_number")
        .values_list(*_SEAT, "table__scoresheet__is_cancelled", *STORED, "player__public_name")
    )
    seats_by_tournament: dict[UUID, list[NamedLine]] = {tournament: [] for tournament in tournaments}
    for row in read_rows(rows) if seats_by_tournament else ():
        *others, name = row
        tournament, named = _named(tuple(others))
        seats_by_tournament[tournament].append(named._replace(name=name))
    return seats_by_tournament


# Raw rows from the database and the lines built from them, cached in the process: a deal changes four of two thousand.
# Django's own conversion of each value took as long as everything else of a board.


def read_rows(wanted: QuerySet[Any, Any]) -> Sequence[Sequence[Any]]:
    """Fetch the rows of a query that names its columns, without Django's conversion: ids and booleans as stored."""
    with connection.cursor() as cursor:
        cursor.execute(*wanted.query.sql_with_params())
        rows: Sequence[Sequence[Any]] = cursor.fetchall()
        return rows


@lru_cache(MOST_SEATS)
def _named(row: Row) -> tuple[UUID, NamedLine]:
    """Return the seat of a row without the name, which may be erased, and its tournament."""
    tournament, player, table, place, is_cancelled, key, *others = row
    values = (bool(value) if of in _TRUTHS else value for of, value in zip(_OTHERS, others, strict=True))
    line = line_of(uuid_from(player), table, (json.loads(key), *values))
    return uuid_from(tournament), NamedLine(line=line, place=place, is_cancelled=bool(is_cancelled), name="")


def played_from(
    tournament: Tournament,
    state: TournamentState,
    lines: Iterable[tuple[SeatLine, int | None, bool]],
    last_deals: LastDeals,
) -> tuple[SeatPlayed, ...]:
    """Return the tournament's seats with places; an abandoned table counts only if the tournament moved its players."""
    moved = {(seated.round, t.number): t.is_over for seated in state.rounds for t in seated.tables}
    races = {number: terms.rules.race for number, terms in terms_by_round(tournament, state).items()}
    return tuple(
        _seat(
            line,
            place or 1,
            getattr(line, races[line.round]) or 0,
            last_deals.get((line.round, line.table, line.player)),
        )
        for line, place, is_cancelled in lines
        if (is_over := moved.get((line.round, line.table))) is not None and (is_over or not is_cancelled)
    )


def asks_for_last_deals(state: TournamentState) -> bool:
    """Whether the plan breaks ties by the last deal."""
    return state.plan is not None and "last_deal" in state.plan.tie_breaks


def read_last_deals(tournament_id: UUID) -> dict[tuple[int, int, str], int]:
    """Return what the last deal of each table changed for each of its players, in one query."""
    return _last_deals_by_tournament([tournament_id])[tournament_id]


def _last_deals_by_tournament(tournaments: Collection[UUID]) -> dict[UUID, dict[tuple[int, int, str], int]]:
    """Return the same for many tournaments; no query where there are none."""
    points_by_tournament: dict[UUID, dict[tuple[int, int, str], int]] = {tournament: {} for tournament in tournaments}
    if not points_by_tournament:
        return points_by_tournament
    sheets = Scoresheet.objects.filter(table__tournament_id__in=tournaments, deals__gt=0)
    for tournament, number, table, state in sheets.values_list(
        "table__tournament_id", "table__round", "table__number", "state"
    ):
        for player, points in last_deal_of(load_table(state)).items():
            points_by_tournament[tournament][number, table, player] = points
    return points_by_tournament


def last_deal_of(table: Table) -> dict[str, int]:
    """Return what the last counting deal of a table changed, by player."""
    race = table.rules.race
    start = table.rules.seats(table.setup, table.rules.start(table.setup))
    before = {seat: getattr(view, race) or 0 for seat, view in start.items()}
    changed: dict[str, int] = {}
    for line in sheet_lines(table):
        if line.is_void:
            continue
        now = {seat: getattr(cell, race) or 0 for seat, cell in line.cells.items()}
        if line.deal is not None:
            changed = {table.players[seat]: now[seat] - before[seat] for seat in now}
        before = now
    return changed


@lru_cache(MOST_SEATS)
def _seat(line: SeatLine, place: int, score: int, last_deal: int | None) -> SeatPlayed:
    return SeatPlayed(
        **dict(zip(_VIEW, _view(line), strict=True)),
        player=line.player,
        round=line.round,
        table=line.table,
        score=score,
        place=place,
        deals=line.deals_played,
        is_finished=line.is_finished,
        last_deal=last_deal,
    )


# The order of a tournament, cached in the process. Boards, prizes, explanations and players' pages need it again and
# again, and for 200 players over seven rounds computing it took longer than all else. It depends on the tournament,
# what was played and the games alone: the cached order is used only while these are equal. Unchanged lines of an
# unchanged tournament are not computed again either.


# The parts of a tournament that the lines of a stage depend on; stopping a clock changes none of them.
_decides = attrgetter("plan", "entrants", "rounds", "cuts")


class _Ordered(NamedTuple):
    """The inputs of an order, the order, and its lines."""

    state: TournamentState
    games: list[Game]
    played: tuple[SeatPlayed, ...]
    order: tuple[StagePlaces, ...]
    lines: Mapping[tuple[int, str], Any]


def order_of(tournament: Tournament, state: TournamentState, played: tuple[SeatPlayed, ...]) -> tuple[StagePlaces, ...]:
    """Return all players who have had a seat, stage by stage, the latest first."""
    games = [game_of(tournament, state, stage) for stage in range(1, last_stage(state) + 1)]
    objects, key = caches["objects"], f"order/{tournament.pk}"
    known: _Ordered | None = objects.get(key)
    if known is not None and (known.state, known.games, known.played) == (state, games, played):
        return known.order
    is_same = known is not None and (_decides(known.state), known.games) == (_decides(state), games)
    memory = Memory(known.lines if known is not None and is_same else {}, {})
    order = tuple(tournament_places(state, played, lambda stage: games[stage - 1], memory))
    objects.set(key, _Ordered(state=state, games=games, played=played, order=order, lines=memory.now))
    return order


def final_order(tournament: Tournament, state: TournamentState, played: tuple[SeatPlayed, ...]) -> tuple[Placed, ...]:
    """Return every player with a place, in order."""
    return tuple(
        (row.player, row.place) for stage_places in order_of(tournament, state, played) for row in stage_places.rows
    )
