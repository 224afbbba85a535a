"""One event on its way into a database, and the refusal both databases share.

Knows nothing of SQL.
"""

import msgspec

from tournaments.log.rows import NewEvent, Place, Request, StoredEvent, time_from_text


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
