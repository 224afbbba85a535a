"""What may be recorded in a tournament now: everything that speaks against a fact, all at once.

Rules: docs/events.md, "Tournaments". Knows nothing of what is played at the tables.
"""

from collections.abc import Callable
from typing import Any

from scoring.evening.checks import clock_checks, entries, prizes_checks, rounds
from scoring.evening.plans.plan import Plan, read_plan
from scoring.evening.state.charges import any_money_in
from scoring.evening.state.state import Evening
from scoring.facts import wire
from scoring.facts.wire import Fact
from scoring.problems import OptionsRejected, Problem


def problems_with(evening: Evening, fact: Fact) -> list[Problem]:
    """Everything that speaks against recording this fact now."""
    problems: list[Problem] = []
    if fact.kind in wire.NEEDS_REASON and not getattr(fact, "reason", "").strip():
        problems.append(Problem(code="missing_field", field="reason", detail="say why: this needs a reason"))
    if evening.is_closed and not (evening.is_cancelled and isinstance(fact, wire.EntryRefunded)):
        return [*problems, Problem(code="tournament_closed", detail="the tournament is closed: reopen it first")]
    check = _CHECKS.get(type(fact))
    return problems + (check(evening, fact) if check else [])


def unreadable_problem(version: int) -> Problem:
    """Nothing is paid out over a fact that nobody can read."""
    detail = f"fact {version} of the tournament cannot be read: the director leaves it out first"
    return Problem(code="unreadable_fact", detail=detail)


def _plan(evening: Evening, fact: wire.PlanMade) -> list[Problem]:
    """A plan that can be played; what has been played already stands."""
    try:
        plan = read_plan(fact.plan)
    except OptionsRejected as refused:
        return list(refused.problems)
    problems = _rehearsal_problems(evening, plan)
    if not evening.is_started or evening.plan is None:
        return problems
    if not fact.reason.strip():
        detail = "the tournament has begun: say why the plan changes"
        problems.append(Problem(code="missing_field", field="reason", detail=detail))
    played = len(evening.cuts)
    if plan.stages[:played] != evening.plan.stages[:played]:
        one = "the first stage is played, and stays as it was"
        detail = one if played == 1 else f"the first {played} stages are played, and stay as they were"
        problems.append(Problem(code="already_played", field="stages", detail=detail))
    return problems


def _rehearsal_problems(evening: Evening, plan: Plan) -> list[Problem]:
    """Once it has begun, or somebody has paid, an evening counts or does not: what was booked stays booked."""
    if evening.plan is None or plan.is_rehearsal == evening.plan.is_rehearsal:
        return []
    if evening.is_started:
        detail = "a rehearsal does not become an evening that counts, nor the other way round"
        return [Problem(code="already_played", field="is_rehearsal", detail=detail)]
    if any_money_in(evening):
        detail = "entries are marked as paid: give them back first, a rehearsal takes no money that counts"
        return [Problem(code="already_paid", field="is_rehearsal", detail=detail)]
    return []


_CHECKS: dict[type[Fact], Callable[[Evening, Any], list[Problem]]] = {
    wire.PlanMade: _plan,
    wire.PlayerEntered: entries.entered,
    wire.EntryWithdrawn: entries.withdrawn,
    wire.CheckedIn: entries.checked_in,
    wire.CheckInUndone: entries.unticked,
    wire.EntryPaid: entries.paid,
    wire.EntryRefunded: entries.refunded,
    wire.EntryTermsSet: prizes_checks.terms,
    wire.SidePotWon: prizes_checks.pot_won,
    wire.SidePotWinUndone: prizes_checks.pot_not_won,
    wire.MarkedAbsent: entries.absent,
    wire.PlayerLeft: entries.left,
    wire.PlayerReturned: entries.returned,
    wire.PlayerSubstituted: entries.substituted,
    wire.SubstitutionUndone: entries.unsubstituted,
    wire.ReentryUndone: entries.unreentered,
    wire.PlayerReentered: entries.reentered,
    wire.RoundSeated: rounds.seated,
    wire.SeatingWithdrawn: rounds.unseated,
    wire.PlayersMoved: rounds.moved,
    wire.MoveUndone: rounds.unmoved,
    wire.CutMade: rounds.cut,
    wire.CutWithdrawn: rounds.uncut,
    wire.TieSettled: rounds.tie,
    wire.ClockStarted: clock_checks.started,
    wire.ClockPaused: clock_checks.paused,
    wire.LastDealCalled: clock_checks.last_deal,
    wire.LastCallUndone: clock_checks.last_call_undone,
    wire.TimeAdded: clock_checks.time_added,
}
