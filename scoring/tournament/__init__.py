"""The state of a tournament as it follows from its events: entries, seatings, cuts and the clock.

Rules: docs/how-to/evening.md and docs/rules/tournaments.md. Pure: knows no clock, no chance and no storage.
"""

from scoring.tournament.checks import problems_with
from scoring.tournament.plans import Plan, Stage, as_stored, plan_problems, read_plan
from scoring.tournament.state import Entrant, TournamentState, dump_tournament_state, load_tournament_state
from scoring.tournament.state.folding import fold_tournament

__all__ = [
    "Entrant",
    "Plan",
    "Stage",
    "TournamentState",
    "as_stored",
    "dump_tournament_state",
    "fold_tournament",
    "load_tournament_state",
    "plan_problems",
    "problems_with",
    "read_plan",
]
