"""Whether a plan can be played out: it is tried from check-in to the last prize, at one number of players or several.

Rules: docs/decisions/0050-a-plan-is-rehearsed.md. Pure: knows no database, no clock and no page.
"""

from tournaments.feasibility.report import expected_problems, numbers_of, report
from tournaments.feasibility.trial import Hall, Money, try_plan

__all__ = [
    "Hall",
    "Money",
    "expected_problems",
    "numbers_of",
    "report",
    "try_plan",
]
