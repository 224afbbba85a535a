"""The values that are written to the log and read from it.

The rule: what was stored is immutable, in memory too. Knows nothing of the database.
"""

import re
from datetime import UTC, datetime
from hashlib import sha256
from uuid import UUID

import msgspec

from scoring.events.hashes import event_id
from scoring.events.wire import Event, encode

# The recipe by which events are hashed now, and all of them.
RECIPE = 2
RECIPES = (b"1", b"2")
# The stored length of a request's digest; older releases stored all of it.
REQUEST_BYTES = 16
_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def key_id(key: str) -> UUID:
    """The stored form of an idempotency key: the UUID that it is, or one made from its digest."""
    return UUID(key) if _UUID.fullmatch(key) else UUID(bytes=key_digest(key.encode()))


def key_digest(key: bytes) -> bytes:
    """Sixteen bytes for a key that is not a UUID."""
    return sha256(key).digest()[:16]


def is_same_request(stored: bytes, digest: str) -> bool:
    """Whether a stored request digest is that of this request."""
    return bytes.fromhex(digest).startswith(stored)


def time_text(moment: datetime) -> str:
    """A time as it is hashed: UTC, always with microseconds."""
    return moment.astimezone(UTC).isoformat(sep=" ", timespec="microseconds")[:26]


class NewEvent(msgspec.Struct, frozen=True, kw_only=True):
    """An event to be stored. `body` is canonical JSON; `note` is free text that is stored beside the log.

    `event` is the source of the body: the event is stored only if it reads back as that. None is for tests of the log
    alone, which does not depend on the content.
    """

    kind: str
    schema: int
    body: str
    occurred_at: datetime
    note: str = ""
    event: Event | None = None

    @classmethod
    def of(cls, event: Event, occurred_at: datetime) -> "NewEvent":
        """The event for an event: the service creates events only in this way."""
        form = encode(event)
        return cls(
            kind=form.kind, schema=form.schema, body=form.body, occurred_at=occurred_at, note=form.note, event=event
        )


class StreamVersion(msgspec.Struct, frozen=True, kw_only=True):
    """The target of an event: the stream, and the version that its writer last saw."""

    club_id: UUID
    stream_id: UUID
    expected: int


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """The user, the device, the time, and the idempotency key of a request. `digest` is SHA-256 in hex."""

    key: str
    digest: str
    actor: str
    device: str
    received_at: datetime


class StoredEvent(msgspec.Struct, frozen=True):
    """An event stored in the log. `note` is None if its text was erased."""

    club_id: UUID
    position: int
    stream_id: UUID
    version: int
    kind: str
    schema: int
    body: str
    note: str | None
    actor: str
    device: str
    recorded_at: datetime
    occurred_at: datetime
    key: UUID
    request_digest: bytes
    hash: bytes

    @property
    def id(self) -> UUID:
        """The id under which the event is stored, made of its position and its hash."""
        return UUID(bytes=event_id(self.position, self.hash))


class Appended(msgspec.Struct, frozen=True, kw_only=True):
    """The result of an append: the stored event, and whether it had been stored before."""

    stored: StoredEvent
    is_replay: bool


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """The version and hash at the end of a stream."""

    version: int
    hash: bytes
