"""Rooms full of players, and counts over a seated night."""

from collections import Counter
from collections.abc import Sequence

from tournaments.draw import Player, SeatedRound, SeatingConstraints, Sizes, meetings
from tournaments.draw.checking import Findings, check

CAST = ("Asha", "Bo", "Cy", "Dev")


def wishes_of(*names: str, sizes: Sizes | None = None, **firm) -> SeatingConstraints:
    """Seating constraints of players known by their names: `wishes_of("Asha", "Bo", apart=...)`."""
    return SeatingConstraints(
        players=tuple(Player(key=name) for name in names), sizes=sizes or tables_of(2, 3, 4), **firm
    )


def room_of(count: int, *, sizes: Sizes | None = None, **firm) -> SeatingConstraints:
    """A room of players P1, P2, ..."""
    return wishes_of(*(f"P{number}" for number in range(1, count + 1)), sizes=sizes or tables_of(2, 3, 4, 5, 6), **firm)


def tables_of(*allowed: int, preferred: int | None = None, **more) -> Sizes:
    """Sizes allowed; the preferred one is 4 where that is among them, else the largest."""
    liked = preferred or (4 if 4 in allowed else max(allowed))
    return Sizes(allowed=allowed, preferred=liked, **more)


def places(seated: SeatedRound) -> Counter[str]:
    """How many places each player has in a round, a sit-out counted as one."""
    return Counter([*(key for table in seated.tables for key in table.seats), *seated.sits_out])


def sizes_in(seated: SeatedRound) -> list[int]:
    return [len(table.seats) for table in seated.tables]


def dealt_first(night: Sequence[SeatedRound]) -> Counter[str]:
    return Counter(table.dealer for seated in night for table in seated.tables)


def seat_counts(night: Sequence[SeatedRound], seats: int) -> dict[str, list[int]]:
    """How often each player sat in seat 1, 2, ... up to `seats`."""
    counts: dict[str, list[int]] = {}
    for table in (table for seated in night for table in seated.tables):
        for seat, key in enumerate(table.seats[:seats]):
            counts.setdefault(key, [0] * seats)[seat] += 1
    return counts


def most_visits(night: Sequence[SeatedRound]) -> int:
    """The most times that a player sat at one table."""
    visits = Counter((key, table.number) for seated in night for table in seated.tables for key in table.seats)
    return max(visits.values())


def check_rounds(plan: Sequence[SeatedRound], wishes: SeatingConstraints) -> tuple[Findings, ...]:
    """The findings of each round of a prepared plan, each with the rounds before it as its past."""
    return tuple(check(one, wishes, tuple(plan[:number])) for number, one in enumerate(plan))


def repeated_meetings(rounds: Sequence[SeatedRound]) -> int:
    """The sum over all pairs of the meetings after the first."""
    return sum(times - 1 for times in meetings(rounds).values())
