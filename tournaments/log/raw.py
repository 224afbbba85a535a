"""The log's rows as raw bytes, for code that must not trust them.

Texts are read as bytes on SQLite (a changed byte may make it invalid text), and times, ids and keys in the form in
which they were hashed. Nothing is converted to objects here: that could hide a change.
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from django.db import connection

from scoring import storage
from tournaments.log.rows import key_digest

CHUNK = 2_000
_HASHED = (
    "recipe",
    "club_id",
    "stream_id",
    "version",
    "kind",
    "schema",
    "key",
    "request_digest",
    "actor",
    "device",
    "recorded_at",
    "occurred_at",
    "note_digest",
    "body",
)
_KEY = _HASHED.index("key")
# How columns are hashed that are no texts.
_KINDS = {
    **dict.fromkeys(("id", "club_id", "stream_id", "event_id", "key"), "id"),
    **dict.fromkeys(("recipe", "version", "schema"), "number"),
    **dict.fromkeys(("recorded_at", "occurred_at"), "moment of an event"),
    "sealed_at": "moment of a seal",
}


class RawEvent(NamedTuple):
    """One row of the log. `fields` are those that the recipe hashes, in its order."""

    fields: list[bytes]
    position: Any
    version: Any
    id: bytes
    hash: bytes
    salt: bytes | None
    note: bytes | None

    @property
    def stream(self) -> bytes:
        """The stream's id, as hex digits."""
        return self.fields[2]

    @property
    def kind(self) -> str:
        """The stored kind."""
        return self.fields[4].decode()

    @property
    def schema(self) -> int:
        """The version of the kind's shape."""
        return int(self.fields[5])

    @property
    def body(self) -> bytes:
        """The content, as JSON."""
        return self.fields[13]

    @property
    def note_digest(self) -> bytes:
        """Empty if there never was a note."""
        return self.fields[12]


class RawSeal(NamedTuple):
    """One seal."""

    id: bytes
    start: int
    end: int
    root: bytes
    previous: bytes
    sealed_at: bytes
    hash: bytes


def events_after(club: str, position: int, end: int | None = None) -> list[RawEvent]:
    """The events at the next CHUNK positions, none after `end`. `club` is its id as hex digits, as everywhere here.

    Positions have no gap, so a range serves as a limit, and needs no sorting whatever the query planner assumes.
    """
    last = position + CHUNK if end is None else min(position + CHUNK, end)
    return _events("event.position > %s AND event.position <= %s", [_id(club), position, last])


def events_of(club: str, streams: Sequence[str], up_to: int) -> list[RawEvent]:
    """The events of these streams of a club up to a position, in the order of positions."""
    return _events(
        f"event.stream_id IN ({_places(streams)}) AND event.position <= %s", [_id(club), *map(_id, streams), up_to]
    )


def leaves_of(club: str, starts: Sequence[int] | None = None) -> list[tuple[int, bytes]]:
    """The hashes that seals cover, each with the start of its seal: of all seals, or of those with the given starts.

    In the order of positions.
    """
    chosen = "" if starts is None else f" AND seal.from_position IN ({', '.join(['%s'] * len(starts)) or 'NULL'})"
    rows = _rows(
        "SELECT seal.from_position, event.hash FROM tournaments_seal AS seal"  # noqa: S608 - only placeholders
        " JOIN tournaments_event AS event ON event.club_id = seal.club_id"
        " AND event.position >= seal.from_position AND event.position <= seal.to_position"
        f" WHERE seal.club_id = %s{chosen} ORDER BY event.position",
        [_id(club), *(starts or ())],
    )
    return [(start, bytes(digest)) for start, digest in rows]


def heads_at(club: str, streams: Collection[bytes], position: int) -> dict[bytes, tuple[int, bytes]]:
    """The last version of each of these streams up to a position of their club, and its stored hash."""
    if not streams:
        return {}
    value = storage.of(connection).NO_INDEX
    rows = _rows(
        f"SELECT {_column('event', 'stream_id')}, version, hash FROM tournaments_event AS event"  # noqa: S608 - constants
        f" WHERE {value}club_id = %s AND stream_id IN ({_places(streams)}) AND position <= %s AND version ="
        f" (SELECT max(version) FROM tournaments_event AS own WHERE {value}own.club_id = event.club_id"
        "   AND own.stream_id = event.stream_id AND own.position <= %s)",
        [_id(club), *_ids(streams), position, position],
    )
    return {_bytes(stream): (version, bytes(digest)) for stream, version, digest in rows}


def seals_of(club: str) -> list[RawSeal]:
    """A club's seals, in order."""
    rows = _rows(
        f"SELECT {_column('seal', 'id')}, from_position, to_position, root, previous,"  # noqa: S608 - constants
        f" {_column('seal', 'sealed_at')}, hash"
        " FROM tournaments_seal AS seal WHERE club_id = %s ORDER BY from_position",
        [_id(club)],
    )
    return [RawSeal(_bytes(row[0]), row[1], row[2], *_all_bytes(row[3:])) for row in rows]


def streams_of(club: str, named: Collection[bytes] | None = None) -> dict[bytes, bytes]:
    """The kinds of all streams of a club, or of those among `named`."""
    return {_bytes(stream): _bytes(kind) for stream, kind in _streams(club, _column("stream", "kind"), named)}


def ends_of(club: str, named: Collection[bytes]) -> dict[bytes, Any]:
    """The last version of each of the named streams of a club, by the stream's own row."""
    return {_bytes(stream): version for stream, version in _streams(club, "version", named)}


def _streams(club: str, column: str, named: Collection[bytes] | None) -> list[tuple[Any, ...]]:
    chosen = "" if named is None else f" AND id IN ({_places(named) or 'NULL'})"
    return _rows(
        f"SELECT {_column('stream', 'id')}, {column}"  # noqa: S608 - constants
        f" FROM tournaments_stream AS stream WHERE club_id = %s{chosen}",
        [_id(club), *_ids(named or ())],
    )


def clubs() -> list[str]:
    """Every club that any row of the log refers to, existing or not."""
    tables = ("clubhead", "stream", "event", "seal")
    parts = [f"SELECT DISTINCT club_id FROM tournaments_{table}" for table in tables]  # noqa: S608 - constants
    rows = _rows(f"SELECT {_column('found', 'club_id')} FROM ({' UNION '.join(parts)}) AS found", [])  # noqa: S608
    return sorted(_bytes(row[0]).decode(errors="replace") for row in rows)


def head_position(club: str) -> Any:
    """The last position given out, by the club's head; None without a head."""
    rows = _rows("SELECT position FROM tournaments_clubhead WHERE club_id = %s", [_id(club)])
    return rows[0][0] if rows else None


def next_position(club: str, position: int) -> int | None:
    """The first position after this one with an event; None without one."""
    rows = _rows(
        "SELECT min(position) FROM tournaments_event WHERE club_id = %s AND position > %s", [_id(club), position]
    )
    later_position: int | None = rows[0][0]
    return later_position


def last_position(club: str) -> int:
    """The last position with an event; 0 without one."""
    rows = _rows("SELECT max(position) FROM tournaments_event WHERE club_id = %s", [_id(club)])
    return int(rows[0][0] or 0)


def streams_off_their_head(club: str) -> list[tuple[bytes, int]]:
    """Streams whose row has another end than their events, with the last position of each."""
    value = storage.of(connection).NO_INDEX
    rows = _rows(
        f"""SELECT {_column("stream", "id")},
          (SELECT coalesce(max(position), 0) FROM tournaments_event AS own
           WHERE {value}own.club_id = stream.club_id AND own.stream_id = stream.id)
        FROM tournaments_stream AS stream
        LEFT JOIN tournaments_event AS event ON {value}event.club_id = stream.club_id
          AND event.stream_id = stream.id AND event.version = stream.version
        WHERE stream.club_id = %s AND (event.hash IS NULL OR event.hash <> stream.head_hash OR EXISTS (
          SELECT 1 FROM tournaments_event AS later
          WHERE {value}later.club_id = stream.club_id AND later.stream_id = stream.id
            AND later.version > stream.version))""",  # noqa: S608 - constants
        [_id(club)],
    )
    return [(_bytes(stream), position) for stream, position in rows]


def stray_notes() -> int:
    """How many notes belong to no event."""
    rows = _rows(
        "SELECT count(*) FROM tournaments_eventnote AS note"
        " LEFT JOIN tournaments_event AS event ON event.club_id = note.club_id"
        " AND event.position = note.position AND event.id = note.event_id WHERE event.id IS NULL",
        [],
    )
    return int(rows[0][0])


def knows_fingerprint(number: int, prefix: bytes) -> bool:
    """Whether a seal up to this position, or an event with this version, has a hash with this prefix."""
    rows = _rows(
        "SELECT hash FROM tournaments_seal WHERE to_position = %s"
        " UNION SELECT hash FROM tournaments_event WHERE version = %s",
        [number, number],
    )
    return any(bytes(row[0]).startswith(prefix) for row in rows)


def _ids(streams: Collection[bytes]) -> list[Any]:
    return [_id(stream.decode()) for stream in streams]


def _places(values: Collection[object]) -> str:
    return ", ".join(["%s"] * len(values))


def _id(digits: str) -> Any:
    return storage.of(connection).id_value(digits)


def _column(table: str, name: str) -> str:
    """The SQL for a column in the form in which it was hashed."""
    return str(storage.of(connection).AS_HASHED[_KINDS.get(name, "text")].format(f"{table}.{name}"))


def _events(which: str, parameters: list[Any]) -> list[RawEvent]:
    """The events of a club that match the condition `which`, in the order of positions."""
    columns = [_column("event", name) for name in _HASHED]
    places = ["event.position", "event.version", _column("event", "id"), "event.hash"]
    beside = ["note.salt", _column("note", "text"), _column("event", "given_key")]
    rows = _rows(
        f"SELECT {', '.join(columns + places + beside)} FROM tournaments_event AS event"  # noqa: S608 - constants
        " LEFT JOIN tournaments_eventnote AS note ON note.club_id = event.club_id"
        " AND note.position = event.position AND note.event_id = event.id"
        f" WHERE event.club_id = %s AND {which} ORDER BY event.position",
        parameters,
    )
    return [_raw_event(row) for row in rows]


def _raw_event(row: tuple[Any, ...]) -> RawEvent:
    *fields, position, version, own, digest, salt, note, given_key = row
    fields = _all_bytes(fields)
    fields[_KEY] = _hashed_key(fields[_KEY], *_all_bytes((given_key,)))
    return RawEvent(fields, position, version, *_all_bytes((own, digest, salt, note)))


def _hashed_key(stored: bytes, given: bytes) -> bytes:
    """The key as it was hashed: as given in an older release, if it matches the stored one, else as a UUID."""
    if given:
        return given if key_digest(given).hex().encode() == stored else b""
    return b"-".join((stored[:8], stored[8:12], stored[12:16], stored[16:20], stored[20:]))


def _rows(question: str, parameters: list[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(question, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _all_bytes(values: Iterable[Any]) -> list[Any]:
    return [value.encode() if type(value) is str else value for value in values]


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
