"""The tables of the current round with the players still in: which are short, who could move, rejoin or take a seat.

Rules: docs/how-to/seating.md, section 9; docs/rules/pool.md, section 3; docs/how-to/evening.md, "Late, missing
and swapped players". Three queries, however many tables play.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b

from scoring.events import wire
from scoring.money.formatting import money
from scoring.rules.table.dealing import next_dealer
from scoring.rules.table.previews import preview
from scoring.rules.table.table import Table
from scoring.sheets.snapshots import load_table
from scoring.tournament import TournamentState
from scoring.tournament.state import RoundSeating, Standing
from scoring.tournament.state.terms import Terms
from tournaments.draw import SeatingRejected, Sizes
from tournaments.draw.balance import Proposal, RunningTable, break_up, is_balanced, move_one, proposals
from tournaments.models import Scoresheet, Tournament
from tournaments.models.people import search_key
from tournaments.models.play import moved_title
from tournaments.projections.terms import stage_terms
from tournaments.seating import SeatedAt, round_now, tables_now
from tournaments.seating.drafts import stage_constraints
from tournaments.seating.queries.draft import _row_of_draft, entrant_names


@dataclass(frozen=True, slots=True, kw_only=True)
class RejoinWindow:
    """A player who was eliminated and may rejoin until the next deal: with which score, for how much."""

    player: str
    name: str
    sheet: Scoresheet
    comes_back_with: int | None
    threshold: int | None
    fee: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TableInPlay:
    """A running table: the players still in, in seat order, with their scores; and its place in the room."""

    sheet: Scoresheet
    running: RunningTable
    place: int
    scores: Mapping[str, int]
    is_short: bool = False

    @property
    def number(self) -> int:
        return self.running.number


@dataclass(frozen=True, kw_only=True)
class MovingRoom:
    """The current round."""

    tournament: Tournament
    state: TournamentState
    seated: RoundSeating
    terms: Terms
    names: Mapping[str, str]
    sizes: Sizes
    tables: tuple[TableInPlay, ...]
    windows: tuple[RejoinWindow, ...]
    may_undo: bool

    @property
    def running(self) -> tuple[RunningTable, ...]:
        return tuple(table.running for table in self.tables)

    @property
    def places(self) -> dict[int, int]:
        """The place of each running table in the room."""
        return {table.number: table.place for table in self.tables}

    @property
    def is_even(self) -> bool:
        return is_balanced(self.running, self.sizes)

    @cached_property
    def proposals(self) -> tuple[Proposal, ...]:
        """Ways to balance the tables, best first. Raises SeatingRejected where no table size fits."""
        return proposals(self.running, self.sizes) if self.tables else ()

    def breaking_up(self, number: int) -> Proposal:
        """Break up one table. Raises SeatingRejected."""
        return break_up(self.running, number, self.sizes)

    def moving(self, player: str, to_table: int) -> Proposal:
        """Move one player to a table of the director's choice. Raises SeatingRejected with players by name."""
        most = max(self.terms.rules.seats_allowed)
        try:
            return move_one(self.running, player, to_table, most=most)
        except SeatingRejected as refused:
            raise SeatingRejected(replace(p.named(self.names), seat=None) for p in refused.problems) from None

    def closable(self) -> Iterator[int]:
        """The tables that could be closed."""
        for table in self.tables:
            try:
                self.breaking_up(table.number)
            except SeatingRejected:
                continue
            yield table.number


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedMove:
    """A proposal as the event that carries it out, with the new tables' titles, which name their place in the room."""

    event: wire.PlayersMoved
    titles: Mapping[int, str]


def moving_room(tournament: Tournament) -> MovingRoom | None:
    """Return the current round; None where no round is seated."""
    state = _row_of_draft(tournament)
    seated = state.last_round
    if seated is None:
        return None
    names = entrant_names(tournament, state)
    terms = stage_terms(tournament, state, seated.stage)
    constraints = stage_constraints(state.current, terms.rules.seats_allowed)
    sheets = [(sheet, load_table(sheet.state)) for sheet in _sheets(tournament, seated)]
    tables = _in_play(sheets, standing_places(state, seated), constraints.sizes)
    return MovingRoom(
        tournament=tournament,
        state=state,
        seated=seated,
        terms=terms,
        names=names,
        sizes=constraints.sizes,
        tables=tables,
        windows=tuple(window for sheet, table in sheets for window in _windows(tournament, sheet, table, names)),
        may_undo=_may_undo(state, seated, [sheet for sheet, _ in sheets]),
    )


def planned_move(room: MovingRoom, proposal: Proposal, *, reason: str = "") -> PlannedMove:
    """Keep tables whose players stay the same; each of the others gets a new number and keeps its place in the room."""
    before = {table.number: set(table.seats) for table in room.running}
    changed = [table for table in proposal.tables if set(table.seats) != before[table.number]]
    highest = max(table.number for table in room.seated.tables)
    numbers = {table.number: new for new, table in enumerate(changed, start=highest + 1)}
    event = wire.PlayersMoved(
        round=room.seated.round,
        instead_of=tuple(sorted([*numbers, *proposal.closes])),
        tables=tuple((numbers[table.number], table.dealing_order) for table in changed),
        reason=reason,
    )
    titles = {new: moved_title(new, room.places[old]) for old, new in numbers.items()}
    return PlannedMove(event=event, titles=titles)


DIGEST_BYTES = 8


def move_digest(planned: PlannedMove) -> str:
    """A digest of the planned move: it differs after a deal that eliminates a player or changes the dealer."""
    return blake2b(repr(planned.event).encode(), digest_size=DIGEST_BYTES).hexdigest()


def standing_places(state: TournamentState, seated: RoundSeating) -> dict[int, int]:
    """Return the place of each table of a round: one created by a move is where most of its players sat."""
    players = {table.number: set(table.players) for table in seated.tables}
    places = {number: number for number in players}
    for move in state.moves:
        if move.round != seated.round:
            continue
        for number in move.numbers:
            stayed = {old: len(players[number] & players[old]) for old in move.instead_of}
            places[number] = places[max(stayed, key=lambda old: (stayed[old], -old))]
    return places


def _in_play(
    sheets: Sequence[tuple[Scoresheet, Table]], places: Mapping[int, int], sizes: Sizes
) -> tuple[TableInPlay, ...]:
    """Return the tables at which another deal can be played."""
    tables_in_play = []
    for sheet, table in sheets:
        dealer = next_dealer(table)
        if sheet.is_finished or sheet.is_closed or dealer is None:
            continue
        views = table.seats()
        running = RunningTable(
            number=sheet.table.number,
            seats=tuple(table.players[seat] for seat in table.setup.seats if seat in table.in_play),
            next_dealer=table.players[dealer],
        )
        scores = {table.players[seat]: getattr(view, table.rules.race) or 0 for seat, view in views.items()}
        tables_in_play.append((sheet, running, places[running.number], scores))
    largest = max((len(running.seats) for _, running, _, _ in tables_in_play), default=0)
    return tuple(
        TableInPlay(
            sheet=sheet,
            running=running,
            place=place,
            scores=scores,
            is_short=len(running.seats) < max(min(sizes.allowed), largest - 1),
        )
        for sheet, running, place, scores in tables_in_play
    )


def _windows(
    tournament: Tournament, sheet: Scoresheet, table: Table, names: Mapping[str, str]
) -> Iterator[RejoinWindow]:
    """Yield who may rejoin at a table now. A table without a pot of its own charges the entry fee of the tournament."""
    entry = table.setup.stakes.entry_minor or tournament.entry_minor
    for seat, view in table.seats().items():
        if not view.may_rejoin or sheet.is_closed:
            continue
        after = preview(table, {"kind": "rejoined", "seat": seat}).after
        player = table.players[seat]
        yield RejoinWindow(
            player=player,
            name=names.get(player, player),
            sheet=sheet,
            comes_back_with=after.seats()[seat].total if after is not None else None,
            threshold=table.rules.rejoin_most(table.setup),
            fee=money(entry, tournament.currency, tournament.club.locale) if entry else "",
        )


def _may_undo(state: TournamentState, seated: RoundSeating, sheets: Sequence[Scoresheet]) -> bool:
    """Whether the last move can be undone: it was in this round, and no deal was played at its tables since."""
    if not state.moves or state.moves[-1].round != seated.round:
        return False
    numbers = set(state.moves[-1].numbers)
    return not any(sheet.has_begun for sheet in sheets if sheet.table.number in numbers)


def _sheets(tournament: Tournament, seated: RoundSeating) -> list[Scoresheet]:
    """Return the sheets of the running tables of a round."""
    numbers = [table.number for table in seated.running]
    sheets = Scoresheet.objects.filter(
        table__tournament=tournament, table__round=seated.round, table__number__in=numbers, is_cancelled=False
    )
    return list(sheets.select_related("table").order_by("table__number"))


# The current round with its seats: the tables at which they can still change, and players without a seat.

# The states of players who could take a seat now.
WAITING = (Standing.ENTERED, Standing.STANDBY, Standing.ABSENT, Standing.LEFT)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRoom:
    """The current round. Without tables there is none."""

    state: TournamentState
    names: Mapping[str, str]
    tables: tuple[SeatedAt, ...]

    @property
    def round(self) -> int:
        """The number of the round; 0 where there is none."""
        return round_now(self.state)

    @property
    def open_tables(self) -> list[SeatedAt]:
        """Tables with a seat for one more, the smallest first."""
        free_tables = [table for table in self.tables if table.free]
        return sorted(free_tables, key=lambda table: (len(table.players), table.number))

    @property
    def waiting(self) -> list[str]:
        """Players who could take a seat and have none, by name."""
        seated = {player for table in self.tables for player in table.players}
        waiting = (entrant.player for entrant in self.state.entrants.values() if entrant.standing in WAITING)
        unseated_players = (player for player in waiting if player not in seated)
        return sorted(unseated_players, key=lambda player: search_key(self.names.get(player, player)))


def seat_room(tournament: Tournament) -> SeatRoom:
    """Return the round with its tables, in three queries."""
    state = _row_of_draft(tournament)
    tables = tables_now(tournament, state)
    return SeatRoom(state=state, names=entrant_names(tournament, state), tables=tables)
