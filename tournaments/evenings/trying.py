"""A plan with the game and the money of its tournament, tried before it is stored.

Rules: docs/decisions/0050-a-plan-is-rehearsed.md. Knows nothing of how a plan is stored.
"""

from dataclasses import dataclass

from scoring.evening import Evening, Plan
from scoring.evening.checks.playable import playable_problems
from scoring.problems import Problem
from tournaments.feasibility import Hall, Money
from tournaments.feasibility.report import expected_problems
from tournaments.models import Tournament
from tournaments.projections.terms import terms_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What whoever plans goes by: the version they saw (another plan must not have come since), and how many come.

    Without a number the plan is tried with all who have entered, once they are enough for a table.
    """

    version: int | None = None
    players: int | None = None


NOTHING_EXPECTED = Expected()


def stops(tournament: Tournament, evening: Evening, plan: Plan, players: int | None) -> list[Problem]:
    """What keeps a plan from being played with as many as are expected; nothing where its structure is wrong already.

    Once it has begun the numbers are what they are, and the structure alone is looked at.
    """
    if evening.is_started or playable_problems(plan, terms_of(tournament)):
        return []
    entered = len(evening.field())
    number = entered if players is None and entered >= plan.stages[0].smallest_table else players
    return [] if number is None else expected_problems(hall_of(tournament, plan), number)


def hall_of(tournament: Tournament, plan: Plan) -> Hall:
    """A plan with the games and the money of its tournament, to be tried."""
    money = Money(entry_minor=tournament.entry_minor, fee_bp=tournament.fee_bp)
    return Hall(plan=plan, terms=terms_of(tournament), money=money)
