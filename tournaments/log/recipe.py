"""How a fact is hashed, so that not one byte of it can change unseen.

Recipes 1 and 2: docs/decisions/0003-log-hash-covers-every-column.md. A recipe never changes; a new one gets a new
number, which is stored with each event and is itself hashed. Pure: knows nothing of the database.
"""

import struct
from collections.abc import Sequence
from datetime import UTC, datetime
from hashlib import sha256

RECIPE = 2
RECIPES = (b"1", b"2")
FINGERPRINT_DIGITS = 16
# Key, request digest, actor and device, among the fields of an event: who wrote it is nobody else's business.
WHO = slice(6, 10)
_COUNT = struct.Struct(">I")
_EVENT_LENGTHS = struct.Struct(">14I")
_SHOWN_LENGTHS = struct.Struct(">11I")
_POSITION = struct.Struct(">q")


def genesis(club: bytes, stream: bytes, kind: bytes) -> bytes:
    """The hash before a stream's first event: it binds the stream to its club and kind."""
    return framed_digest([b"rummy stream", club, stream, kind])


def content_digest(fields: Sequence[bytes]) -> bytes:
    """The digest of all that an event says, before it is given its place, by the recipe that its first field names.

    All lengths first, then all fields: no two different events share the same bytes.
    """
    if fields[0] == b"2":
        return shown_digest([*fields[: WHO.start], framed_digest(fields[WHO]), *fields[WHO.stop :]])
    return sha256(_EVENT_LENGTHS.pack(*map(len, fields)) + b"".join(fields)).digest()


def shown_digest(fields: Sequence[bytes]) -> bytes:
    """Recipe 2, from what everybody may see: a digest stands where it is said who wrote the event."""
    return sha256(_SHOWN_LENGTHS.pack(*map(len, fields)) + b"".join(fields)).digest()


def event_hash(previous: bytes, position: int, content: bytes) -> bytes:
    """An event's hash: its predecessor in the stream, its position in the club, and what it says."""
    return sha256(previous + _POSITION.pack(position) + content).digest()


def event_id(position: int, digest: bytes) -> bytes:
    """An event's id: its position and the beginning of its hash. In that order, ids lie together as events do."""
    return _POSITION.pack(position) + digest[:8]


def note_digest(salt: bytes, text: bytes) -> bytes:
    """What stays in the log of a note. The salt keeps a short erased note from being guessed."""
    return sha256(salt + text).digest()


def framed_digest(fields: Sequence[bytes]) -> bytes:
    """SHA-256 over any number of fields, each with its length in front."""
    return sha256(b"".join(_COUNT.pack(len(field)) + field for field in fields)).digest()


def time_text(moment: datetime) -> str:
    """A moment as it is hashed and as SQLite keeps it: UTC, always with microseconds."""
    return moment.astimezone(UTC).isoformat(sep=" ", timespec="microseconds")[:26]


def time_from_text(text: str) -> datetime:
    """The moment that `time_text` wrote."""
    return datetime.fromisoformat(f"{text}+00:00")


def short_form(digest: bytes) -> str:
    """The first 64 bits, in four groups that can be read aloud."""
    digits = digest.hex().upper()[:FINGERPRINT_DIGITS]
    return "-".join(digits[at : at + 4] for at in range(0, FINGERPRINT_DIGITS, 4))
