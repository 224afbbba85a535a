"""Records an event of a tournament that a program sends whole, by the command that a page calls for it.

Rules: docs/reference/api.md, "A tournament's events". What a page looks up for its user is checked here: players of the
club, the till of the user, the order that lots or cards give, the moment of the clock.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple
from uuid import UUID

from msgspec.structs import replace as replace_fields

from scoring.events import wire
from scoring.events.wire import Event
from scoring.messages import Seat, say
from scoring.problems import EventNotAllowed, Problem, refuse_if
from scoring.tournament import TournamentState, problems_with
from scoring.tournament.state.refusals import of_player
from tournaments import log
from tournaments.draw import SeatingRejected, round_of
from tournaments.draw.checking import check
from tournaments.entries.commands.check_in import record_payment
from tournaments.entries.commands.substitutes import round_of_substitute, undo_substitution
from tournaments.log.context import CommandContext, tournament_lock
from tournaments.models import Player, SeatingDraft, Tournament
from tournaments.people.permissions import Actor, Permission, may
from tournaments.people.players import named, uuid_of
from tournaments.running.commands.close import cancel_tournament, close_tournament, reopen_tournament
from tournaments.running.commands.create import Expected, make_plan
from tournaments.running.commands.cut import make_cut, settle_tie, withdraw_cut
from tournaments.running.commands.record import record_in_tournament, refuse_stale, tournament_state
from tournaments.seating.commands.seat import change_seats, move_players, seat_round, undo_move, withdraw_seating
from tournaments.seating.drafts import history_of, load_draft

TILL = "till:"
# Their commands hold the lock for the last part of their work only.
WITHOUT_LOCK = wire.PlanMade | wire.TournamentClosed | wire.TournamentCancelled | wire.TournamentReopened


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenEvent:
    """An event that a user sends whole. `anyway` seats players about whom a page would ask, and drops what they lose.

    `plan_for` is the expected number of players, with which a plan is tried.
    """

    event: Event
    actor: Actor
    anyway: bool = False
    plan_for: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenRecorded:
    """The event as it is stored, and whether this request had stored it before."""

    stored: log.StoredEvent
    is_replay: bool


def record_given_event(tournament: Tournament, given: GivenEvent, *, context: CommandContext) -> GivenRecorded:
    """Store the event with all that follows from it; `context.asked` is the digest of the request.

    Raises EventNotAllowed, OptionsRejected or SeatingRejected with every problem, also where it is done already;
    StaleTable, KeyReused.
    """
    first = log.first_answer(tournament.club_id, context.key, context.asked)
    if first is not None:
        return GivenRecorded(stored=first, is_replay=True)
    if isinstance(given.event, WITHOUT_LOCK):
        _decide(tournament.pk, given.event, given, context)
    else:
        with tournament_lock(tournament.pk) as home:
            if log.first_answer(home.club_id, context.key, context.asked) is None:
                state = tournament_state(home)
                refuse_stale(state, context.seen)
                refuse_if(named(home.club_id, list(_problems(home, state, given))), EventNotAllowed)
                record = _WITH_ALL_THAT_FOLLOWS.get(type(given.event), _alone)
                record(_Turn(home, state, given.anyway, context), given.event)
    stored = log.first_answer(tournament.club_id, context.key, context.asked)
    if stored is None:
        # Commands store nothing where it is done already, and a page says so: a program is told why.
        problems = problems_with(tournament_state(tournament), given.event)
        raise EventNotAllowed(named(tournament.club_id, problems or [_done_already()]))
    return GivenRecorded(stored=stored, is_replay=False)


def _done_already() -> Problem:
    return Problem("already_done", say("this is done already: nothing is left to record"))


def _decide(tournament_id: UUID, event: WITHOUT_LOCK, given: GivenEvent, context: CommandContext) -> None:
    match event:
        case wire.PlanMade():
            expected = Expected(version=context.seen, players=given.plan_for)
            make_plan(tournament_id, event.plan, reason=event.reason, context=context, expected=expected)
        case wire.TournamentClosed():
            close_tournament(tournament_id, context=context)
        case wire.TournamentCancelled():
            cancel_tournament(tournament_id, reason=event.reason, context=context)
        case wire.TournamentReopened():
            reopen_tournament(tournament_id, reason=event.reason, context=context)


class _Turn(NamedTuple):
    """A tournament while holding its lock, and what a program wants to record there."""

    tournament: Tournament
    state: TournamentState
    anyway: bool
    context: CommandContext


def _enter(turn: _Turn, event: wire.PlayerEntered) -> None:
    """An entry that is sent is a new one: its place on the standby list is the last. An undo is an act of the desk."""
    at_end = event.is_standby and event.player in turn.state.entrants
    record_in_tournament(turn.tournament.pk, replace_fields(event, at_end=at_end), context=turn.context)


def _substitute(turn: _Turn, event: wire.PlayerSubstituted) -> None:
    playing = round_of_substitute(turn.tournament, turn.state, event.player)
    record_in_tournament(turn.tournament.pk, replace_fields(event, round=playing), context=turn.context)


def _seat(turn: _Turn, event: wire.RoundSeated) -> None:
    refuse_if(_kept_apart(turn.tournament, turn.state, event), SeatingRejected)
    seat_round(turn.tournament.pk, event, context=turn.context, seats_absent=turn.anyway)


def _on_the_clock(turn: _Turn, event: Event) -> None:
    """Only the server's time counts."""
    now = int(turn.context.now.timestamp())
    record_in_tournament(turn.tournament.pk, replace_fields(event, at=now), context=turn.context)


def _alone(turn: _Turn, event: Event) -> None:
    record_in_tournament(turn.tournament.pk, event, context=turn.context)


# How an event is recorded from which more follows than the tournament's own state; any other is stored alone.
_WITH_ALL_THAT_FOLLOWS: dict[type[Event], Callable[[_Turn, Any], object]] = {
    wire.PlayerEntered: _enter,
    wire.EntryPaid: lambda turn, event: record_payment(turn.tournament.pk, event, context=turn.context),
    wire.EntryRefunded: lambda turn, event: record_payment(turn.tournament.pk, event, context=turn.context),
    wire.PlayerSubstituted: _substitute,
    wire.SubstitutionUndone: lambda turn, event: undo_substitution(
        turn.tournament.pk, event.player, reason=event.reason, context=turn.context
    ),
    wire.RoundSeated: _seat,
    wire.SeatingWithdrawn: lambda turn, event: withdraw_seating(
        turn.tournament.pk, event.round, reason=event.reason, context=turn.context
    ),
    wire.SeatsChanged: lambda turn, event: change_seats(
        turn.tournament.pk, event, context=turn.context, drops_recorded=turn.anyway
    ),
    wire.PlayersMoved: lambda turn, event: move_players(turn.tournament.pk, event, context=turn.context),
    wire.MoveUndone: lambda turn, event: undo_move(
        turn.tournament.pk, event.version, reason=event.reason, context=turn.context
    ),
    wire.CutMade: lambda turn, event: make_cut(turn.tournament.pk, context=turn.context, given=event),
    wire.CutWithdrawn: lambda turn, event: withdraw_cut(
        turn.tournament.pk, event.stage, reason=event.reason, context=turn.context
    ),
    wire.TieSettled: lambda turn, event: settle_tie(turn.tournament.pk, event, context=turn.context),
    wire.ClockStarted: _on_the_clock,
    wire.ClockPaused: _on_the_clock,
    wire.LastDealCalled: _on_the_clock,
}


def _problems(tournament: Tournament, state: TournamentState, given: GivenEvent) -> Iterator[Problem]:
    """Players who are not in the club, or are in two of its rows; and money in the till of another user."""
    event = given.event
    new = {
        field: player
        for kind, field in ((wire.PlayerEntered, "player"), (wire.PlayerSubstituted, "by"))
        if isinstance(event, kind) and (player := getattr(event, field)) not in state.entrants
    }
    for field, player in new.items():
        key = uuid_of(player)
        if (
            key is None
            or str(key) != player
            or not Player.objects.present().filter(club=tournament.club_id, pk=key).exists()
        ):
            detail = say("there is no such player in the club; add the player first")
            yield Problem("unknown_player", detail, seat=player, field=field)
    place = getattr(event, "place", "")
    own = TILL + given.actor.name
    if place.startswith(TILL) and place != own and not may(given.actor, Permission.DIRECT, tournament.club_id):
        detail = say("this is another cashier's till: ask a director, or use your own")
        yield Problem("not_your_till", detail, field="place")
    if isinstance(event, wire.PlayerLeft) and not state.is_started and event.player in state.entrants:
        detail = say("nobody is seated yet: withdraw the entry of {seat} instead", seat=Seat(event.player))
        yield of_player(event.player, "not_started", detail, field="player")


def _kept_apart(tournament: Tournament, state: TournamentState, event: wire.RoundSeated) -> list[Problem]:
    """What the restrictions of the round's draft forbid whatever the reason, as for a draft that is published."""
    draft = SeatingDraft.objects.filter(tournament=tournament, round=event.round).first()
    if draft is None or event.round != state.next_round:
        return []
    field = [UUID(player) for player in state.field()]
    rows = Player.objects.filter(club_id=tournament.club_id, id__in=field).values_list("id", "name")
    names = {str(player): name for player, name in rows}
    seated = round_of(dict(event.tables), sits_out=event.sitting_out)
    constraints = load_draft(draft.plan).wishes.among({key: names[key] for key in state.field() if key in names})
    return list(check(seated, constraints, history_of(state)).blocking)
