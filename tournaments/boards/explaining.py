"""Explains a player's numbers on a board: every table, deal, option and correction, and what the plan added.

Rules: docs/rules/leaderboard.md, "Every number can be followed". Current boards are read from the read models, past
ones from the log.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from operator import attrgetter
from typing import Any
from uuid import UUID

from scoring.events import wire
from scoring.events.reading import read_stored
from scoring.messages import Words
from scoring.rules.table.table import Table
from scoring.rules.variants import variant
from scoring.sheets.leaderboard import BoardRow
from scoring.sheets.scoresheet import ReckonedLine, SeatReckoning, reckoned
from scoring.sheets.snapshots import load_table
from scoring.tournament import TournamentState
from scoring.tournament.standings.tiebreaks import Ranked, deciding_lines
from scoring.tournament.state.played import Part, PartKind
from tournaments import log
from tournaments.boards import Board, board
from tournaments.boards.past import PastTournament, board_then, past_tournament
from tournaments.boards.seats import TableLine
from tournaments.log.reading import table_from_log
from tournaments.models import Scoresheet, Tournament
from tournaments.projections.boards import order_of
from tournaments.projections.cached import cached_object
from tournaments.projections.shown import shown_of
from tournaments.tables.queries.moments import At

CHANGES = (wire.DealCorrected, wire.DealVoided, wire.TotalsCorrected)
Stored = Sequence[log.StoredEvent]


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One change to a line: the line before it, when it was changed, and why. `reason` is None if it was erased."""

    was: ReckonedLine
    recorded_at: datetime
    is_void: bool
    reason: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TableExplained:
    """One table of a player. `counts`: it is part of the player's total. `corrections` are by the version of the line.

    `names` are by seat.
    """

    line: TableLine
    player: str
    names: dict[str, str]
    table: Table
    reckoning: SeatReckoning
    corrections: Mapping[int, tuple[Correction, ...]]
    counts: bool
    went_on: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StageExplained:
    """A stage of a planned tournament: the score, the parts that add up to it, and what broke a tie."""

    number: int
    row: Ranked
    decided: Words

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.row.result.parts

    @property
    def tables(self) -> frozenset[tuple[int, int]]:
        """The tables that the parts refer to, as round and number."""
        table_parts = (part for part in self.parts if part.what is PartKind.TABLE)
        return frozenset((part.round or 0, number) for part in table_parts for number in part.tables)


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """A player's row of a board with its explanation; `stages` has the latest first, and is empty without a plan."""

    board: Board
    row: BoardRow
    player: str
    stages: tuple[StageExplained, ...]
    tables: tuple[TableExplained, ...]

    @property
    def number(self) -> int:
        """The number that decides, as shown on the board."""
        return getattr(self.row.line, self.board.terms_of(self.row.stage).rules.race) or 0

    @property
    def level(self) -> tuple[str, ...]:
        """The names of the other players who share the place."""
        others = [row.line.player for row in self.board.rows if row.place == self.row.place and row is not self.row]
        return tuple(self.board.names[player] for player in others)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ground:
    """The data that an explanation is read from: the current board, or one of the `past`."""

    board: Board
    past: PastTournament | None = None

    @property
    def state(self) -> TournamentState | None:
        return self.board.state


def explained(tournament: Tournament, player: str, at: At | None = None) -> Explained | None:
    """Explains one player's row; None if the player is not on that board."""
    past = None if at is None else past_tournament(tournament, at)
    ground = _Ground(board=_board_now(tournament) if past is None else board_then(past), past=past)
    stages = tuple(_stages(ground, player))
    owner = stages[0].row.player if stages else player
    row = next((row for row in ground.board.rows if row.line.player == owner), None)
    if row is None:
        return None
    people = frozenset({player, *(person for stage in stages for person in stage.row.result.people)})
    counting = frozenset(place for stage in stages for place in stage.tables)
    people_tables = list(_tables(ground, people))
    if ground.state is None:
        counting = _counting(ground.board, [line for line, _ in people_tables])
    events_by_table = _stored(ground, people_tables)
    heirs = _heirs(ground.state, people)
    tables = (
        replace(
            _explained(ground.board, (line, table), people, events_by_table, counting),
            went_on=heirs.get((line.round, line.number)),
        )
        for line, table in people_tables
    )
    return Explained(board=ground.board, row=row, player=player, stages=stages, tables=tuple(tables))


def _board_now(tournament: Tournament) -> Board:
    """The current board, from a cache: building it takes longer than explaining one of its rows."""
    # Of a tournament of its own: what is kept outlives this request.
    rows = Tournament.objects.select_related("club__shown_version")
    now = cached_object(f"board/{tournament.pk}", shown_of(tournament), lambda: board(rows.get(pk=tournament.pk)))
    return replace(now, tournament=tournament)


def _heirs(state: TournamentState | None, people: frozenset[str]) -> dict[tuple[int, int], int]:
    """By round and number of a replaced table: the new table of these people, or else the first of the new ones."""
    heirs: dict[tuple[int, int], int] = {}
    for move in state.moves if state is not None else ():
        seated = state.round_of(move.round) if state is not None else None
        new = [table for table in seated.tables if table.number in move.numbers] if seated is not None else []
        own = [table.number for table in new if not people.isdisjoint(table.players)]
        heirs |= {(move.round, number): (own or list(move.numbers))[0] for number in move.instead_of}
    return heirs


def _stages(ground: _Ground, player: str) -> Iterator[StageExplained]:
    """The stages in which the player has a result with a seat, the latest first."""
    if ground.state is None:
        return
    breaks = ground.state.plan.tie_breaks if ground.state.plan else ()
    for stage_places in order_of(ground.board.tournament, ground.state, ground.board.played):
        standings = stage_places.standings
        row = next((row for row in standings if player in row.result.people and row.result.seats), None)
        if row is not None:
            decided = deciding_lines(standings, breaks).get(row.player, "")
            yield StageExplained(number=stage_places.stage, row=row, decided=decided)


def _tables(ground: _Ground, people: frozenset[str]) -> Iterator[tuple[TableLine, Table]]:
    """Every table that one of these people sat at, as the board lists them, in the order of rounds and numbers."""
    lines = {line.id: line for line in ground.board.listed}
    if ground.past is not None:
        for then in ground.past.tables:
            if then.row.id in lines and not people.isdisjoint(then.table.players.values()):
                yield lines[then.row.id], then.table
        return
    sheets = Scoresheet.objects.filter(
        table__tournament_id=ground.board.tournament.id, table__seats__player_id__in=[UUID(p) for p in people]
    )
    states = dict(sheets.values_list("table_id", "state"))
    for table_id, line in lines.items():
        if table_id in states and not (table := load_table(states[table_id])).is_lost:
            yield line, table


def _counting(board: Board, lines: Sequence[TableLine]) -> frozenset[tuple[int, int]]:
    """The tables that count without a plan: all, or the latest round; cancelled ones only if all are cancelled."""
    counting_lines = [line for line in lines if not line.is_cancelled] or lines
    if not variant(board.tournament.variant).adds_up:
        latest = max((line.round for line in counting_lines), default=0)
        counting_lines = [line for line in counting_lines if line.round == latest]
    return frozenset((line.round, line.number) for line in counting_lines)


def _stored(ground: _Ground, found: Iterable[tuple[TableLine, Table]]) -> Mapping[UUID, Stored]:
    """The events of the tables with a correction: in memory for a past board, else in one query."""
    changed = [line.id for line, table in found if any(entry.corrected_at for entry in table.timeline)]
    if ground.past is not None:
        return {then.row.id: then.stored for then in ground.past.tables if then.row.id in changed}
    return log.read_many(ground.board.tournament.club_id, changed)


def _explained(
    board: Board,
    found: tuple[TableLine, Table],
    people: frozenset[str],
    stored: Mapping[UUID, Stored],
    counting: frozenset[tuple[int, int]],
) -> TableExplained:
    line, table = found
    seat, player = next((seat, who) for seat, who in table.players.items() if who in people)
    return TableExplained(
        line=line,
        player=player,
        names={seat_key: board.names[who] for seat_key, who in table.players.items()},
        table=table,
        reckoning=reckoned(table, seat),
        corrections=_corrections(stored.get(line.id, ()), seat),
        counts=(line.round, line.number) in counting,
    )


# What a line is for its seat: how the deal ended, what that changed, and whether it counts.
_of_seat = attrgetter("mark", "changes", "is_void")


def _corrections(stored: Stored, seat: str) -> dict[int, tuple[Correction, ...]]:
    """Each change to what a deal, or the totals, were for this seat, with the line before, by the version of that line.

    A correction that changes only what it was for others is none for this seat.
    """
    corrections: dict[int, tuple[Correction, ...]] = {}
    for index, stored_event in enumerate(stored):
        if stored_event.kind not in (kind.kind for kind in CHANGES):
            continue
        before = table_from_log(stored[:index])
        event = read_stored(stored_event.kind, stored_event.schema, stored_event.body, before.rules)
        assert isinstance(event, CHANGES)  # noqa: S101 - narrows the kinds for mypy
        was, now = _line_of(before, seat, event), _line_of(table_from_log(stored[: index + 1]), seat, event)
        if was is not None and (now is None or _of_seat(was) != _of_seat(now)):
            change = Correction(
                was=was,
                recorded_at=stored_event.recorded_at,
                is_void=isinstance(event, wire.DealVoided),
                reason=stored_event.note,
            )
            corrections[was.version] = (*corrections.get(was.version, ()), change)
    return corrections


def _line_of(
    table: Table, seat: str, event: wire.DealCorrected[Any] | wire.DealVoided | wire.TotalsCorrected
) -> ReckonedLine | None:
    """The line of a seat that a correction is about, as the table is."""
    lines = reckoned(table, seat).lines
    if isinstance(event, wire.TotalsCorrected):
        about = [line for line in lines if line.kind == wire.TotalsRecorded.kind]
    else:
        about = [line for line in lines if line.deal == event.deal]
    return about[-1] if about else None
