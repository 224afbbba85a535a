"""Queries for event headers, reads events back in the order in which they were saved, and folds them.

A stream is read up to a version or up to a time, a club's log from a position on. Plain SQL and one small struct per
row, because boards are folded from this. What cannot be read is returned unparsed:
docs/decisions/0026-events-that-read-back.md. Every query names the club: keys lead with it on PostgreSQL.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Required, TypedDict, Unpack
from uuid import UUID

from django.db import connection
from django.db.models import Exists, F, Func, Max, Min, OuterRef, Q, QuerySet, Subquery, UUIDField
from django.db.models.lookups import Exact

from scoring import storage
from scoring.events.reading import fold_stored, read_stored
from scoring.rules.table.table import Table, fold
from scoring.rules.variants import table_from_stored
from scoring.storage import moment_from, uuid_from
from scoring.tournament import TournamentState, fold_tournament
from tournaments.log.rows import Head, StoredEvent, key_id
from tournaments.models.log import ClubHead, Event, EventNote, Stream, StreamKind


class Criteria(TypedDict, total=False):
    """Criteria for events, which must meet all of them. Values may be subqueries or `OuterRef`s."""

    club: Required[UUID | OuterRef]
    streams: Iterable[UUID] | QuerySet[Any, Any]
    kinds: Iterable[str]
    keys: Iterable[str]
    positions: Iterable[int]
    # Later than this version of the stream, and recorded at this time or later.
    after: int | OuterRef
    since: datetime
    # With this id in their content: it has no character with a special meaning in LIKE patterns.
    naming: str


_LOOKUPS = {
    "streams": "stream_id__in",
    "kinds": "kind__in",
    "keys": "key__in",
    "positions": "position__in",
    "after": "version__gt",
    "since": "recorded_at__gte",
    "naming": "body__contains",
}


class EventHeader(NamedTuple):
    """An event without its content."""

    stream_id: UUID
    version: int
    position: int
    kind: str
    actor: str
    recorded_at: datetime
    occurred_at: datetime


class Span(NamedTuple):
    """All events of one kind in one stream: the positions of the first and last, and when they were recorded."""

    stream_id: UUID
    kind: str
    first: int
    last: int
    first_recorded: datetime
    last_recorded: datetime
    last_occurred: datetime


class ClubEnd(NamedTuple):
    """The last position of a club's log, and the stream of the event there."""

    position: int
    stream_id: UUID


class Headers:
    """The matching events, in the order of the log. Lazy: nothing is queried before it is needed."""

    def __init__(self, rows: "QuerySet[Event]") -> None:
        self._rows = rows.order_by("position").values_list(*EventHeader._fields)

    def __iter__(self) -> Iterator[EventHeader]:
        return map(EventHeader._make, self._rows)

    def first(self) -> EventHeader | None:
        """The earliest event, or None."""
        return _header(self._rows.first())

    def last(self) -> EventHeader | None:
        """The latest event, or None."""
        return _header(self._rows.last())

    def exists(self) -> bool:
        """Whether there are any events."""
        return self._rows.exists()


def find(**criteria: Unpack[Criteria]) -> Headers:
    """The headers of all events that meet the criteria; each access runs one query."""
    return Headers(_matching(criteria))


def spans(**criteria: Unpack[Criteria]) -> list[Span]:
    """The first and last of the matching events, for each stream and kind, in one query."""
    events = _matching(criteria).order_by().values_list("stream_id", "kind")
    ends = events.annotate(
        first=Min("position"),
        last=Max("position"),
        first_recorded=Min("recorded_at"),
        last_recorded=Max("recorded_at"),
        last_occurred=Max("occurred_at"),
    )
    return [Span(*row) for row in ends]


def last_positions(streams: Iterable[UUID]) -> dict[UUID, int]:
    """The last position of each stream, of any club: for proofs, which trust no row."""
    events = Event.objects.filter(stream_id__in=streams).order_by().values_list("stream_id")
    return dict(events.annotate(last=Max("position")))


def happened(stream: OuterRef, **criteria: Unpack[Criteria]) -> Exists:
    """A condition for a filter or an annotation: the stream of a row has such an event."""
    return Exists(_matching(criteria, by_stream="keys" not in criteria).filter(stream_id=stream))


def streams(kind: StreamKind, club: UUID | None = None) -> dict[UUID, UUID]:
    """Every stream of a kind, of one club or of all, with its club."""
    stream_rows = Stream.objects.filter(kind=kind) if club is None else Stream.objects.filter(kind=kind, club_id=club)
    return dict(stream_rows.order_by("id").values_list("id", "club_id"))


def lengths(kind: StreamKind, club: UUID | None = None) -> Iterator[tuple[UUID, int]]:
    """Every stream of a kind, of one club or of all, with the number of its events; ordered by id, read in chunks."""
    stream_rows = Stream.objects.filter(kind=kind) if club is None else Stream.objects.filter(kind=kind, club_id=club)
    return stream_rows.order_by("id").values_list("id", "version").iterator()


def streams_without(kind: StreamKind, rows: QuerySet[Any, Any]) -> Iterator[UUID]:
    """Every stream of a kind that has no row of the same id."""
    return Stream.objects.filter(kind=kind).exclude(id__in=rows).order_by("id").values_list("id", flat=True).iterator()


def kind_of(club: UUID, stream: UUID) -> StreamKind:
    """The kind of a stream."""
    return StreamKind(Stream.objects.values_list("kind", flat=True).get(club_id=club, id=stream))


def stream_kinds(club: UUID, stream_ids: Iterable[UUID]) -> dict[UUID, StreamKind]:
    """The kinds of some streams of a club, in one query."""
    rows = Stream.objects.filter(club_id=club, id__in=stream_ids).order_by()
    return {stream: StreamKind(kind) for stream, kind in rows.values_list("id", "kind")}


def last_position(club: UUID) -> int:
    """The position of the last event of a club; 0 before the first one."""
    return ClubHead.objects.filter(club=club).values_list("position", flat=True).first() or 0


def position_of(club: OuterRef) -> Subquery:
    """In another query: the position of the last event of a club; NULL for a club without a log."""
    return Subquery(ClubHead.objects.filter(club=club).values("position"))


def recorded_at(club: OuterRef, position: OuterRef) -> Subquery:
    """In another query: when the event at a position of a club was recorded."""
    return Subquery(Event.objects.filter(club=club, position=position).order_by().values("recorded_at"))


def club_ends() -> dict[UUID, ClubEnd]:
    """The end of the log of every club that has any events, in one query."""
    last = Event.objects.filter(club=OuterRef("club"), position=OuterRef("position")).values("stream_id")
    heads = ClubHead.objects.annotate(stream=Subquery(last, output_field=UUIDField())).exclude(stream=None)
    return {club: ClubEnd(*end) for club, *end in heads.values_list("club_id", "position", "stream")}


def notes_of(club: UUID) -> list[tuple[int, str]]:
    """The notes of a club's events that were not erased, with their positions."""
    return list(EventNote.objects.filter(club=club).values_list("position", "text"))


class _Unindexed(Func):
    """A column for which SQLite must not use an index: see `_by_stream`."""

    template = "%(expressions)s"

    def as_sqlite(self, compiler: Any, connection: Any, **context: Any) -> Any:
        """With a plus sign before it the column is an expression, for which no index is used."""
        return self.as_sql(compiler, connection, **{**context, "template": "+%(expressions)s"})


def of_streams(club: UUID | OuterRef) -> Q:
    """The condition that rows belong to a club, for queries that name streams as well."""
    return Q(Exact(_Unindexed(F("club_id")), club))


def _matching(criteria: Criteria, *, by_stream: bool = False) -> "QuerySet[Event]":
    by_stream = by_stream or ("streams" in criteria and not criteria.keys() & {"keys", "positions"})
    club = of_streams(criteria["club"]) if by_stream else Q(club_id=criteria["club"])
    lookups = {_LOOKUPS[name]: value for name, value in criteria.items() if name != "club"}
    if "keys" in criteria:
        lookups[_LOOKUPS["keys"]] = [key_id(key) for key in criteria["keys"]]
    return Event.objects.filter(club, **lookups)


def _header(row: tuple[object, ...] | None) -> EventHeader | None:
    return None if row is None else EventHeader._make(row)


_SELECT = """
SELECT event.club_id, event.position, event.stream_id, event.version, event.kind, event.schema, event.body,
  note.text, event.note_digest, event.actor, event.device, event.recorded_at, event.occurred_at, event.key,
  event.request_digest, event.hash
FROM tournaments_event AS event LEFT JOIN tournaments_eventnote AS note
  ON note.club_id = event.club_id AND note.position = event.position AND note.event_id = event.id"""
_OF_CLUB, _OF_CLUBS = "event.club_id = %s", "event.club_id IN ({})"
_STREAM = f"{_SELECT} WHERE {_OF_CLUB} AND event.stream_id = %s AND event.version > %s ORDER BY event.version"
_UP_TO = f"{_SELECT} WHERE {_OF_CLUB} AND event.stream_id = %s AND event.version <= %s ORDER BY event.version"
# Positions have no gap, so a range serves as a limit, and needs no sorting whatever the query planner assumes.
_CLUB = f"{_SELECT} WHERE {_OF_CLUB} AND event.position > %s AND event.position <= %s ORDER BY event.position"
_STREAMS = f"{_SELECT} WHERE {_OF_CLUBS} AND event.stream_id IN ({{}}) ORDER BY event.stream_id, event.version"
_KINDS = f"{_SELECT} WHERE {_OF_CLUB} AND event.stream_id IN ({{}}) AND event.kind IN ({{}}) ORDER BY event.position"
_KEY = f"{_SELECT} WHERE {_OF_CLUB} AND event.key = %s"
_ACTORS = f"""SELECT version, actor FROM tournaments_event AS event
WHERE {_OF_CLUB} AND stream_id = %s AND version IN ({{}})"""  # noqa: S608 - only placeholders
_HEAD = "SELECT version, head_hash FROM tournaments_stream WHERE club_id = %s AND id = %s"


def read(club_id: UUID, stream_id: UUID, after: int = 0) -> list[StoredEvent]:
    """A stream's events after a version."""
    return _events(_by_stream(_STREAM), [club_id, stream_id, after])


def read_many(club_id: UUID, stream_ids: Collection[UUID]) -> dict[UUID, list[StoredEvent]]:
    """Several streams of a club at once, each whole; a stream without events is an empty list."""
    return _read_whole([club_id], stream_ids)


def read_clubs(clubs: Mapping[UUID, UUID]) -> dict[UUID, list[StoredEvent]]:
    """The same of several clubs, given the club of each stream: for proofs, which trust no row.

    Streams without events in these clubs are looked up in all others.
    """
    events_by_stream = _read_whole(set(clubs.values()), clubs)
    if absent := [stream for stream, its in events_by_stream.items() if not its]:
        astray = dict(Stream.objects.filter(id__in=absent).values_list("id", "club_id"))
        events_by_stream |= _read_whole(set(astray.values()), astray)
    return events_by_stream


def _read_whole(club_ids: Collection[UUID], stream_ids: Collection[UUID]) -> dict[UUID, list[StoredEvent]]:
    events_by_stream: dict[UUID, list[StoredEvent]] = {stream_id: [] for stream_id in stream_ids}
    if events_by_stream:
        question = _by_stream(_STREAMS).format(_places(club_ids), _places(events_by_stream))
        for event in _events(question, [*club_ids, *events_by_stream]):
            events_by_stream[event.stream_id].append(event)
    return events_by_stream


def read_kinds(club_id: UUID, stream_ids: Collection[UUID], kinds: Collection[str]) -> list[StoredEvent]:
    """The events of some kinds in several streams of a club, in the order of its log."""
    if not stream_ids:
        return []
    question = _by_stream(_KINDS).format(_places(stream_ids), _places(kinds))
    return _events(question, [club_id, *stream_ids, *kinds])


def as_of(club_id: UUID, stream_id: UUID, at: int | datetime) -> list[StoredEvent]:
    """A stream as it was: up to and including a version, or all that had been recorded by a time."""
    if isinstance(at, datetime):
        return list(_recorded_by(read(club_id, stream_id), at))
    return _events(_by_stream(_UP_TO), [club_id, stream_id, at])


def read_club(club_id: UUID, after: int = 0, limit: int = 500) -> list[StoredEvent]:
    """A club's events after a position, for a follower that keeps a checkpoint."""
    return _events(_CLUB, [club_id, after, after + limit])


def find_by_key(club_id: UUID, key: str) -> StoredEvent | None:
    """The event stored under an idempotency key."""
    return next(iter(_events(_KEY, [club_id, key_id(key)])), None)


def actors_of(club_id: UUID, stream_id: UUID, versions: Sequence[int]) -> dict[int, str]:
    """The actors of these versions of a stream, in one query."""
    if not versions:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_by_stream(_ACTORS).format(_places(versions)), [club_id, stream_id, *versions])
        return dict(cursor.fetchall())


def head_of(club_id: UUID, stream_id: UUID) -> Head | None:
    """The head of a club's stream; None if there is no such stream."""
    with connection.cursor() as cursor:
        cursor.execute(_HEAD, [club_id, stream_id])
        row = cursor.fetchone()
    return Head(version=row[0], hash=bytes(row[1])) if row else None


def _by_stream(question: str) -> str:
    """A query by club and stream, such that SQLite searches by the stream."""
    return question.replace("WHERE ", f"WHERE {storage.of(connection).NO_INDEX}", 1)


def _recorded_by(events: list[StoredEvent], moment: datetime) -> Iterator[StoredEvent]:
    """Stops at the first later event: a clock set back must not leave a gap in the history."""
    for event in events:
        if event.recorded_at > moment:
            return
        yield event


def _places(values: Collection[object]) -> str:
    return ", ".join(["%s"] * len(values))


def _events(question: str, parameters: list[Any]) -> list[StoredEvent]:
    with connection.cursor() as cursor:
        cursor.execute(question, parameters)
        rows = cursor.fetchall()
    uuid_cache: dict[Any, UUID] = {}
    return [_event(row, uuid_cache) for row in rows]


def _event(row: tuple[Any, ...], seen: dict[Any, UUID]) -> StoredEvent:
    """`seen` caches UUIDs: creating one costs more than all the rest."""
    club, position, stream, version, kind, schema, body, note, note_digest = row[:9]
    actor, device, recorded, occurred, key, request_digest, digest = row[9:]
    return StoredEvent(
        seen.get(club) or seen.setdefault(club, uuid_from(club)),
        position,
        seen.get(stream) or seen.setdefault(stream, uuid_from(stream)),
        version,
        kind,
        schema,
        body,
        note if note_digest else "",
        actor,
        device,
        moment_from(recorded),
        moment_from(occurred),
        uuid_from(key),
        bytes(request_digest),
        bytes(digest),
    )


def table_from_log(stored: Sequence[StoredEvent]) -> Table:
    """A table folded from its stored events, the first of which opened it."""
    first, *rest = stored
    table = table_from_stored(read_stored(first.kind, first.schema, first.body))
    return fold_stored(
        fold,
        table,
        (
            (stored_event.version, read_stored(stored_event.kind, stored_event.schema, stored_event.body, table.rules))
            for stored_event in rest
        ),
    )


def tournament_state_from(stored: Sequence[StoredEvent]) -> TournamentState:
    """The state of a tournament folded from its stored events."""
    events = (
        (stored_event.version, read_stored(stored_event.kind, stored_event.schema, stored_event.body))
        for stored_event in stored
    )
    return fold_stored(fold_tournament, TournamentState(), events)
