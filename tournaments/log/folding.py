"""From stored events to a table or an evening: decoding and folding, wherever the past or the proof is asked for.

What cannot be read is left where it stands, unread: docs/decisions/0026-facts-that-read-back.md.
"""

from collections.abc import Sequence

from scoring.evening import Evening, fold_evening
from scoring.facts.stored import fold_stored, read_stored
from scoring.rules.table.table import Table, fold
from scoring.rules.variants import table_from_stored
from tournaments import log


def table_from_log(stored: Sequence[log.StoredEvent]) -> Table:
    """A table folded from its stored events, the first of which opened it."""
    first, *rest = stored
    table = table_from_stored(read_stored(first.kind, first.schema, first.body))
    return fold_stored(
        fold, table, ((each.version, read_stored(each.kind, each.schema, each.body, table.rules)) for each in rest)
    )


def evening_from(stored: Sequence[log.StoredEvent]) -> Evening:
    """An evening folded from the stored events of its tournament."""
    told = ((each.version, read_stored(each.kind, each.schema, each.body)) for each in stored)
    return fold_stored(fold_evening, Evening(), told)
