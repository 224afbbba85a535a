"""An evening whose stages play different games: pool to qualify, points, a deals final, and gin after that."""

from typing import Any

from tests.builders.playing import NOW, new_club
from tournaments.models import Club
from tournaments.rehearsal.simulation import SimulatedTournament, SimulationDraft, simulate_tournament


def tables_of(least: int, usual: int, most: int) -> dict[str, int]:
    return {"smallest_table": least, "preferred_table": usual, "largest_table": most}


PLAN: dict[str, Any] = {
    "stages": [
        {"name": "Heats", **tables_of(3, 4, 6), "rounds": 2, "compares": "rank_points", "advancing": 8},
        {"name": "Cash", **tables_of(4, 4, 4), "preset": "points", "point_value_minor": 250, "advancing": 4},
        {"name": "Final", **tables_of(4, 4, 4), "preset": "deals_best_of_2", "advancing": 2},
        {"name": "Last two", **tables_of(2, 2, 2), "preset": "gin"},
    ],
    "prizes_bp": [7_000, 3_000],
}
PLAN["stages"][1]["length"] = "minutes"


def played(club: Club, seed: str = "7") -> SimulatedTournament:
    return simulate_tournament(
        club, SimulationDraft(players=14, preset="pool_101", seed=seed, is_real=True, plan=PLAN), now=NOW
    )


def played_and_published() -> SimulatedTournament:
    """The same in a new club that publishes."""
    return played(new_club(is_published=True))
