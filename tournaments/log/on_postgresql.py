"""Stores an event on PostgreSQL in one statement: head, stream, event and note move together or not at all.

The order of locks is the club's head, then the stream: the update of the stream waits for the row that the update
of the head returns. Why one statement: docs/decisions/0004-append-in-one-statement.md.
"""

from typing import Any

from django.db.backends.utils import CursorWrapper

from tournaments.log.recipe import RECIPE
from tournaments.log.writes import NotMoved, Write

_STORE = """
WITH head AS (
  UPDATE tournaments_clubhead SET position = position + 1 WHERE club_id = %(club)s::uuid RETURNING position
), moved AS (
  UPDATE tournaments_stream AS stream
  SET version = stream.version + 1,
      head_hash = sha256(stream.head_hash || int8send(head.position) || %(content)s::bytea)
  FROM head
  WHERE stream.id = %(stream)s::uuid AND stream.club_id = %(club)s::uuid AND stream.version = %(expected)s
  RETURNING head.position, stream.version, stream.head_hash AS hash
), stored AS (
  INSERT INTO tournaments_event (id, club_id, position, stream_id, version, kind, schema, recipe, body, actor,
    device, recorded_at, occurred_at, key, request_digest, note_digest, hash)
  SELECT encode(substring(hash FROM 1 FOR 16), 'hex')::uuid, %(club)s::uuid, position, %(stream)s::uuid, version,
    %(kind)s, %(schema)s, %(recipe)s, %(body)s, %(actor)s, %(device)s, %(recorded)s::timestamptz,
    %(occurred)s::timestamptz, %(key)s, %(request_digest)s::bytea, %(note_digest)s::bytea, hash
  FROM moved
  RETURNING id, position, hash
)"""
_ANSWER = "SELECT position, hash FROM stored"
_WITHOUT_NOTE = f"{_STORE} {_ANSWER}"
_NOTED = """, noted AS (
  INSERT INTO tournaments_eventnote (event_id, salt, text) SELECT id, %(salt)s::bytea, %(note)s FROM stored
)"""
_WITH_NOTE = f"{_STORE}{_NOTED} {_ANSWER}"


def store(cursor: CursorWrapper, write: Write) -> tuple[int, bytes]:
    """The position and hash the event got. Raises NotMoved when the stream is at another version."""
    cursor.execute(_WITH_NOTE if write.event.note else _WITHOUT_NOTE, _parameters(write))
    row = cursor.fetchone()
    if row is None:
        raise NotMoved
    return row[0], bytes(row[1])


def _parameters(write: Write) -> dict[str, Any]:
    return {
        "club": write.place.club_id,
        "stream": write.place.stream_id,
        "expected": write.place.expected,
        "content": write.content,
        "kind": write.event.kind,
        "schema": write.event.schema,
        "recipe": RECIPE,
        "body": write.event.body,
        "actor": write.request.actor,
        "device": write.request.device,
        "recorded": f"{write.recorded}+00",
        "occurred": f"{write.occurred}+00",
        "key": write.request.key,
        "request_digest": write.request_digest,
        "note_digest": write.note_digest,
        "salt": write.salt,
        "note": write.event.note,
    }
