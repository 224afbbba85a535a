"""Stores one event exactly once, or raises the reason why not.

The rule: an event is stored only if it reads back (docs/decisions/0026-events-that-read-back.md); it, its position, its
hash and its read models are written in one transaction. The insert is tried first; the idempotency key is only looked
up if it fails, because resends are rare (docs/decisions/0004-append-in-one-statement.md).
"""

import secrets
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet

from scoring import storage
from scoring.events.hashes import content_digest, genesis, note_digest
from scoring.events.reading import refuse_what_does_not_read_back
from scoring.events.wire import StoredForm
from scoring.json_text import holds_no_text
from scoring.problems import ClubMoved, Defect, KeyReused, StaleTable
from scoring.storage.bounds import MOST_BODY, MOST_NOTE
from scoring.storage.writes import EventRow
from tournaments.log.reading import find_by_key, head_of
from tournaments.log.rows import (
    RECIPE,
    REQUEST_BYTES,
    Appended,
    NewEvent,
    Request,
    StoredEvent,
    StreamVersion,
    is_same_request,
    key_id,
    time_text,
)
from tournaments.models.bounds import is_moment_in_the_calendar
from tournaments.models.log import ClubHead, EventNote

SALT_BYTES = 16
_MOST_CHARACTERS = {"kind": 40, "key": 200, "actor": 100, "device": 100, "body": MOST_BODY, "note": MOST_NOTE}

# Checked first, because SQLite's trigger refuses an insert over an existing row; ON CONFLICT for concurrent inserts.
_BEGIN_CLUB = """
INSERT INTO tournaments_clubhead (club_id, position) SELECT %s, 0
WHERE NOT EXISTS (SELECT 1 FROM tournaments_clubhead WHERE club_id = %s) ON CONFLICT DO NOTHING"""

_TAKE_HEAD = "UPDATE tournaments_clubhead SET position = position WHERE club_id = %s AND moved_to = ''"
_TAKE_ANY_HEAD = "UPDATE tournaments_clubhead SET position = position WHERE club_id = %s"
_MOVE = "UPDATE tournaments_clubhead SET moved_to = %s WHERE club_id = %s"

_BEGIN_STREAM = """
INSERT INTO tournaments_stream (id, club_id, kind, version, head_hash) SELECT %s, %s, %s, 0, %s
WHERE NOT EXISTS (SELECT 1 FROM tournaments_stream WHERE club_id = %s AND id = %s) ON CONFLICT DO NOTHING"""

OnAppend = Callable[[StoredEvent], None]
OnAppendAll = Callable[[Sequence[StoredEvent]], None]


class NotMoved(Exception):
    """The event was not stored: the stream is at another version."""


def append(place: StreamVersion, event: NewEvent, *, request: Request, on_append: OnAppend) -> Appended:
    """Store `event` as the version after `place.expected`; `on_append` writes the read models in the same transaction.

    A known key with the same digest returns the event stored first, and `on_append` is not called. Raises StaleTable
    when the stream has moved on, KeyReused when the key came with another digest; EventRejected for a value beyond its
    bound, Defect for an event that does not read back.
    """
    return _store_once(place, event, request, on_append)


def open_stream(place: StreamVersion, kind: str, event: NewEvent, *, request: Request, on_append: OnAppend) -> Appended:
    """Begin a stream with its first event; `place.expected` is 0. Raises and repeats as `append` does."""
    return _store_once(place, event, request, on_append, begin=lambda: _begin(place, kind))


def append_all(
    events: Sequence[tuple[StreamVersion, NewEvent, Request]], *, on_append: OnAppendAll
) -> tuple[StoredEvent, ...]:
    """Store events of one club in their order, all or none; `on_append` writes the read models once, after the last.

    The caller holds the club's lock, so that no one else writes between two of them, and one savepoint is enough.
    Nothing is stored, and nothing returned, if the first was stored before under its key. Raises what `append` raises;
    KeyReused also if a later one was stored before.
    """
    rows = [_prepared(*event) for event in events]
    stored_events: list[StoredEvent] = []
    try:
        with transaction.atomic():
            for row in rows:
                stored_events.append(_store(row))
            on_append(stored_events)
    except NotMoved as refusal:
        place, _, request = events[len(stored_events)]
        _first_answer_or_stale(place, request, refusal)
        if stored_events:
            raise KeyReused(f"the idempotency key {request.key!r} was used for another request") from None
        return ()
    return tuple(stored_events)


def lock_club(club_id: UUID, *, even_moved: bool = False) -> None:
    """Block other writers of this club until the current transaction has ended.

    Take it before any other row lock, as every append does: a constant order cannot deadlock. Raises ClubMoved, unless
    `even_moved`: erasing concerns the copy that stays here as well.
    """
    take = _TAKE_ANY_HEAD if even_moved else _TAKE_HEAD
    with connection.cursor() as cursor:
        cursor.execute(take, [club_id])
        if not cursor.rowcount:
            refuse_moved(club_id)
            cursor.execute(_BEGIN_CLUB, [club_id, club_id])
            cursor.execute(take, [club_id])


def lock_clubs(club_ids: Iterable[UUID]) -> None:
    """Block other writers of several clubs likewise; of moved ones too. In the order of their ids."""
    heads = ClubHead.objects.filter(club_id__in=club_ids).order_by("club_id")
    list(heads.select_for_update(no_key=True).values_list("club_id"))


def moved_to(club_id: UUID) -> str:
    """Where the club is kept now, as its people wrote it; empty for one that is kept here."""
    return ClubHead.objects.filter(club=club_id).values_list("moved_to", flat=True).first() or ""


def moved_clubs() -> QuerySet[ClubHead, UUID]:
    """The clubs that are kept on another installation now."""
    return ClubHead.objects.exclude(moved_to="").values_list("club_id", flat=True)


def refuse_moved(club_id: UUID) -> None:
    """Raise ClubMoved for a club that is kept on another installation now."""
    if where := moved_to(club_id):
        raise ClubMoved(where)


def move_club(club_id: UUID, to: str) -> None:
    """Close the club's log here, after the event that is being stored; with an empty text open it again."""
    with transaction.atomic(), connection.cursor() as cursor:
        lock_club(club_id, even_moved=True)
        cursor.execute(_MOVE, [to, club_id])


def first_answer(club_id: UUID, key: str, digest: str) -> StoredEvent | None:
    """The event stored under this key, or None. Raises KeyReused if it belongs to another request."""
    stored_event = find_by_key(club_id, key)
    if stored_event and not is_same_request(stored_event.request_digest, digest):
        raise KeyReused(f"the idempotency key {key!r} was used for another request")
    return stored_event


def _store_once(
    place: StreamVersion,
    event: NewEvent,
    request: Request,
    on_append: OnAppend,
    *,
    begin: Callable[[], None] | None = None,
) -> Appended:
    row = _prepared(place, event, request)
    try:
        with transaction.atomic():
            if begin:
                begin()
            stored_event = _store(row)
            on_append(stored_event)
    except NotMoved as refusal:
        return _first_answer_or_stale(place, request, refusal)
    return Appended(stored=stored_event, is_replay=False)


def _prepared(place: StreamVersion, event: NewEvent, request: Request) -> EventRow:
    """Everything about the event but its position, in the form that is hashed and stored."""
    _refuse_misfits(event, request)
    if event.event is not None:
        form = StoredForm(kind=event.kind, schema=event.schema, body=event.body, note=event.note)
        refuse_what_does_not_read_back(event.event, form)
    salt = secrets.token_bytes(SALT_BYTES) if event.note else b""
    digest = note_digest(salt, event.note.encode()) if event.note else b""
    recorded, occurred = time_text(request.received_at), time_text(event.occurred_at)
    key, request_digest = key_id(request.key), bytes.fromhex(request.digest)[:REQUEST_BYTES]
    fields = (
        b"%d" % RECIPE,
        place.club_id.hex.encode(),
        place.stream_id.hex.encode(),
        b"%d" % (place.expected + 1),
        event.kind.encode(),
        b"%d" % event.schema,
        str(key).encode(),
        request_digest,
        request.actor.encode(),
        request.device.encode(),
        recorded.encode(),
        occurred.encode(),
        digest,
        event.body.encode(),
    )
    return EventRow(
        club=place.club_id,
        stream=place.stream_id,
        expected=place.expected,
        content=content_digest(fields),
        kind=event.kind,
        schema=event.schema,
        recipe=RECIPE,
        body=event.body,
        actor=request.actor,
        device=request.device,
        recorded_at=request.received_at,
        occurred_at=event.occurred_at,
        key=key,
        request_digest=request_digest,
        note_digest=digest,
        salt=salt,
        note=event.note,
    )


def _refuse_misfits(event: NewEvent, request: Request) -> None:
    """Raise Defect beyond limits that are the same on both databases: SQLite would store what PostgreSQL refuses."""
    texts = (event.kind, request.key, request.actor, request.device, event.body, event.note)
    for (name, most), text in zip(_MOST_CHARACTERS.items(), texts, strict=True):
        if len(text) > most:
            raise Defect(f"an event's {name} has at most {most} characters, not {len(text)}")
    for name, moment in (("occurred_at", event.occurred_at), ("received_at", request.received_at)):
        if not is_moment_in_the_calendar(moment):
            raise Defect(f"an event's {name} is {moment.isoformat()}, outside the calendar")
    if holds_no_text("".join(texts)):
        raise Defect("an event holds no NUL character, and no half of a sign")
    if not (event.kind and request.key and request.actor):
        raise Defect("an event needs a kind, a key and an actor")


def _store(row: EventRow) -> StoredEvent:
    """Raises NotMoved if the stream is at another version, or the database refuses the event."""
    try:
        stored = storage.of(connection).append_event(row)
    except IntegrityError as error:
        raise NotMoved from error
    if stored is None:
        raise NotMoved
    position, digest = stored
    return StoredEvent(
        club_id=row.club,
        position=position,
        stream_id=row.stream,
        version=row.expected + 1,
        kind=row.kind,
        schema=row.schema,
        body=row.body,
        note=row.note,
        actor=row.actor,
        device=row.device,
        recorded_at=row.recorded_at.astimezone(UTC),
        occurred_at=row.occurred_at.astimezone(UTC),
        key=row.key,
        request_digest=row.request_digest,
        hash=digest,
    )


def _first_answer_or_stale(place: StreamVersion, request: Request, refusal: NotMoved) -> Appended:
    stored_event = first_answer(place.club_id, request.key, request.digest)
    if stored_event:
        return Appended(stored=stored_event, is_replay=True)
    refuse_moved(place.club_id)
    if refusal.__cause__:
        raise Defect("the database refused an event that stands where it should") from refusal
    head = head_of(place.club_id, place.stream_id)
    raise StaleTable(expected=place.expected, current=head.version if head else 0) from None


def _begin(place: StreamVersion, kind: str) -> None:
    lock_club(place.club_id)
    club, stream = place.club_id, place.stream_id
    start = genesis(club.hex.encode(), stream.hex.encode(), kind.encode())
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN_STREAM, [stream, club, kind, start, club, stream])


def erase_notes(club_id: UUID, positions: Sequence[int]) -> int:
    """Erase the notes of the events at these positions; the events, their hashes and every total stay.

    Returns how many notes there were.
    """
    erased, _ = EventNote.objects.filter(club=club_id, position__in=positions).delete()
    return erased
