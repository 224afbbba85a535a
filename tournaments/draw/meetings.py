"""Who has met whom: the one way in which meetings, and repeated meetings, are counted.

Rules: docs/seating.md, section 4. Two players meet when they sit at one table in a round. A pair that meets k times
has met k-1 times too often. Knows nothing of seats or table numbers.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations

from tournaments.draw.plans import SeatedRound

Pair = frozenset[str]


def meetings(rounds: Iterable[SeatedRound]) -> Counter[Pair]:
    """How often each pair has met."""
    tables = (table for done in rounds for table in done.tables)
    return Counter(frozenset(pair) for table in tables for pair in combinations(table.seats, 2))


def repeated_meetings(rounds: Iterable[SeatedRound]) -> int:
    """The sum over all pairs of the meetings after the first."""
    return sum(times - 1 for times in meetings(rounds).values())
