"""A table as it was: up to a version, or all that had been recorded by a moment."""

from datetime import datetime
from uuid import UUID

from scoring.rules.table import Table
from tournaments import log
from tournaments.folding import table_from_log


def table_at(table_id: UUID, at: int | datetime) -> Table | None:
    """The table folded from the prefix of its log; None where nothing had been recorded yet."""
    stored = log.as_of(table_id, at)
    return table_from_log(stored) if stored else None
