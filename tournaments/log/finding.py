"""Finds facts without reading what they say: which there are, where the first and last stand, and when.

Whoever wants to know what a fact says reads it (`reading`). Nobody outside the log asks its rows.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple, TypedDict, Unpack
from uuid import UUID

from django.db.models import Exists, Max, Min, OuterRef, QuerySet, Subquery, UUIDField

from tournaments.models.log import ClubHead, Event, EventNote, Stream, StreamKind


class Criteria(TypedDict, total=False):
    """Which facts somebody asks for: those that meet all of it. Values may be subqueries or `OuterRef`s."""

    club: UUID
    streams: Iterable[UUID] | QuerySet[Any, Any]
    kinds: Iterable[str]
    keys: Iterable[str]
    positions: Iterable[int]
    # Later than this version of the stream, and recorded at this moment or later.
    after: int | OuterRef
    since: datetime


_LOOKUPS = {
    "club": "club_id",
    "streams": "stream_id__in",
    "kinds": "kind__in",
    "keys": "key__in",
    "positions": "position__in",
    "after": "version__gt",
    "since": "recorded_at__gte",
}


class EventHeader(NamedTuple):
    """A fact without what it says."""

    stream_id: UUID
    version: int
    position: int
    kind: str
    actor: str
    recorded_at: datetime


class Span(NamedTuple):
    """All facts of one kind in one stream: the positions of the first and last, and when they were recorded."""

    stream_id: UUID
    kind: str
    first: int
    last: int
    first_recorded: datetime
    last_recorded: datetime
    last_occurred: datetime


class ClubEnd(NamedTuple):
    """The last position of a club's log, and the stream of the fact that stands there."""

    position: int
    stream_id: UUID


class Headers:
    """The facts that were asked for, in the order of the log. Nothing is read before it is needed."""

    def __init__(self, rows: "QuerySet[Event]") -> None:
        self._rows = rows.order_by("position").values_list(*EventHeader._fields)

    def __iter__(self) -> Iterator[EventHeader]:
        return map(EventHeader._make, self._rows)

    def first(self) -> EventHeader | None:
        """The earliest of them."""
        return _header(self._rows.first())

    def last(self) -> EventHeader | None:
        """The latest of them."""
        return _header(self._rows.last())

    def exists(self) -> bool:
        """Whether there are any."""
        return self._rows.exists()


def find(**criteria: Unpack[Criteria]) -> Headers:
    """The headers of all facts that meet the criteria, one query for each question put to them."""
    return Headers(_matching(criteria))


def spans(**criteria: Unpack[Criteria]) -> list[Span]:
    """Where such facts begin and end, for each stream and kind, in one query."""
    found = _matching(criteria).order_by().values_list("stream_id", "kind")
    ends = found.annotate(
        first=Min("position"),
        last=Max("position"),
        first_recorded=Min("recorded_at"),
        last_recorded=Max("recorded_at"),
        last_occurred=Max("occurred_at"),
    )
    return [Span(*row) for row in ends]


def happened(stream: OuterRef, **criteria: Unpack[Criteria]) -> Exists:
    """Whether the stream of a row has such a fact, for a filter or an annotation."""
    return Exists(_matching(criteria).filter(stream_id=stream))


def streams(kind: StreamKind, club: UUID | None = None) -> dict[UUID, UUID]:
    """Every stream of a kind, of one club or of all, with its club."""
    found = Stream.objects.filter(kind=kind) if club is None else Stream.objects.filter(kind=kind, club_id=club)
    return dict(found.order_by("id").values_list("id", "club_id"))


def kind_of(stream: UUID) -> StreamKind:
    """What a stream is the history of."""
    return StreamKind(Stream.objects.values_list("kind", flat=True).get(id=stream))


def club_ends() -> dict[UUID, ClubEnd]:
    """How far the log of every club has come that has any facts, in one query."""
    last = Event.objects.filter(club=OuterRef("club"), position=OuterRef("position")).values("stream_id")
    heads = ClubHead.objects.annotate(stream=Subquery(last, output_field=UUIDField())).exclude(stream=None)
    return {club: ClubEnd(*end) for club, *end in heads.values_list("club_id", "position", "stream")}


def notes_of(club: UUID) -> list[tuple[int, str]]:
    """The free text beside a club's facts that nobody has erased, with the positions of the facts."""
    return list(EventNote.objects.filter(event__club=club).values_list("event__position", "text"))


def _matching(criteria: Criteria) -> "QuerySet[Event]":
    return Event.objects.filter(**{_LOOKUPS[name]: value for name, value in criteria.items()})


def _header(row: tuple[object, ...] | None) -> EventHeader | None:
    return None if row is None else EventHeader._make(row)
