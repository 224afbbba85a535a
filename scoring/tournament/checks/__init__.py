"""What may be recorded in a tournament now: all problems with an event, all at once.

Rules: docs/events.md, "Tournaments". Knows nothing of what is played at the tables.
"""

from collections.abc import Callable
from typing import Any

from scoring.events import wire
from scoring.events.wire import Event
from scoring.messages import Seat, say
from scoring.problems import OptionsRejected, Problem
from scoring.tournament.checks import entries, rounds
from scoring.tournament.plans import Plan, read_plan
from scoring.tournament.plans.prizes import SidePot
from scoring.tournament.state import Clock, Entrant, RoundSeating, TournamentState
from scoring.tournament.state.fees import any_money_in, has_entry, has_joined
from scoring.tournament.state.refusals import ALREADY, already, of_player, twice, unknown

# Problems with starting, stopping or lengthening the time of a round.


def started(state: TournamentState, event: wire.ClockStarted) -> list[Problem]:
    problems = _seated_round(state, event.round)
    clock = state.clocks.get(str(event.round))
    if clock is not None and clock.running_since is not None:
        problems.append(
            Problem(ALREADY, say("the clock of round {round} is running", round=event.round), field="round")
        )
    if (clock is None or not clock.seconds) and event.seconds is None:
        problems.append(Problem("missing_field", say("enter how long the round lasts"), field="seconds"))
    return problems


def paused(state: TournamentState, event: wire.ClockPaused) -> list[Problem]:
    clock = state.clocks.get(str(event.round))
    if clock is not None and clock.running_since is not None:
        return []
    return [Problem(ALREADY, say("the clock of round {round} is not running", round=event.round), field="round")]


def last_deal(state: TournamentState, event: wire.LastDealCalled) -> list[Problem]:
    clock: Clock | None = state.clocks.get(str(event.round))
    if clock is not None and clock.last_deal_at is not None:
        return [Problem(ALREADY, say("the last deal of round {round} was called", round=event.round), field="round")]
    return _seated_round(state, event.round)


def last_call_undone(state: TournamentState, event: wire.LastCallUndone) -> list[Problem]:
    """Only in the round being played: a deal played after the call counts either way."""
    clock, last = state.clocks.get(str(event.round)), state.last_round
    if clock is None or clock.last_deal_at is None:
        return [
            Problem(ALREADY, say("the last deal of round {round} was not called", round=event.round), field="round")
        ]
    if last is None or last.round != event.round or last.stage != state.stage:
        return [Problem("wrong_round", say("round {round} is not being played", round=event.round), field="round")]
    return []


def time_added(state: TournamentState, event: wire.TimeAdded) -> list[Problem]:
    problems = _seated_round(state, event.round)
    if not problems and str(event.round) not in state.clocks:
        detail = say("round {round} is not played against time", round=event.round)
        problems.append(Problem("no_clock", detail, field="round"))
    seated: RoundSeating | None = state.round_of(event.round)
    if seated is not None and event.table is not None and event.table not in {t.number for t in seated.running}:
        detail = say("table {table} is not running in round {round}", table=event.table, round=event.round)
        problems.append(Problem("unknown_table", detail, field="table"))
    return problems


def _seated_round(state: TournamentState, number: int) -> list[Problem]:
    if state.round_of(number) is not None:
        return []
    return [Problem("wrong_round", say("round {round} was not seated", round=number), field="round")]


# Problems with events about money: what a player pays to enter, and who has won a side pot.


# From the highest fee to none: a plan's fee for members is below the full one.
RATES = ("full", "member", "free")


def lowers_fee(known: Entrant, event: wire.EntryTermsSet) -> bool:
    """Whether a player is to pay less than before for the same entry."""
    return RATES.index(event.rate) > RATES.index(known.rate)


def terms(state: TournamentState, known: Entrant, event: wire.EntryTermsSet) -> list[Problem]:
    if (known.rate, known.pots) == (event.rate, event.pots):
        return [already(say("{seat} already has this entry fee", seat=Seat(event.player)))]
    problems = []
    if known.plays_for is not None:
        detail = say("{seat} plays on the entry of another player, who pays for it", seat=Seat(event.player))
        problems.append(of_player(event.player, "not_a_choice", detail, field="player"))
    if event.rate == "member" and (state.plan is None or state.plan.member_minor is None):
        detail = say("the plan has no entry fee for members")
        problems.append(of_player(event.player, "not_a_choice", detail, field="rate"))
    if len(set(event.pots)) < len(event.pots):
        detail = say("{seat} joins a side pot twice", seat=Seat(event.player))
        problems.append(Problem("not_a_choice", detail, field="pots"))
    for name in dict.fromkeys(event.pots):
        pot = _pot_called(state, name)
        if pot is None:
            problems.append(_no_such_pot(state, name, "pots"))
        elif pot.joins == "everybody":
            detail = say("everybody plays for {pot}: nobody joins it", pot=name)
            problems.append(of_player(event.player, "not_a_choice", detail, field="pots"))
    if lowers_fee(known, event) and not event.reason.strip():
        problems.append(of_player(event.player, "missing_field", say("enter a reason"), field="reason"))
    return problems


def pot_won(state: TournamentState, event: wire.SidePotWon) -> list[Problem]:
    pot = _pot_called(state, event.pot)
    if pot is None:
        return [_no_such_pot(state, event.pot, "pot")]
    if event.pot in state.pots_won:
        return [Problem("already_won", say("{pot} is already won: undo that first", pot=event.pot), field="pot")]
    problems = twice(event.players, field="players")
    if not event.players:
        problems.append(Problem("missing_field", say("choose who has won {pot}", pot=event.pot), field="players"))
    for player in dict.fromkeys(event.players):
        problems += _winner_problems(state, pot, player)
    return problems


def pot_not_won(state: TournamentState, event: wire.SidePotWinUndone) -> list[Problem]:
    if event.pot in state.pots_won:
        return []
    return [Problem("not_won", say("nobody has won {pot}", pot=event.pot), field="pot")]


def _winner_problems(state: TournamentState, pot: SidePot, player: str) -> list[Problem]:
    """A substitute plays for the pots of the player who had the place first, and no others: only that entry pays in."""
    if player not in state.entrants:
        return [unknown(player)]
    places = [state.entrants[holder] for holder in state.before(player) if holder in state.entrants]
    if has_entry(places[0]) and has_joined(places[-1], pot):
        return []
    detail = say("{seat} does not play for {pot}", seat=Seat(player), pot=pot.name)
    return [Problem("not_a_choice", detail, field="players")]


def _pot_called(state: TournamentState, name: str) -> SidePot | None:
    pots = state.plan.side_pots if state.plan else ()
    return next((pot for pot in pots if pot.name == name), None)


def _no_such_pot(state: TournamentState, name: str, field: str) -> Problem:
    pots = state.plan.side_pots if state.plan else ()
    detail = say("the plan has no side pot {pot}", pot=repr(name))
    if pots:
        pot_names = tuple(pot.name for pot in pots)
        detail = say("the plan has no side pot {pot}; there are {list}", pot=repr(name), list=pot_names)
    return Problem("not_a_choice", detail, field=field)


def problems_with(state: TournamentState, event: Event) -> list[Problem]:
    """All problems with recording this event now."""
    problems: list[Problem] = []
    if event.kind in wire.NEEDS_REASON and not getattr(event, "reason", "").strip():
        problems.append(Problem("missing_field", say("enter a reason"), field="reason"))
    if state.is_closed and not (state.is_cancelled and isinstance(event, wire.EntryRefunded)):
        return [*problems, Problem("tournament_closed", say("the tournament is closed: reopen it first"))]
    if check := _CHECKS.get(type(event)):
        return problems + check(state, event)
    if check_of_entrant := _CHECKS_OF_ENTRANT.get(type(event)):
        player = getattr(event, "player", "")
        entrant = state.entrants.get(player)
        problems += [unknown(player)] if entrant is None else check_of_entrant(state, entrant, event)
    return problems


def unreadable_problem(version: int) -> Problem:
    """Nothing is paid out while an event cannot be read."""
    detail = say("record {number} of the tournament cannot be read: a director must leave it out first", number=version)
    return Problem("unreadable_fact", detail)


def _plan(state: TournamentState, event: wire.PlanMade) -> list[Problem]:
    """Problems with a plan: it must be playable, and must not change what has been played already."""
    try:
        plan = read_plan(event.plan)
    except OptionsRejected as refused:
        return list(refused.problems)
    problems = _rehearsal_problems(state, plan)
    if not state.is_started or state.plan is None:
        return problems
    if not event.reason.strip():
        detail = say("the tournament has begun: enter a reason for changing the plan")
        problems.append(Problem("missing_field", detail, field="reason"))
    played = len(state.cuts)
    if plan.stages[:played] != state.plan.stages[:played]:
        detail = say("the first stage is played, and cannot be changed")
        if played > 1:
            detail = say("the first {number} stages are played, and cannot be changed", number=played)
        problems.append(Problem("already_played", detail, field="stages"))
    return problems


def _rehearsal_problems(state: TournamentState, plan: Plan) -> list[Problem]:
    """Once a tournament has begun, or a player has paid, practice cannot be switched: posted money stays posted."""
    if state.plan is None or plan.is_rehearsal == state.plan.is_rehearsal:
        return []
    if state.is_started:
        detail = say("practice cannot become a real tournament, nor the other way round")
        return [Problem("already_played", detail, field="is_rehearsal")]
    if any_money_in(state):
        detail = say("entry fees are paid: refund them first, practice takes no real money")
        return [Problem("already_paid", detail, field="is_rehearsal")]
    return []


_CHECKS: dict[type[Event], Callable[[TournamentState, Any], list[Problem]]] = {
    wire.PlanMade: _plan,
    wire.PlayerEntered: entries.entered,
    wire.SidePotWon: pot_won,
    wire.SidePotWinUndone: pot_not_won,
    wire.RoundSeated: rounds.seated,
    wire.SeatingWithdrawn: rounds.unseated,
    wire.SeatsChanged: rounds.seats_changed,
    wire.PlayersMoved: rounds.moved,
    wire.MoveUndone: rounds.unmoved,
    wire.CutMade: rounds.cut,
    wire.CutWithdrawn: rounds.uncut,
    wire.TieSettled: rounds.tie,
    wire.ClockStarted: started,
    wire.ClockPaused: paused,
    wire.LastDealCalled: last_deal,
    wire.LastCallUndone: last_call_undone,
    wire.TimeAdded: time_added,
}

# Of events about a player who must have entered.
_CHECKS_OF_ENTRANT: dict[type[Event], Callable[[TournamentState, Entrant, Any], list[Problem]]] = {
    wire.EntryWithdrawn: entries.withdrawn,
    wire.CheckedIn: entries.checked_in,
    wire.CheckInUndone: entries.unticked,
    wire.EntryPaid: lambda state, known, event: [],
    wire.EntryRefunded: entries.refunded,
    wire.EntryTermsSet: terms,
    wire.MarkedAbsent: entries.absent,
    wire.PlayerLeft: entries.left,
    wire.PlayerReturned: entries.returned,
    wire.PlayerHidden: entries.hidden,
    wire.PlayerShown: entries.shown,
    wire.PlayerSubstituted: entries.substituted,
    wire.SubstitutionUndone: entries.unsubstituted,
    wire.ReentryUndone: entries.unreentered,
    wire.PlayerReentered: entries.reentered,
}
