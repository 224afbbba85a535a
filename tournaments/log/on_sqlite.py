"""Stores an event on SQLite in a few plain statements.

They are safe because a transaction there begins by taking the only write lock (transaction_mode IMMEDIATE).
"""

from typing import Any

from django.db.backends.utils import CursorWrapper

from tournaments.log.recipe import RECIPE, event_hash
from tournaments.log.writes import NotMoved, Write

_HEADS = """
SELECT head.position, stream.head_hash FROM tournaments_stream AS stream
JOIN tournaments_clubhead AS head ON head.club_id = stream.club_id
WHERE stream.id = %s AND stream.club_id = %s AND stream.version = %s"""
_STORE = f"""
INSERT INTO tournaments_event (id, club_id, position, stream_id, version, kind, schema, recipe, body, actor,
  device, recorded_at, occurred_at, key, request_digest, note_digest, hash)
VALUES ({", ".join(["%s"] * 17)})"""  # noqa: S608 - only placeholders are put in
_MOVE_STREAM = "UPDATE tournaments_stream SET version = %s, head_hash = %s WHERE id = %s"
_MOVE_HEAD = "UPDATE tournaments_clubhead SET position = %s WHERE club_id = %s"
_NOTE = "INSERT INTO tournaments_eventnote (event_id, salt, text) VALUES (%s, %s, %s)"


def store(cursor: CursorWrapper, write: Write) -> tuple[int, bytes]:
    """The position and hash the event got. Raises NotMoved when the stream is at another version."""
    place = write.place
    cursor.execute(_HEADS, [place.stream_id.hex, place.club_id.hex, place.expected])
    heads = cursor.fetchone()
    if heads is None:
        raise NotMoved
    position = heads[0] + 1
    digest = event_hash(heads[1], position, write.content)
    cursor.execute(_STORE, _values(write, position, digest))
    cursor.execute(_MOVE_STREAM, [place.expected + 1, digest, place.stream_id.hex])
    cursor.execute(_MOVE_HEAD, [position, place.club_id.hex])
    if write.event.note:
        cursor.execute(_NOTE, [digest[:16].hex(), write.salt, write.event.note])
    return position, digest


def _values(write: Write, position: int, digest: bytes) -> list[Any]:
    return [
        digest[:16].hex(),
        write.place.club_id.hex,
        position,
        write.place.stream_id.hex,
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
        digest,
    ]
