"""Folding the events of a tournament, one after the other, into its state.

Rules: docs/events.md, "Tournaments". A stored event is never refused here: contradictions were refused when it was
recorded.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from scoring.evening.plans import Plan
from scoring.evening.state import Clock, Cut, Entrant, Evening, Standing, Tie, seatings
from scoring.events import wire
from scoring.events.reading import Unreadable
from scoring.events.table import EventLeftOut
from scoring.events.wire import Event

replace = msgspec.structs.replace
GONE = (Standing.WITHDRAWN, Standing.ABSENT, Standing.LEFT, Standing.SUBSTITUTED)
T = TypeVar("T")
# The log stores names in alphabetical order.
_ENCODER = msgspec.json.Encoder(order="deterministic")


def fold_evening(evening: Evening, events: Iterable[tuple[int, Event]]) -> Evening:
    """The tournament after some more events of its stream, each with its version."""
    for version, event in events:
        step = _STEPS.get(type(event))
        after = step(evening, event, version) if step else evening
        evening = replace(after, version=version)
    return evening


def _plan_made(evening: Evening, event: wire.PlanMade, version: int) -> Evening:
    return replace(evening, plan=msgspec.json.decode(_ENCODER.encode(event.plan), type=Plan))


def _entered(evening: Evening, event: wire.PlayerEntered, version: int) -> Evening:
    """A second entry after a withdrawal restores the first; from the standby list it becomes a full one."""
    standing = Standing.STANDBY if event.is_standby else Standing.ENTERED
    entrant = evening.entrants.get(event.player, Entrant(player=event.player))
    since = event.round or evening.next_round
    return _with(evening, replace(entrant, standing=standing, since_round=since, is_hidden=False))


def _withdrawn(evening: Evening, event: wire.EntryWithdrawn, version: int) -> Evening:
    """A substitute who never sat down gives the place back: the player who had it counts as left, and may return."""
    place = evening.entrants[event.player].plays_for
    if place is not None:
        evening = _change(evening, place, standing=Standing.LEFT, replaced_by=None, replaced_in=None)
    return _change(evening, event.player, standing=Standing.WITHDRAWN, is_checked_in=False, plays_for=None)


def _sets(**values: Any) -> Callable[[Evening, Any, int], Evening]:
    """A step that changes one field of an entrant."""

    def step(evening: Evening, event: Any, version: int) -> Evening:
        return _change(evening, event.player, **values)

    return step


def _paid(sign: int) -> Callable[[Evening, Any, int], Evening]:
    def step(evening: Evening, event: Any, version: int) -> Evening:
        entrant, amount = evening.entrants[event.player], sign * event.amount_minor
        return _with(
            evening,
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


def _terms(evening: Evening, event: wire.EntryTermsSet, version: int) -> Evening:
    return _change(evening, event.player, rate=event.rate, pots=event.pots)


def _pot_won(evening: Evening, event: wire.SidePotWon, version: int) -> Evening:
    return replace(evening, pots_won=evening.pots_won | {event.pot: event.players})


def _pot_not_won(evening: Evening, event: wire.SidePotWinUndone, version: int) -> Evening:
    won = {pot: players for pot, players in evening.pots_won.items() if pot != event.pot}
    return replace(evening, pots_won=won)


def _left(evening: Evening, event: wire.PlayerLeft, version: int) -> Evening:
    last = evening.last_round
    return _change(evening, event.player, standing=Standing.LEFT, left_after=last.round if last else 0)


def _returned(evening: Evening, event: wire.PlayerReturned, version: int) -> Evening:
    return _change(
        evening,
        event.player,
        standing=Standing.ENTERED,
        is_checked_in=True,
        left_after=None,
        since_round=evening.next_round,
        is_hidden=False,
    )


def _substituted(evening: Evening, event: wire.PlayerSubstituted, version: int) -> Evening:
    """The substitute takes the place from the next round on."""
    last = evening.last_round
    after = _change(
        evening,
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
        since_round=evening.next_round,
        was_standby=entrant.standing is Standing.STANDBY,
    )
    return _with(after, substitute)


def _unsubstituted(evening: Evening, event: wire.SubstitutionUndone, version: int) -> Evening:
    """The player has the place again, and the seat where the substitute was given one; a standby returns to standby."""
    by = evening.entrants[event.player].replaced_by
    if by is None:
        return evening
    standing = Standing.STANDBY if evening.entrants[by].was_standby else Standing.WITHDRAWN
    after = _change(evening, by, standing=standing, plays_for=None, was_standby=False)
    after = _change(after, event.player, standing=Standing.ENTERED, replaced_by=None, replaced_in=None, left_after=None)
    return replace(after, rounds=tuple(seatings.with_instead(seated, by, event.player) for seated in after.rounds))


def _reentered(evening: Evening, event: wire.PlayerReentered, version: int) -> Evening:
    entrant = evening.entrants[event.player]
    again = (*entrant.reentries, event.stage)
    return _change(evening, event.player, reentries=again, reentered_before=evening.next_round)


def _unreentered(evening: Evening, event: wire.ReentryUndone, version: int) -> Evening:
    reentries = tuple(stage for stage in evening.entrants[event.player].reentries if stage != event.stage)
    return _change(evening, event.player, reentries=reentries, reentered_before=None)


def _cut(evening: Evening, event: wire.CutMade, version: int) -> Evening:
    cut = Cut(
        stage=event.stage,
        version=version,
        advancing=event.advancing,
        carried=_in_order(event.carried),
        left=_in_order(event.left),
        gone={player: entrant.standing for player, entrant in evening.entrants.items() if entrant.standing in GONE},
    )
    return replace(evening, cuts=(*evening.cuts, cut))


def _uncut(evening: Evening, event: wire.CutWithdrawn, version: int) -> Evening:
    return replace(evening, cuts=tuple(cut for cut in evening.cuts if cut.stage < event.stage))


def _tie(evening: Evening, event: wire.TieSettled, version: int) -> Evening:
    """A later tie-break of the same players replaces an earlier one."""
    cards = _in_order(event.cards)
    tie = Tie(stage=event.stage, order=event.order, method=event.method, seed=event.seed, cards=cards)
    other_ties = tuple(
        other for other in evening.ties if (other.stage, set(other.order)) != (event.stage, set(event.order))
    )
    return replace(evening, ties=(*other_ties, tie))


def _clock_started(evening: Evening, event: wire.ClockStarted, version: int) -> Evening:
    clock = evening.clocks.get(str(event.round)) or Clock(round=event.round, seconds=event.seconds or 0)
    return _with_clock(evening, replace(clock, running_since=event.at, seconds=event.seconds or clock.seconds))


def _clock_paused(evening: Evening, event: wire.ClockPaused, version: int) -> Evening:
    clock = evening.clocks[str(event.round)]
    since = clock.running_since if clock.running_since is not None else event.at
    return _with_clock(evening, replace(clock, used=clock.used + max(0, event.at - since), running_since=None))


def _last_deal(evening: Evening, event: wire.LastDealCalled, version: int) -> Evening:
    clock = evening.clocks.get(str(event.round)) or Clock(round=event.round, seconds=0)
    return _with_clock(evening, replace(clock, last_deal_at=event.at))


def _last_call_undone(evening: Evening, event: wire.LastCallUndone, version: int) -> Evening:
    """A round that was not played against time has no clock again."""
    clock = evening.clocks[str(event.round)]
    if clock.seconds:
        return _with_clock(evening, replace(clock, last_deal_at=None))
    return replace(
        evening, clocks={name: other_clock for name, other_clock in evening.clocks.items() if name != str(event.round)}
    )


def _time_added(evening: Evening, event: wire.TimeAdded, version: int) -> Evening:
    clock = evening.clocks[str(event.round)]
    if event.table is None:
        return _with_clock(evening, replace(clock, seconds=clock.seconds + event.seconds))
    table = str(event.table)
    return _with_clock(evening, replace(clock, extra=clock.extra | {table: clock.extra.get(table, 0) + event.seconds}))


def _closed(*, is_closed: bool, is_cancelled: bool = False) -> Callable[[Evening, Any, int], Evening]:
    def step(evening: Evening, event: Any, version: int) -> Evening:
        return replace(evening, is_closed=is_closed, is_cancelled=is_cancelled)

    return step


def _unread(evening: Evening, event: Unreadable, version: int) -> Evening:
    return replace(evening, unreadable=(*evening.unreadable, version))


def _left_out(evening: Evening, event: EventLeftOut, version: int) -> Evening:
    unreadable = tuple(
        unreadable_version for unreadable_version in evening.unreadable if unreadable_version != event.version
    )
    return replace(evening, unreadable=unreadable, left_out=(*evening.left_out, event.version))


_STEPS: dict[type[Event], Callable[[Evening, Any, int], Evening]] = {
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


def _with_clock(evening: Evening, clock: Clock) -> Evening:
    return replace(evening, clocks=evening.clocks | {str(clock.round): clock})


def _with(evening: Evening, entrant: Entrant) -> Evening:
    return replace(evening, entrants=evening.entrants | {entrant.player: entrant})


def _change(evening: Evening, player: str, **values: Any) -> Evening:
    return _with(evening, replace(evening.entrants[player], **values))
