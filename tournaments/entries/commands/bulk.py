"""Bulk actions of the check-in desk: check players in, take entry fees, and mark the rest as no-shows.

Rules: docs/how-to/evening.md, "Many at once". Also the list of all bulk actions, including those at tables.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from uuid import UUID

from scoring.events import wire
from scoring.events.wire import Event
from scoring.messages import Message, say
from scoring.problems import Problem
from scoring.tournament import Entrant, problems_with
from scoring.tournament.state.fees import due_minor, unpaid_by_player
from tournaments import log
from tournaments.models import Player
from tournaments.models.public_names import telling_name
from tournaments.people.permissions import EVENT_PERMISSIONS
from tournaments.running.commands.bulk import (
    CLOSE_TABLES,
    CONFIRM_DEALS,
    UNDONE,
    BulkAction,
    Candidate,
    Scene,
    keyed,
    own_events,
)
from tournaments.running.commands.record import append_events
from tournaments.running.commands.settle import LockedBalances, entry_problems, placed
from tournaments.seating import questions_of_joining

NOT_HERE = say("not checked in")
NOBODY_HERE = say("nobody is checked in yet: check in the players first")


def entries_to_take(scene: Scene) -> list[Candidate]:
    """Players who have still to pay. If check-in is used, those not checked in are left out: they may not come.

    Who left or was replaced owes their fee too, but may be gone: it is taken only by choice.
    """
    state = scene.state
    due = unpaid_by_player(state, scene.tournament.entry_minor)
    candidates = []
    for candidate, entrant in _people(scene, [state.entrants[player] for player in due]):
        event = wire.EntryPaid(player=entrant.player, amount_minor=due[entrant.player])
        charged_candidate = replace(candidate, events=(event,), amount_minor=event.amount_minor)
        if not entrant.plays:
            gone = Problem("gone", Message(entrant.standing.word))
            charged_candidate = replace(charged_candidate, asked=(gone,), by_choice=True)
        is_absent = state.checks_in and entrant.plays and not entrant.is_checked_in
        absent = [Problem("not_here", NOT_HERE)] if is_absent else []
        candidates.append(charged_candidate.left_out([*absent, *problems_with(state, event)]))
    return candidates


def players_to_check_in(scene: Scene) -> list[Candidate]:
    """Players who are not checked in, each with the questions the desk would ask."""
    awaited = [entrant for entrant in _playing(scene) if not entrant.is_checked_in]
    questions_by_player = defaultdict(list)
    for problem in questions_of_joining(scene.tournament, scene.state, *(entrant.player for entrant in awaited)):
        questions_by_player[problem.seat].append(problem)
    candidates = []
    for candidate, entrant in _people(scene, awaited):
        event = wire.CheckedIn(player=entrant.player)
        asking = replace(candidate, events=(event,), asked=tuple(questions_by_player[entrant.player]))
        candidates.append(asking.left_out(problems_with(scene.state, event)))
    return candidates


def players_to_check_in_and_charge(scene: Scene) -> list[Candidate]:
    """The same players, each with the entry fee that is due."""
    fee, candidates = scene.tournament.entry_minor, []
    for candidate in players_to_check_in(scene):
        due = due_minor(scene.state, scene.state.entrants[candidate.key], fee)
        paid = (wire.EntryPaid(player=candidate.key, amount_minor=due),) if due and candidate.events else ()
        candidates.append(replace(candidate, events=(*candidate.events, *paid), amount_minor=due if paid else 0))
    return candidates


def players_to_mark(scene: Scene) -> list[Candidate]:
    """Players to mark as no-shows: not checked in and never seated; only once someone is checked in."""
    rest = [entrant for entrant in _playing(scene) if not entrant.is_checked_in]
    seated = {player for round_ in scene.state.rounds for table in round_.tables for player in table.players}
    checks = scene.state.checks_in
    candidates = []
    for candidate, entrant in _people(scene, rest):
        event = wire.MarkedAbsent(player=entrant.player)
        problems = [] if checks else [Problem("nobody_here", NOBODY_HERE)]
        problems += [Problem("was_seated", say("has had a seat"))] if entrant.player in seated else []
        candidates.append(replace(candidate, events=(event,)).left_out([*problems, *problems_with(scene.state, event)]))
    return candidates


def entries_to_refund(scene: Scene, stored_events: Sequence[log.StoredEvent]) -> list[Candidate]:
    """Refund the entry fees taken by an action."""
    events = own_events(scene.tournament, stored_events)
    paid = {event.player: event.amount_minor for event in events if isinstance(event, wire.EntryPaid)}
    back = {
        player: (wire.EntryRefunded(player=player, amount_minor=amount, reason=UNDONE),)
        for player, amount in paid.items()
    }
    return _undone(scene, back)


def players_to_uncheck(scene: Scene, stored_events: Sequence[log.StoredEvent]) -> list[Candidate]:
    """Undo the check-ins of an action, and refund the fees taken with them."""
    events = own_events(scene.tournament, stored_events)
    paid = {event.player: event.amount_minor for event in events if isinstance(event, wire.EntryPaid)}
    back: dict[str, tuple[Event, ...]] = {}
    for player in (event.player for event in events if isinstance(event, wire.CheckedIn)):
        undone = wire.CheckInUndone(player=player)
        refund = wire.EntryRefunded(player=player, amount_minor=paid.get(player, 0), reason=UNDONE)
        back[player] = (refund, undone) if player in paid else (undone,)
    return _undone(scene, back)


def players_to_expect(scene: Scene, events: Sequence[log.StoredEvent]) -> list[Candidate]:
    """Undo the no-shows of an action: the players are expected as before."""
    marked = [event.player for event in own_events(scene.tournament, events) if isinstance(event, wire.MarkedAbsent)]
    back = {player: (wire.PlayerReturned(player=player), wire.CheckInUndone(player=player)) for player in marked}
    return _undone(scene, back)


def store_entries(scene: Scene, candidates: Sequence[Candidate]) -> None:
    """Store all events in the tournament's stream; payments with the till that takes them."""
    events = [event_with_context for _, some in keyed(scene.context, candidates) for event_with_context in some]
    placed_events = placed(scene.tournament, scene.state, [event for event, _ in events], context=scene.context)
    with_contexts = [(event, context) for event, (_, context) in zip(placed_events, events, strict=True)]
    append_events(scene.tournament, with_contexts, state=scene.state)


def _playing(scene: Scene) -> list[Entrant]:
    return [entrant for entrant in scene.state.entrants.values() if entrant.plays]


def _people(scene: Scene, entrants: Sequence[Entrant]) -> list[tuple[Candidate, Entrant]]:
    """The players A to Z, with unique labels, in one query."""
    entrants_by_player = {entrant.player: entrant for entrant in entrants}
    rows = Player.objects.filter(
        club_id=scene.tournament.club_id, id__in=[UUID(player) for player in entrants_by_player]
    )
    players = list(rows.order_by("search_key", "id").values_list("id", "name"))
    times = Counter(name for _, name in players)
    names_by_player = {str(player): telling_name(name, player) if times[name] > 1 else name for player, name in players}
    return [
        (Candidate(key=player, called=name), entrants_by_player[player]) for player, name in names_by_player.items()
    ]


def _undone(scene: Scene, back: Mapping[str, tuple[Event, ...]]) -> list[Candidate]:
    """Events that undo others, per player: a problem with one player does not stop the others."""
    state = scene.state
    purses = LockedBalances(scene.tournament, [event for events in back.values() for event in events])
    candidates = []
    for candidate, entrant in _people(scene, [state.entrants[player] for player in back if player in state.entrants]):
        events = back[entrant.player]
        problems = problems_with(state, events[0]) or entry_problems(purses, state, state, events[0])
        candidates.append(replace(candidate, events=events).left_out(problems))
    return candidates


CHECK_IN = BulkAction(
    name="check_in",
    permission=EVENT_PERMISSIONS[wire.CheckedIn.kind],
    candidates=players_to_check_in_and_charge,
    back=players_to_uncheck,
    store=store_entries,
)
CHECK_IN_ALONE = replace(CHECK_IN, candidates=players_to_check_in)
TAKE_ENTRIES = BulkAction(
    name="take_entries",
    permission=EVENT_PERMISSIONS[wire.EntryPaid.kind],
    candidates=entries_to_take,
    back=entries_to_refund,
    store=store_entries,
)
MARK_ABSENT = BulkAction(
    name="mark_absent",
    permission=EVENT_PERMISSIONS[wire.MarkedAbsent.kind],
    candidates=players_to_mark,
    back=players_to_expect,
    store=store_entries,
)
BULK_ACTIONS: dict[str, BulkAction] = {
    action.name: action for action in (CLOSE_TABLES, CONFIRM_DEALS, CHECK_IN, TAKE_ENTRIES, MARK_ABSENT)
}
