"""From stored events to a table: decoding and folding, used wherever the past or the proof is asked for."""

from collections.abc import Sequence

from scoring.rules import events
from scoring.rules.problems import Defect
from scoring.rules.table import Table, fold
from scoring.rules.variants import table_from, variant
from tournaments import log


def table_from_log(stored: Sequence[log.StoredEvent]) -> Table:
    """A table folded from its stored events, the first of which opened it."""
    first, *rest = stored
    opened = events.decode(first.kind, first.schema, first.body)
    if not isinstance(opened, events.TableOpened):
        raise Defect(f"a table's log begins with its opening, not with {first.kind}")
    rules = variant(opened.variant)
    return fold(
        table_from(opened),
        ((event.version, events.decode(event.kind, event.schema, event.body, rules)) for event in rest),
    )
