"""What triggers enforce on both databases: the largest values, and what is refused on a table of the log.

The database enforces it whichever program writes: docs/decisions/0027-every-bound-twice.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

# Wide enough for any club, and narrow enough that with any time zone, season and timetable dates stay within the range
# of programs that read our pages, feeds and files.
FIRST_MOMENT = datetime(2000, 1, 1, tzinfo=UTC)
LAST_MOMENT = datetime(2199, 12, 31, 23, 59, 59, tzinfo=UTC)
END = LAST_MOMENT + timedelta(seconds=1)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
# The range of PostgreSQL's integer columns, which SQLite does not enforce.
MOST_COUNT = 2_147_483_647
MOST_SMALL = 32_767
# Positions in a club's log, which are counted one by one.
MOST_POSITION = 10**15
HASH_BYTES = 32
# Four times the largest request, and four reasons of the greatest length.
MOST_BODY, MOST_NOTE = 1_000_000, 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Limits of the columns of one table: numbers from 0, texts and bytes up to a length, times in the calendar
    (`numbered` on SQLite). `wide` numbers and `long` texts are those whose type sets no limit on PostgreSQL either."""

    moments: tuple[str, ...] = ()
    numbered: tuple[str, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    wide: Mapping[str, int] = field(default_factory=dict)
    short: Mapping[str, int] = field(default_factory=dict)
    long: Mapping[str, int] = field(default_factory=dict)


# The books. Amounts have a check of their own; a memo is generated, a line for each reason.
BOUNDS_OF_BOOKS = {
    "scoring_account": Bounds(short={"kind": 16, "owner": 64, "currency": 3}),
    "scoring_journalentry": Bounds(
        moments=("posted_at",),
        counts={"posting_count": MOST_COUNT},
        wide={"version": MOST_POSITION},
        short={"reference": 200, "cause": 80, "slot": 40, "currency": 3},
        long={"digest": 32},
    ),
    "scoring_settledcause": Bounds(
        moments=("settled_at",), wide={"version": MOST_POSITION}, short={"cause": 80}, long={"digest": 32}
    ),
}
# The log: an event, its note and a seal.
BOUNDS_OF_LOG = {
    "tournaments_event": Bounds(
        numbered=("recorded_at", "occurred_at"),
        counts={"version": MOST_COUNT, "schema": MOST_SMALL, "recipe": MOST_SMALL},
        wide={"position": MOST_POSITION},
        short={"kind": 40, "actor": 100, "device": 100, "key": 16},
        long={
            "body": MOST_BODY,
            "given_key": 200,
            "request_digest": HASH_BYTES,
            "note_digest": HASH_BYTES,
            "hash": HASH_BYTES,
        },
    ),
    "tournaments_eventnote": Bounds(long={"salt": 16, "text": MOST_NOTE}),
    "tournaments_seal": Bounds(
        moments=("sealed_at",),
        wide={"from_position": MOST_POSITION, "to_position": MOST_POSITION},
        long={"root": HASH_BYTES, "previous": HASH_BYTES, "hash": HASH_BYTES},
    ),
}

# Operations that the log refuses.
REFUSED_BY_LOG = {
    "tournaments_event": ("DELETE", "UPDATE"),
    "tournaments_seal": ("DELETE", "UPDATE"),
    "tournaments_stream": ("DELETE",),
    "tournaments_clubhead": ("DELETE",),
    # A note may be erased, but not replaced.
    "tournaments_eventnote": ("UPDATE",),
}
# Heads move with every append, so only their identity is guarded, not their position: a check of each row would cost
# a tenth of an append, and a head set back only violates the unique keys of the existing events.
KEPT_BY_LOG = {"tournaments_stream": "id, club_id, kind", "tournaments_clubhead": "club_id"}
