"""The parts of a proof or a rebuild (ranges of ids, clubs, and single checks), and their results.

A part has the events of a few streams in memory, never all of them: docs/decisions/0066-proofs-in-parts.md.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar
from uuid import UUID

import msgspec
from django.db.models import Model, QuerySet

from tournaments import log
from tournaments.log.auditing import CannotBeRead
from tournaments.models import Club

MOST_STREAMS = 100
# A longer stream is read alone.
MOST_EVENTS = 2_000
Row = TypeVar("Row", bound=Model)


class Range(msgspec.Struct, frozen=True, kw_only=True):
    """The streams with ids greater than `after`, up to `last`; None is no limit. `size` is their number.

    Those of one `club`, if one is given.
    """

    after: UUID | None
    last: UUID | None
    size: int
    club: UUID | None = None


class Once(msgspec.Struct, frozen=True, kw_only=True):
    """A check that is done once, by its name."""

    what: str
    size: int = 1


class OfClub(msgspec.Struct, frozen=True, kw_only=True):
    """A check that is done for each club, by its name."""

    what: str
    club: UUID
    size: int = 1


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a part: the number of events read, the lines of output, and which of them are `CannotBeRead`."""

    events: int = 0
    lines: list[str] = []
    unread: list[int] = []
    # Of tables that are compared with the books: their number, and how many wait for a worker.
    tables: int = 0
    waiting: int = 0

    @classmethod
    def of(cls, lines: Iterable[str], events: int = 0, *, tables: int = 0, waiting: int = 0) -> "Found":
        """The result with the output of a proof, line by line."""
        typed_lines = list(lines)
        unread = [number for number, line in enumerate(typed_lines) if isinstance(line, CannotBeRead)]
        lines = [str(line) for line in typed_lines]
        return cls(events=events, lines=lines, unread=unread, tables=tables, waiting=waiting)

    def typed_lines(self) -> list[str]:
        """The lines with their types restored."""
        return [CannotBeRead(line) if number in self.unread else line for number, line in enumerate(self.lines)]


def ranges(kind: log.StreamKind, club: UUID | None = None) -> list[Range]:
    """All streams of a kind, of one club or of all, in the order of their ids, in ranges.

    Rows without a stream fall into a range as well.
    """
    return list(_ranges(log.lengths(kind, club), club))


def _ranges(lengths: Iterable[tuple[UUID, int]], club: UUID | None) -> Iterator[Range]:
    after = previous = None
    size = events = 0
    for stream, length in lengths:
        if size and (size >= MOST_STREAMS or events + length > MOST_EVENTS):
            yield Range(after=after, last=previous, size=size, club=club)
            after, size, events = previous, 0, 0
        previous, size, events = stream, size + 1, events + length
    yield Range(after=after, last=None, size=size, club=club)


def inside(rows: QuerySet[Row], part: Range) -> QuerySet[Row]:
    """The rows of a query with keys in a range, in order."""
    ordered_rows = rows.order_by("pk") if part.club is None else rows.filter(club=part.club).order_by("pk")
    if part.after is not None:
        ordered_rows = ordered_rows.filter(pk__gt=part.after)
    return ordered_rows if part.last is None else ordered_rows.filter(pk__lte=part.last)


def all_clubs() -> list[UUID]:
    """Every club, in the order of their ids."""
    return list(Club.objects.order_by("id").values_list("id", flat=True))


def of_each(clubs: Iterable[UUID], *what: str) -> list[OfClub]:
    """A part for each club and each name."""
    return [OfClub(what=name, club=club) for club in clubs for name in what]
