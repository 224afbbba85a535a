"""How a refusal of the evening is worded: which player, and what about them.

Rules: docs/events.md, "Tournaments". A problem of one player carries the player as its seat, and `{seat}` in its text.
"""

from collections import Counter
from collections.abc import Iterable

from scoring.evening.state.state import Entrant, Standing
from scoring.messages import Message
from scoring.problems import Problem

# A second tap on a button that did its work: nothing to store, and nothing to complain about.
ALREADY = "already_done"
AWAY = {
    Standing.WITHDRAWN: "{seat} has withdrawn",
    Standing.ABSENT: "{seat} was marked absent",
    Standing.LEFT: "{seat} has left",
    Standing.SUBSTITUTED: "{seat} was replaced by a substitute",
    Standing.STANDBY: "{seat} is on the standby list",
}


def why_not(entrant: Entrant | None) -> str:
    if entrant is None:
        return "{seat} has not entered"
    return AWAY.get(entrant.standing, "{seat} did not come through the last cut")


def twice(players: Iterable[str], *, field: str = "tables") -> list[Problem]:
    return [
        of_player(player, "player_seated_twice", f"{{seat}} stands there {times} times", field=field)
        for player, times in Counter(players).items()
        if times > 1
    ]


def already(player: str, detail: str) -> Problem:
    return of_player(player, ALREADY, detail)


def unknown(player: str) -> Problem:
    return of_player(player, "unknown_player", "{seat} has not entered this tournament")


def of_player(player: str, code: str, detail: str | Message, *, field: str = "player") -> Problem:
    return Problem(code=code, seat=player, field=field, detail=detail)
