"""Opening a table: the players are seated, and the house options are frozen in its first event."""

import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID, uuid4

import msgspec

from scoring.events import reading, wire
from scoring.events.table import Confirmation
from scoring.messages import Message, say
from scoring.problems import KeyReused, OptionsRejected, Problem, refuse_if
from scoring.rules.table.admission import opening_problems
from scoring.rules.table.table import Table as OpenTable
from scoring.rules.variants import table_from
from scoring.tournament import Stage
from scoring.tournament.state.terms import Terms
from tournaments import log
from tournaments.books.commands import price_of_seat, uncovered
from tournaments.log.context import CommandContext, part, tournament_lock
from tournaments.models import Table, Tournament
from tournaments.models.play import MOST_NUMBER, MOST_ROUND, MOST_TABLE_NAME
from tournaments.models.statements import Bound, insert
from tournaments.projections.boards import raise_position, sheet_values, standings_of, write_standings
from tournaments.projections.terms import terms_of
from tournaments.tables.commands.seats_taken import has_plan, numbers_in_use, rows_of, seats_of


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatedPlayer:
    """A player at a seat of the table, counted from 1 clockwise."""

    number: int
    player: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class TableDraft:
    """A table to be opened: its number in a round, and its players.

    It plays the game of its `stage`, else that of the tournament; `carried` are the scores that players bring along.
    With `pays_entry` false the entry fee was paid to the tournament, and the table has no pot of its own.
    """

    number: int
    seats: Sequence[SeatedPlayer]
    round: int = 1
    name: str = ""
    stage: Stage | None = None
    carried: Mapping[UUID, int] = field(default_factory=dict)
    pays_entry: bool = True
    confirmation: Confirmation = "at_once"


def open_table(tournament: Tournament, draft: TableDraft, *, context: CommandContext) -> Table:
    """Seat the players and open the table. Raises OptionsRejected with every problem; all or nothing.

    The same key again returns the table that it opened.
    """
    with tournament_lock(tournament.id) as home:
        first = log.first_answer(home.club_id, context.key, _request(home, draft, context).digest)
        if first is not None:
            return Table.objects.get(id=first.stream_id)
        opened = _opened(home, draft, _room_of(home, [draft]), context)
        _store(home, [opened])
    return opened.row


def open_tables(tournament: Tournament, drafts: Sequence[TableDraft], context: CommandContext) -> tuple[Table, ...]:
    """Open several tables with one command, each under a key of its own; the caller holds the club's lock.

    Raises OptionsRejected naming every table, KeyReused.
    """
    room = _room_of(tournament, drafts)
    opened: list[_Opened] = []
    problems: list[Problem] = []
    for draft in drafts:
        try:
            opened.append(_opened(tournament, draft, room, part(context, draft.number)))
        except OptionsRejected as refused:
            problems += [
                replace(problem, detail=say("table {table}: {why}", table=draft.number, why=problem.message), seat=None)
                for problem in refused.problems
            ]
        else:
            room = room.with_table(draft)
    refuse_if(problems, OptionsRejected)
    if opened:
        _store(tournament, opened)
    return tuple(opening.row for opening in opened)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Room:
    """The situation before tables are opened: names, seats by round, numbers in use, players short of money."""

    names: Mapping[UUID, str]
    tables: Mapping[tuple[int, UUID], int]
    numbers: frozenset[tuple[int, int]]
    has_plan: bool
    merged: frozenset[UUID]
    short: Mapping[UUID, Message]

    def with_table(self, draft: TableDraft) -> "_Room":
        """Return the situation with one more table."""
        seated = {(draft.round, seat.player): draft.number for seat in draft.seats}
        return replace(self, tables={**self.tables, **seated}, numbers=self.numbers | {(draft.round, draft.number)})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """A table that may be opened, with its first event; not stored yet."""

    row: Table
    seats: Sequence[SeatedPlayer]
    event: wire.TableOpened
    table: OpenTable
    request: log.Request


def _room_of(tournament: Tournament, drafts: Sequence[TableDraft]) -> _Room:
    """Load the situation as far as it concerns these tables, in a few queries whatever their number."""
    players = {seat.player for draft in drafts for seat in draft.seats}
    paying = {seat.player for draft in drafts if draft.pays_entry for seat in draft.seats}
    rows = rows_of(tournament, players)
    merged = {row: target for row, _, target in rows if target and {row, target} & paying}
    seats = seats_of(tournament, players | set(merged))
    here = {player for _, player, _ in seats}
    return _Room(
        names={player: name for player, name, _ in rows if player in players},
        tables={(number, player): table for number, player, table in seats},
        numbers=numbers_in_use(
            tournament,
            {draft.round for draft in drafts if 1 <= draft.round <= MOST_ROUND},
            {draft.number for draft in drafts if 1 <= draft.number <= MOST_NUMBER},
        ),
        has_plan=bool(paying) and has_plan(tournament),
        # The row to use is the one merged into, or the merged one where that sat here already. Where a tournament has a
        # plan, seats follow from its entries.
        merged=frozenset(target if row in here else row for row, target in merged.items()),
        short=uncovered(tournament, _needed(tournament, drafts)),
    )


def _needed(tournament: Tournament, drafts: Sequence[TableDraft]) -> dict[UUID, int]:
    """Return what each player's balance must cover for their seat, by the terms of their own table."""
    prices = [price_of_seat(tournament, _terms(tournament, draft), has_paid=not draft.pays_entry) for draft in drafts]
    return {seat.player: price for draft, price in zip(drafts, prices, strict=True) for seat in draft.seats}


def _opened(tournament: Tournament, draft: TableDraft, room: _Room, context: CommandContext) -> _Opened:
    refuse_if(_seating_problems(tournament, draft, room), OptionsRejected)
    place = {"round": draft.round, "number": draft.number, "name": draft.name}
    row = Table(id=uuid4(), tournament=tournament, club_id=tournament.club_id, created_at=context.now, **place)
    event = _opening_of(tournament, draft, _seated(draft))
    table = table_from(event)
    refuse_if(opening_problems(table), OptionsRejected)
    return _Opened(row=row, seats=draft.seats, event=event, table=table, request=_request(tournament, draft, context))


def _seated(draft: TableDraft) -> dict[str, str]:
    return {str(seat.number): str(seat.player) for seat in sorted(draft.seats, key=lambda seat: seat.number)}


def _request(tournament: Tournament, draft: TableDraft, context: CommandContext) -> log.Request:
    fields = (str(tournament.id), str(draft.round), str(draft.number), repr(_seated(draft)))
    return context.request(wire.request_digest(*fields))


def _opening_of(tournament: Tournament, draft: TableDraft, seated: dict[str, str]) -> wire.TableOpened:
    """Build the opening event: game, options and stakes of the stage, and the scores brought along."""
    carried = {player: score for player, score in draft.carried.items() if score}
    opened = _terms(tournament, draft).opening(seated, pays_entry=draft.pays_entry)
    brought = {seat: carried[UUID(player)] for seat, player in seated.items() if UUID(player) in carried}
    return msgspec.structs.replace(
        opened,
        carried=brought,
        confirmation=draft.confirmation,
        tournament=str(tournament.id),
        round=draft.round,
        table=draft.number,
    )


def _terms(tournament: Tournament, draft: TableDraft) -> Terms:
    return terms_of(tournament).at_table(draft.stage, len(draft.seats))


def _store(tournament: Tournament, opened: Sequence[_Opened]) -> None:
    """Store the first event of every table, then the tables, seats and boards, one bulk statement for each model."""
    begun = [(opening, _begun(opening)) for opening in opened]
    Table.objects.bulk_create(opening.row for opening in opened)
    seats = [(uuid4(), opening.row.id, seat.number, seat.player) for opening, _ in begun for seat in opening.seats]
    insert("tournaments_seat", ("id", "table_id", "number", "player_id"), seats)
    sheets: list[dict[str, Bound]] = [
        {
            "table_id": opening.row.id,
            "club_id": tournament.club_id,
            "last_position": event.position,
            "last_recorded_at": event.recorded_at,
            **sheet_values(opening.table),
            **_NOTHING_DUE,
        }
        for opening, event in begun
    ]
    insert("tournaments_scoresheet", tuple(sheets[0]), [tuple(sheet.values()) for sheet in sheets])
    write_standings(
        [line for opening, event in begun for line in standings_of(opening.row, opening.table, position=event.position)]
    )
    raise_position(tournament.id, max(event.position for _, event in begun))


_NOTHING_DUE: Mapping[str, Bound] = {"due_version": 0, "settled_version": 0, "settle_problem": "", "settle_attempts": 0}


def _begun(opened: _Opened) -> log.StoredEvent:
    """Open a table's stream with its first event. Raises KeyReused."""
    request = opened.request
    appended = log.open_stream(
        log.StreamVersion(club_id=opened.row.tournament.club_id, stream_id=opened.row.id, expected=0),
        "table",
        # The table's name may contain a player's: it is stored outside the log, where it can be erased.
        msgspec.structs.replace(log.NewEvent.of(opened.event, request.received_at), note=opened.row.name),
        request=request,
        on_append=_rows_follow,
    )
    if appended.is_replay:
        raise KeyReused(f"the idempotency key {request.key!r} was used for another request")
    return appended.stored


def _rows_follow(stored: log.StoredEvent) -> None:
    """Does nothing: the read models are written for all tables together, in the same transaction."""


def _seating_problems(tournament: Tournament, draft: TableDraft, room: _Room) -> list[Problem]:
    """Return all problems with the seating, before anything is stored."""
    problems = [
        Problem(
            code="seat_taken_twice",
            seat=str(place),
            field="seats",
            detail=say("seat {place} is given {number} times", place=int(place), number=times),
        )
        for place, times in Counter(seat.number for seat in draft.seats).items()
        if times > 1
    ]
    problems += [
        Problem("no_such_seat", say("seats are numbered from 1 to 10"), seat=str(seat.number), field="seats")
        for seat in draft.seats
        if not 1 <= seat.number <= 10
    ]
    problems += _number_problems(draft) + _player_problems(draft, room)
    if (draft.round, draft.number) in room.numbers:
        detail = say("round {round} has a table {table} already", round=draft.round, table=draft.number)
        problems.append(Problem(code="table_exists", field="number", detail=detail))
    if tournament.closed_at is not None:
        problems.append(Problem(code="tournament_closed", field="tournament", detail=say("the tournament is closed")))
    if draft.pays_entry and room.has_plan:
        detail = say("the tournament has a plan: open its tables by seating a round")
        problems.append(Problem(code="has_a_plan", field="tournament", detail=detail))
    return problems


def _number_problems(draft: TableDraft) -> list[Problem]:
    """Check that round and number fit in an address, and that the name fits."""
    first, what = 1, "name"
    problems = [
        Problem(
            code="out_of_range",
            field=field,
            detail=say(
                "{field} goes from {first} to {last}; enter another number than {number}",
                field=field,
                first=first,
                last=most,
                number=value,
            ),
        )
        for field, value, most in (("round", draft.round, MOST_ROUND), ("number", draft.number, MOST_NUMBER))
        if not first <= value <= most
    ]
    if len(draft.name) > MOST_TABLE_NAME:
        number, most = len(draft.name), MOST_TABLE_NAME
        detail = say(
            "{what}: a name has at most {most} characters, not {number}", what=say("name"), most=most, number=number
        )
        problems.append(Problem(code="name_too_long", field=what, detail=detail))
    if any(unicodedata.category(letter) in reading.NEVER_KEPT for letter in draft.name):
        detail = say("{what}: a name cannot hold control characters", what=say("name"))
        problems.append(Problem(code="name_not_text", field=what, detail=detail))
    return problems


def _player_problems(draft: TableDraft, room: _Room) -> list[Problem]:
    times = Counter(seat.player for seat in draft.seats)
    seat_problems = ((seat, _player_problem(draft.round, seat, times[seat.player], room)) for seat in draft.seats)
    return [Problem(*wrong, seat=str(seat.number), field="seats") for seat, wrong in seat_problems if wrong]


def _player_problem(number: int, seat: SeatedPlayer, times: int, room: _Room) -> tuple[str, Message] | None:
    """Check a player: of this club, seated only once in this round, not merged, and with enough money."""
    place, player = seat.number, seat.player
    if player not in room.names:
        return "unknown_player", say("seat {number}: there is no such player in this club", number=place)
    name = room.names[player]
    if times > 1:
        message = say("seat {place}: {name} sits at this table {number} times", place=place, name=name, number=times)
        return "player_seated_twice", message
    if (table := room.tables.get((number, player))) is not None:
        message = say("seat {place}: {name} sits at table {table} in this round", place=place, name=name, table=table)
        return "player_seated_elsewhere", message
    if player in room.merged:
        return "merged", say("seat {place}: {name} was merged: choose the other row", place=place, name=name)
    if player in room.short:
        return "balance_too_low", say("seat {number}: {name}: {why}", number=place, name=name, why=room.short[player])
    return None
