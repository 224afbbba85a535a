"""A table as it stood after its first lines, by what is known of them today: corrections count where they stand.

Rules: docs/publishing.md, "The past". Knows nothing of clocks: which lines had been written is the caller's question.
"""

from collections.abc import Callable
from dataclasses import replace
from itertools import takewhile

from scoring.facts import wire
from scoring.rules.table.table import Status, Table
from scoring.rules.table.timeline import recounted, status_of


def as_known(table: Table, had_been_written: Callable[[int], bool]) -> Table:
    """The table after the lines whose first version passes. It ends at the first that does not: no hole in a sheet."""
    kept = tuple(takewhile(lambda entry: had_been_written(entry.version), table.timeline))
    if len(kept) == len(table.timeline):
        return table
    game, conflicts = recounted(table.rules, table.setup, kept)
    deals = {str(entry.fact.deal) for entry in kept if isinstance(entry.fact, wire.DealRecorded)}
    status = status_of(kept)
    return replace(
        table,
        timeline=kept,
        game=game,
        status=status,
        conflicts=() if status is Status.CANCELLED else conflicts,
        checks={deal: check for deal, check in table.checks.items() if deal in deals},
    )


def corrected_deals(table: Table) -> frozenset[int]:
    """The numbers of the deals on this sheet that were corrected or voided."""
    return frozenset(
        entry.fact.deal for entry in table.timeline if entry.corrected_at and isinstance(entry.fact, wire.DealRecorded)
    )
