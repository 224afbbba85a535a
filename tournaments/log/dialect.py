"""How the two databases write the same value, and one event on its way into either, with the refusal both share.

SQLite keeps a UUID as 32 hex digits and a moment as text; PostgreSQL has types for both. Knows nothing of SQL.
"""

from datetime import UTC, datetime
from uuid import UUID

import msgspec
from django.db import connection

from tournaments.log.rows import NewEvent, Place, Request, StoredEvent, time_from_text


def uuid_value(value: UUID) -> UUID | str:
    """A UUID as a parameter."""
    return value if connection.vendor == "postgresql" else value.hex


def uuid_from(stored: UUID | str) -> UUID:
    """A UUID as it came out of a column."""
    return UUID(hex=stored) if isinstance(stored, str) else stored


def moment_from(stored: datetime | str | None) -> datetime:
    """A moment as it came out of a column. Django's SQLite connection makes a date of it, but one without a zone."""
    if isinstance(stored, str):
        return time_from_text(stored)
    if stored is None:
        # SQLite's connection makes nothing of a text that is no moment.
        raise ValueError("a moment of the log cannot be read")
    return stored if stored.tzinfo else stored.replace(tzinfo=UTC)


class NotMoved(Exception):
    """The stream did not take the event; nothing of it is stored."""


class Write(msgspec.Struct, frozen=True, kw_only=True):
    """An event with everything but its position. `content` is the digest of all of it."""

    place: Place
    event: NewEvent
    request: Request
    recorded: str
    occurred: str
    request_digest: bytes
    salt: bytes
    note_digest: bytes
    content: bytes

    def stored_at(self, position: int, digest: bytes) -> StoredEvent:
        """The event as it now stands in the log."""
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
            recorded_at=time_from_text(self.recorded),
            occurred_at=time_from_text(self.occurred),
            key=self.request.key,
            request_digest=self.request_digest,
            hash=digest,
        )
