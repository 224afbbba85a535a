"""What must be done to the books so that they say what they should: keep, reverse, post anew.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. Nothing posted is ever changed: a wrong entry is
answered by its mirror image and a right one. Knows nothing of versions or databases.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.settlement.entries import PlannedEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Slots that stand as they are, slots to reverse, and entries to post (after the reversals)."""

    unchanged: tuple[str, ...]
    reverse: tuple[str, ...]
    post: tuple[PlannedEntry, ...]


def difference(posted: Sequence[PlannedEntry], wanted: Sequence[PlannedEntry]) -> Difference:
    """Compare what stands with what should. A slot that is no longer wanted is reversed.

    Only money counts: an entry whose explanation alone is worded otherwise stays.
    """
    standing = {entry.slot: entry for entry in posted}
    right = tuple(entry.slot for entry in wanted if _stands_already(entry, standing))
    return Difference(
        unchanged=right,
        reverse=tuple(entry.slot for entry in posted if entry.slot not in right),
        post=tuple(entry for entry in wanted if entry.slot not in right),
    )


def _stands_already(entry: PlannedEntry, standing: dict[str, PlannedEntry]) -> bool:
    found = standing.get(entry.slot)
    return found is not None and found.moves_the_same_money_as(entry)
