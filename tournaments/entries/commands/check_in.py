"""The actions of the check-in desk: each with its button, the events it stores, its confirmation, and its undo action.

Rules: docs/how-to/evening.md, "Entries and the desk". The events of an action follow from the tournament as it is, so
that a second tap, or a second desk, finds it already done. Knows nothing of pages.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from msgspec.structs import replace as replace_fields

from scoring.events import wire
from scoring.events.wire import Event
from scoring.messages import Seat, say, words
from scoring.problems import EventNotAllowed, Problem, refuse_if
from scoring.tournament import TournamentState, fold_tournament, problems_with
from scoring.tournament.state import Standing
from scoring.tournament.state.fees import due_minor
from scoring.tournament.state.refusals import unknown
from tournaments.entries.self_entry import places_of, question_of_places
from tournaments.log.context import CommandContext, digest_of, tournament_lock
from tournaments.models import PlayerNotice, Tournament
from tournaments.people.permissions import EVENT_PERMISSIONS, Permission
from tournaments.people.players import named
from tournaments.running.commands.record import (
    TournamentRecorded,
    record_all_in_tournament,
    reentry_problems,
    tournament_state,
    was_answered,
)
from tournaments.running.commands.settle import placed, refunds
from tournaments.seating import questions_of_joining

# Actions after which a player is to be seated, for the first time or again.
BRINGS_IN = frozenset({"check_in", "promote", "enter", "arrived", "returned", "reenter"})
# Of these, the actions after which one more plays than before.
JOINS = frozenset({"promote", "enter", "arrived"})
Events = Callable[[TournamentState, str, int], Sequence[Event]]


@dataclass(frozen=True, slots=True)
class DeskAct:
    """An action at the desk. `confirmation` follows the player's name in the message; `undo` is the opposite action.

    `reason` is given with a refund, which needs one, and may be given where a player is hidden from the public. With
    `amount_minor` that much is refunded instead of everything: undoing one payment leaves the others.
    """

    name: str
    kind: str
    button: str
    confirmation: str
    events: Events
    undo: str
    reason: str = ""
    amount_minor: int = 0

    @property
    def permission(self) -> Permission:
        """The permission that it needs."""
        return EVENT_PERMISSIONS[self.kind]


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskDone:
    """The state after an action, what it stored, and the action that undoes it; empty if it had been done before."""

    state: TournamentState
    is_replay: bool
    undo: str
    events: tuple[Event, ...] = ()

    @property
    def paid_minor(self) -> int:
        """What it took, in minor units: so much is refunded where it is undone."""
        return sum(event.amount_minor for event in self.events if isinstance(event, wire.EntryPaid))


def act_at_desk(
    tournament_id: UUID, act: DeskAct, player: str, *, context: CommandContext, asks: bool = False
) -> DeskDone:
    """Do it, unless it is done already. Raises EventNotAllowed with every problem, KeyReused.

    With `asks`, an action that brings in a suspended player or a possible duplicate, or one more player than there are
    places, is refused with a question.
    """
    with tournament_lock(tournament_id) as tournament:
        state = tournament_state(tournament)
        if player not in state.entrants:
            raise EventNotAllowed(named(tournament.club_id, [unknown(player)]))
        if was_answered(tournament, state, context):
            return DeskDone(state=state, is_replay=True, undo="")
        was_waiting = state.entrants[player].standing is Standing.STANDBY
        act_events = act.events(state, player, tournament.entry_minor)
        if act.amount_minor and any(isinstance(event, wire.EntryRefunded) for event in act_events):
            act_events = refunds(state.entrants[player], act.amount_minor)
        act_events = _with_reason(act_events, act.reason)
        if asks and act_events and not problems_with(state, act_events[0]):
            after = fold_tournament(state, [(state.version + 1, act_events[0])])
            refuse_if(named(tournament.club_id, questions_at_desk(tournament, after, act, player)), EventNotAllowed)
        events = placed(tournament, state, act_events, context=context)
        done = record_all_in_tournament(tournament_id, events, context=context)
        if act.name in ("withdraw", "left"):
            # It is answered. Waiting again once they are entered again, one press would withdraw who comes.
            said = PlayerNotice.objects.filter(tournament=tournament, player_id=player, dismissed_at=None)
            said.filter(kind=PlayerNotice.Kind.CANNOT_COME).update(dismissed_at=context.now, dismissed_by=context.actor)
    undo = "undo_withdrawal" if act.name == "withdraw" and was_waiting else act.undo
    if done.is_replay:
        return DeskDone(state=done.state, is_replay=True, undo="")
    return DeskDone(state=done.state, is_replay=False, undo=undo, events=tuple(events))


def questions_at_desk(tournament: Tournament, state: TournamentState, act: DeskAct, player: str) -> list[Problem]:
    """Questions about a player whom an action brought in, and about the places where one more plays by it."""
    questions = questions_of_joining(tournament, state, player) if act.name in BRINGS_IN else []
    playing = places_of(tournament, state).playing
    return [*questions, *(question_of_places(tournament, state, playing) if act.name in JOINS else [])]


def take_or_give(
    tournament_id: UUID, event: wire.EntryPaid | wire.EntryRefunded, *, seen_minor: int, context: CommandContext
) -> TournamentRecorded:
    """Record another amount than the fee, if `seen_minor` is still what was paid: two desks do not take it twice.

    A refund that names no place is given as a refund of everything is: what came from the balance goes back there.
    """
    with tournament_lock(tournament_id) as tournament:
        state = tournament_state(tournament)
        context = replace(context, asked=context.asked or digest_of(tournament_id, event))
        if was_answered(tournament, state, context):
            return TournamentRecorded(state=state, is_replay=True)
        entrant = state.entrants.get(event.player)
        if entrant is not None and entrant.paid_minor != seen_minor:
            detail = say("payments of {seat} changed: check, save again", seat=Seat(event.player))
            problem = Problem(code="paid_meanwhile", seat=event.player, field="amount", detail=detail)
            raise EventNotAllowed(named(tournament.club_id, [problem]))
        return record_payment(tournament_id, event, context=context)


def record_payment(
    tournament_id: UUID, event: wire.EntryPaid | wire.EntryRefunded, *, context: CommandContext
) -> TournamentRecorded:
    """Record a payment or refund. One that names no place is in the user's till; a refund of what came from the balance
    goes back there.
    """
    with tournament_lock(tournament_id) as tournament:
        state = tournament_state(tournament)
        entrant = state.entrants.get(event.player)
        payment_events: list[Event] = [event]
        is_whole = entrant is not None and event.amount_minor <= entrant.paid_minor
        if isinstance(event, wire.EntryRefunded) and not event.place and entrant and is_whole:
            payment_events = refunds(entrant, event.amount_minor, event.reason)
        events = placed(tournament, state, payment_events, context=context)
        return record_all_in_tournament(tournament_id, events, context=context)


def offered(tournament: Tournament, state: TournamentState, player: str) -> list[DeskAct]:
    """The actions that the rules allow for a player now."""
    acts = []
    for act in DESK_ACTS.values():
        events = _with_reason(act.events(state, player, tournament.entry_minor), "-")
        if events and not problems_with(state, events[0]) and not reentry_problems(tournament, state, events[0]):
            acts.append(act)
    return acts


def _with_reason(events: Sequence[Event], reason: str) -> list[Event]:
    takes_it = wire.EntryRefunded | wire.PlayerHidden
    return [replace_fields(event, reason=reason) if isinstance(event, takes_it) else event for event in events]


def _one(kind: type[Event]) -> Events:
    return lambda state, player, entry: [kind(player=player)]


def _if_standing(standing: Standing, kind: type[Event]) -> Events:
    return lambda state, player, entry: [kind(player=player)] if state.entrants[player].standing is standing else []


def _pays(state: TournamentState, player: str, entry: int) -> list[Event]:
    due = due_minor(state, state.entrants[player], entry)
    return [wire.EntryPaid(player=player, amount_minor=due)] if due else []


def _is_paid_back(state: TournamentState, player: str, entry: int) -> Sequence[Event]:
    entrant = state.entrants[player]
    return refunds(entrant, entrant.paid_minor)


def _waits(*, at_end: bool) -> Events:
    """Move a player to the standby list; a checked-in player stays checked in."""

    def events(state: TournamentState, player: str, entry: int) -> list[Event]:
        entrant = state.entrants[player]
        if not entrant.plays:
            return []
        ticked: list[Event] = [wire.CheckedIn(player=player)] if entrant.is_checked_in else []
        withdrawn = wire.EntryWithdrawn(player=player, reason="back on the standby list")
        return [withdrawn, wire.PlayerEntered(player=player, is_standby=True, at_end=at_end), *ticked]

    return events


def _stands_by(state: TournamentState, player: str, entry: int) -> list[Event]:
    is_gone = state.entrants[player].standing is Standing.WITHDRAWN
    return [wire.PlayerEntered(player=player, is_standby=True, at_end=True)] if is_gone else []


def _has_not_withdrawn(state: TournamentState, player: str, entry: int) -> list[Event]:
    """Of a player who withdrew from the standby list: they have their old place there."""
    entrant = state.entrants[player]
    is_back = entrant.standing is Standing.WITHDRAWN and entrant.was_standby
    return [wire.PlayerEntered(player=player, is_standby=True)] if is_back else []


def _leaves(state: TournamentState, player: str, entry: int) -> list[Event]:
    """Only after the first seating: before it an entry is withdrawn instead."""
    return [wire.PlayerLeft(player=player)] if state.is_started else []


def _is_hidden(state: TournamentState, player: str, entry: int) -> list[Event]:
    return [] if state.entrants[player].is_hidden else [wire.PlayerHidden(player=player)]


def _is_shown(state: TournamentState, player: str, entry: int) -> list[Event]:
    return [wire.PlayerShown(player=player)] if state.entrants[player].is_hidden else []


def _is_here_not_ticked(state: TournamentState, player: str, entry: int) -> list[Event]:
    """The no-show was marked by mistake: the player is expected as before."""
    if state.entrants[player].standing is not Standing.ABSENT:
        return []
    return [wire.PlayerReturned(player=player), wire.CheckInUndone(player=player)]


def _buys_back(state: TournamentState, player: str, entry: int) -> list[Event]:
    """Once in a stage, for a player who missed the last cut or is eliminated."""
    if state.stage in state.entrants[player].reentries:
        return []
    return [wire.PlayerReentered(player=player, stage=state.stage)]


def _has_not_bought_back(state: TournamentState, player: str, entry: int) -> list[Event]:
    if state.stage not in state.entrants[player].reentries:
        return []
    return [wire.ReentryUndone(player=player, stage=state.stage)]


# The label of its button, and the confirmation that follows the player's name.
_WORDS = {
    "check_in": (words("Check in"), words("is checked in")),
    "untick": (words("Undo check-in"), words("is not checked in")),
    "pay": (words("Take {amount} in cash"), words("has paid")),
    "give_back": (words("Refund all payments"), words("has not paid")),
    "promote": (words("Add from standby"), words("is in from the standby list")),
    "undo_promotion": (words("Undo move"), words("has the old place on the standby list again")),
    "wait": (words("Move to standby list"), words("is at the end of the standby list")),
    "absent": (words("Mark no-show"), words("is marked as a no-show")),
    "not_absent": (words("Undo no-show"), words("is expected again")),
    "arrived": (words("Mark arrived"), words("has come and is checked in")),
    "withdraw": (words("Withdraw entry"), words("has withdrawn")),
    "enter": (words("Enter again"), words("has entered again")),
    "undo_withdrawal": (words("Undo withdrawal"), words("has the old place on the standby list again")),
    "stand_by": (words("Add to standby list"), words("is at the end of the standby list")),
    "left": (words("Mark as left"), words("has left")),
    "returned": (words("Mark as returned"), words("plays again from the next round")),
    "hide": (words("Hide from public"), words("is hidden from the public")),
    "show": (words("Show to public"), words("is shown to the public again")),
    "reenter": (words("Re-entry"), words("has re-entered")),
    "take_reentry_back": (words("Undo re-entry"), words("has not re-entered")),
}
# Its name, the kind of its first event, what it stores, and the action that undoes it.
_ALL: tuple[tuple[str, str, Events, str], ...] = (
    ("check_in", "checked_in", _one(wire.CheckedIn), "untick"),
    ("untick", "check_in_undone", _one(wire.CheckInUndone), "check_in"),
    ("pay", "entry_paid", _pays, "give_back"),
    ("give_back", "entry_refunded", _is_paid_back, "pay"),
    ("promote", "player_entered", _if_standing(Standing.STANDBY, wire.PlayerEntered), "undo_promotion"),
    ("undo_promotion", "player_entered", _waits(at_end=False), "promote"),
    ("wait", "player_entered", _waits(at_end=True), "promote"),
    ("absent", "marked_absent", _one(wire.MarkedAbsent), "not_absent"),
    ("not_absent", "player_returned", _is_here_not_ticked, "absent"),
    ("arrived", "player_returned", _if_standing(Standing.ABSENT, wire.PlayerReturned), "absent"),
    ("withdraw", "entry_withdrawn", _one(wire.EntryWithdrawn), "enter"),
    ("enter", "player_entered", _if_standing(Standing.WITHDRAWN, wire.PlayerEntered), "withdraw"),
    ("undo_withdrawal", "player_entered", _has_not_withdrawn, "withdraw"),
    ("stand_by", "player_entered", _stands_by, "withdraw"),
    ("left", "player_left", _leaves, "returned"),
    ("returned", "player_returned", _if_standing(Standing.LEFT, wire.PlayerReturned), "left"),
    ("hide", "player_hidden", _is_hidden, "show"),
    ("show", "player_shown", _is_shown, "hide"),
    ("reenter", "player_reentered", _buys_back, "take_reentry_back"),
    ("take_reentry_back", "reentry_undone", _has_not_bought_back, "reenter"),
)
DESK_ACTS = {name: DeskAct(name, kind, *_WORDS[name], events, undo) for name, kind, events, undo in _ALL}
