"""The form of a new tournament, filled in."""

from typing import Any

from tournaments.models import Club

ADD = "/admin/tournaments/tournament/add/"
SIX = {"smallest_table": 4, "largest_table": 6, "preferred_table": 6}
PLAN: dict[str, Any] = {"stages": [{**SIX, "name": "Rounds", "advancing": 6}, {**SIX, "name": "Final"}]}
NAMES = [f"Player {number}" for number in range(1, 19)]


def answers(club: Club, **more: str) -> dict[str, str]:
    return {
        "do": "create",
        "club": str(club.pk),
        "preset": "pool_101",
        "shown": "pool_101",
        "names": "\n".join(NAMES),
        "ends": "rounds",
        "rounds": "2",
        "final": "on",
        "entry": "100",
        "is_published": "on",
        **more,
    }
