"""The parts of a proof or a rebuild: rows whose ids lie together, clubs, and what there is once; and what came of them.

A part holds the facts of a few streams in memory, never all there are: docs/decisions/0066-proofs-in-parts.md.
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
# A stream that is longer is read alone.
MOST_FACTS = 2_000
Row = TypeVar("Row", bound=Model)


class Range(msgspec.Struct, frozen=True, kw_only=True):
    """The streams whose ids come behind `after`, up to `last`, the last of all for ever; and how many they are."""

    after: UUID | None
    last: UUID | None
    size: int


class Once(msgspec.Struct, frozen=True, kw_only=True):
    """Something that is judged at once, by its name."""

    what: str
    size: int = 1


class OfClub(msgspec.Struct, frozen=True, kw_only=True):
    """Something that each club has, by its name."""

    what: str
    club: UUID
    size: int = 1


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What came out of a part: how many facts were read, what is said, and which lines are of what cannot be read."""

    facts: int = 0
    lines: list[str] = []
    unread: list[int] = []
    # Of tables that are held against the books: how many there are, and how many wait for a worker.
    tables: int = 0
    waiting: int = 0

    @classmethod
    def of(cls, lines: Iterable[str], facts: int = 0, *, tables: int = 0, waiting: int = 0) -> "Found":
        """What a proof has said, line by line."""
        said = list(lines)
        unread = [number for number, line in enumerate(said) if isinstance(line, CannotBeRead)]
        lines = [str(line) for line in said]
        return cls(facts=facts, lines=lines, unread=unread, tables=tables, waiting=waiting)

    def said(self) -> list[str]:
        """The same lines again."""
        return [CannotBeRead(line) if number in self.unread else line for number, line in enumerate(self.lines)]


def ranges(kind: log.StreamKind) -> list[Range]:
    """All streams of a kind in the order of their ids, some together. Rows without a stream lie between them."""
    return list(_ranges(log.lengths(kind)))


def _ranges(lengths: Iterable[tuple[UUID, int]]) -> Iterator[Range]:
    after = previous = None
    size = facts = 0
    for stream, length in lengths:
        if size and (size >= MOST_STREAMS or facts + length > MOST_FACTS):
            yield Range(after=after, last=previous, size=size)
            after, size, facts = previous, 0, 0
        previous, size, facts = stream, size + 1, facts + length
    yield Range(after=after, last=None, size=size)


def inside(rows: QuerySet[Row], part: Range) -> QuerySet[Row]:
    """Those rows of a query whose keys lie in a range, in their order."""
    found = rows.order_by("pk")
    if part.after is not None:
        found = found.filter(pk__gt=part.after)
    return found if part.last is None else found.filter(pk__lte=part.last)


def all_clubs() -> list[UUID]:
    """Every club, in the order of their ids."""
    return list(Club.objects.order_by("id").values_list("id", flat=True))


def of_each(clubs: Iterable[UUID], *what: str) -> list[OfClub]:
    """A part for each club and each name."""
    return [OfClub(what=name, club=club) for club in clubs for name in what]
