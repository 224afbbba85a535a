"""The state of a tournament as it follows from its events: entries, seatings, cuts and the clock.

Rules: docs/how-to/evening.md and docs/rules/tournaments.md. Pure: knows no clock, no chance and no storage.
"""

from scoring.evening.checks import problems_with
from scoring.evening.plans import Plan, Stage, as_stored, plan_problems, read_plan
from scoring.evening.state import Entrant, Evening, dump_evening, load_evening
from scoring.evening.state.folding import fold_evening

__all__ = [
    "Entrant",
    "Evening",
    "Plan",
    "Stage",
    "as_stored",
    "dump_evening",
    "fold_evening",
    "load_evening",
    "plan_problems",
    "problems_with",
    "read_plan",
]
