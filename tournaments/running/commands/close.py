"""Opening, closing and abandoning a tournament: events in its own stream, and a seal over the club's log at the end."""

from uuid import UUID

from scoring.events import wire
from scoring.messages import say
from scoring.problems import EventNotAllowed, Problem, refuse_if
from scoring.tournament import TournamentState, fold_tournament
from scoring.tournament.checks import unreadable_problem
from scoring.tournament.state.fees import any_money_in
from tournaments import log
from tournaments.log.context import CommandContext, part, tournament_lock
from tournaments.models import HAS_BEGUN, Scoresheet, Table, Tournament
from tournaments.people.players import named
from tournaments.projections.terms import stakes_of
from tournaments.running.commands.record import (
    append_event,
    begin_stream,
    entered_twice,
    refuse_stale,
    tournament_state,
    tournament_state_from_log,
    was_stored,
)
from tournaments.running.commands.settle import problems_of_taking_again, settle_tournament
from tournaments.tables.commands.record import record_wire_event
from tournaments.tables.commands.table_tokens import contradicting, late_sheet_problems, still_open, unconfirmed

# Reasons written by the program.
DELETED, RESTORED = "deleted before it was used", "deleting undone"


def open_stream_of(tournament: Tournament, *, context: CommandContext) -> None:
    """Begin a tournament's stream with the terms of its tables."""
    opened = wire.TournamentOpened(
        preset=tournament.preset,
        variant=tournament.variant,
        options=tournament.options,
        stakes=stakes_of(tournament),
    )
    begin_stream(tournament, opened, context)


def close_tournament(tournament_id: UUID, *, context: CommandContext) -> None:
    """Close a tournament whose tables are all over, and seal the club's log.

    A repeated request changes nothing. Raises EventNotAllowed naming every table that is still open, has conflicting
    records, an unconfirmed deal or a late sheet, or where entry fees were paid and no table was played; KeyReused.
    """
    event = wire.TournamentClosed()
    with tournament_lock(tournament_id) as tournament:
        if was_stored(tournament, event, context):
            return
        refuse_stale(tournament_state(tournament), context.seen)
        refuse_if(closing_problems(tournament), EventNotAllowed)
        append_event(tournament, event, context)
        Tournament.objects.filter(id=tournament_id).update(closed_at=context.now)
    log.seal_club(tournament.club_id, context.now)


def cancel_tournament(tournament_id: UUID, *, reason: str, context: CommandContext) -> None:
    """Abandon a planned tournament with its open tables: no player owes anything, and payments go to their balances.

    A repeated request changes nothing. Raises EventNotAllowed without a reason or a plan, or if it is closed;
    KeyReused.
    """
    event = wire.TournamentCancelled(reason=reason.strip())
    with tournament_lock(tournament_id) as tournament:
        state = tournament_state(tournament)
        if was_stored(tournament, event, context):
            return
        refuse_stale(state, context.seen)
        refuse_if(_cancelling_problems(tournament, state, event), EventNotAllowed)
        sheets = Scoresheet.objects.filter(table__tournament=tournament, is_closed=False, is_cancelled=False)
        for sheet in list(sheets.order_by("table__round", "table__number")):
            cancelled = {"kind": "table_cancelled", "reason": event.reason}
            record_wire_event(sheet.table_id, cancelled, expected=sheet.version, context=part(context, sheet.table_id))
        append_event(tournament, event, context, state=state)
        Tournament.objects.filter(id=tournament_id).update(closed_at=context.now, is_cancelled=True)
    log.seal_club(tournament.club_id, context.now)


def delete_tournament(tournament_id: UUID, *, context: CommandContext) -> None:
    """Delete an unused tournament: its log stays, but it is no longer listed. `restore_tournament` undoes it.

    A repeated request changes nothing. Raises EventNotAllowed with everything that was done in it; KeyReused.
    """
    event = wire.TournamentCancelled(reason=DELETED)
    with tournament_lock(tournament_id) as tournament:
        if was_stored(tournament, event, context):
            return
        state = tournament_state(tournament)
        refuse_stale(state, context.seen)
        refuse_if(deleting_problems(tournament, state), EventNotAllowed)
        append_event(tournament, event, context, state=state)
        gone = {"closed_at": context.now, "is_cancelled": True, "is_published": False}
        Tournament.objects.filter(id=tournament_id).update(**gone)


def restore_tournament(tournament_id: UUID, *, is_published: bool, context: CommandContext) -> None:
    """Undo `delete_tournament`; a practice tournament stays unpublished. A repeated request changes nothing.

    Raises EventNotAllowed if it was not deleted, and what `reopen_tournament` raises.
    """
    with tournament_lock(tournament_id) as tournament:
        if was_stored(tournament, wire.TournamentReopened(reason=RESTORED), context):
            return
        if not tournament.is_cancelled or tournament.tables.exclude(scoresheet__is_cancelled=True).exists():
            # An abandoned tournament was played, and is reopened for a reason.
            detail = say("{name} was not deleted: reopen it instead", name=tournament.name)
            raise EventNotAllowed([Problem(code="not_deleted", detail=detail)])
        reopen_tournament(tournament_id, reason=RESTORED, context=context)
        plan = tournament_state(tournament).plan
        is_practice = plan is not None and plan.is_rehearsal
        Tournament.objects.filter(id=tournament_id).update(is_published=is_published and not is_practice)


def deleting_problems(tournament: Tournament, state: TournamentState) -> list[Problem]:
    """Why a tournament cannot be deleted: what was done in it; and what to do instead."""
    if tournament.closed_at is not None:
        return [Problem(code="tournament_closed", detail=say("{name} is closed already", name=tournament.name))]
    sheets = Scoresheet.objects.filter(table__tournament=tournament)
    problems = []
    if sheets.filter(HAS_BEGUN).exists():
        problems.append(Problem(code="already_played", detail=say("deals were played: abandon it instead")))
    elif sheets.filter(is_cancelled=False).exists():
        problems.append(Problem(code="already_seated", detail=say("seats are published: undo the seating first")))
    if any_money_in(state):
        problems.append(Problem(code="already_paid", detail=say("entry fees were paid: refund them first")))
    return problems


def reopen_tournament(tournament_id: UUID, *, reason: str, context: CommandContext) -> None:
    """Reopen a tournament that was closed or abandoned; the prizes of a planned one return to its pool at once.

    A repeated request changes nothing. Raises EventNotAllowed without a reason, if it is open, if refunded entry fees
    were spent, or if a merge gave a player two entries; KeyReused.
    """
    event = wire.TournamentReopened(reason=reason.strip())
    with tournament_lock(tournament_id) as tournament:
        if was_stored(tournament, event, context):
            return
        problems = []
        if tournament.closed_at is None:
            problems.append(Problem(code="tournament_open", detail=say("{name} is not closed", name=tournament.name)))
        if not event.reason:
            detail = say("enter a reason for reopening the tournament")
            problems.append(Problem(code="missing_field", field="reason", detail=detail))
        state = tournament_state(tournament)
        refuse_stale(state, context.seen)
        refuse_if(problems + named(tournament.club_id, entered_twice(tournament, state)), EventNotAllowed)
        short = problems_of_taking_again(tournament, fold_tournament(state, [(state.version + 1, event)]))
        refuse_if(named(tournament.club_id, short), EventNotAllowed)
        append_event(tournament, event, context, state=state)
        Tournament.objects.filter(id=tournament_id).update(closed_at=None, is_cancelled=False)
        if state.plan is not None:
            # At once: a later refund at the desk must not find the pool emptied by the prizes.
            settle_tournament(tournament_id, now=context.now)


def _cancelling_problems(
    tournament: Tournament, state: TournamentState, event: wire.TournamentCancelled
) -> list[Problem]:
    problems = []
    if tournament.closed_at is not None:
        detail = say("{name} is closed: reopen it before abandoning it", name=tournament.name)
        problems.append(Problem(code="tournament_closed", detail=detail))
    if state.plan is None:
        detail = say("without a plan each table has money of its own: cancel the tables, then close the tournament")
        problems.append(Problem(code="no_plan", detail=detail))
    if not event.reason:
        detail = say("enter a reason for abandoning the tournament")
        problems.append(Problem(code="missing_field", field="reason", detail=detail))
    return problems


def closing_problems(tournament: Tournament) -> list[Problem]:
    """Tables that are open, in conflict, with unconfirmed deals or late sheets; events that cannot be read."""
    if tournament.closed_at is not None:
        return [Problem(code="tournament_closed", detail=say("{name} is closed already", name=tournament.name))]
    sheets = Scoresheet.objects.filter(table__tournament_id=tournament.id).select_related("table").defer("state")
    stored_events = log.read(tournament.club_id, tournament.id)
    state = tournament_state_from_log(stored_events)
    problems = [unreadable_problem(version) for version in state.unreadable]
    if state.plan is not None and any_money_in(state) and not sheets.filter(is_cancelled=False).exists():
        # Without a result the fees would stay in a prize pool that nobody wins.
        detail = say("no table was played, but entry fees were paid: abandon the tournament, or refund them first")
        problems.append(Problem(code="nothing_played", detail=detail))
    for sheet in sheets.order_by("table__round", "table__number"):
        if sheet.has_conflict:
            problems.append(contradicting(sheet))
        elif sheet.is_closed and sheet.unconfirmed:
            problems.append(unconfirmed(sheet))
        elif not (sheet.is_closed or sheet.is_cancelled):
            problems.append(still_open(sheet))
    return problems + late_sheet_problems(Table.objects.filter(tournament_id=tournament.id))
