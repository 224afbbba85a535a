"""The log: what happened, in the order it was saved, never changed afterwards. The only door to events.

`append` and `open_stream` write, `read` and its sisters read, `seal_club` and `fingerprint` let anybody who noted
a few letters find out later whether history was touched. docs/decisions/0003-log-hash-covers-every-column.md says
what a hash covers, 0004-append-in-one-statement.md how a fact is stored. Knows nothing of rummy.
"""

from tournaments.log.appending import append, erase_notes, first_answer, open_stream, take_turn
from tournaments.log.reading import actors_of, as_of, head_of, read, read_club, read_many
from tournaments.log.rows import Appended, Head, NewEvent, Place, Request, StoredEvent
from tournaments.log.seals import (
    club_fingerprint,
    clubs_to_seal,
    fingerprint,
    last_seal,
    seal_club,
    seal_fingerprint,
)
from tournaments.log.verifying import Examine, Fault, Verdict, missing_fingerprint, verify_club

__all__ = [
    "Appended",
    "Examine",
    "Fault",
    "Head",
    "NewEvent",
    "Place",
    "Request",
    "StoredEvent",
    "Verdict",
    "actors_of",
    "append",
    "as_of",
    "club_fingerprint",
    "clubs_to_seal",
    "erase_notes",
    "fingerprint",
    "first_answer",
    "head_of",
    "last_seal",
    "missing_fingerprint",
    "open_stream",
    "read",
    "read_club",
    "read_many",
    "seal_club",
    "seal_fingerprint",
    "take_turn",
    "verify_club",
]
