"""Books as earlier releases wrote them: an entry was reversed and posted whole at each change."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from unittest import mock

from scoring.money import Difference, PlannedEntry


@contextmanager
def rebooked_whole(*, in_one: bool = False) -> Iterator[None]:
    """What is settled meanwhile is booked as before; `in_one` as before that, payment and charge in one entry."""

    def difference(posted: Sequence[PlannedEntry], wanted: Sequence[PlannedEntry], **how: bool) -> Difference:
        planned = _in_one(wanted) if in_one else tuple(wanted)
        kept = [entry.slot for entry in planned if any(_is_same(entry, other) for other in posted)]
        return Difference(
            unchanged=tuple(kept),
            reverse=tuple(at for at, entry in enumerate(posted) if not any(_is_same(entry, e) for e in planned)),
            post=tuple(entry for entry in planned if entry.slot not in kept),
        )

    with mock.patch("scoring.ledger.settling.difference", difference):
        yield


def _in_one(wanted: Sequence[PlannedEntry]) -> tuple[PlannedEntry, ...]:
    postings = tuple(posting for entry in wanted for posting in entry.postings)
    return (replace(wanted[0], slot="entry", postings=postings),) if wanted else ()


def _is_same(entry: PlannedEntry, other: PlannedEntry) -> bool:
    return entry.slot == other.slot and entry.moves_the_same_money_as(other)
