"""A table's history: every fact with who, when, what and why, and what a correction replaced."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from scoring.facts import wire
from scoring.facts.stored import read_stored
from scoring.facts.wire import Fact
from scoring.rules.variants import VARIANTS
from tournaments import log
from tournaments.people.actors import actor_names


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine:
    """One stored fact. `replaced` is the sheet that a correction took the place of."""

    event: log.StoredEvent
    fact: Fact
    who: str
    recorded_at: datetime
    reason: str | None
    replaced: Fact | None


def history(table_id: UUID) -> tuple[HistoryLine, ...]:
    """The whole log of a table, oldest first, in two queries. What lies beside its opening is a name, and no reason."""
    stored = log.read(table_id)
    if not stored:
        return ()
    first = read_stored(stored[0].kind, stored[0].schema, stored[0].body)
    form = VARIANTS.get(first.variant) if isinstance(first, wire.TableOpened) else None
    names = actor_names({event.actor for event in stored})
    standing: dict[int, Fact] = {}
    lines = []
    for event in stored:
        fact = read_stored(event.kind, event.schema, event.body, form)
        lines.append(
            HistoryLine(
                event=event,
                fact=fact,
                who=names.get(event.actor, event.actor),
                recorded_at=event.recorded_at,
                reason=event.note if event.version > 1 else "",
                replaced=standing.get(fact.deal) if isinstance(fact, wire.DealCorrected | wire.DealVoided) else None,
            )
        )
        if isinstance(fact, wire.DealRecorded | wire.DealCorrected):
            standing[fact.deal] = fact
    return tuple(lines)
