"""The append-only log of events, and the only access to it.

`append`, `append_all` and `open_stream` write; `find` and `spans` return headers, `read` and its siblings whole events;
with `seal_club` and `fingerprint` anyone who noted a short code can find out later whether history was changed. Other
packages use its tables only through it, except the admin's page of the log.
docs/decisions/0003-log-hash-covers-every-column.md says what a hash covers, 0004-append-in-one-statement.md how an
event is stored. Knows nothing of rummy.
"""

from tournaments.log.appending import append as append
from tournaments.log.appending import append_all as append_all
from tournaments.log.appending import erase_notes as erase_notes
from tournaments.log.appending import first_answer as first_answer
from tournaments.log.appending import lock_club as lock_club
from tournaments.log.appending import lock_clubs as lock_clubs
from tournaments.log.appending import move_club as move_club
from tournaments.log.appending import moved_clubs as moved_clubs
from tournaments.log.appending import moved_to as moved_to
from tournaments.log.appending import open_stream as open_stream
from tournaments.log.appending import refuse_moved as refuse_moved
from tournaments.log.reading import actors_of as actors_of
from tournaments.log.reading import as_of as as_of
from tournaments.log.reading import club_ends as club_ends
from tournaments.log.reading import find as find
from tournaments.log.reading import happened as happened
from tournaments.log.reading import head_of as head_of
from tournaments.log.reading import kind_of as kind_of
from tournaments.log.reading import last_position as last_position
from tournaments.log.reading import last_positions as last_positions
from tournaments.log.reading import lengths as lengths
from tournaments.log.reading import notes_of as notes_of
from tournaments.log.reading import position_of as position_of
from tournaments.log.reading import read as read
from tournaments.log.reading import read_club as read_club
from tournaments.log.reading import read_clubs as read_clubs
from tournaments.log.reading import read_kinds as read_kinds
from tournaments.log.reading import read_many as read_many
from tournaments.log.reading import recorded_at as recorded_at
from tournaments.log.reading import spans as spans
from tournaments.log.reading import stream_kinds as stream_kinds
from tournaments.log.reading import streams as streams
from tournaments.log.reading import streams_without as streams_without
from tournaments.log.rows import Appended as Appended
from tournaments.log.rows import Head as Head
from tournaments.log.rows import NewEvent as NewEvent
from tournaments.log.rows import Request as Request
from tournaments.log.rows import StoredEvent as StoredEvent
from tournaments.log.rows import StreamVersion as StreamVersion
from tournaments.log.rows import is_same_request as is_same_request
from tournaments.log.rows import key_id as key_id
from tournaments.log.seals import club_fingerprint as club_fingerprint
from tournaments.log.seals import clubs_to_seal as clubs_to_seal
from tournaments.log.seals import count_after as count_after
from tournaments.log.seals import fingerprint as fingerprint
from tournaments.log.seals import last_seal as last_seal
from tournaments.log.seals import seal_club as seal_club
from tournaments.log.seals import seal_fingerprint as seal_fingerprint
from tournaments.log.seals import unsealed_since as unsealed_since
from tournaments.log.verifying import Verdict as Verdict
from tournaments.log.verifying import missing_fingerprint as missing_fingerprint
from tournaments.log.verifying import verify_club as verify_club
from tournaments.models.log import StreamKind as StreamKind
