"""What a correction at one table would change in its tournament, calculated before it is saved.

The tournament is read once, in three or four queries, whatever its size; the corrected table replaces the stored one in
memory. Rules: docs/how-to/evening.md, "Corrections". Nothing here writes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from scoring.rules.table.table import Status, Table, places
from scoring.tournament import TournamentState
from scoring.tournament.prizes.consequences import (
    Changes,
    CutChange,
    PlaceChange,
    cut_changes,
    differing,
    place_changes,
    prize_changes,
)
from scoring.tournament.state.fees import entries_of
from scoring.tournament.state.played import SeatPlayed
from tournaments.boards import Placed, rows_of
from tournaments.models import HAS_BEGUN, Player, Scoresheet, Standing, Tournament
from tournaments.models import Table as TableRow
from tournaments.projections.boards import (
    STORED,
    asks_for_last_deals,
    last_deal_of,
    line_of,
    read_last_deals,
    seat_lines,
)
from tournaments.projections.terms import game_of
from tournaments.running.queries.stages import tournament_state

_OWN = ("place", "table__scoresheet__is_cancelled", "table_id", "player_id", "table__number")


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequences:
    """The changes a correction makes. `settled` are amounts of the table's own seats, `prizes` those of the tournament.

    `may_redraw`: the tables seated since have played no deal, or the cut made since has not been seated.
    """

    places: tuple[PlaceChange, ...] = ()
    cuts: tuple[CutChange, ...] = ()
    settled: Changes = field(default_factory=dict)
    prizes: Changes = field(default_factory=dict)
    is_posted: bool = False
    may_redraw: bool = False
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_none(self) -> bool:
        return not (self.places or self.cuts or self.settled or self.prizes)

    @property
    def moves_field(self) -> bool:
        """Whether places or qualifiers would change, so that a draw made since could be another."""
        return bool(self.places or self.cuts)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Room:
    """The tournament of a table, with its seats as stored and as they would be."""

    tournament: Tournament
    state: TournamentState | None
    before: Sequence[Placed]
    after: Sequence[Placed]


def consequences(sheet: Scoresheet, before: Table, after: Table) -> Consequences:
    """What saving `after` in place of `before` would change. `sheet` must have its table and tournament loaded."""
    row, tournament = sheet.table, sheet.table.tournament
    state = tournament_state(tournament.id)
    stored_seats = _stored(tournament.id)
    was = [placed for placed, _ in stored_seats]
    now = [*(placed for placed, table in stored_seats if table != row.pk), *_lines(row, after)]
    room = _Room(tournament=tournament, state=state, before=was, after=now)
    old, new = (_by_place(room, lines, last) for lines, last in _with_last_deals(room, row, before, after))
    moved = place_changes(old.places, new.places)
    cuts = _cuts(room, old.played, new.played)
    settled = differing(_owed(before), _owed(after))
    prizes = _prizes(room, old.played, new.played)
    return Consequences(
        places=moved,
        cuts=cuts,
        settled=settled,
        prizes=prizes,
        is_posted=bool(settled) and sheet.settled_version > 0,
        may_redraw=state is not None and _may_redraw(tournament.id, state, row.round),
        names=_names(tournament, moved, cuts, [*settled, *prizes]),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    places: dict[str, int]
    played: tuple[SeatPlayed, ...]


def _by_place(room: _Room, lines: Sequence[Placed], last_deals: Mapping[tuple[int, int, str], int]) -> _Seen:
    """Every player's place on the board, computed from these seats."""
    rows, played = rows_of(room.tournament, room.state, lines, last_deals)
    return _Seen(places={row.line.player: row.place for row in rows}, played=played)


def _with_last_deals(
    room: _Room, row: TableRow, before: Table, after: Table
) -> list[tuple[Sequence[Placed], Mapping[tuple[int, int, str], int]]]:
    """Seats before and after, each with what the last deals changed if the plan breaks ties by them."""
    if room.state is None or not asks_for_last_deals(room.state):
        return [(room.before, {}), (room.after, {})]
    last_deals = read_last_deals(room.tournament.id)
    own = {(row.round, row.number, player): points for player, points in last_deal_of(after).items()}
    gone = {(row.round, row.number, player) for player in before.players.values()}
    return [(room.before, last_deals), (room.after, {key: v for key, v in last_deals.items() if key not in gone} | own)]


def _cuts(room: _Room, was: Sequence[SeatPlayed], now: Sequence[SeatPlayed]) -> tuple[CutChange, ...]:
    state = room.state
    if state is None:
        return ()
    return cut_changes(state, was, now, lambda stage: game_of(room.tournament, state, stage))


def _may_redraw(tournament_id: UUID, state: TournamentState, round_number: int) -> bool:
    """Whether a round or a cut followed this round and no deal of it has been played."""
    last = state.last_round
    if last is None:
        return False
    if last.round > round_number:
        played = Scoresheet.objects.filter(HAS_BEGUN, table__tournament_id=tournament_id, table__round=last.round)
        return not played.filter(is_cancelled=False).exists()
    return bool(state.cuts) and not state.rounds_of(state.stage)


def _prizes(room: _Room, was: Sequence[SeatPlayed], now: Sequence[SeatPlayed]) -> Changes:
    state, tournament = room.state, room.tournament
    if state is None:
        return {}
    entries = entries_of(state, tournament.entry_minor, tournament.fee_bp)
    return prize_changes(state, was, now, entries, lambda stage: game_of(tournament, state, stage))


def _owed(table: Table) -> dict[str, int]:
    """What each player receives from the table's own settlement, less what they pay."""
    owed: dict[str, int] = {}
    for payout in table.dues():
        for amounts, sign in ((payout.awards, 1), (payout.charges, -1)):
            for seat, amount in amounts.items():
                player = table.players[seat]
                owed[player] = owed.get(player, 0) + sign * amount
    return owed


def _stored(tournament_id: UUID) -> list[tuple[Placed, UUID]]:
    """Every stored seat of the tournament, with its table."""
    rows = Standing.objects.filter(tournament_id=tournament_id).order_by("round", "table__number", "seat_number")
    return [
        ((line_of(player, number, stored_values), place, is_cancelled), table)
        for place, is_cancelled, table, player, number, *stored_values in rows.values_list(*_OWN, *STORED)
    ]


def _lines(row: TableRow, table: Table) -> list[Placed]:
    lines, is_over = seat_lines(row, table), table.status is Status.CANCELLED
    place = places(lines)
    return [(line, place[seat], is_over) for seat, line in lines.items()]


def _names(
    tournament: Tournament, moved: Sequence[PlaceChange], cuts: Sequence[CutChange], others: Sequence[str]
) -> dict[str, str]:
    """The names of the players in the result, in one query."""
    spoken = {change.player for change in moved} | set(others)
    for cut in cuts:
        spoken |= {*cut.no_longer, *cut.instead, *cut.carried, *(seat.player for seat in cut.seats)}
        spoken |= {player for task in cut.tasks for player in task.players}
    name_rows = Player.objects.filter(club_id=tournament.club_id, id__in=spoken).values_list("id", "name")
    return {str(player): name for player, name in name_rows}
