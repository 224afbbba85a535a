"""The log of one club as it is stored, row by row, and how it is stored again on another installation.

Nothing is converted or computed anew: positions, hashes, salts and seals are those of the club, and `verify_club` holds
for them afterwards. Guards stay: the rows are inserts like any other.
"""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.db import connection

from scoring import storage
from scoring.events.hashes import event_id
from scoring.storage.row_lines import Record, RowFormat, written
from tournaments.log.rows import time_text
from tournaments.models.log import ClubHead, Event, EventNote, Seal, Stream

CHUNK = 2_000
NOTE = ("salt", "text")
STREAMS = RowFormat(Stream, without=("club_id",))
# The id follows from position and hash, and `note` is there where an event has one that was not erased.
EVENTS = RowFormat(Event, without=("id", "club_id"))
NOTES = RowFormat(EventNote, without=("event_id", "club_id", "position"))
# Which SQLite stores as numbers.
MOMENTS = ("recorded_at", "occurred_at")
SEALS = RowFormat(Seal, without=("id", "club_id"))

_SEAL = """
INSERT INTO tournaments_seal (id, club_id, from_position, to_position, root, previous, sealed_at, hash)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)"""


def end_of(club_id: UUID) -> tuple[int, str]:
    """The last position of a club's log, and the hash of the event there in hex; 0 and empty for an empty log."""
    position = ClubHead.objects.filter(club=club_id).values_list("position", flat=True).first() or 0
    digest = Event.objects.filter(club=club_id, position=position).values_list("hash", flat=True).first()
    return position, bytes(digest).hex() if digest else ""


def actors(club_id: UUID) -> set[str]:
    """Everyone who saved an event of the club."""
    return set(Event.objects.filter(club=club_id).order_by().values_list("actor", flat=True).distinct())


def stream_records(club_id: UUID) -> Iterator[Record]:
    """The streams of a club, each with its end."""
    rows = Stream.objects.filter(club=club_id).order_by("id").values_list(*STREAMS.names)
    yield from map(STREAMS.record, rows.iterator(CHUNK))


def event_records(club_id: UUID) -> Iterator[Record]:
    """The events of a club by position, with their notes. Positions have no gap, so a range serves as a limit."""
    last, _ = end_of(club_id)
    columns = (*EVENTS.names, *(f"note__{name}" for name in NOTE))
    for start in range(0, last, CHUNK):
        rows = Event.objects.filter(club=club_id, position__gt=start, position__lte=min(start + CHUNK, last))
        for *values, salt, text in rows.order_by("position").values_list(*columns):
            record = EVENTS.record(values)
            if text is not None:
                record["note"] = {"salt": written(salt), "text": text}
            yield record


def seal_records(club_id: UUID) -> Iterator[Record]:
    """The seals of a club, in order."""
    rows = Seal.objects.filter(club=club_id).order_by("from_position").values_list(*SEALS.names)
    yield from map(SEALS.record, rows.iterator(CHUNK))


def write_head(club_id: UUID, position: int) -> None:
    """Store the end of the club's log: the next event follows it."""
    ClubHead.objects.create(club_id=club_id, position=position)


def write_streams(club_id: UUID, rows: Sequence[dict[str, Any]]) -> None:
    """Store streams with their ends."""
    Stream.objects.bulk_create([Stream(club_id=club_id, **row) for row in rows])


def write_events(club_id: UUID, rows: Sequence[dict[str, Any]]) -> None:
    """Store events at their positions, and their notes (`note` of a row: salt and text).

    Without model instances, which took longer than everything else that is done with an event.
    """
    database = storage.of(connection)
    events, notes = [], []
    for row in rows:
        own = UUID(bytes=event_id(row["position"], row["hash"]))
        moments = {name: database.moment_value(row[name]) for name in MOMENTS}
        events.append((own, club_id, *EVENTS.in_order({**row, **moments})))
        if (note := row.get("note")) is not None:
            notes.append((own, club_id, row["position"], *NOTES.in_order(note)))
    database.insert_rows(Event._meta.db_table, ("id", "club_id", *EVENTS.names), events, "")
    database.insert_rows(EventNote._meta.db_table, ("event_id", "club_id", "position", *NOTES.names), notes, "")


def write_seals(club_id: UUID, rows: Sequence[dict[str, Any]]) -> None:
    """Store seals, each with its moment as it was hashed."""
    moment_of = storage.of(connection).sealing_value
    with connection.cursor() as cursor:
        for row in rows:
            own, moment = UUID(bytes=row["hash"][:16]), moment_of(time_text(row["sealed_at"]))
            places = (row["from_position"], row["to_position"], row["root"], row["previous"], moment, row["hash"])
            cursor.execute(_SEAL, [own, club_id, *places])
