"""How refusals in a tournament are worded: which player, and what the problem is.

Rules: docs/events.md, "Tournaments". A problem of one player carries the player as its seat.
"""

from collections import Counter
from collections.abc import Iterable

from scoring.messages import Message, Seat, say
from scoring.problems import Problem
from scoring.tournament.state import Entrant, Standing

# A second press of a button whose action is done: nothing to save, and no error.
ALREADY = "already_done"


def away(player: str, entrant: Entrant) -> Message:
    """Why a player who has entered does not play."""
    seat = Seat(player)
    match entrant.standing:
        case Standing.WITHDRAWN:
            return say("{seat} has withdrawn", seat=seat)
        case Standing.ABSENT:
            return say("{seat} was marked as a no-show", seat=seat)
        case Standing.LEFT:
            return say("{seat} has left", seat=seat)
        case Standing.SUBSTITUTED:
            return say("{seat} was replaced by a substitute", seat=seat)
        case Standing.STANDBY:
            return say("{seat} is on the standby list", seat=seat)
    return say("{seat} did not qualify in the last cut", seat=seat)


def is_away(player: str, entrant: Entrant) -> Problem:
    return of_player(player, "is_away", away(player, entrant))


def not_in_field(player: str, entrant: Entrant | None) -> Problem:
    why = away(player, entrant) if entrant else say("{seat} has not entered", seat=Seat(player))
    return of_player(player, "not_in_field", why, field="tables")


def twice(players: Iterable[str], *, field: str = "tables") -> list[Problem]:
    problems: list[Problem] = []
    for player, times in Counter(players).items():
        if times > 1:
            detail = say("{seat} is listed {number} times", seat=Seat(player), number=times)
            problems.append(of_player(player, "player_seated_twice", detail, field=field))
    return problems


def already(detail: Message) -> Problem:
    return Problem(ALREADY, detail, field="player")


def unknown(player: str) -> Problem:
    return of_player(player, "unknown_player", say("{seat} has not entered this tournament", seat=Seat(player)))


def of_player(player: str, code: str, detail: Message, *, field: str = "player") -> Problem:
    return Problem(code, detail, seat=player, field=field)
