"""What only SQLite does: the statements of books and log, and the triggers over them.

Statements are plain ones on the driver's own cursor of Django's connection, and safe because a transaction there begins
by taking the only write lock (transaction_mode IMMEDIATE): docs/decisions/0005-a-ledger-the-database-keeps.md.

There are no deferred triggers, so postings are written first, under a deferred foreign key, and the entry last: its
trigger checks the whole and seals it, and a sealed entry takes no more postings. OR REPLACE deletes conflicting rows
without firing a delete trigger, and with foreign keys off nothing else prevents it; so an insert over any key of an
existing row is refused, the hidden rowid among them, and no row can be moved onto another. A column accepts any type:
values that are not integers are refused here.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from scoring.events.hashes import event_hash, event_id
from scoring.problems import Defect
from scoring.storage.bounds import (
    BOUNDS_OF_BOOKS,
    BOUNDS_OF_LOG,
    END,
    EPOCH,
    FIRST_MOMENT,
    KEPT_BY_LOG,
    MICROSECOND,
    REFUSED_BY_LOG,
    Bounds,
)
from scoring.storage.writes import AccountKey, Accounts, Batch, Claimed, EventRow, cause_digest

_CLAIMED_BEFORE = """
SELECT cause, version FROM scoring_settledcause WHERE club = ? AND cause IN (SELECT value FROM json_each(?))"""
_CLAIM = "INSERT INTO scoring_settledcause (version, settled_at, digest, club, cause) VALUES (?, ?, ?, ?, ?)"
_CLAIM_AGAIN = "UPDATE scoring_settledcause SET version = ?, settled_at = ?, digest = ? WHERE club = ? AND cause = ?"
_FIND_ACCOUNTS = """
SELECT account.kind, account.owner, account.currency, account.id
FROM json_each(?) AS wanted CROSS JOIN scoring_account AS account
WHERE account.club = ? AND account.kind = json_extract(wanted.value, '$[0]')
  AND account.owner = json_extract(wanted.value, '$[1]') AND account.currency = json_extract(wanted.value, '$[2]')"""
_OPEN_ACCOUNT = "INSERT INTO scoring_account (id, club, kind, owner, currency) VALUES (?, ?, ?, ?, ?)"
_ENTRY = """
INSERT INTO scoring_journalentry
  (club, posted_at, id, reference, cause, slot, version, currency, memo, posting_count, reverses_id, digest)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"""
_POSTING = "INSERT INTO scoring_posting (club, entry_id, account_id, amount_minor, purpose) VALUES (?, ?, ?, ?, ?)"

# The time as text: Django's converter would take it for one without a time zone.
_STATEMENT = """
SELECT entry.posted_at || '+00:00', entry.reference, entry.cause, entry.slot, posting.purpose, entry.currency,
  posting.amount_minor, entry.memo, posting.id, entry.reverses_id IS NOT NULL
FROM scoring_account AS account
JOIN scoring_posting AS posting ON posting.account_id = account.id
JOIN scoring_journalentry AS entry ON entry.id = posting.entry_id
WHERE account.club = ? AND account.kind = 'player' AND account.owner IN (SELECT value FROM json_each(?))
ORDER BY entry.posted_at, posting.id"""


def claim(club: UUID, versions: Mapping[str, int], now: datetime) -> Claimed:
    """Claim causes for a version each."""
    with _cursor() as cursor:
        noted = dict(cursor.execute(_CLAIMED_BEFORE, (club, json.dumps(list(versions)))))
        fresh = versions.keys() - noted
        older = {cause for cause, version in noted.items() if version < versions[cause]}
        cursor.executemany(_CLAIM, [_noted(club, cause, versions[cause], now) for cause in fresh])
        cursor.executemany(_CLAIM_AGAIN, [_noted(club, cause, versions[cause], now) for cause in older])
    return Claimed(fresh=frozenset(fresh), older=frozenset(older))


def find_accounts(club: UUID, wanted: Sequence[AccountKey]) -> Accounts:
    """Ids of those of these accounts that exist."""
    with _cursor() as cursor:
        rows = cursor.execute(_FIND_ACCOUNTS, (json.dumps(wanted), club))
        return {AccountKey(*key): account for *key, account in rows}


def open_accounts(club: UUID, absent: Sequence[AccountKey]) -> None:
    """Open accounts. No other writer can have opened one since we looked."""
    with _cursor() as cursor:
        cursor.executemany(_OPEN_ACCOUNT, [(uuid4(), club, *key) for key in absent])


def claim_and_post(*_: object) -> bool:
    """Return False: it takes several statements here."""
    return False


def insert_entries(batch: Batch) -> None:
    """Write postings, then the entries that seal them: _ENTRY_COMPLETE."""
    with _cursor() as cursor:
        cursor.executemany(_POSTING, [(batch.club, *row) for row in batch.posting_rows()])
        cursor.executemany(_ENTRY, list(_entries(batch)))


def statement_rows(club: UUID, players: Collection[str]) -> list[Any]:
    """The postings of these owners with their entries, oldest first."""
    with _cursor() as cursor:
        rows = cursor.execute(_STATEMENT, (club, json.dumps(list(players))))
        return [(datetime.fromisoformat(row[0]), *row[1:-1], row[-1] == 1) for row in rows]


def divide(*_: object) -> dict[str, int]:
    """Raise Defect."""
    raise Defect("SQLite has no tables in parts")


def _entries(batch: Batch) -> Iterator[tuple[Any, ...]]:
    posted_at = _text(batch.now)
    for entry, *rest, reverses, digest in batch.entry_rows():
        yield batch.club, posted_at, entry, *rest, reverses, digest


def _noted(club: UUID, cause: str, version: int, now: datetime) -> tuple[Any, ...]:
    return version, _text(now), cause_digest(club, cause, version, now), club, cause


def _text(moment: datetime) -> str:
    """A time as Django stores it in a column."""
    return str(connection.ops.adapt_datetimefield_value(moment))


@contextmanager
def _cursor() -> Iterator[Any]:
    with connection.wrap_database_errors, closing(connection.connection.cursor()) as cursor:
        yield cursor


# The declared type of a column of the log with a time.
MOMENT_TYPE = "bigint"
_HEADS_BEFORE = """
SELECT head.position, stream.head_hash FROM tournaments_stream AS stream
JOIN tournaments_clubhead AS head ON head.club_id = stream.club_id
WHERE stream.id = ? AND stream.club_id = ? AND stream.version = ? AND head.moved_to = ''"""
_EVENT = f"""
INSERT INTO tournaments_event (id, club_id, position, stream_id, version, kind, schema, recipe, body, actor,
  device, recorded_at, occurred_at, key, request_digest, note_digest, hash)
VALUES ({", ".join(["?"] * 17)})"""  # noqa: S608 - only placeholders are put in
_MOVE_STREAM = "UPDATE tournaments_stream SET version = ?, head_hash = ? WHERE id = ?"
_MOVE_HEAD = "UPDATE tournaments_clubhead SET position = ? WHERE club_id = ?"
_NOTE = "INSERT INTO tournaments_eventnote (event_id, club_id, position, salt, text) VALUES (?, ?, ?, ?, ?)"


def append_event(event: EventRow) -> tuple[int, bytes] | None:
    """Store the event; returns its position and hash, or None if the stream has moved on, or its club is elsewhere."""
    with _cursor() as cursor:
        heads = cursor.execute(_HEADS_BEFORE, (event.stream, event.club, event.expected)).fetchone()
        if heads is None:
            return None
        position = heads[0] + 1
        digest = event_hash(heads[1], position, event.content)
        name, version = event_id(position, digest), event.expected + 1
        columns = (
            *(name, event.club, position, event.stream, version, event.kind, event.schema, event.recipe, event.body),
            *(event.actor, event.device, moment_value(event.recorded_at), moment_value(event.occurred_at)),
            *(event.key.bytes, event.request_digest, event.note_digest, digest),
        )
        cursor.execute(_EVENT, columns)
        cursor.execute(_MOVE_STREAM, (version, digest, event.stream))
        cursor.execute(_MOVE_HEAD, (position, event.club))
        if event.note:
            cursor.execute(_NOTE, (name, event.club, position, event.salt, event.note))
    return position, digest


def moment_value(moment: datetime) -> int:
    """A time as a column of the log takes it: a number (docs/decisions/0072-sixteen-bytes-of-a-key.md)."""
    return (moment - EPOCH) // MICROSECOND


# How a column is selected in the form in which it was hashed: as bytes, because a changed byte may make a text invalid.
# Django omits a fraction of zero; a seal has its time as it was hashed. Of the numbers that are the log's times, any
# other value than a number cannot match a hash.
AS_HASHED = {
    "id": "CAST(lower(hex({0})) AS BLOB)",
    "number": "CAST({0} AS BLOB)",
    "text": "CAST({0} AS BLOB)",
    "moment": "CASE length(CAST({0} AS BLOB)) WHEN 19 THEN CAST({0} || '.000000' AS BLOB) ELSE CAST({0} AS BLOB) END",
    "moment of a seal": "CAST({0} AS BLOB)",
    "moment of an event": "CAST(CASE typeof({0}) WHEN 'integer' THEN"
    " strftime('%%Y-%%m-%%d %%H:%%M:%%S', {0} / 1000000, 'unixepoch') || printf('.%%06d', {0} %% 1000000)"
    " ELSE '' END AS BLOB)",
}
# The setting `synchronous` with which an event is on disk before it is acknowledged.
_FULL = 2
# Before a column in a condition: the planner searches by no index over it. Streams have no index that begins with the
# club, and it would read the whole club instead.
NO_INDEX = "+"


def id_value(digits: str) -> bytes:
    """Return an id as a parameter: a damaged id need not have sixteen bytes."""
    return bytes.fromhex(digits)


def sealing_value(sealed_at: str) -> str:
    """Return the time of a seal, in UTC as it was hashed, as its column takes it."""
    return sealed_at


# Whether an entry is stored after its postings.
POSTINGS_FIRST = True


def skip_numbers(table: str, last: int) -> None:
    """Give new rows of a table with numbered ids only numbers after this one."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE sqlite_sequence SET seq = max(seq, %s) WHERE name = %s", [last, table])
        if not cursor.rowcount:
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])


# Whether keys of read models begin with the club.
KEYS_LEAD_WITH_THE_CLUB = False


def insert_rows(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], on_conflict: str) -> None:
    """Insert rows, each bound to one prepared statement; a list becomes JSON."""
    places = ", ".join(["%s"] * len(columns))
    question = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({places}) {on_conflict}"  # noqa: S608 - names
    with connection.cursor() as cursor:
        cursor.executemany(question, [tuple(map(_bound, row)) for row in rows])


def _bound(value: Any) -> Any:
    if isinstance(value, list):
        return json.dumps(value)
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


@contextmanager
def snapshot(_: str) -> Iterator[None]:
    """A transaction that reads from one snapshot. Ours take the only write lock at once; this one needs none."""
    # A new connection has no mode yet: a command may begin with a proof.
    connection.ensure_connection()
    database: Any = connection
    mode, database.transaction_mode = database.transaction_mode, "DEFERRED"
    try:
        with transaction.atomic():
            yield
    finally:
        database.transaction_mode = mode


def shared_snapshot() -> str:
    """Return no name: each process has a snapshot of its own."""
    return ""


@contextmanager
def without_waiting() -> Iterator[None]:
    """Statements of this connection wait for no other writer."""
    connection.ensure_connection()
    with waiting(connection, 0):
        yield


@contextmanager
def waiting(database: BaseDatabaseWrapper, seconds: float, *, new: float = 0) -> Iterator[None]:
    """Statements in the block wait that long for another writer. A connection opened in it has `new` afterwards."""
    before = new
    if database.connection is not None:
        before = database.connection.execute("PRAGMA busy_timeout").fetchone()[0] / 1000
        set_wait(database, seconds)
    try:
        yield
    finally:
        # A connection that was opened or closed in the meantime starts with its own setting.
        if database.connection is not None:
            set_wait(database, before)


def set_wait(database: BaseDatabaseWrapper, seconds: float) -> None:
    """From now on wait that long. Bypasses Django's cursor: called on every request, and never why one fails."""
    database.connection.execute(f"PRAGMA busy_timeout = {max(0, round(seconds * 1000))}")


def reset_wait(_: BaseDatabaseWrapper) -> None:
    """Do nothing: `waiting` has done it."""


def forgetful_setting(database: BaseDatabaseWrapper) -> str | None:
    """The setting by which this database can lose acknowledged events, as one sentence; None where there is none."""
    with database.cursor() as cursor:
        cursor.execute("PRAGMA synchronous")
        (level,) = cursor.fetchone()
    text = f"SQLite runs with synchronous={level}; below {_FULL} (FULL) a power cut loses acknowledged events."
    return None if level >= _FULL else text


# Django changes a table by building it anew, which is refused while another table's trigger names it.
REBUILDS_TABLES = True
_NEVER_CHANGED = {
    "scoring_account": "an account is never changed",
    "scoring_journalentry": "a journal entry is never changed: post a reversal",
    "scoring_posting": "a posting is never changed: post a reversal",
}

# An insert without a rowid has -1 here, which no row has.
_STANDS_IN_BOOKS = {
    "scoring_account": """EXISTS (
  SELECT 1 FROM scoring_account AS other
  WHERE other.id = NEW.id OR other.rowid = NEW.rowid
     OR (other.club = NEW.club AND other.kind = NEW.kind AND other.owner = NEW.owner
         AND other.currency = NEW.currency))""",
    "scoring_journalentry": """EXISTS (
  SELECT 1 FROM scoring_journalentry AS other
  WHERE other.id = NEW.id OR other.rowid = NEW.rowid OR other.reverses_id = NEW.reverses_id
     OR (other.club = NEW.club AND other.reference = NEW.reference))""",
    "scoring_posting": "EXISTS (SELECT 1 FROM scoring_posting WHERE id = NEW.id)",
    "scoring_settledcause": """EXISTS (
  SELECT 1 FROM scoring_settledcause AS other
  WHERE other.id = NEW.id OR (other.club = NEW.club AND other.cause = NEW.cause))""",
}

_WHOLE_NUMBERS = {
    "scoring_posting": ("amount_minor",),
    "scoring_journalentry": ("version", "posting_count"),
    "scoring_settledcause": ("version",),
}

_ENTRY_COMPLETE = """CREATE TRIGGER scoring_journalentry_complete AFTER INSERT ON scoring_journalentry
BEGIN
  SELECT CASE
    WHEN postings.held <> NEW.posting_count
      THEN RAISE(ABORT, 'the entry does not have as many postings as it says')
    WHEN postings.whole <> postings.held
      THEN RAISE(ABORT, 'a posting of the entry is no whole number')
    WHEN postings.balance <> 0
      THEN RAISE(ABORT, 'the postings of the entry do not sum to zero')
    WHEN postings.at_home <> postings.held
      THEN RAISE(ABORT, 'a posting is on an account of another club or currency')
  END
  FROM (
    SELECT count(*) AS held,
           coalesce(sum(typeof(posting.amount_minor) = 'integer'), 0) AS whole,
           coalesce(sum(posting.amount_minor), 0) AS balance,
           count(account.id) AS at_home
    FROM scoring_posting AS posting
    LEFT JOIN scoring_account AS account
      ON account.id = posting.account_id AND account.club = NEW.club AND account.currency = NEW.currency
     AND posting.club = NEW.club
    WHERE posting.entry_id = NEW.id
  ) AS postings;
END"""

_NO_DELETE = """CREATE TRIGGER scoring_settledcause_no_delete
BEFORE DELETE ON scoring_settledcause
BEGIN
  SELECT RAISE(ABORT, 'a settled cause is never removed');
END"""

# A lower version would let older amounts be posted over newer ones.
_GROWS = """BEFORE UPDATE ON scoring_settledcause
WHEN NEW.id IS NOT OLD.id OR NEW.club IS NOT OLD.club OR NEW.cause IS NOT OLD.cause
  OR typeof(NEW.version) <> 'integer' OR NEW.version < OLD.version"""

# For an insert without a rowid NEW.rowid is -1 here, which no row has.
_STANDS_IN_LOG = {
    "tournaments_event": "id = NEW.id OR (club_id = NEW.club_id AND position = NEW.position)"
    " OR (stream_id = NEW.stream_id AND version = NEW.version) OR (club_id = NEW.club_id AND key = NEW.key)",
    "tournaments_seal": "id = NEW.id OR (club_id = NEW.club_id AND from_position = NEW.from_position)",
    "tournaments_stream": "id = NEW.id",
    "tournaments_clubhead": "club_id = NEW.club_id",
    "tournaments_eventnote": "event_id = NEW.event_id",
}


def standing_triggers(cursor: Any, tables: Collection[str], _: object = ()) -> dict[str, str]:
    """Every trigger of some tables by name, with the SQL that created it."""
    named = ", ".join(["%s"] * len(tables))
    cursor.execute(
        f"SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ({named})",  # noqa: S608
        sorted(tables),
    )
    return dict(cursor.fetchall())


def strange_triggers(cursor: Any, tables: Collection[str], ours: Collection[str]) -> dict[str, str]:
    """Triggers of some tables that are not ours."""
    names = standing_triggers(cursor, tables).keys()
    return {f"trigger {name}": "is none of this code" for name in sorted(names - ours)}


def dropping(_: object, triggers: Mapping[str, str]) -> Iterator[str]:
    """Statements that drop these triggers."""
    yield from (f"DROP TRIGGER IF EXISTS {name}" for name in triggers)


def rebuilding(_: object, triggers: Mapping[str, str]) -> Iterator[str]:
    """Statements that create these triggers, whatever is left of them."""
    for name, definition in triggers.items():
        yield f"DROP TRIGGER IF EXISTS {name}"
        yield definition


def after_each_row(triggers: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Definitions of triggers by name, from the name of each, when it fires, and its statements for a row."""
    return {name: f"CREATE TRIGGER {name} {when}\nBEGIN\n  {statements}\nEND" for name, when, statements in triggers}


def _of_books() -> Iterator[tuple[str, str]]:
    for table, why in _NEVER_CHANGED.items():
        for operation in ("update", "delete"):
            yield _trigger(f"{table}_no_{operation}", f"BEFORE {operation.upper()} ON {table}", why)
    for table, stands in _STANDS_IN_BOOKS.items():
        why = f"a row of {table} with this key stands already"
        yield _trigger(f"{table}_no_replace", f"BEFORE INSERT ON {table}\nWHEN {stands}", why)
    for table, columns in _WHOLE_NUMBERS.items():
        broken = " OR ".join(f"typeof(NEW.{column}) <> 'integer'" for column in columns)
        why = f"a row of {table} has a number that is not whole"
        yield _trigger(f"{table}_whole_numbers", f"BEFORE INSERT ON {table}\nWHEN {broken}", why)
    for table, bounds in BOUNDS_OF_BOOKS.items():
        operation = f"BEFORE INSERT ON {table}\nWHEN {_beyond(bounds)}"
        yield _trigger(f"{table}_within_bounds", operation, f"a value of {table} is beyond its bound")
    is_complete = "EXISTS (SELECT 1 FROM scoring_journalentry WHERE id = NEW.entry_id)"
    why = "the entry is complete and takes no more postings"
    yield _trigger("scoring_posting_sealed", f"BEFORE INSERT ON scoring_posting\nWHEN {is_complete}", why)
    yield "scoring_journalentry_complete", _ENTRY_COMPLETE
    yield "scoring_settledcause_no_delete", _NO_DELETE
    yield _trigger("scoring_settledcause_grows", _GROWS, "a cause keeps its name and is never settled back")


def _of_log() -> Iterator[tuple[str, str]]:
    for table, operations in REFUSED_BY_LOG.items():
        for operation in operations:
            name = f"{table}_no_{operation.lower()}"
            yield _trigger(name, f"BEFORE {operation} ON {table}", f"{table} is append-only")
    for table, columns in KEPT_BY_LOG.items():
        fixed_columns = f"{columns}, rowid, oid, _rowid_"
        operation = f"BEFORE UPDATE OF {fixed_columns} ON {table}"
        yield _trigger(f"{table}_stays", operation, f"{table} keeps its {fixed_columns}")
    for table, same in _STANDS_IN_LOG.items():
        stands = f"EXISTS (SELECT 1 FROM {table} WHERE {same} OR rowid = NEW.rowid)"  # noqa: S608 - constants of this file
        why = f"a row of {table} with this key stands already"
        yield _trigger(f"{table}_no_replace", f"BEFORE INSERT ON {table} WHEN {stands}", why)
    for table, bounds in BOUNDS_OF_LOG.items():
        operation = f"BEFORE INSERT ON {table} WHEN {_beyond(bounds)}"
        yield _trigger(f"{table}_within_bounds", operation, f"a value of {table} is beyond its bound")


def _trigger(name: str, operation: str, why: str) -> tuple[str, str]:
    return name, f"CREATE TRIGGER {name} {operation}\nBEGIN\n  SELECT RAISE(ABORT, '{why}');\nEND"


def _beyond(bounds: Bounds) -> str:
    """The condition that a new row exceeds one of the bounds. A value of another type is no date and time either."""
    moments = (f"NEW.{column} NOT BETWEEN '{FIRST_MOMENT.year}' AND '{END.year}'" for column in bounds.moments)
    first, last = moment_value(FIRST_MOMENT), moment_value(END) - 1
    numbered = (f"NEW.{column} NOT BETWEEN {first} AND {last}" for column in bounds.numbered)
    numbers = (f"NEW.{name} NOT BETWEEN 0 AND {most}" for name, most in {**bounds.counts, **bounds.wide}.items())
    texts = (f"length(NEW.{name}) > {most}" for name, most in {**bounds.short, **bounds.long}.items())
    return " OR ".join((*moments, *numbered, *numbers, *texts))


TRIGGERS_OF_BOOKS, TRIGGERS_OF_LOG = dict(_of_books()), dict(_of_log())
