"""Records events of a tournament outside its tables: entries, arrivals, plans, cuts, clocks.

The steps are those of recording a deal: resent? stale? valid? Then the event, its projections, the tournament and the
board's position, are stored in one transaction. A tournament's stream grows only here. Actions that also open or close
tables have a command of their own.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from scoring import ledger
from scoring.events import wire
from scoring.events.wire import Event, PlanMade, PlayerReentered, SidePotWinUndone, SidePotWon, TournamentChanged
from scoring.messages import Seat, say
from scoring.problems import Defect, EventNotAllowed, Problem, StaleTable, refuse_if
from scoring.tournament import (
    TournamentState,
    dump_tournament_state,
    fold_tournament,
    load_tournament_state,
    problems_with,
)
from scoring.tournament.state import Standing
from scoring.tournament.state.fees import any_money_in, is_booked, limit_problems
from scoring.tournament.state.reentries import too_little
from scoring.tournament.state.refusals import ALREADY
from tournaments import log
from tournaments.log.context import CommandContext, digest_of, new_event, part, tournament_lock
from tournaments.log.reading import tournament_state_from
from tournaments.models import EveningSheet, Table, Tournament
from tournaments.people.players import named, named_in_books, rows_of
from tournaments.projections.shown import show_club_anew
from tournaments.projections.stale import enqueue_prizes, mark_stale
from tournaments.projections.terms import game_of
from tournaments.running.commands.settle import LockedBalances, entry_problems
from tournaments.running.prize_money import changed_entries

# The effect of an event on the entry fees in the books, in the same transaction.
ENDS = (wire.TournamentClosed, wire.TournamentCancelled, wire.TournamentReopened)
TERMS = (wire.PlanMade, wire.TournamentChanged)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentRecorded:
    """The result: the current tournament, and whether the request had been stored before or had nothing to store."""

    state: TournamentState
    is_replay: bool


def record_in_tournament(
    tournament_id: UUID, event: Event, *, context: CommandContext, expected: int | None = None
) -> TournamentRecorded:
    """Store one event of a tournament. With `expected` it must follow that version; without, the latest.

    A repeated request stores nothing. Raises EventNotAllowed with every problem, StaleTable, KeyReused.
    """
    return record_all_in_tournament(tournament_id, [event], context=context, expected=expected)


def record_all_in_tournament(
    tournament_id: UUID, events: Sequence[Event], *, context: CommandContext, expected: int | None = None
) -> TournamentRecorded:
    """Store several events of one action, such as a pasted list of names: all or none."""
    with tournament_lock(tournament_id) as tournament:
        state = tournament_state(tournament)
        if was_answered(tournament, state, context, events[:1]):
            return TournamentRecorded(state=state, is_replay=True)
        refuse_stale(state, expected)
        problems: list[Problem] = []
        admitted: list[tuple[Event, CommandContext]] = []
        after, purses = state, LockedBalances(tournament, events)
        for number, event in enumerate(events):
            event_problems = problems_with(after, event) + _plan_problems(tournament, after, event)
            event_problems = event_problems or reentry_problems(tournament, after, event)
            event_problems = event_problems or entry_problems(purses, state, after, event)
            if any(problem.code != ALREADY for problem in event_problems):
                # The two events of one refund, in cash and to the balance, lack the same reason.
                problems += [
                    problem for problem in event_problems if problem.code != ALREADY and problem not in problems
                ]
            elif not event_problems:
                # A resent request is recognized by its first key: by the digest of the request, or else of the first
                # event.
                place = len(admitted) if context.asked else number
                admitted.append((event, part(context, place) if place else context))
                after = fold_tournament(after, [(after.version + 1, event)])
        # Side pots are the director's, who may see the books; check-in, which takes entry fees, may not.
        is_of_pots = all(isinstance(event, SidePotWon | SidePotWinUndone) for event in events)
        refuse_if((named_in_books if is_of_pots else named)(tournament.club_id, problems), EventNotAllowed)
        after = append_events(tournament, admitted, state=state)
    return TournamentRecorded(state=after, is_replay=after.version == state.version)


def was_answered(
    tournament: Tournament, state: TournamentState, context: CommandContext, events: Sequence[Event] = ()
) -> bool:
    """Whether this request was stored before: by the digest of the request, or else of its first event.

    Raises KeyReused; StaleTable if the user has seen another version.
    """
    digests = [context.asked] if context.asked else [digest_of(tournament.id, event) for event in events[:1]]
    if any(log.first_answer(tournament.club_id, context.key, digest) for digest in digests):
        return True
    refuse_stale(state, context.seen)
    return False


def reentry_problems(tournament: Tournament, state: TournamentState, event: Event) -> list[Problem]:
    """Problems with a re-entry that brings less than the plan requires."""
    if not isinstance(event, PlayerReentered):
        return []
    return too_little(state, event, game_of(tournament, state, state.stage))


def _plan_problems(tournament: Tournament, state: TournamentState, event: Event) -> list[Problem]:
    """A plan must exist before the first table, else players pay twice; and a practice plan must not be published."""
    if not isinstance(event, PlanMade):
        return []
    problems = []
    if tournament.is_published and event.plan.get("is_rehearsal"):
        detail = say("{name} is published: unpublish it before making it practice", name=tournament.name)
        problems.append(Problem(code="is_published", field="is_rehearsal", detail=detail))
    tables = Table.objects.filter(tournament=tournament).exclude(scoresheet__is_cancelled=True)
    if state.plan is None and tables.exists():
        detail = say("tables were opened without a plan: make another tournament to plan one")
        problems.append(Problem(code="already_played", field="plan", detail=detail))
    return problems


def admit(tournament: Tournament, state: TournamentState, event: Event) -> None:
    """Raise EventNotAllowed with every problem of an event, players by name."""
    refuse_if(named(tournament.club_id, problems_with(state, event)), EventNotAllowed)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentTurn:
    """A tournament and its state while holding the lock; `is_replay` if the action was done before."""

    tournament: Tournament
    state: TournamentState
    is_replay: bool


@contextmanager
def locked_tournament(
    tournament_id: UUID, event: Event, *, context: CommandContext, expected: int | None = None
) -> Iterator[TournamentTurn]:
    """Hold the lock for an action that stores `event`, once checked. Raises EventNotAllowed, StaleTable, KeyReused."""
    with tournament_lock(tournament_id) as tournament:
        state = tournament_state(tournament)
        is_replay = was_stored(tournament, event, context)
        if not is_replay:
            refuse_stale(state, context.seen if expected is None else expected)
            admit(tournament, state, event)
        yield TournamentTurn(tournament=tournament, state=state, is_replay=is_replay)


def touches_everybody(before: TournamentState, after: TournamentState, events: Sequence[Event]) -> bool:
    """Whether the money of all players must be settled again: after the end, a reopening, or a change of the terms."""
    if not (is_booked(before) or is_booked(after)):
        return False
    if any(isinstance(event, ENDS) for event in events) or (after.is_closed and not after.is_cancelled):
        return True
    return any_money_in(after) and any(isinstance(event, TERMS) for event in events)


def book_entries(
    tournament: Tournament, before: TournamentState, after: TournamentState, stored: log.StoredEvent
) -> None:
    """Post the entry fees of players whom the events have changed, in few statements however many there are.

    Versions are positions in the club's log, as for the prizes: after the end entry fees also follow from tables.
    """
    changed = changed_entries(tournament, before, after)
    if not changed:
        return
    obligations = [
        ledger.Obligation(cause=cause, version=stored.position, entries=entries) for cause, entries in changed.items()
    ]
    ledger.settle_many(tournament.club_id, obligations, now=stored.recorded_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class AppendedEvent:
    """A stored event of a tournament, and the state after it."""

    stored: log.StoredEvent
    state: TournamentState


def begin_stream(tournament: Tournament, event: Event, context: CommandContext) -> None:
    """Store the first event of a tournament."""
    state = fold_tournament(TournamentState(), [(1, event)])

    def on_append(stored: log.StoredEvent) -> None:
        EveningSheet.objects.create(tournament=tournament, **sheet_values(tournament, state, stored.position))
        _touch_board(tournament.id, stored.position)

    request = _request(tournament, event, context)
    log.open_stream(
        _place(tournament, 0), "tournament", new_event(event, context), request=request, on_append=on_append
    )


def append_event(
    tournament: Tournament, event: Event, context: CommandContext, *, state: TournamentState | None = None
) -> AppendedEvent:
    """Store one more event. `state` saves reading it again; the caller holds the lock."""
    before = state or tournament_state(tournament)
    after = fold_tournament(before, [(before.version + 1, event)])
    _refuse_beyond_limit(tournament, before, [event])
    _refuse_entered_twice(tournament, before, after)
    appended = log.append(
        _place(tournament, before.version),
        new_event(event, context),
        request=_request(tournament, event, context),
        on_append=_followed(tournament, [event], before=before, after=after),
    )
    return AppendedEvent(stored=appended.stored, state=after)


def append_events(
    tournament: Tournament, events: Sequence[tuple[Event, CommandContext]], *, state: TournamentState
) -> TournamentState:
    """Store several events of one action; the projections are written once, with the last.

    If the first was stored before under its key, so were the others. Raises KeyReused if a later one was.
    """
    if not events:
        return state
    new_events = [event for event, _ in events]
    _refuse_beyond_limit(tournament, state, new_events)
    after = fold_tournament(state, enumerate(new_events, state.version + 1))
    _refuse_entered_twice(tournament, state, after)
    on_append = _followed(tournament, new_events, before=state, after=after)
    stored_events = log.append_all(
        [
            (
                _place(tournament, state.version + number),
                new_event(event, context),
                _request(tournament, event, context),
            )
            for number, (event, context) in enumerate(events)
        ],
        on_append=lambda all_of_them: on_append(all_of_them[-1]),
    )
    return after if stored_events else state


def tournament_state(tournament: Tournament) -> TournamentState:
    """The current tournament, from its row; from the log if there is no row yet."""
    state = EveningSheet.objects.filter(tournament=tournament).values_list("state", flat=True).first()
    if state is None:
        return tournament_state_from_log(log.read(tournament.club_id, tournament.id))
    return load_tournament_state(state)


def tournament_state_from_log(stored: list[log.StoredEvent]) -> TournamentState:
    """The tournament folded from its stored events."""
    if not stored:
        raise Defect("a tournament's log begins with its opening, not with nothing")
    return tournament_state_from(stored)


def sheet_values(tournament: Tournament, state: TournamentState, position: int) -> dict[str, Any]:
    """The columns of the tournament's row."""
    return {
        "club_id": tournament.club_id,
        "version": state.version,
        "state": dump_tournament_state(state),
        "has_plan": state.plan is not None,
        "is_rehearsal": state.plan is not None and state.plan.is_rehearsal,
        "last_position": position,
    }


def was_stored(tournament: Tournament, event: Event, context: CommandContext) -> bool:
    """Whether this request has stored the event before. Raises KeyReused if it stored another."""
    return log.first_answer(tournament.club_id, context.key, _request(tournament, event, context).digest) is not None


def refuse_stale(state: TournamentState, expected: int | None) -> None:
    """Raise StaleTable if the user has seen another version of the tournament."""
    if expected is not None and expected != state.version:
        raise StaleTable(expected=expected, current=state.version)


def _refuse_beyond_limit(tournament: Tournament, before: TournamentState, events: Sequence[Event]) -> None:
    """Raise EventNotAllowed if the sums of a tournament would exceed what the books can store."""
    after = fold_tournament(before, enumerate(events, before.version + 1))
    # The tournament has another fee already: all entries are checked as if they were new.
    earlier_state = TournamentState() if any(isinstance(event, TournamentChanged) for event in events) else before
    problems = limit_problems(earlier_state, after, tournament.entry_minor, tournament.currency)
    refuse_if(named(tournament.club_id, problems), EventNotAllowed)


def _refuse_entered_twice(tournament: Tournament, before: TournamentState, after: TournamentState) -> None:
    """Raise EventNotAllowed if a new entrant has already entered under a row that was merged since."""
    if new := _entered(after) - _entered(before):
        refuse_if(named(tournament.club_id, entered_twice(tournament, after, new)), EventNotAllowed)


def entered_twice(tournament: Tournament, state: TournamentState, new: Collection[str] = ()) -> list[Problem]:
    """Players with two entries because two rows were merged since: it would be unclear who plays.

    Only of the `new` ones if given, else of all.
    """
    entered = _entered(state)
    target_by_row = rows_of(tournament.club_id, entered)
    times = Counter(target_by_row[player] for player in entered)
    detail = say("two entries of this tournament are one player since a merge: undo the merge first")
    return [
        Problem(code="merged_twice", seat=player, detail=say("{seat}: {why}", seat=Seat(player), why=detail))
        for player in dict.fromkeys(target_by_row[entrant] for entrant in state.entrants if entrant in (new or entered))
        if times[player] > 1
    ]


def _entered(state: TournamentState) -> set[str]:
    return {player for player, entrant in state.entrants.items() if entrant.standing is not Standing.WITHDRAWN}


def _place(tournament: Tournament, expected: int) -> log.StreamVersion:
    return log.StreamVersion(club_id=tournament.club_id, stream_id=tournament.id, expected=expected)


def _followed(
    tournament: Tournament, events: Sequence[Event], *, before: TournamentState, after: TournamentState
) -> Callable[[log.StoredEvent], None]:
    """Update the tournament's row, then the books: workers lock in the same order, which avoids deadlocks."""

    def on_append(stored: log.StoredEvent) -> None:
        values = sheet_values(tournament, after, stored.position)
        if touches_everybody(before, after, events):
            values["due_position"] = stored.position
            enqueue_prizes(tournament.id)
        if not EveningSheet.objects.filter(tournament=tournament).update(**values):
            EveningSheet.objects.create(tournament=tournament, **values)
        book_entries(tournament, before, after, stored)
        _touch_board(tournament.id, stored.position)
        if before.hidden != after.hidden:
            show_club_anew(tournament.club_id)
        if before.is_closed or after.is_closed:
            mark_stale(tournament.club_id)

    return on_append


def _request(tournament: Tournament, event: Event, context: CommandContext) -> log.Request:
    return context.request(digest_of(tournament.id, event))


def _touch_board(tournament_id: UUID, position: int) -> None:
    """Set the position that the board shows, so that its ETag changes."""
    Tournament.objects.filter(id=tournament_id).update(board_position=position)
