"""A deed that stores one fact of an evening and changes tables as well: everything that comes before it does anything.

The order of steps is that of a deal: resend? stale? admitted? Knows nothing of tables.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from scoring.evening import Evening
from scoring.facts.wire import Fact
from tournaments.evenings.commands.record import admit
from tournaments.evenings.commands.stream import evening_of, refuse_stale, was_stored
from tournaments.log.context import Order
from tournaments.log.turns import tournament_turn
from tournaments.models import Tournament


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningTurn:
    """A tournament and its evening while nobody else writes; `is_replay` where the deed was done before."""

    tournament: Tournament
    evening: Evening
    is_replay: bool


@contextmanager
def evening_turn(
    tournament_id: UUID, fact: Fact, *, order: Order, expected: int | None = None
) -> Iterator[EveningTurn]:
    """A turn for a deed that stores `fact`, which is admitted. Raises FactRejected, StaleTable, KeyReused."""
    with tournament_turn(tournament_id) as tournament:
        evening = evening_of(tournament)
        is_replay = was_stored(tournament, fact, order)
        if not is_replay:
            refuse_stale(evening, expected)
            admit(tournament, evening, fact)
        yield EveningTurn(tournament=tournament, evening=evening, is_replay=is_replay)
