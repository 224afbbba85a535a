"""What may be recorded in a tournament now: everything that speaks against a fact, all at once.

Rules: docs/events.md, "Tournaments". Knows nothing of what is played at the tables.
"""

from collections.abc import Callable
from typing import Any

from scoring.evening import clock_checks, entry_checks, prizes_checks, round_checks
from scoring.evening.charges import any_money_in
from scoring.evening.plan import Plan, read_plan
from scoring.evening.state import Evening
from scoring.rules import events
from scoring.rules.events import Fact
from scoring.rules.problems import OptionsRejected, Problem


def problems_with(evening: Evening, fact: Fact) -> list[Problem]:
    """Everything that speaks against recording this fact now."""
    problems: list[Problem] = []
    if fact.kind in events.NEEDS_REASON and not getattr(fact, "reason", "").strip():
        problems.append(Problem(code="missing_field", field="reason", detail="say why: this needs a reason"))
    if evening.is_closed and not (evening.is_cancelled and isinstance(fact, events.EntryRefunded)):
        return [*problems, Problem(code="tournament_closed", detail="the tournament is closed: reopen it first")]
    check = _CHECKS.get(type(fact))
    return problems + (check(evening, fact) if check else [])


def unreadable_problem(version: int) -> Problem:
    """Nothing is paid out over a fact that nobody can read."""
    detail = f"fact {version} of the tournament cannot be read: the director leaves it out first"
    return Problem(code="unreadable_fact", detail=detail)


def _plan(evening: Evening, fact: events.PlanMade) -> list[Problem]:
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
    events.PlanMade: _plan,
    events.PlayerEntered: entry_checks.entered,
    events.EntryWithdrawn: entry_checks.withdrawn,
    events.CheckedIn: entry_checks.checked_in,
    events.CheckInUndone: entry_checks.unticked,
    events.EntryPaid: entry_checks.paid,
    events.EntryRefunded: entry_checks.refunded,
    events.EntryTermsSet: prizes_checks.terms,
    events.SidePotWon: prizes_checks.pot_won,
    events.SidePotWinUndone: prizes_checks.pot_not_won,
    events.MarkedAbsent: entry_checks.absent,
    events.PlayerLeft: entry_checks.left,
    events.PlayerReturned: entry_checks.returned,
    events.PlayerSubstituted: entry_checks.substituted,
    events.SubstitutionUndone: entry_checks.unsubstituted,
    events.ReentryUndone: entry_checks.unreentered,
    events.PlayerReentered: entry_checks.reentered,
    events.RoundSeated: round_checks.seated,
    events.SeatingWithdrawn: round_checks.unseated,
    events.PlayersMoved: round_checks.moved,
    events.MoveUndone: round_checks.unmoved,
    events.CutMade: round_checks.cut,
    events.CutWithdrawn: round_checks.uncut,
    events.TieSettled: round_checks.tie,
    events.ClockStarted: clock_checks.started,
    events.ClockPaused: clock_checks.paused,
    events.LastDealCalled: clock_checks.last_deal,
    events.LastCallUndone: clock_checks.last_call_undone,
    events.TimeAdded: clock_checks.time_added,
}
