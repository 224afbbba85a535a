"""Stores an event on SQLite in a few plain statements.

They are safe because a transaction there begins by taking the only write lock (transaction_mode IMMEDIATE). Why
they use the driver's own cursor of Django's connection: docs/decisions/0004-append-in-one-statement.md.
"""

from contextlib import closing

from django.db import connection

from tournaments.log.dialect import NotMoved, Write
from tournaments.log.rows import RECIPE, event_hash, event_id

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
_NOTE = "INSERT INTO tournaments_eventnote (event_id, salt, text) VALUES (?, ?, ?)"


def store(write: Write) -> tuple[int, bytes]:
    """The position and hash the event got. Raises NotMoved when the stream is at another version."""
    place = write.place
    club, stream = place.club_id.hex, place.stream_id.hex
    with connection.wrap_database_errors, closing(connection.connection.cursor()) as cursor:
        heads = cursor.execute(_HEADS, (stream, club, place.expected)).fetchone()
        if heads is None:
            raise NotMoved
        position = heads[0] + 1
        digest = event_hash(heads[1], position, write.content)
        name = event_id(position, digest).hex()
        cursor.execute(_STORE, (name, club, position, stream, *_values(write), digest))
        cursor.execute(_MOVE_STREAM, (place.expected + 1, digest, stream))
        cursor.execute(_MOVE_HEAD, (position, club))
        if write.event.note:
            cursor.execute(_NOTE, (name, write.salt, write.event.note))
    return position, digest


def _values(write: Write) -> tuple[object, ...]:
    return (
        write.place.expected + 1,
        write.event.kind,
        write.event.schema,
        RECIPE,
        write.event.body,
        write.request.actor,
        write.request.device,
        write.recorded,
        write.occurred,
        write.request.key,
        write.request_digest,
        write.note_digest,
    )
