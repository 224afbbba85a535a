"""The context of a command: user, time, device and idempotency key; and the locks.

The key makes a resend harmless: the same key with the same request returns the first result.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import Literal
from uuid import UUID, uuid4

from django.db import connection, transaction

from scoring.events import wire
from scoring.events.wire import Event
from scoring.storage import uuid_from
from tournaments import log
from tournaments.models import Tournament
from tournaments.models.statements import PreparedQuery

MOST_KEY = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandContext:
    """One request for a command. `actor` is a stable name such as `user:7`; `key` is unique in the club.

    `asked` is the digest of the whole request, needed to recognize a resend if the events to store depend on the
    current state. `seen` is the tournament's version that the user has seen. `without_till` is what happens to entry
    money where the user has no open till: one is `opened` in the open cash book (for programs, which may name another
    place), it is refused until the user was `asked`, or it goes to the check-in `desk`, as the user chose. `seats` are
    those for which the device at a table enters deals, now and before.
    """

    actor: str
    now: datetime
    key: str = field(default_factory=lambda: str(uuid4()))
    device: str = ""
    occurred_at: datetime | None = None
    asked: str = ""
    seen: int | None = None
    without_till: Literal["opened", "asked", "desk"] = "opened"
    seats: tuple[str, ...] = ()

    def request(self, digest: str) -> log.Request:
        """The request as stored in the log, with the digest of its content."""
        return log.Request(
            key=self.key, digest=self.asked or digest, actor=self.actor, device=self.device[:100], received_at=self.now
        )


def part(context: CommandContext, name: object) -> CommandContext:
    """The context of one part of a command, with a key derived from its own."""
    return replace(context, key=part_of(context.key, name))


def part_of(key: str, name: object) -> str:
    """The key of one part of a command with this key, no longer than a key may be."""
    whole = f"{key}:{name}"
    if len(whole) <= MOST_KEY:
        return whole
    shorter = f"{sha256(key.encode()).hexdigest()}:{name}"
    # A name can be a key itself, as of a late sheet.
    return shorter if len(shorter) <= MOST_KEY else f"{shorter[:65]}{sha256(str(name).encode()).hexdigest()}"


def digest_of(stream: UUID, event: Event) -> str:
    """A digest of the request to store an event."""
    form = wire.encode(event)
    return wire.request_digest(str(stream), form.kind, form.body, form.note)


def new_event(event: Event, context: CommandContext) -> log.NewEvent:
    """The event to store for an event."""
    return log.NewEvent.of(event, context.occurred_at or context.now)


# One command at a time in a club: a command that reads first and writes afterwards holds the lock for both.


@contextmanager
def club_lock(club_id: UUID, *, even_moved: bool = False) -> Iterator[None]:
    """A transaction in which no one else writes in this club's log. Raises as `log.lock_club` does."""
    with transaction.atomic():
        log.lock_club(club_id, even_moved=even_moved)
        yield


@contextmanager
def tournament_lock(tournament_id: UUID) -> Iterator[Tournament]:
    """The same, with the current tournament, read while holding the lock."""
    with club_lock(_club_of(tournament_id)):
        tournament = _TOURNAMENTS.first(tournament_id)
        if tournament is None:
            raise Tournament.DoesNotExist
        yield tournament


_CLUB_OF = "SELECT club_id FROM tournaments_tournament WHERE id = %s"
_TOURNAMENTS = PreparedQuery(
    lambda tournament_id: Tournament.objects.select_related("club").filter(id=tournament_id),
    (UUID(int=1), UUID(int=2)),
)


def _club_of(tournament_id: UUID) -> UUID:
    with connection.cursor() as cursor:
        cursor.execute(_CLUB_OF, [tournament_id])
        row = cursor.fetchone()
    if row is None:
        raise Tournament.DoesNotExist
    return uuid_from(row[0])
