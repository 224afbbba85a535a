"""Stores an event on PostgreSQL with one call: head, stream, event and note move together or not at all.

The function stands in `tournaments.log.triggers.postgresql`. Why a function, and why the driver's own cursor of
Django's connection: docs/decisions/0004-append-in-one-statement.md.
"""

from contextlib import closing

import psycopg
from django.db import connection

from tournaments.log.dialect import NotMoved, Write
from tournaments.log.rows import RECIPE

_STORE = """
SELECT stored_position, stored_hash FROM tournaments_append(%s::uuid, %s::uuid, %s::integer, %s::bytea, %s::text,
  %s::integer, %s::integer, %s::text, %s::text, %s::text, %s::timestamptz, %s::timestamptz, %s::text, %s::bytea,
  %s::bytea, %s::bytea, %s::text)"""


def store(write: Write) -> tuple[int, bytes]:
    """The position and hash the event got. Raises NotMoved when the stream is at another version."""
    with connection.wrap_database_errors, closing(psycopg.Cursor(connection.connection)) as cursor:
        cursor.execute(_STORE, _values(write))
        row = cursor.fetchone()
    if row is None:
        raise NotMoved
    return row[0], bytes(row[1])


def _values(write: Write) -> list[object]:
    return [
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
        f"{write.recorded}+00",
        f"{write.occurred}+00",
        write.request.key,
        write.request_digest,
        write.note_digest,
        write.salt,
        write.event.note,
    ]
