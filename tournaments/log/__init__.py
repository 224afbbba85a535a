"""The log: what happened, in the order it was saved, never changed afterwards. The only door to events.

`append`, `append_all` and `open_stream` write, `find` and `spans` tell which facts there are and `read` and its
sisters what they say, `seal_club` and `fingerprint` let anybody who noted a few letters find out later whether history
was touched. Nobody else sees a row of it. docs/decisions/0003-log-hash-covers-every-column.md says what a hash covers,
0004-append-in-one-statement.md how a fact is stored. Knows nothing of rummy.
"""

from tournaments.log.appending import append, append_all, erase_notes, first_answer, open_stream, take_turn
from tournaments.log.reading import (
    actors_of,
    as_of,
    club_ends,
    find,
    happened,
    head_of,
    kind_of,
    notes_of,
    read,
    read_club,
    read_kinds,
    read_many,
    spans,
    streams,
)
from tournaments.log.rows import Appended, Head, NewEvent, Place, Request, StoredEvent
from tournaments.log.seals import (
    club_fingerprint,
    clubs_to_seal,
    fingerprint,
    last_seal,
    seal_club,
    seal_fingerprint,
    unsealed_since,
)
from tournaments.log.verifying import Verdict, missing_fingerprint, verify_club
from tournaments.models.log import StreamKind

__all__ = [
    "Appended",
    "Head",
    "NewEvent",
    "Place",
    "Request",
    "StoredEvent",
    "StreamKind",
    "Verdict",
    "actors_of",
    "append",
    "append_all",
    "as_of",
    "club_ends",
    "club_fingerprint",
    "clubs_to_seal",
    "erase_notes",
    "find",
    "fingerprint",
    "first_answer",
    "happened",
    "head_of",
    "kind_of",
    "last_seal",
    "missing_fingerprint",
    "notes_of",
    "open_stream",
    "read",
    "read_club",
    "read_kinds",
    "read_many",
    "seal_club",
    "seal_fingerprint",
    "spans",
    "streams",
    "take_turn",
    "unsealed_since",
    "verify_club",
]
