"""A past table or board: as it was shown then, as it is now known to have been then, or after a round.

Rules: docs/how-to/publishing.md, "The past". Everything comes from the log, in a fixed small number of queries.
"""

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise, takewhile

import msgspec

from scoring.events import wire
from scoring.events.reading import read_stored
from scoring.events.wire import Event
from scoring.rules.table.table import Status, Table, places
from scoring.sheets.snapshots import as_known, corrected_deals
from scoring.tournament import TournamentState, fold_tournament
from scoring.tournament.state import until_round, with_hindsight
from tournaments import log
from tournaments.boards import Board, Planned, as_listed, board_of
from tournaments.boards.seats import SeatAtTable, TableLine, seats_then
from tournaments.log.reading import table_from_log
from tournaments.models import Player, Tournament
from tournaments.models import Table as TableRow
from tournaments.models.public_names import Names
from tournaments.projections.boards import asks_for_last_deals, last_deal_of, seat_lines
from tournaments.running.queries.stages import PlayerNames
from tournaments.tables.queries.moments import AfterRound, At, WithCorrections
from tournaments.tables.queries.sheets import SheetPage, page_of

Stored = Sequence[log.StoredEvent]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableThen:
    """A table as it was then, with its last event and all the events it was folded from."""

    row: TableRow
    table: Table
    stored: Stored

    @property
    def last(self) -> log.StoredEvent:
        return self.stored[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class PastTournament:
    """A tournament as it was then: the row, its tables, and the state of its plan.

    `hidden` are the players who are hidden from the public now, whatever was shown then.
    """

    tournament: Tournament
    tables: tuple[TableThen, ...]
    plan: Planned
    position: int
    is_as_known: bool
    hidden: frozenset[str] = frozenset()

    def seats(self) -> list[SeatAtTable]:
        """Every seat, in the order of the tables."""
        return [seat for then in self.tables for seat in _seats(then)]


def sheet_at(row: TableRow, at: At, names: Names = Names.PUBLIC) -> SheetPage | None:
    """A table's page as of then; None if nothing had been recorded, or that version does not exist."""
    stored_events = log.read(row.tournament.club_id, row.id)
    if isinstance(at, int) and not any(event.version == at for event in stored_events):
        return None
    if isinstance(at, AfterRound) and row.round > at.number:
        return None
    then = _table_then(row, stored_events, at, lambda event: event.version)
    return None if then is None else page_of(row, then.table, recorded_at=then.last.recorded_at, names=names)


def board_at(tournament: Tournament, at: At, names: Names = Names.PUBLIC) -> Board:
    """The board as of a position of the club's log or a time, shown or known; or after a round. In six queries."""
    return board_then(past_tournament(tournament, at), names)


def past_tournament(tournament: Tournament, at: At) -> PastTournament:
    """Everything a board is built from, as of then, in two queries."""
    rows = list(tournament.tables.order_by("round", "number"))
    events_by_stream = log.read_many(tournament.club_id, [tournament.id, *(row.id for row in rows)])
    several = (_table_then(row, events_by_stream[row.id], at, lambda event: event.position) for row in rows)
    tables = tuple(then for then in several if then is not None)
    if isinstance(at, AfterRound):
        tables = tuple(then for then in tables if then.row.round <= at.number)
    own = events_by_stream[tournament.id]
    events, position = _tournament_events(own, at)
    return PastTournament(
        tournament=_tournament_then(tournament, events),
        tables=tables,
        plan=_planned(events, tables),
        position=position,
        is_as_known=isinstance(at, WithCorrections | AfterRound),
        hidden=_hidden_now(own),
    )


def board_then(past: PastTournament, names: Names = Names.PUBLIC) -> Board:
    """The board of a past state of a tournament."""
    seats = past.seats()
    players = Player.objects.filter(id__in={seat.line.player for seat in seats}).values_list("id", names)
    player_names = PlayerNames(names, {str(player): name for player, name in players})
    seated = seats_then(past.tournament, seats, player_names, past.position)
    board = board_of(past.tournament, seated, position=past.position, plan=past.plan, hidden=past.hidden)
    board = as_listed(board) if names is Names.PUBLIC else board
    if not past.is_as_known:
        return board
    deals = {(then.row.id, deal) for then in past.tables for deal in corrected_deals(then.table)}
    return replace(board, changes=tuple(change for change in board.changes if (change.table, change.deal) in deals))


def _table_then(row: TableRow, stored: Stored, at: At, number: Callable[[log.StoredEvent], int]) -> TableThen | None:
    """A table from its events as of then; `number` is the number of an event that an integer `at` is compared with."""
    if isinstance(at, int | datetime):
        prefix = _recorded_by(stored, at, number)
        return TableThen(row=row, table=table_from_log(prefix), stored=prefix) if prefix else None
    had_been = _known_by(at, number)
    if not stored or not had_been(stored[0]):
        return None
    by_version = {event.version: event for event in stored}
    table = as_known(table_from_log(stored), lambda version: had_been(by_version[version]))
    return TableThen(row=row, table=table, stored=stored)


def _recorded_by(stored: Stored, at: int | datetime, number: Callable[[log.StoredEvent], int]) -> Stored:
    """The events recorded by then. By time it stops at the first later event: a clock set back leaves no gap."""
    if isinstance(at, datetime):
        return list(takewhile(lambda event: event.recorded_at <= at, stored))
    return [event for event in stored if number(event) <= at]


def _known_by(
    at: WithCorrections | AfterRound, number: Callable[[log.StoredEvent], int]
) -> Callable[[log.StoredEvent], bool]:
    """A test whether an event had happened by then: by its number in the log, or by its `occurred_at`."""
    if isinstance(at, AfterRound):
        return lambda event: True
    by = at.by
    if isinstance(by, datetime):
        return lambda event: event.occurred_at <= by
    return lambda event: number(event) <= by


def _tournament_events(stored: Stored, at: At) -> tuple[Sequence[tuple[int, Event]], int]:
    """The events of the tournament's own stream as of then, and the position of the last one."""
    if isinstance(at, int | datetime):
        prefix = _recorded_by(stored, at, lambda stored_event: stored_event.position)
        return _decoded(prefix), _reach(prefix)
    events = with_hindsight(_decoded(stored))
    if isinstance(at, AfterRound):
        return until_round(events, at.number), _reach(stored)
    had_been, by_version = (
        _known_by(at, lambda stored_event: stored_event.position),
        {stored_event.version: stored_event for stored_event in stored},
    )
    return list(takewhile(lambda event: had_been(by_version[event[0]]), events)), _reach(stored)


def _hidden_now(stored: Stored) -> frozenset[str]:
    if not any(event.kind == wire.PlayerHidden.kind for event in stored):
        return frozenset()
    return fold_tournament(TournamentState(), _decoded(stored)).hidden


def _decoded(stored: Stored) -> list[tuple[int, Event]]:
    return [(event.version, read_stored(event.kind, event.schema, event.body)) for event in stored]


def _reach(stored: Stored) -> int:
    """The position these events give a board: 0 if the tournament was only opened, which does not change the board."""
    return stored[-1].position if len(stored) > 1 else 0


def _tournament_then(tournament: Tournament, events: Sequence[tuple[int, Event]]) -> Tournament:
    """A copy of the tournament with the closing state of then."""
    ends = wire.TournamentClosed | wire.TournamentCancelled | wire.TournamentReopened
    closings = [f for _, f in events if isinstance(f, ends)]
    if not closings and tournament.closed_at is None:
        return tournament
    then = copy(tournament)
    if not closings or isinstance(closings[-1], wire.TournamentReopened):
        then.closed_at, then.is_cancelled = None, False
    else:
        then.closed_at = tournament.closed_at or tournament.starts_at
        then.is_cancelled = isinstance(closings[-1], wire.TournamentCancelled)
    return then


def _planned(events: Sequence[tuple[int, Event]], tables: Sequence[TableThen]) -> Planned:
    """The state folded from these events of its stream; empty if it had no plan by then."""
    state = fold_tournament(TournamentState(), events)
    if state.plan is None:
        return Planned()
    if not asks_for_last_deals(state):
        return Planned(state)
    last_deals = {
        (then.row.round, then.row.number, player): points
        for then in tables
        for player, points in last_deal_of(then.table).items()
    }
    return Planned(state, last_deals)


def _seats(then: TableThen) -> Iterator[SeatAtTable]:
    """Every seat of one table as it was then."""
    table_line, lines = _table_line(then), seat_lines(then.row, then.table)
    place = places(lines)
    for seat, line in lines.items():
        yield SeatAtTable(line, table_line, place[seat], int(seat))


def _table_line(then: TableThen) -> TableLine:
    row, table = then.row, then.table
    return TableLine(
        id=row.id,
        round=row.round,
        number=row.number,
        name=row.name,
        version=table.version,
        deals=table.deals,
        is_finished=table.is_finished,
        is_closed=table.status is Status.CLOSED,
        is_cancelled=table.status is Status.CANCELLED,
        has_conflict=bool(table.conflicts),
        has_dispute=bool(table.disputed),
        unconfirmed=len(table.unconfirmed),
        has_moved_on=table.has_moved_on,
        has_totals=table.has_totals,
        last_position=then.last.position,
        last_recorded_at=then.last.recorded_at,
    )


# The moments at which a board changed: the stops of its slider.

MOST_STEPS = 400
# Where there are more, what happens all the time has one stop in so many minutes: as few as it takes.
MINUTES = (1, 5, 15, 60)
CHANGES = (wire.DealCorrected.kind, wire.DealVoided.kind, wire.TotalsCorrected.kind, wire.EventWithdrawn.kind)

AT_TABLES = (
    *(*wire.PLAYED_KINDS, *CHANGES),
    *(wire.TableOpened.kind, wire.TableClosed.kind, wire.TableCancelled.kind, wire.TableMovedOn.kind),
    *(wire.TiebreakRecorded.kind, wire.Rejoined.kind, wire.BoughtIn.kind),
    *(wire.SplitAgreed.kind, wire.SeatLeft.kind, wire.PenaltyGiven.kind),
)
ORDINARY = frozenset(AT_TABLES).difference(CHANGES)

OF_THE_TOURNAMENT = (
    *(wire.RoundSeated.kind, wire.SeatingWithdrawn.kind, wire.PlayersMoved.kind, wire.MoveUndone.kind),
    wire.SeatsChanged.kind,
    *(wire.CutMade.kind, wire.CutWithdrawn.kind, wire.TieSettled.kind, wire.PlayerReentered.kind),
    *(wire.PlayerLeft.kind, wire.PlayerReturned.kind, wire.PlayerSubstituted.kind),
    *(wire.SubstitutionUndone.kind, wire.ReentryUndone.kind),
    *(wire.TournamentClosed.kind, wire.TournamentCancelled.kind, wire.TournamentReopened.kind),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurningPoint:
    """One event that changed a board. `table` is its number, None for events of the whole tournament; so is `deal`."""

    position: int
    recorded_at: datetime
    kind: str
    round: int | None = None
    table: int | None = None
    deal: int | None = None

    @property
    def is_change(self) -> bool:
        """Whether it corrected, voided or undid something recorded earlier."""
        return self.kind in CHANGES


class _Numbers(msgspec.Struct):
    """The numbers of an event's body that label a stop."""

    deal: int | None = None
    round: int | None = None


def turning_points(tournament: Tournament) -> tuple[TurningPoint, ...]:
    """Everything that changed the board, in the order of the log, in two queries."""
    counting = tournament.tables.exclude(
        scoresheet__is_cancelled=True, scoresheet__deals=0, scoresheet__has_totals=False
    )
    places = counting.values_list("id", "round", "number")
    tables = {table: (table_round, number) for table, table_round, number in places}
    points = []
    for stored_event in log.read_kinds(tournament.club_id, [tournament.id, *tables], (*AT_TABLES, *OF_THE_TOURNAMENT)):
        event = _DECODER.decode(stored_event.body)
        table_round, number = tables.get(stored_event.stream_id, (event.round, None))
        points.append(
            TurningPoint(
                position=stored_event.position,
                recorded_at=stored_event.recorded_at,
                kind=stored_event.kind,
                round=table_round,
                table=number,
                deal=event.deal,
            )
        )
    return tuple(thinned(points))


def thinned(points: Sequence[TurningPoint]) -> Sequence[TurningPoint]:
    """Few enough of them: ordinary ones that another one follows within some minutes by the clock are left out."""
    for minutes in MINUTES:
        if len(points) <= MOST_STEPS:
            break
        points = [*_last_of_each(points, minutes)]
    return points


def _last_of_each(points: Sequence[TurningPoint], minutes: int) -> Iterator[TurningPoint]:
    for point, following in pairwise(points):
        are_ordinary = point.kind in ORDINARY and following.kind in ORDINARY
        if not (are_ordinary and _interval(point, minutes) == _interval(following, minutes)):
            yield point
    yield points[-1]


def _interval(point: TurningPoint, minutes: int) -> int:
    return int(point.recorded_at.timestamp()) // (60 * minutes)


_DECODER = msgspec.json.Decoder(_Numbers)
