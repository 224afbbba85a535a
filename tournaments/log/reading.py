"""Reads facts back, in the order in which they were saved.

Three questions about the past start here: a stream up to a version, up to a time, and a club's log from a
position on. Plain SQL and one small struct a row, because boards are folded from this.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import connection

from tournaments.log.dialect import moment_from, uuid_from, uuid_value
from tournaments.log.rows import Head, StoredEvent

_SELECT = """
SELECT event.club_id, event.position, event.stream_id, event.version, event.kind, event.schema, event.body,
  note.text, event.note_digest, event.actor, event.device, event.recorded_at, event.occurred_at, event.key,
  event.request_digest, event.hash
FROM tournaments_event AS event LEFT JOIN tournaments_eventnote AS note ON note.event_id = event.id"""
_STREAM = f"{_SELECT} WHERE event.stream_id = %s AND event.version > %s ORDER BY event.version"
_UP_TO = f"{_SELECT} WHERE event.stream_id = %s AND event.version <= %s ORDER BY event.version"
# Positions have no gap, so a range does for a limit, and needs no sorting whatever the planner believes.
_CLUB = f"{_SELECT} WHERE event.club_id = %s AND event.position > %s AND event.position <= %s ORDER BY event.position"
_STREAMS = f"{_SELECT} WHERE event.stream_id IN ({{}}) ORDER BY event.stream_id, event.version"
_KINDS = f"{_SELECT} WHERE event.stream_id IN ({{}}) AND event.kind IN ({{}}) ORDER BY event.position"
_KEY = f"{_SELECT} WHERE event.club_id = %s AND event.key = %s"
_ACTORS = "SELECT version, actor FROM tournaments_event WHERE stream_id = %s AND version IN ({})"
_HEAD = "SELECT version, head_hash FROM tournaments_stream WHERE id = %s"


def read(stream_id: UUID, after: int = 0) -> list[StoredEvent]:
    """A stream's events after a version."""
    return _events(_STREAM, [uuid_value(stream_id), after])


def read_many(stream_ids: Sequence[UUID]) -> dict[UUID, list[StoredEvent]]:
    """Several streams at once, each whole; a stream without events is an empty list."""
    found: dict[UUID, list[StoredEvent]] = {stream_id: [] for stream_id in stream_ids}
    if found:
        for event in _events(_STREAMS.format(_places(found)), [uuid_value(stream_id) for stream_id in found]):
            found[event.stream_id].append(event)
    return found


def read_kinds(stream_ids: Collection[UUID], kinds: Collection[str]) -> list[StoredEvent]:
    """Of several streams of a club the events of some kinds, in the order of its log."""
    if not stream_ids:
        return []
    question = _KINDS.format(_places(stream_ids), _places(kinds))
    return _events(question, [*map(uuid_value, stream_ids), *kinds])


def as_of(stream_id: UUID, at: int | datetime) -> list[StoredEvent]:
    """A stream as it was: up to and with a version, or all that had been recorded by a moment."""
    if isinstance(at, datetime):
        return list(_recorded_by(read(stream_id), at))
    return _events(_UP_TO, [uuid_value(stream_id), at])


def read_club(club_id: UUID, after: int = 0, limit: int = 500) -> list[StoredEvent]:
    """A club's events after a position, for a follower that keeps a checkpoint."""
    return _events(_CLUB, [uuid_value(club_id), after, after + limit])


def find_by_key(club_id: UUID, key: str) -> StoredEvent | None:
    """The event stored under an idempotency key."""
    return next(iter(_events(_KEY, [uuid_value(club_id), key])), None)


def actors_of(stream_id: UUID, versions: Sequence[int]) -> dict[int, str]:
    """Who wrote these versions of a stream, in one query."""
    if not versions:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_ACTORS.format(_places(versions)), [uuid_value(stream_id), *versions])
        return dict(cursor.fetchall())


def head_of(stream_id: UUID, *, club_id: UUID | None = None) -> Head | None:
    """Where a stream stands; None where there is none (in that club, when one is named)."""
    question, parameters = _HEAD, [uuid_value(stream_id)]
    if club_id:
        question, parameters = f"{_HEAD} AND club_id = %s", [*parameters, uuid_value(club_id)]
    with connection.cursor() as cursor:
        cursor.execute(question, parameters)
        row = cursor.fetchone()
    return Head(version=row[0], hash=bytes(row[1])) if row else None


def _recorded_by(events: list[StoredEvent], moment: datetime) -> Iterator[StoredEvent]:
    """Stops at the first later one: a clock set back must not cut a hole into the history."""
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
    seen: dict[Any, UUID] = {}
    return [_event(row, seen) for row in rows]


def _event(row: tuple[Any, ...], seen: dict[Any, UUID]) -> StoredEvent:
    """`seen` keeps the UUIDs met so far: making one costs more than all the rest."""
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
        key,
        bytes(request_digest),
        bytes(digest),
    )
