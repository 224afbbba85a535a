"""What goes into the log and what comes out of it, as values.

The rule: what was stored is immutable, in memory too. Knows nothing of the database.
"""

from datetime import datetime
from uuid import UUID

import msgspec

from scoring.facts.wire import Fact, encode
from tournaments.log.recipe import event_id


class NewEvent(msgspec.Struct, frozen=True, kw_only=True):
    """A fact about to be stored. `body` is canonical JSON; `note` is free text that stays beside the log.

    `fact` is what the body was made from: it is stored only if it reads back as that. None is for tests of the log
    alone, which does not care what a body says.
    """

    kind: str
    schema: int
    body: str
    occurred_at: datetime
    note: str = ""
    fact: Fact | None = None

    @classmethod
    def of(cls, fact: Fact, occurred_at: datetime) -> "NewEvent":
        """A fact in the form in which it is stored: the only way in which the service makes one."""
        form = encode(fact)
        return cls(
            kind=form.kind, schema=form.schema, body=form.body, occurred_at=occurred_at, note=form.note, fact=fact
        )


class Place(msgspec.Struct, frozen=True, kw_only=True):
    """Where a fact goes: the stream, and the version its writer last saw there."""

    club_id: UUID
    stream_id: UUID
    expected: int


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks, from which device, when, and under which idempotency key. `digest` is SHA-256 in hex."""

    key: str
    digest: str
    actor: str
    device: str
    received_at: datetime


class StoredEvent(msgspec.Struct, frozen=True):
    """A fact as it stands in the log. `note` is None where its text has been erased."""

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
    key: str
    request_digest: bytes
    hash: bytes

    @property
    def id(self) -> UUID:
        """The id under which the event is stored, made of its position and its hash."""
        return UUID(bytes=event_id(self.position, self.hash))


class Appended(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to an append: the stored fact, and whether it had been stored before."""

    stored: StoredEvent
    is_replay: bool


class Head(msgspec.Struct, frozen=True, kw_only=True):
    """Where a stream stands."""

    version: int
    hash: bytes
