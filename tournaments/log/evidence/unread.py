"""What a proof says of a stream that holds a fact which cannot be read, and of one that it cannot follow.

Rules: docs/decisions/0026-facts-that-read-back.md. Such a stream is named with its club and position, not judged, and
the next one is looked at. A line on such a fact is a type of its own, so that whoever acts on a proof can tell it from
a line on something that was changed.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from scoring.facts.stored import UNREADABLE
from tournaments import log


class CannotBeRead(str):
    """A line of a proof on a fact that is as it was written and cannot be read. Every other line is a fault."""

    __slots__ = ()


def are_faults(lines: Iterable[str]) -> bool:
    """Whether a proof has found anything else than facts that cannot be read."""
    return not all(isinstance(line, CannotBeRead) for line in lines)


def not_judged(what: str, stored: Sequence[log.StoredEvent], versions: Collection[int]) -> list[str]:
    """One line for each fact of a stream that cannot be read and that nobody has left out."""
    return [
        CannotBeRead(
            f"{what} of club {event.club_id}: position {event.position} cannot be read (fact {event.version}, "
            f"{event.kind}), so it is not judged"
        )
        for event in stored
        if event.version in versions
    ]


def as_far_as_it_goes(what: str, judge: Callable[[], Iterable[str]]) -> Iterator[str]:
    """What a proof says of one stream, and where what stands there cannot be followed, that it cannot be judged."""
    try:
        yield from judge()
    except UNREADABLE as error:
        yield f"{what} cannot be judged ({type(error).__name__}: {error})"
