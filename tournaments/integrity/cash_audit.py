"""Is the journal what the cash books say it should be? Every line booked once, and nothing without a line.

Rules: docs/books.md, "The cash desk". Whether entries balance is `scoring.ledger`'s to check.
"""

from collections.abc import Iterator, MutableMapping
from uuid import UUID

from scoring.ledger.sums import Cause, Sums, planned_sums
from tournaments import log
from tournaments.cash.state import book_from_log, cause_of, entries_of
from tournaments.log.evidence.unread import not_judged
from tournaments.models import Stream, StreamKind

BATCH = 50


def cash_faults(
    club: UUID | None, posted: MutableMapping[Cause, Sums], versions: MutableMapping[Cause, int]
) -> Iterator[tuple[str, Sums, Sums] | str]:
    """Causes whose entries stand otherwise than the books say: the cause, what should stand and what does.

    Of a book with a line that cannot be read only that is told, and none of its causes is judged.

    What was looked at is taken out of `posted` and `versions`: what is left there has no cause in the cash books.
    """
    streams = Stream.objects.filter(kind=StreamKind.CASH)
    if club is not None:
        streams = streams.filter(club_id=club)
    ids = list(streams.order_by("id").values_list("id", "club_id"))
    for start in range(0, len(ids), BATCH):
        batch = dict(ids[start : start + BATCH])
        for book_id, stored in log.read_many(list(batch)).items():
            unread = book_from_log(stored).unreadable
            if unread:
                for event in stored:
                    cause = Cause(batch[book_id], cause_of(book_id, event.version))
                    versions.pop(cause, 0)
                    posted.pop(cause, {})
                yield from not_judged(f"cash book {book_id}", stored, unread)
                continue
            for line, entries in entries_of(stored).items():
                cause = Cause(batch[book_id], cause_of(book_id, line))
                versions.pop(cause, 0)
                wanted, stands = planned_sums(entries), posted.pop(cause, {})
                if wanted != stands:
                    yield cause.name, wanted, stands
