"""How the two databases represent values, and how each of them stores an event.

SQLite stores a UUID as its bytes and a time as a number; PostgreSQL has types for both. Why both use the driver's own
cursor of Django's connection: docs/decisions/0004-append-in-one-statement.md.
"""

from contextlib import closing
from datetime import UTC, datetime
from uuid import UUID

import msgspec
from django.db import connection

from scoring.events.hashes import event_hash, event_id
from tournaments.log.rows import RECIPE, NewEvent, Request, StoredEvent, StreamVersion
from tournaments.models.log import EPOCH, MICROSECOND

# The function is defined in `tournaments.log.triggers`.
_CALL = """
SELECT stored_position, stored_hash FROM tournaments_append(%s::uuid, %s::uuid, %s::integer, %s::bytea, %s::text,
  %s::integer, %s::integer, %s::text, %s::text, %s::text, %s::timestamptz, %s::timestamptz, %s::uuid, %s::bytea,
  %s::bytea, %s::bytea, %s::text)"""

_HEADS = """
SELECT head.position, stream.head_hash FROM tournaments_stream AS stream
JOIN tournaments_clubhead AS head ON head.club_id = stream.club_id
WHERE stream.id = ? AND stream.club_id = ? AND stream.version = ?"""
_STORE = f"""
INSERT INTO tournaments_event (id, club_id, position, stream_id, version, kind, schema, recipe, body, actor,
  device, recorded_at, occurred_at, key, request_digest, note_digest, hash)
VALUES ({", ".join(["?"] * 17)})"""  # noqa: S608 - only placeholders are put in
_MOVE_STREAM = "UPDATE tournaments_stream SET version = ?, head_hash = ? WHERE id = ?"
_MOVE_HEAD = "UPDATE tournaments_clubhead SET position = ? WHERE club_id = ?"
_NOTE = "INSERT INTO tournaments_eventnote (event_id, club_id, position, salt, text) VALUES (?, ?, ?, ?, ?)"


def uuid_from(stored: UUID | bytes) -> UUID:
    """A UUID from a column's value."""
    return UUID(bytes=stored) if isinstance(stored, bytes) else stored


def moment_from(stored: datetime | int) -> datetime:
    """A time from the value of a column of the log. Raises ValueError for anything else."""
    if isinstance(stored, int):
        return EPOCH + stored * MICROSECOND
    if isinstance(stored, datetime):
        return stored
    # SQLite stores values of any type in any column.
    raise ValueError("a moment of the log cannot be read")


class NotMoved(Exception):
    """The event was not stored: the stream is at another version."""


class Write(msgspec.Struct, frozen=True, kw_only=True):
    """An event without its position. `content` is the digest of all its fields."""

    place: StreamVersion
    event: NewEvent
    request: Request
    key: UUID
    request_digest: bytes
    salt: bytes
    note_digest: bytes
    content: bytes

    def stored_at(self, position: int, digest: bytes) -> StoredEvent:
        """The event as stored."""
        return StoredEvent(
            club_id=self.place.club_id,
            position=position,
            stream_id=self.place.stream_id,
            version=self.place.expected + 1,
            kind=self.event.kind,
            schema=self.event.schema,
            body=self.event.body,
            note=self.event.note,
            actor=self.request.actor,
            device=self.request.device,
            recorded_at=self.request.received_at.astimezone(UTC),
            occurred_at=self.event.occurred_at.astimezone(UTC),
            key=self.key,
            request_digest=self.request_digest,
            hash=digest,
        )


def store(write: Write) -> tuple[int, bytes]:
    """Store the event; returns its position and hash. Raises NotMoved if the stream is at another version."""
    return _store_on_postgresql(write) if connection.vendor == "postgresql" else _store_on_sqlite(write)


def _store_on_postgresql(write: Write) -> tuple[int, bytes]:
    """One call: head, stream, event and note are written together or not at all."""
    values = (
        write.place.club_id,
        write.place.stream_id,
        write.place.expected,
        write.content,
        write.event.kind,
        write.event.schema,
        RECIPE,
        write.event.body,
        write.request.actor,
        write.request.device,
        write.request.received_at,
        write.event.occurred_at,
        write.key,
        write.request_digest,
        write.note_digest,
        write.salt,
        write.event.note,
    )
    import psycopg  # noqa: PLC0415 (a twentieth of the start, and of the memory, of a site on SQLite)

    with connection.wrap_database_errors, closing(psycopg.Cursor(connection.connection)) as cursor:
        cursor.execute(_CALL, values)
        row = cursor.fetchone()
    if row is None:
        raise NotMoved
    return row[0], bytes(row[1])


def _store_on_sqlite(write: Write) -> tuple[int, bytes]:
    """A few plain statements: safe because a transaction there begins by taking the only write lock (IMMEDIATE)."""
    place = write.place
    club, stream = place.club_id.bytes, place.stream_id.bytes
    with connection.wrap_database_errors, closing(connection.connection.cursor()) as cursor:
        heads = cursor.execute(_HEADS, (stream, club, place.expected)).fetchone()
        if heads is None:
            raise NotMoved
        position = heads[0] + 1
        digest = event_hash(heads[1], position, write.content)
        name = event_id(position, digest)
        cursor.execute(_STORE, (name, club, position, stream, *_values_on_sqlite(write), digest))
        cursor.execute(_MOVE_STREAM, (place.expected + 1, digest, stream))
        cursor.execute(_MOVE_HEAD, (position, club))
        if write.event.note:
            cursor.execute(_NOTE, (name, club, position, write.salt, write.event.note))
    return position, digest


def _values_on_sqlite(write: Write) -> tuple[object, ...]:
    return (
        write.place.expected + 1,
        write.event.kind,
        write.event.schema,
        RECIPE,
        write.event.body,
        write.request.actor,
        write.request.device,
        (write.request.received_at - EPOCH) // MICROSECOND,
        (write.event.occurred_at - EPOCH) // MICROSECOND,
        write.key.bytes,
        write.request_digest,
        write.note_digest,
    )
