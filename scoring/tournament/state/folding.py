"""Folding the events of a tournament, one after the other, into its state.

Rules: docs/events.md, "Tournaments". A stored event is never refused here: contradictions were refused when it was
recorded.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from scoring.events import wire
from scoring.events.reading import Unreadable
from scoring.events.table import EventLeftOut
from scoring.events.wire import Event
from scoring.tournament.plans import Plan
from scoring.tournament.state import Clock, Cut, Entrant, Standing, Tie, TournamentState, seatings

replace = msgspec.structs.replace
GONE = (Standing.WITHDRAWN, Standing.ABSENT, Standing.LEFT, Standing.SUBSTITUTED)
T = TypeVar("T")
# The log stores names in alphabetical order.
_ENCODER = msgspec.json.Encoder(order="deterministic")


def fold_tournament(state: TournamentState, events: Iterable[tuple[int, Event]]) -> TournamentState:
    """The tournament after some more events of its stream, each with its version."""
    for version, event in events:
        step = _STEPS.get(type(event))
        after = step(state, event, version) if step else state
        state = replace(after, version=version)
    return state


def _plan_made(state: TournamentState, event: wire.PlanMade, version: int) -> TournamentState:
    return replace(state, plan=msgspec.json.decode(_ENCODER.encode(event.plan), type=Plan))


def _entered(state: TournamentState, event: wire.PlayerEntered, version: int) -> TournamentState:
    """A second entry after a withdrawal restores the first; from the standby list it becomes a full one.

    The order of the entrants is that of the standby list.
    """
    standing = Standing.STANDBY if event.is_standby else Standing.ENTERED
    entrant = state.entrants.get(event.player, Entrant(player=event.player))
    if event.at_end:
        others = {player: other for player, other in state.entrants.items() if player != event.player}
        state = replace(state, entrants=others)
    since = event.round or state.next_round
    return _with(state, replace(entrant, standing=standing, since_round=since, is_hidden=False, was_standby=False))


def _withdrawn(state: TournamentState, event: wire.EntryWithdrawn, version: int) -> TournamentState:
    """A substitute who never sat down gives the place back: the player who had it counts as left, and may return."""
    entrant = state.entrants[event.player]
    if entrant.plays_for is not None:
        state = _change(state, entrant.plays_for, standing=Standing.LEFT, replaced_by=None, replaced_in=None)
    return _change(
        state,
        event.player,
        standing=Standing.WITHDRAWN,
        is_checked_in=False,
        plays_for=None,
        was_standby=entrant.standing is Standing.STANDBY,
    )


def _sets(**values: Any) -> Callable[[TournamentState, Any, int], TournamentState]:
    """A step that changes one field of an entrant."""

    def step(state: TournamentState, event: Any, version: int) -> TournamentState:
        return _change(state, event.player, **values)

    return step


def _paid(sign: int) -> Callable[[TournamentState, Any, int], TournamentState]:
    def step(state: TournamentState, event: Any, version: int) -> TournamentState:
        entrant, amount = state.entrants[event.player], sign * event.amount_minor
        return _with(
            state,
            replace(
                entrant, paid_minor=entrant.paid_minor + amount, paid_elsewhere=_paid_at(entrant, event.place, amount)
            ),
        )

    return step


def _paid_at(known: Entrant, place: str, amount_minor: int) -> dict[str, int]:
    """What was paid elsewhere than at the desk, places in order, without those where nothing is left."""
    if not place:
        return known.paid_elsewhere
    amounts = known.paid_elsewhere | {place: known.paid_elsewhere.get(place, 0) + amount_minor}
    return {where: paid for where, paid in _in_order(amounts).items() if paid}


def _terms(state: TournamentState, event: wire.EntryTermsSet, version: int) -> TournamentState:
    return _change(state, event.player, rate=event.rate, pots=event.pots)


def _pot_won(state: TournamentState, event: wire.SidePotWon, version: int) -> TournamentState:
    return replace(state, pots_won=state.pots_won | {event.pot: event.players})


def _pot_not_won(state: TournamentState, event: wire.SidePotWinUndone, version: int) -> TournamentState:
    won = {pot: players for pot, players in state.pots_won.items() if pot != event.pot}
    return replace(state, pots_won=won)


def _left(state: TournamentState, event: wire.PlayerLeft, version: int) -> TournamentState:
    last = state.last_round
    return _change(state, event.player, standing=Standing.LEFT, left_after=last.round if last else 0)


def _returned(state: TournamentState, event: wire.PlayerReturned, version: int) -> TournamentState:
    return _change(
        state,
        event.player,
        standing=Standing.ENTERED,
        is_checked_in=True,
        left_after=None,
        since_round=state.next_round,
        is_hidden=False,
    )


def _substituted(state: TournamentState, event: wire.PlayerSubstituted, version: int) -> TournamentState:
    """The substitute takes the place from the next round on."""
    last = state.last_round
    after = _change(
        state,
        event.player,
        standing=Standing.SUBSTITUTED,
        replaced_by=event.by,
        replaced_in=event.round,
        left_after=last.round if last else 0,
    )
    entrant = after.entrants.get(event.by, Entrant(player=event.by))
    substitute = replace(
        entrant,
        standing=Standing.ENTERED,
        is_checked_in=True,
        plays_for=event.player,
        since_round=state.next_round,
        was_standby=entrant.standing is Standing.STANDBY,
    )
    return _with(after, substitute)


def _unsubstituted(state: TournamentState, event: wire.SubstitutionUndone, version: int) -> TournamentState:
    """The player has the place again, and the seat where the substitute was given one; a standby returns to standby."""
    by = state.entrants[event.player].replaced_by
    if by is None:
        return state
    standing = Standing.STANDBY if state.entrants[by].was_standby else Standing.WITHDRAWN
    after = _change(state, by, standing=standing, plays_for=None, was_standby=False)
    after = _change(after, event.player, standing=Standing.ENTERED, replaced_by=None, replaced_in=None, left_after=None)
    return replace(after, rounds=tuple(seatings.with_instead(seated, by, event.player) for seated in after.rounds))


def _reentered(state: TournamentState, event: wire.PlayerReentered, version: int) -> TournamentState:
    entrant = state.entrants[event.player]
    again = (*entrant.reentries, event.stage)
    return _change(state, event.player, reentries=again, reentered_before=state.next_round)


def _unreentered(state: TournamentState, event: wire.ReentryUndone, version: int) -> TournamentState:
    reentries = tuple(stage for stage in state.entrants[event.player].reentries if stage != event.stage)
    return _change(state, event.player, reentries=reentries, reentered_before=None)


def _cut(state: TournamentState, event: wire.CutMade, version: int) -> TournamentState:
    cut = Cut(
        stage=event.stage,
        version=version,
        advancing=event.advancing,
        carried=_in_order(event.carried),
        left=_in_order(event.left),
        gone={player: entrant.standing for player, entrant in state.entrants.items() if entrant.standing in GONE},
    )
    return replace(state, cuts=(*state.cuts, cut))


def _uncut(state: TournamentState, event: wire.CutWithdrawn, version: int) -> TournamentState:
    return replace(state, cuts=tuple(cut for cut in state.cuts if cut.stage < event.stage))


def _tie(state: TournamentState, event: wire.TieSettled, version: int) -> TournamentState:
    """A later tie-break of the same players replaces an earlier one."""
    cards = _in_order(event.cards)
    tie = Tie(stage=event.stage, order=event.order, method=event.method, seed=event.seed, cards=cards)
    other_ties = tuple(
        other for other in state.ties if (other.stage, set(other.order)) != (event.stage, set(event.order))
    )
    return replace(state, ties=(*other_ties, tie))


def _clock_started(state: TournamentState, event: wire.ClockStarted, version: int) -> TournamentState:
    clock = state.clocks.get(str(event.round)) or Clock(round=event.round, seconds=event.seconds or 0)
    return _with_clock(state, replace(clock, running_since=event.at, seconds=event.seconds or clock.seconds))


def _clock_paused(state: TournamentState, event: wire.ClockPaused, version: int) -> TournamentState:
    clock = state.clocks[str(event.round)]
    since = clock.running_since if clock.running_since is not None else event.at
    return _with_clock(state, replace(clock, used=clock.used + max(0, event.at - since), running_since=None))


def _last_deal(state: TournamentState, event: wire.LastDealCalled, version: int) -> TournamentState:
    clock = state.clocks.get(str(event.round)) or Clock(round=event.round, seconds=0)
    return _with_clock(state, replace(clock, last_deal_at=event.at))


def _last_call_undone(state: TournamentState, event: wire.LastCallUndone, version: int) -> TournamentState:
    """A round that was not played against time has no clock again."""
    clock = state.clocks[str(event.round)]
    if clock.seconds:
        return _with_clock(state, replace(clock, last_deal_at=None))
    return replace(
        state, clocks={name: other_clock for name, other_clock in state.clocks.items() if name != str(event.round)}
    )


def _time_added(state: TournamentState, event: wire.TimeAdded, version: int) -> TournamentState:
    clock = state.clocks[str(event.round)]
    if event.table is None:
        return _with_clock(state, replace(clock, seconds=clock.seconds + event.seconds))
    table = str(event.table)
    return _with_clock(state, replace(clock, extra=clock.extra | {table: clock.extra.get(table, 0) + event.seconds}))


def _closed(*, is_closed: bool, is_cancelled: bool = False) -> Callable[[TournamentState, Any, int], TournamentState]:
    def step(state: TournamentState, event: Any, version: int) -> TournamentState:
        return replace(state, is_closed=is_closed, is_cancelled=is_cancelled)

    return step


def _unread(state: TournamentState, event: Unreadable, version: int) -> TournamentState:
    return replace(state, unreadable=(*state.unreadable, version))


def _left_out(state: TournamentState, event: EventLeftOut, version: int) -> TournamentState:
    unreadable = tuple(
        unreadable_version for unreadable_version in state.unreadable if unreadable_version != event.version
    )
    return replace(state, unreadable=unreadable, left_out=(*state.left_out, event.version))


_STEPS: dict[type[Event], Callable[[TournamentState, Any, int], TournamentState]] = {
    wire.PlanMade: _plan_made,
    wire.PlayerEntered: _entered,
    wire.EntryWithdrawn: _withdrawn,
    wire.CheckedIn: _sets(is_checked_in=True),
    wire.CheckInUndone: _sets(is_checked_in=False),
    wire.EntryPaid: _paid(1),
    wire.EntryRefunded: _paid(-1),
    wire.EntryTermsSet: _terms,
    wire.SidePotWon: _pot_won,
    wire.SidePotWinUndone: _pot_not_won,
    wire.MarkedAbsent: _sets(standing=Standing.ABSENT, is_checked_in=False),
    wire.PlayerLeft: _left,
    wire.PlayerReturned: _returned,
    wire.PlayerHidden: _sets(is_hidden=True),
    wire.PlayerShown: _sets(is_hidden=False),
    wire.PlayerSubstituted: _substituted,
    wire.SubstitutionUndone: _unsubstituted,
    wire.PlayerReentered: _reentered,
    wire.ReentryUndone: _unreentered,
    wire.RoundSeated: seatings.seated,
    wire.SeatingWithdrawn: seatings.unseated,
    wire.SeatsChanged: seatings.seats_changed,
    wire.PlayersMoved: seatings.moved,
    wire.MoveUndone: seatings.unmoved,
    wire.CutMade: _cut,
    wire.CutWithdrawn: _uncut,
    wire.TieSettled: _tie,
    wire.ClockStarted: _clock_started,
    wire.ClockPaused: _clock_paused,
    wire.LastDealCalled: _last_deal,
    wire.LastCallUndone: _last_call_undone,
    wire.TimeAdded: _time_added,
    wire.TournamentClosed: _closed(is_closed=True),
    wire.TournamentCancelled: _closed(is_closed=True, is_cancelled=True),
    wire.TournamentReopened: _closed(is_closed=False),
    Unreadable: _unread,
    EventLeftOut: _left_out,
}


def _in_order(values: Mapping[str, T]) -> dict[str, T]:
    """The names of an event in the order in which the log stores them: the state is the same when read again."""
    return dict(sorted(values.items()))


def _with_clock(state: TournamentState, clock: Clock) -> TournamentState:
    return replace(state, clocks=state.clocks | {str(clock.round): clock})


def _with(state: TournamentState, entrant: Entrant) -> TournamentState:
    return replace(state, entrants=state.entrants | {entrant.player: entrant})


def _change(state: TournamentState, player: str, **values: Any) -> TournamentState:
    return _with(state, replace(state.entrants[player], **values))
