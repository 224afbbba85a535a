"""Seats a late player, or takes away a player who leaves or sits out; and undoes either, or a substitution.

Rules: docs/how-to/evening.md, "Late, missing and swapped players". Entry, payment and seat are one action under one
idempotency key and are undone together: the events are found by that key.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Literal
from uuid import UUID

import msgspec

from scoring.events import wire
from scoring.events.wire import Event
from scoring.messages import Seat, say, say_many
from scoring.problems import EventNotAllowed, Problem, refuse_if
from scoring.rules.table.dealing import may_record
from scoring.sheets.snapshots import load_table
from scoring.tournament import TournamentState, fold_tournament, problems_with
from scoring.tournament.checks.entries import late_problems, was_seated
from scoring.tournament.state import Standing
from scoring.tournament.state.refusals import of_player, unknown
from tournaments import log
from tournaments.entries.commands.enter import enter_one, known_player
from tournaments.entries.commands.lists import EntryRow
from tournaments.entries.commands.substitutes import substitution_stands, undo_substitution
from tournaments.log.context import CommandContext, part, tournament_lock
from tournaments.log.reading import tournament_state_from
from tournaments.models import Scoresheet, Tournament
from tournaments.people.players import named
from tournaments.running.commands.bulk import is_of_one_action, key_of_undoing, own_events, stored_under
from tournaments.running.commands.create import whole_plan
from tournaments.running.commands.record import record_all_in_tournament, refuse_stale, tournament_state
from tournaments.running.commands.settle import placed
from tournaments.seating import (
    SeatedAt,
    questions_of_joining,
    round_now,
    seats_now,
    table_of,
    tables_now,
    without_player,
)
from tournaments.seating.commands.seat import change_seats
from tournaments.tables.commands.record import record_wire_event
from tournaments.tables.commands.table_tokens import played_problems, sheets_of_round

Why = Literal["absent", "left", "sits_out"]
UNDONE = "undone with the seat"
EXTENDED = "a late player was taken"
SEATS = "seats"
MOST_EVENTS_OF_A_DEED = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class LateSeat:
    """A player of this name is to sit at a table of the round; without a table they wait for the next round.

    `adds_new` allows a new name. `asks` refuses suspended players and possible duplicates with a question; `extends`
    allows an entry later than the plan does, and changes the plan to allow others until then.
    """

    name: str
    table: int | None = None
    is_paid: bool = False
    adds_new: bool = False
    asks: bool = False
    extends: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatDone:
    """The player of an action and their table, if any. `at_table`: the table recorded it as well."""

    player: str = ""
    table: int | None = None
    at_table: bool = False
    is_replay: bool = False


def seat_late(tournament_id: UUID, wanted: LateSeat, *, context: CommandContext) -> SeatDone:
    """Enter a player, take the payment, and give them the seat after the others of the table.

    A no-show, or a player who had left, returns by it; a no-show without a seat so far enters late. Who takes a seat is
    checked in, if check-in is used.

    Raises EventNotAllowed, OptionsRejected, KeyReused.
    """
    digest = wire.request_digest(str(tournament_id), "late", context.key, repr(wanted))
    context = replace(context, asked=digest)
    with tournament_lock(tournament_id) as tournament:
        if log.first_answer(tournament.club_id, context.key, digest) is not None:
            return SeatDone(is_replay=True)
        begun = tournament_state(tournament)
        refuse_stale(begun, context.seen)
        context = replace(context, seen=None)
        number = round_now(begun) if wanted.table is not None else None
        row = EntryRow(number=1, name=wanted.name, is_paid=wanted.is_paid, round=number)
        extended = _extended(begun, number, wanted)
        questions = _questions(tournament, begun, row) if wanted.asks else []
        if not extended:
            questions += named(tournament.club_id, _late_return(tournament, begun, row))
        refuse_if(questions, EventNotAllowed)
        before = [*extended, *_returns(tournament, begun, row)]
        state = record_all_in_tournament(tournament_id, before, context=context).state if before else begun
        enters = _next(context, begun, state, "enters")
        state = enter_one(tournament_id, row, context=enters, adds_new=wanted.adds_new)
        player = _player(tournament, row, begun, state)
        if wanted.table is not None:
            if state.checks_in and not state.entrants[player].is_checked_in:
                arrives = _next(context, begun, state, "arrives")
                state = record_all_in_tournament(tournament_id, [wire.CheckedIn(player=player)], context=arrives).state
            _sit_down(tournament, state, player, wanted.table, context=_next(context, begun, state, SEATS))
    return SeatDone(player=player, table=wanted.table)


def get_up(
    tournament_id: UUID, player: str, why: Why, *, context: CommandContext, drops_recorded: bool = False
) -> SeatDone:
    """Take a player from the table: a no-show, a player who goes home, or one who sits out.

    Before the first deal the table plays on without them; after it the table records that they left, if its rules allow
    that. `drops_recorded` confirms that a penalty or a buy-in from before the first deal goes with the seat. Raises
    EventNotAllowed, OptionsRejected, EventRejected, KeyReused.
    """
    digest = wire.request_digest(str(tournament_id), "up", context.key, player, why)
    context = replace(context, asked=digest)
    with tournament_lock(tournament_id) as tournament:
        if log.first_answer(tournament.club_id, context.key, digest) is not None:
            return SeatDone(player=player, is_replay=True)
        begun = tournament_state(tournament)
        refuse_stale(begun, context.seen)
        context = replace(context, seen=None)
        tables = tables_now(tournament, begun)
        number = table_of(begun, player)
        there = next((table for table in tables if table.number == number), None)
        refuse_if(named(tournament.club_id, list(_problems_of_going(begun, player, why, there))), EventNotAllowed)
        seats = without_player(begun, player, tables) if there is not None and there.may_change else ()
        gone = _gone(player, why, is_seated=there is not None and not there.may_change)
        state = record_all_in_tournament(tournament_id, gone, context=context).state if gone else begun
        if seats:
            event = wire.SeatsChanged(round=round_now(begun), tables=seats)
            seats_context = _next(context, begun, state, SEATS)
            change_seats(tournament_id, event, context=seats_context, drops_recorded=drops_recorded)
        noted = there is not None and not there.may_change and _left_table(there.sheet, begun, player, context)
    return SeatDone(player=player, table=number, at_table=bool(seats) or noted)


def undo_seats(tournament_id: UUID, key: str, *, context: CommandContext) -> SeatDone:
    """Undo the action with this key: seats first, then payments and entries. A repeated call does nothing.

    Raises EventNotAllowed, EventRejected, KeyReused.
    """
    with tournament_lock(tournament_id) as tournament:
        context = replace(context, key=key_of_undoing(key), asked=wire.request_digest(str(tournament_id), "undo", key))
        if log.first_answer(tournament.club_id, context.key, context.asked) is not None:
            return SeatDone(is_replay=True)
        refuse_stale(tournament_state(tournament), context.seen)
        context = replace(context, seen=None)
        stored_events = stored_under(tournament.club_id, key)
        events = own_events(tournament, stored_events)
        if not events:
            raise EventNotAllowed([Problem("nothing_to_undo", say("nothing to undo"))])
        if isinstance(events[0], wire.PlayerSubstituted):
            undo_substitution(tournament_id, events[0].player, reason=UNDONE, context=replace(context, asked=""))
            return SeatDone()
        now = tournament_state(tournament)
        first = next(stored_event for stored_event in stored_events if stored_event.stream_id == tournament.id)
        before = tournament_state_from(log.read(tournament.club_id, tournament.id)[: first.version - 1])
        refuse_if(named(tournament.club_id, list(_in_the_way(tournament, now, events))), EventNotAllowed)
        _undo_at_tables(stored_events, context)
        _undo_in_tournament(tournament, before, now, events, context)
    return SeatDone()


def may_undo_seats(tournament: Tournament, key: str) -> bool:
    """Whether the action with this key was stored, has not been undone, and can be undone."""
    if len(list(log.find(club=tournament.club_id, keys=[key, key_of_undoing(key)]))) != 1:
        return False
    events = own_events(tournament, stored_under(tournament.club_id, key))
    return bool(events) and not list(_in_the_way(tournament, tournament_state(tournament), events))


def last_change(tournament: Tournament) -> str:
    """The key of the last action that changed seats; empty if there was none, or if it was an undo."""
    last = log.find(club=tournament.club_id, streams=[tournament.pk], kinds=[wire.SeatsChanged.kind]).last()
    if last is None:
        return ""
    before = max(0, last.position - MOST_EVENTS_OF_A_DEED)
    *_, change = stored_events = log.read_club(tournament.club_id, before, last.position - before)
    last_action = takewhile(lambda event: is_of_one_action(event, change), reversed(stored_events))
    return "" if change.note == UNDONE else str(list(last_action)[-1].key)


def _next(context: CommandContext, begun: TournamentState, state: TournamentState, name: str) -> CommandContext:
    """The first events of an action have its own key, by which it is found; later ones a derived key."""
    return context if state.version == begun.version else part(context, name)


def _questions(tournament: Tournament, begun: TournamentState, row: EntryRow) -> list[Problem]:
    """Questions about a player whom the club knows."""
    player = known_player(tournament, begun, row)
    event = wire.PlayerEntered(player=player, round=row.round)
    after = fold_tournament(begun, [(begun.version + 1, event)]) if player and player not in begun.entrants else begun
    questions = questions_of_joining(tournament, after, player) if player else []
    return named(tournament.club_id, questions)


def _extended(begun: TournamentState, number: int | None, wanted: LateSeat) -> list[Event]:
    """The plan with late entries until this round, if it does not allow them any more."""
    plan, last = begun.plan, number or begun.next_round
    if not wanted.extends or plan is None or begun.stage != 1 or not begun.is_started or last <= plan.late_until_round:
        return []
    later = msgspec.structs.replace(plan, late_until_round=last)
    return [wire.PlanMade(plan=whole_plan(later), reason=EXTENDED)]


def _late_return(tournament: Tournament, state: TournamentState, row: EntryRow) -> list[Problem]:
    """Why a no-show who has had no seat is too late by the plan; a player who has had one only returns."""
    player = known_player(tournament, state, row)
    entrant = state.entrants.get(player)
    if entrant is None or entrant.standing is not Standing.ABSENT or was_seated(state, player):
        return []
    return late_problems(state, wire.PlayerEntered(player=player, round=row.round))


def _returns(tournament: Tournament, state: TournamentState, row: EntryRow) -> list[Event]:
    """The return of a player who was marked a no-show or had left."""
    player = known_player(tournament, state, row)
    entrant = state.entrants.get(player)
    is_away = entrant is not None and entrant.standing in (Standing.ABSENT, Standing.LEFT)
    return [wire.PlayerReturned(player=player)] if is_away else []


def _player(tournament: Tournament, row: EntryRow, begun: TournamentState, state: TournamentState) -> str:
    """The player of the action: the new entrant, or one who had entered before."""
    new = [player for player in state.entrants if player not in begun.entrants]
    return new[0] if new else known_player(tournament, state, row)


def _sit_down(
    tournament: Tournament, state: TournamentState, player: str, number: int, *, context: CommandContext
) -> None:
    seats = seats_now(state)
    if number not in seats:
        detail = say("table {table} is not in play", table=number)
        raise EventNotAllowed([Problem(code="no_such_table", field="table", detail=detail)])
    event = wire.SeatsChanged(round=round_now(state), tables=((number, (*seats[number], player)),))
    change_seats(tournament.pk, event, context=context)


def _problems_of_going(state: TournamentState, player: str, why: Why, there: SeatedAt | None) -> Iterator[Problem]:
    if player not in state.entrants:
        yield unknown(player)
    elif there is None and why == "sits_out":
        yield of_player(player, "not_seated", say("{seat} has no seat in this round", seat=Seat(player)))
    elif there is not None and not there.may_change and why == "sits_out":
        detail = say_many(
            "table {table} has {count} deal: {seat} can go home, but not sit out",
            "table {table} has {count} deals: {seat} can go home, but not sit out",
            count=there.sheet.deals,
            table=there.number,
            seat=Seat(player),
        )
        if there.sheet.has_totals:
            detail = say(
                "table {table} has totals: {seat} can go home, but not sit out", table=there.number, seat=Seat(player)
            )
        yield of_player(player, "already_played", detail)


def _gone(player: str, why: Why, *, is_seated: bool) -> list[Event]:
    """A player who has played a deal is not a no-show, but leaves."""
    if why == "sits_out":
        return []
    return [wire.MarkedAbsent(player=player) if why == "absent" and not is_seated else wire.PlayerLeft(player=player)]


def _left_table(sheet: Scoresheet, state: TournamentState, player: str, context: CommandContext) -> bool:
    """Record at the table that a player left, if its rules allow that now; returns whether it did."""
    table = load_table(Scoresheet.objects.get(pk=sheet.pk).state)
    people = set(state.before(player))
    seat = next((seat for seat, person in table.players.items() if person in people), None)
    left_event: dict[str, object] = {"kind": wire.SeatLeft.kind, "seat": seat}
    if seat is None or not may_record(table, left_event):
        return False
    record_wire_event(sheet.table_id, left_event, expected=sheet.version, context=part(context, sheet.table_id))
    return True


def _in_the_way(tournament: Tournament, now: TournamentState, events: Sequence[Event]) -> Iterator[Problem]:
    """Problems with undoing an action: seats changed again, deals at its tables, players who moved on."""
    if isinstance(events[0], wire.PlayerSubstituted):
        yield from substitution_stands(tournament, now, events[0].player)
        return
    changed = list(_changed_since(now, events))
    yield from changed
    seated = {number for event in events if isinstance(event, wire.SeatsChanged) for number, _ in event.tables}
    if seated and not changed:
        yield from played_problems(sheets_of_round(tournament, round_now(now), sorted(seated)), "tables")
    for event in events:
        if isinstance(event, wire.MarkedAbsent | wire.PlayerLeft):
            yield from problems_with(now, wire.PlayerReturned(player=event.player))
        elif isinstance(event, wire.PlayerEntered) and not seated:
            yield from problems_with(now, wire.EntryWithdrawn(player=event.player, reason=UNDONE))


def _changed_since(now: TournamentState, events: Sequence[Event]) -> Iterator[Problem]:
    """A problem if the seats are no longer as the action left them."""
    seats = seats_now(now)
    for event in events:
        if isinstance(event, wire.SeatsChanged):
            is_same = event.round == round_now(now)
            is_same = is_same and all(seats.get(number, ()) == players for number, players in event.tables)
            if not is_same:
                yield Problem("nothing_to_undo", say("seats changed again since: change them by hand"))


def _undo_at_tables(events: Sequence[log.StoredEvent], context: CommandContext) -> None:
    for event in events:
        if event.kind == wire.SeatLeft.kind:
            version = Scoresheet.objects.get(table_id=event.stream_id).version
            withdrawn = {"kind": wire.EventWithdrawn.kind, "version": event.version, "reason": UNDONE}
            record_wire_event(event.stream_id, withdrawn, expected=version, context=part(context, event.stream_id))


def _undo_in_tournament(
    tournament: Tournament,
    before: TournamentState,
    now: TournamentState,
    events: Sequence[Event],
    context: CommandContext,
) -> None:
    """Undo the action: players who left return before they are seated; entered ones lose the seat, then the entry."""
    back = [undoing for event in events for undoing in _is_back(before, event)]
    state = record_all_in_tournament(tournament.id, back, context=context).state if back else now
    for event in events:
        if isinstance(event, wire.SeatsChanged):
            seats = seats_now(before)
            tables = tuple((number, seats.get(number, ())) for number, _ in event.tables)
            restored = wire.SeatsChanged(round=event.round, tables=tables, reason=UNDONE)
            state = change_seats(tournament.id, restored, context=_next(context, now, state, SEATS))
    gone = [undoing for event in reversed(events) for undoing in _is_gone(before, event)]
    if gone:
        gone = placed(tournament, state, gone, context=context)
        record_all_in_tournament(tournament.id, gone, context=_next(context, now, state, "entry"))


def _is_back(before: TournamentState, event: Event) -> Iterator[Event]:
    if isinstance(event, wire.MarkedAbsent | wire.PlayerLeft):
        yield wire.PlayerReturned(player=event.player)
        if not before.entrants[event.player].is_checked_in:
            yield wire.CheckInUndone(player=event.player)


def _is_gone(before: TournamentState, event: Event) -> Iterator[Event]:
    entrant = before.entrants.get(getattr(event, "player", ""))
    match event:
        case wire.EntryPaid():
            yield wire.EntryRefunded(player=event.player, amount_minor=event.amount_minor, reason=UNDONE)
        case wire.PlayerEntered():
            yield wire.EntryWithdrawn(player=event.player, reason=UNDONE)
            if entrant is not None and entrant.standing is Standing.STANDBY:
                yield wire.PlayerEntered(player=event.player, is_standby=True)
        case wire.CheckedIn():
            yield wire.CheckInUndone(player=event.player)
        case wire.PlanMade() if before.plan is not None:
            yield wire.PlanMade(plan=whole_plan(before.plan), reason=UNDONE)
        case wire.PlayerReturned() if entrant is not None:
            is_absent = entrant.standing is Standing.ABSENT
            yield wire.MarkedAbsent(player=event.player) if is_absent else wire.PlayerLeft(player=event.player)
