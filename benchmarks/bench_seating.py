"""How few meetings a night repeats, and how long its draw takes: processor time on one core.

python -m benchmarks.bench_seating [--json]
"""

import time
from collections.abc import Callable, Sequence

from benchmarks.figures import sized, tell
from tournaments.draw import Player, SeatedRound, SeatingConstraints, Sizes, meetings
from tournaments.draw.drawing import draw, draw_rounds

ROUNDS = 7
SEED = "K7QF-2M9X"
FIELDS_OF_FOUR = sized((12, 16, 20, 24, 28, 32, 36, 40, 100, 200, 500, 1_000, 5_000), smallest=(16,))
MIXED_FIELDS = sized(((17, 4), (23, 5), (35, 6)), smallest=((17, 4),))


def figures() -> dict[str, float]:
    """Repeated meetings of seven rounds and seconds for the whole night, by field; then one round of 200 by itself."""
    found: dict[str, float] = {}
    for players in FIELDS_OF_FOUR:
        found |= _night(f"of_four_{players}", _room(players, preferred=4))
    for players, preferred in MIXED_FIELDS:
        found |= _night(f"mixed_{players}_by_{preferred}", _room(players, preferred=preferred))
    return found | _last_round_of_200()


def _night(name: str, room: SeatingConstraints) -> dict[str, float]:
    night, spent = _timed(lambda: draw_rounds(room, seed=SEED, rounds=ROUNDS))
    return {f"{name}_repeated": repeated_meetings(night), f"{name}_seconds": spent}


def _last_round_of_200() -> dict[str, float]:
    """The dearest case: six rounds are played, and the seventh cannot be taken from the plan of the night."""
    room = _room(sized(200, smallest=20), preferred=4)
    played = draw_rounds(room, seed=SEED, rounds=ROUNDS - 1)
    last, spent = _timed(lambda: (draw(room, seed="another", history=played),))
    return {"last_round_of_200_repeated": repeated_meetings([*played, *last]), "last_round_of_200_seconds": spent}


def _room(players: int, *, preferred: int) -> SeatingConstraints:
    everybody = tuple(Player(key=f"P{number}") for number in range(1, players + 1))
    return SeatingConstraints(players=everybody, sizes=Sizes(allowed=(3, 4, 5, 6), preferred=preferred))


def repeated_meetings(night: Sequence[SeatedRound]) -> int:
    """The sum over all pairs of the meetings after the first."""
    return sum(times - 1 for times in meetings(night).values())


def _timed(work: Callable[[], tuple[SeatedRound, ...]]) -> tuple[tuple[SeatedRound, ...], float]:
    start = time.process_time()
    answer = work()
    return answer, time.process_time() - start


def main() -> None:
    """Print the figures."""
    tell(__doc__, figures)


if __name__ == "__main__":
    main()
