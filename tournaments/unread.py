"""What a proof says of a stream that holds a fact which cannot be read, and of one that it cannot follow.

Rules: docs/decisions/0026-facts-that-read-back.md. Such a stream is named with its club and position, not judged, and
the next one is looked at.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from scoring.rules.stored_facts import UNREADABLE
from tournaments import log


def not_judged(what: str, stored: Sequence[log.StoredEvent], versions: Collection[int]) -> list[str]:
    """One line for each fact of a stream that cannot be read and that nobody has left out."""
    return [
        f"{what} of club {event.club_id}: position {event.position} cannot be read (fact {event.version}, "
        f"{event.kind}), so it is not judged"
        for event in stored
        if event.version in versions
    ]


def as_far_as_it_goes(what: str, judge: Callable[[], Iterable[str]]) -> Iterator[str]:
    """What a proof says of one stream, and where what stands there cannot be followed, that it cannot be judged."""
    try:
        yield from judge()
    except UNREADABLE as error:
        yield f"{what} cannot be judged ({type(error).__name__}: {error})"
