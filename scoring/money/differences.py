"""What must be done to the books so that they say what they should: keep, reverse, post anew.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. Nothing posted is ever changed: a wrong entry is
answered by its mirror image and a right one. Knows nothing of versions or databases.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.money.entries import PlannedEntry, parts_today


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """Slots that stand as they are, slots to reverse, and entries to post (after the reversals)."""

    unchanged: tuple[str, ...]
    reverse: tuple[str, ...]
    post: tuple[PlannedEntry, ...]


def difference(posted: Sequence[PlannedEntry], wanted: Sequence[PlannedEntry]) -> Difference:
    """Compare what stands with what should. A slot that is no longer wanted is reversed.

    Only money counts: an entry whose explanation alone is worded otherwise stays. So does one that an earlier release
    posted for several slots of today, as long as each of them is wanted as it stands.
    """
    wished = {entry.slot: entry for entry in wanted}
    kept = [entry for entry in posted if all(_is_wanted(part, wished) for part in parts_today(entry))]
    right = {part.slot for entry in kept for part in parts_today(entry)}
    return Difference(
        unchanged=tuple(entry.slot for entry in wanted if entry.slot in right),
        reverse=tuple(entry.slot for entry in posted if entry not in kept),
        post=tuple(entry for entry in wanted if entry.slot not in right),
    )


def _is_wanted(part: PlannedEntry, wished: Mapping[str, PlannedEntry]) -> bool:
    found = wished.get(part.slot)
    return found is not None and found.moves_the_same_money_as(part)
