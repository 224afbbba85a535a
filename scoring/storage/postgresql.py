"""What only PostgreSQL does: statements of books and log, keys that begin with the club, partitions, and the triggers.

A cause that is new to the books is claimed and posted in one statement, others step by step. Rows are passed as
columns, so that a statement stays the same however many there are, and the driver's own cursor of Django's connection
can keep it prepared: docs/decisions/0005-a-ledger-the-database-keeps.md.

Keys are changed only by migrations of the log, the books and the leaderboards. Rows stay where they are; the database
checks each of them against a new key, and one that does not fit rolls the migration back. Partitioned tables keep their
names, rows and keys: rows are copied, and compared by number and a digest over all of each, before the old table is
dropped. Triggers go with it, and the caller must create them again. Both are done in the caller's transaction. Why:
docs/decisions/0065-keys-lead-with-the-club.md.

An entry is written first, then all its postings in one statement: a trigger looks at each statement's postings as a
whole, and at the end of the transaction another refuses an entry that got none. An entry says how many postings it has,
so a posting added by a later transaction is refused without asking which transaction that is (a stored transaction id
would not survive a restore). Refusals carry the class of integrity errors, as those of SQLite do. Definitions are
written as PostgreSQL prints them, so that existing ones can be compared with them word for word.

The log has a function that stores an event, and no long statement: its plans are kept by the session, behind any
connection pooler (docs/decisions/0004-append-in-one-statement.md).
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

import msgspec
from django.db import Error, connection, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from scoring.problems import Defect
from scoring.storage.bounds import (
    BOUNDS_OF_BOOKS,
    BOUNDS_OF_LOG,
    END,
    FIRST_MOMENT,
    KEPT_BY_LOG,
    REFUSED_BY_LOG,
    Bounds,
)
from scoring.storage.writes import AccountKey, Accounts, Batch, Claimed, EventRow, cause_digest

if TYPE_CHECKING:
    import psycopg

# A transaction that claims the same cause at the same time waits here.
_CLAIM = """
INSERT INTO scoring_settledcause (club, cause, version, settled_at, digest)
SELECT %s::uuid, wanted.cause, wanted.version, %s::timestamptz, wanted.digest
FROM unnest(%s::text[], %s::bigint[], %s::bytea[]) AS wanted (cause, version, digest)
ORDER BY wanted.cause
ON CONFLICT (club, cause) DO NOTHING
RETURNING cause"""
# Locked in the order of their names, so that two transactions cannot wait for each other.
_CLAIM_AGAIN = """
WITH locked AS (
  SELECT cause FROM scoring_settledcause WHERE club = %s::uuid AND cause = ANY(%s::text[]) ORDER BY cause FOR UPDATE
)
UPDATE scoring_settledcause AS noted SET version = wanted.version, settled_at = %s::timestamptz,
  digest = wanted.digest
FROM locked, unnest(%s::text[], %s::bigint[], %s::bytea[]) AS wanted (cause, version, digest)
WHERE noted.club = %s::uuid AND noted.cause = locked.cause AND noted.cause = wanted.cause
  AND noted.version < wanted.version
RETURNING noted.cause"""
_FIND_ACCOUNTS = """
SELECT account.kind, account.owner, account.currency, account.id
FROM unnest(%s::text[], %s::text[], %s::text[]) AS wanted (kind, owner, currency)
JOIN scoring_account AS account
  ON account.club = %s::uuid AND account.kind = wanted.kind AND account.owner = wanted.owner
  AND account.currency = wanted.currency"""
_OPEN_ACCOUNTS = """
INSERT INTO scoring_account (id, club, kind, owner, currency)
SELECT gen_random_uuid(), %s::uuid, wanted.kind, wanted.owner, wanted.currency
FROM unnest(%s::text[], %s::text[], %s::text[]) WITH ORDINALITY AS wanted (kind, owner, currency, place)
ORDER BY wanted.place
ON CONFLICT DO NOTHING"""
# Claims nothing where an account must be opened first, and posts nothing where nothing was claimed.
_CLAIM_AND_POST = """
WITH account AS (
  SELECT array_agg(account.id ORDER BY wanted.place) AS ids
  FROM unnest(%s::text[], %s::text[], %s::text[]) WITH ORDINALITY AS wanted (kind, owner, currency, place)
  LEFT JOIN scoring_account AS account
    ON account.club = %s::uuid AND account.kind = wanted.kind AND account.owner = wanted.owner
    AND account.currency = wanted.currency
), claimed AS (
  INSERT INTO scoring_settledcause (club, cause, version, settled_at, digest)
  SELECT %s::uuid, %s::text, %s::bigint, %s::timestamptz, %s::bytea
  FROM account
  WHERE array_position(account.ids, NULL) IS NULL
  ON CONFLICT (club, cause) DO NOTHING
  RETURNING club, settled_at
), entries AS (
  INSERT INTO scoring_journalentry
    (club, posted_at, id, reference, cause, slot, version, currency, memo, posting_count, reverses_id, digest)
  SELECT claimed.club, claimed.settled_at, entry.*
  FROM claimed, unnest(%s::uuid[], %s::text[], %s::text[], %s::text[], %s::bigint[], %s::text[], %s::text[],
    %s::integer[], %s::uuid[], %s::bytea[]) AS entry
), postings AS (
  INSERT INTO scoring_posting (club, entry_id, account_id, amount_minor, purpose)
  SELECT claimed.club, posting.entry, account.ids[posting.account], posting.amount, posting.purpose
  FROM claimed, account, unnest(%s::uuid[], %s::integer[], %s::bigint[], %s::text[]) WITH ORDINALITY
    AS posting (entry, account, amount, purpose, place)
  ORDER BY posting.place
)
SELECT FROM claimed"""
# `_POSTINGS_COMPLETE` checks an entry when its postings are written.
_POST = """
WITH entries AS (
  INSERT INTO scoring_journalentry
    (club, posted_at, id, reference, cause, slot, version, currency, memo, posting_count, reverses_id, digest)
  SELECT %s::uuid, %s::timestamptz, entry.*
  FROM unnest(%s::uuid[], %s::text[], %s::text[], %s::text[], %s::bigint[], %s::text[], %s::text[], %s::integer[],
    %s::uuid[], %s::bytea[]) AS entry
)
INSERT INTO scoring_posting (club, entry_id, account_id, amount_minor, purpose)
SELECT %s::uuid, posting.entry, posting.account, posting.amount, posting.purpose
FROM unnest(%s::uuid[], %s::uuid[], %s::bigint[], %s::text[]) WITH ORDINALITY
  AS posting (entry, account, amount, purpose, place)
ORDER BY posting.place"""

_STATEMENT = """
SELECT entry.posted_at, entry.reference, entry.cause, entry.slot, posting.purpose, entry.currency,
  posting.amount_minor, entry.memo, posting.id, entry.reverses_id IS NOT NULL
FROM scoring_account AS account
JOIN scoring_posting AS posting ON posting.club = account.club AND posting.account_id = account.id
JOIN scoring_journalentry AS entry ON entry.club = posting.club AND entry.id = posting.entry_id
WHERE account.club = %s::uuid AND account.kind = 'player' AND account.owner = ANY(%s::text[])
ORDER BY entry.posted_at, posting.id"""


def claim(club: UUID, versions: Mapping[str, int], now: datetime) -> Claimed:
    """Claim causes for a version each, and lock their rows until the transaction ends."""
    with _cursor() as cursor:
        fresh = _causes(cursor, _CLAIM, [club, now, *_noted(club, versions, now)])
        older_versions = {cause: version for cause, version in versions.items() if cause not in fresh}
        if not older_versions:
            return Claimed(fresh=fresh)
        older = _causes(
            cursor, _CLAIM_AGAIN, [club, list(older_versions), now, *_noted(club, older_versions, now), club]
        )
        return Claimed(fresh=fresh, older=older)


def claim_and_post(cause: str, version: int, batch: Batch) -> bool:
    """Settle a new cause, where every account is open; cause numbers of the batch are indexes into it.

    Returns False where nothing was done.
    """
    accounts, entries = _columns(batch.accounts) or [[]] * 3, _columns(batch.entry_rows()) or [[]] * 10
    postings = _columns(batch.posting_rows()) or [[]] * 4
    noted = [batch.club, cause, version, batch.now, cause_digest(batch.club, cause, version, batch.now)]
    values = [*accounts, batch.club, *noted, *entries, *postings]
    with _cursor() as cursor:
        return cursor.execute(_CLAIM_AND_POST, values).rowcount > 0


def find_accounts(club: UUID, wanted: Sequence[AccountKey]) -> Accounts:
    """Ids of those of these accounts that exist."""
    with _cursor() as cursor:
        cursor.execute(_FIND_ACCOUNTS, [*_columns(wanted), club])
        return {AccountKey(*key): account for *key, account in cursor.fetchall()}


def open_accounts(club: UUID, absent: Sequence[AccountKey]) -> None:
    """Open accounts; one that another transaction has just opened stays as it is."""
    with _cursor() as cursor:
        cursor.execute(_OPEN_ACCOUNTS, [club, *_columns(absent)])


def insert_entries(batch: Batch) -> None:
    """Write entries and postings, all at once."""
    with _cursor() as cursor:
        entries, postings = _columns(batch.entry_rows()), _columns(batch.posting_rows())
        cursor.execute(_POST, [batch.club, batch.now, *entries, batch.club, *postings])


def statement_rows(club: UUID, players: Collection[str]) -> list[Any]:
    """The postings of these owners with their entries, oldest first."""
    with _cursor() as cursor:
        return cursor.execute(_STATEMENT, [club, list(players)], binary=True).fetchall()


def _noted(club: UUID, versions: Mapping[str, int], now: datetime) -> list[list[Any]]:
    """Causes, versions and digests, as columns."""
    digests = [cause_digest(club, cause, version, now) for cause, version in versions.items()]
    return [list(versions), list(versions.values()), digests]


def _causes(cursor: "psycopg.Cursor[Any]", statement: str, values: list[Any]) -> frozenset[str]:
    return frozenset(cause for (cause,) in cursor.execute(statement.encode(), values))


def _columns(rows: Any) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


@contextmanager
def _cursor() -> Iterator["psycopg.Cursor[Any]"]:
    import psycopg  # noqa: PLC0415 (a twentieth of the start, and of the memory, of a site on SQLite)

    with connection.wrap_database_errors, closing(psycopg.Cursor(connection.connection)) as cursor:
        yield cursor


# Postings are numbered by an identity column, which partitioned tables can have from PostgreSQL 17 on.
OLDEST_SERVER = 170_000
# Tables that can be partitioned, each with the column of its club.
DIVISIBLE = {"tournaments_event": "club_id", "tournaments_eventnote": "club_id", "scoring_posting": "club"}
# The named keys of a table, as PostgreSQL prints them: constraints, and indexes that belong to no constraint.
Keys = Mapping[str, str]

_CONSTRAINTS = """
SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE conrelid = %s::regclass AND contype IN ('p', 'u', 'f') AND conparentid = 0"""
_INDEXES = """
SELECT relname,
  CASE WHEN indisunique THEN 'UNIQUE ' ELSE '' END || regexp_replace(pg_get_indexdef(oid), '^.* USING ', '')
FROM pg_index JOIN pg_class ON oid = indexrelid
WHERE indrelid = %s::regclass AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)"""
_REFERRING = """
SELECT conrelid::regclass::text, conname FROM pg_constraint
WHERE confrelid = %s::regclass AND contype = 'f' AND conparentid = 0"""
_COUNTERS = """
SELECT quote_ident(attname), pg_get_serial_sequence(%s, attname) FROM pg_attribute
WHERE attrelid = %s::regclass AND attidentity <> ''"""
_PARTS = """
SELECT part.relname, whole.relname
FROM pg_inherits JOIN pg_class AS part ON part.oid = inhrelid JOIN pg_class AS whole ON whole.oid = inhparent
WHERE whole.relname = ANY(%s) AND whole.relnamespace = current_schema()::regnamespace"""


def standing_keys(cursor: Any, table: str) -> dict[str, str]:
    """Primary, unique and foreign keys of a table, and its other indexes, by name."""
    definition_by_name: dict[str, str] = {}
    for question in (_CONSTRAINTS, _INDEXES):
        cursor.execute(question, [table])
        definition_by_name |= dict(cursor.fetchall())
    return definition_by_name


def give_keys(cursor: Any, wanted: Mapping[str, Keys]) -> None:
    """Give tables these keys and indexes, and drop all others."""
    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    standing = {table: standing_keys(cursor, table) for table in wanted}
    gone = [(table, *key) for table, keys in wanted.items() for key in standing[table].items() - keys.items()]
    new = [(table, *key) for table, keys in wanted.items() for key in keys.items() - standing[table].items()]
    # References are dropped first and created last: they depend on the other keys.
    for table, name, definition in sorted(gone, key=lambda key: not _is_reference(key[2])):
        cursor.execute(f'DROP INDEX "{name}"' if _is_index(definition) else f'{_alter(table)} DROP CONSTRAINT "{name}"')
    for table, name, definition in sorted(new, key=lambda key: _is_reference(key[2])):
        if _is_index(definition):
            unique, method, columns = definition.partition("btree ")
            cursor.execute(f'CREATE {unique}INDEX "{name}" ON "{table}" USING {method}{columns}')
        else:
            cursor.execute(f'{_alter(table)} ADD CONSTRAINT "{name}" {definition}')


def _alter(table: str) -> str:
    return f'ALTER TABLE "{table}"'


def _is_reference(definition: str) -> bool:
    return definition.startswith("FOREIGN KEY ")


def _is_index(definition: str) -> bool:
    return definition.startswith(("btree ", "UNIQUE btree "))


def divide(cursor: Any, parts: int, columns: Mapping[str, str] = DIVISIBLE) -> dict[str, int]:
    """Partition tables, each named with the column of its club; returns the number of rows of each. Raises Defect."""
    [[version]] = _answers(cursor, "SELECT current_setting('server_version_num')::integer")
    if version < OLDEST_SERVER:
        raise Defect(
            f"parts need PostgreSQL {OLDEST_SERVER // 10_000} or newer, and this server is {version // 10_000}: it has"
            " no identity columns in partitioned tables. Nothing was changed"
        )
    if divided := sorted(set(parts_of(cursor, columns).values())):
        raise Defect(f"{', '.join(divided)}: in parts already")
    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    cursor.execute(f"LOCK TABLE {', '.join(columns)} IN ACCESS EXCLUSIVE MODE")
    referring = {table: _answers(cursor, _REFERRING, table) for table in columns}
    concerned = {*columns, *(table for references in referring.values() for table, _ in references)}
    keys = {table: standing_keys(cursor, table) for table in concerned}
    for table, name in (reference for references in referring.values() for reference in references):
        cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    counts = {table: _divide(cursor, table, column, parts) for table, column in columns.items()}
    give_keys(cursor, keys)
    cursor.execute("SET CONSTRAINTS ALL DEFERRED")
    return counts


def _divide(cursor: Any, table: str, column: str, parts: int) -> int:
    whole = f"{table}_whole"
    counters = _answers(cursor, _COUNTERS, table, table)
    cursor.execute(f"ALTER TABLE {table} RENAME TO {whole}")
    # The new table's keys need their names.
    give_keys(cursor, {whole: {}})
    cursor.execute(f"CREATE TABLE {table} (LIKE {whole} INCLUDING ALL) PARTITION BY HASH ({column})")
    for part in range(parts):
        bounds = f"FOR VALUES WITH (MODULUS {parts}, REMAINDER {part})"
        cursor.execute(f"CREATE TABLE {table}_{part} PARTITION OF {table} {bounds}")
    cursor.execute(f"INSERT INTO {table} SELECT * FROM {whole}")  # noqa: S608 - names of tables
    before, after = _digest(cursor, whole), _digest(cursor, table)
    if before != after:
        raise Defect(f"{table} is not what it was: {after[0]} rows instead of {before[0]}, or others")
    cursor.execute(f"DROP TABLE {whole}")
    for column_name, sequence in counters:
        _count_on(cursor, table, column_name, sequence)
    cursor.execute(f"ANALYZE {table}")
    return int(after[0])


def _digest(cursor: Any, table: str) -> Sequence[Any]:
    """The number of rows, and a checksum that any other or changed row changes."""
    digest = "count(*), coalesce(sum(hashtextextended(each::text, 0)::numeric), 0)"
    [checksum_row] = _answers(cursor, f"SELECT {digest} FROM {table} AS each")  # noqa: S608 - names of tables
    return checksum_row


def _count_on(cursor: Any, table: str, column: str, sequence: str) -> None:
    """Let the new table's sequence continue from the old one's, under its name."""
    cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [table, column])
    own = cursor.fetchone()[0]
    cursor.execute(f"SELECT setval(%s, coalesce(max({column}), 0) + 1, false) FROM {table}", [own])  # noqa: S608
    cursor.execute(f"ALTER SEQUENCE {own} RENAME TO {sequence.rpartition('.')[2]}")


def _answers(cursor: Any, question: str, *values: Any) -> list[Sequence[Any]]:
    cursor.execute(question, values)
    rows: list[Sequence[Any]] = cursor.fetchall()
    return rows


# The declared type of a column of the log with a time.
MOMENT_TYPE = "timestamp with time zone"
_APPEND_EVENT = """
SELECT stored_position, stored_hash FROM tournaments_append(%s::uuid, %s::uuid, %s::integer, %s::bytea, %s::text,
  %s::integer, %s::integer, %s::text, %s::text, %s::text, %s::timestamptz, %s::timestamptz, %s::uuid, %s::bytea,
  %s::bytea, %s::bytea, %s::text)"""


def append_event(event: EventRow) -> tuple[int, bytes] | None:
    """Store the event; returns its position and hash, or None if the stream has moved on, or its club is elsewhere.

    One call: head, stream, event and note are written together or not at all.
    """
    with _cursor() as cursor:
        row = cursor.execute(_APPEND_EVENT, event).fetchone()
    return row and (row[0], bytes(row[1]))


def moment_value(moment: datetime) -> datetime:
    """A time as a column of the log takes it."""
    return moment


_AS_MOMENT = "to_char({0} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')"
# How a column is selected in the form in which it was hashed.
AS_HASHED = {
    "id": "encode(uuid_send({0}), 'hex')",
    "number": "{0}::text",
    "text": "{0}",
    "moment": _AS_MOMENT,
    "moment of a seal": _AS_MOMENT,
    "moment of an event": _AS_MOMENT,
}
NO_INDEX = ""


def id_value(digits: str) -> str:
    """Return an id as a parameter."""
    return digits


def sealing_value(sealed_at: str) -> str:
    """Return the time of a seal, in UTC as it was hashed, as its column takes it."""
    return f"{sealed_at}+00"


# Whether an entry is stored after its postings.
POSTINGS_FIRST = False


def skip_numbers(table: str, last: int) -> None:
    """Give new rows of a table with numbered ids only numbers after this one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_serial_sequence(%s, 'id')", [table])
        (sequence,) = cursor.fetchone()
        cursor.execute(f"SELECT setval(%s, greatest(last_value, %s)) FROM {sequence}", [sequence, last])  # noqa: S608


KEYS_LEAD_WITH_THE_CLUB = True


def insert_rows(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]], on_conflict: str) -> None:
    """Insert rows as one JSON document, in which bytes are hex digits.

    Quoting a hundred thousand values one by one and finding their places in a statement took longer than folding the
    events.
    """
    named = ", ".join(columns)
    source = f"SELECT {named} FROM json_populate_recordset(NULL::{table}, %s)"  # noqa: S608 - names
    records = [dict(zip(columns, map(_as_json, row), strict=True)) for row in rows]
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO {table} ({named}) {source} {on_conflict}", [msgspec.json.encode(records).decode()])


def _as_json(value: Any) -> Any:
    return f"\\x{value.hex()}" if isinstance(value, bytes) else value


@contextmanager
def snapshot(shared: str) -> Iterator[None]:
    """A transaction that reads from one snapshot: its own, or that of another process by its name."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            if shared:
                cursor.execute("SET TRANSACTION SNAPSHOT %s", [shared])
        yield


def shared_snapshot() -> str:
    """Return the name of this transaction's snapshot."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        return str(cursor.fetchone()[0])


@contextmanager
def without_waiting() -> Iterator[None]:
    """A transaction that waits hardly at all for a lock."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL lock_timeout = 50")
        yield


@contextmanager
def waiting(*_: object, **__: object) -> Iterator[None]:
    """Change nothing: readers wait for no lock here, and writers have `set_wait`."""
    yield


def set_wait(database: BaseDatabaseWrapper, seconds: float) -> None:
    """From now on no statement takes longer.

    A limit for each lock would not do: a row that several wait for is two locks to the second of them, and 9 s were
    measured for 4.5.
    """
    if not _is_shared(database):
        # 0 would mean no limit.
        _ask(database, f"SET statement_timeout = {max(1, round(seconds * 1000))}")


def reset_wait(database: BaseDatabaseWrapper) -> None:
    """Return the connection to the others with its original setting."""
    if database.connection is not None and not _is_shared(database):
        # A broken one is discarded with its settings.
        with suppress(Error):
            _ask(database, "RESET statement_timeout")


def _is_shared(database: BaseDatabaseWrapper) -> bool:
    """Whether a pooler shares the server's sessions between transactions: a setting would affect other clients."""
    return database.settings_dict["OPTIONS"].get("prepare_threshold") is None


def _ask(database: BaseDatabaseWrapper, question: str) -> None:
    """Bypass Django's cursor, whose wrapper may be what sets the wait."""
    database.ensure_connection()
    with database.wrap_database_errors, database.connection.cursor() as cursor:
        cursor.execute(question)


def forgetful_setting(database: BaseDatabaseWrapper) -> str | None:
    """The setting by which this database can lose acknowledged events, as one sentence; None where there is none."""
    with database.cursor() as cursor:
        cursor.execute("SHOW synchronous_commit")
        is_off = cursor.fetchone() == ("off",)
    return "PostgreSQL runs with synchronous_commit=off; a crash then loses acknowledged events." if is_off else None


# Fires in every session, also in one that plays a replica's part: that setting would disable an ordinary trigger.
ALWAYS = "A"
NOT_ALWAYS = {"O": "fires in ordinary sessions only", "R": "fires in replicas only", "D": "is switched off"}
SESSION = "session_replication_role"
# Whether Django changes a table by building it anew.
REBUILDS_TABLES = False
_FUNCTIONS = """
SELECT p.proname, quote_ident(current_schema()), pg_get_functiondef(p.oid)
FROM pg_proc AS p
WHERE p.proname = ANY(%s) AND p.pronamespace = current_schema()::regnamespace AND p.prokind = 'f'"""
_TRIGGERS = """
SELECT c.relname, t.tgname, pg_get_triggerdef(t.oid, true), t.tgenabled::text
FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
WHERE NOT t.tgisinternal AND c.relname = ANY(%s) AND c.relnamespace = current_schema()::regnamespace"""
# References are triggers as well, of the database's own: they can be disabled, but not rewritten.
_REFERENCES_OFF = """
SELECT DISTINCT c.relname
FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
WHERE t.tgisinternal AND t.tgenabled <> 'O' AND c.relname = ANY(%s)
  AND c.relnamespace = current_schema()::regnamespace"""
_RULES = """
SELECT r.rulename, c.relname
FROM pg_rewrite AS r JOIN pg_class AS c ON c.oid = r.ev_class
WHERE c.relname = ANY(%s) AND c.relnamespace = current_schema()::regnamespace"""
_SESSIONS = """
SELECT current_setting('session_replication_role') <> 'origin' OR EXISTS (
  SELECT 1 FROM pg_db_role_setting AS given, unnest(given.setconfig) AS setting
  WHERE setting LIKE 'session_replication_role=%%' AND setting <> 'session_replication_role=origin'
    AND (given.setdatabase = 0 OR given.setdatabase = (SELECT oid FROM pg_database WHERE datname = current_database())))
"""

_REFUSE = """
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME,
    MESSAGE = format({}, TG_TABLE_NAME{});
END
"""
_BEYOND = _REFUSE.format("'a value of %s is beyond its bound'", "")
_POSTINGS_COMPLETE = """
DECLARE
  fault text;
BEGIN
  SELECT CASE
      WHEN entry.id IS NULL THEN 'a posting names an entry that does not exist'
      WHEN postings.held <> entry.posting_count THEN 'the entry does not have as many postings as it says'
      WHEN postings.balance <> 0 THEN 'the postings of the entry do not sum to zero'
      WHEN postings.at_home <> postings.held THEN 'a posting is on an account of another club or currency'
    END AS found
  INTO fault
  FROM (SELECT DISTINCT club, entry_id FROM fresh) AS touched
  LEFT JOIN scoring_journalentry AS entry ON entry.club = touched.club AND entry.id = touched.entry_id
  LEFT JOIN LATERAL (
    SELECT count(*) AS held,
           sum(posting.amount_minor) AS balance,
           count(account.id) AS at_home
    FROM scoring_posting AS posting
    LEFT JOIN scoring_account AS account
      ON account.club = entry.club AND account.id = posting.account_id AND account.currency = entry.currency
    WHERE posting.club = entry.club AND posting.entry_id = entry.id
  ) AS postings ON true
  ORDER BY found NULLS LAST
  LIMIT 1;
  IF fault IS NOT NULL THEN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME, MESSAGE = fault;
  END IF;
  RETURN NULL;
END
"""

_NOT_EMPTY = """
BEGIN
  IF NOT EXISTS (SELECT 1 FROM scoring_posting WHERE club = NEW.club AND entry_id = NEW.id) THEN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME,
      MESSAGE = 'the entry has no postings';
  END IF;
  RETURN NULL;
END
"""

# A lower version would let older amounts be posted over newer ones.
_GROWS = """
BEGIN
  IF (NEW.id, NEW.club, NEW.cause) IS DISTINCT FROM (OLD.id, OLD.club, OLD.cause) OR NEW.version < OLD.version THEN
    RAISE EXCEPTION USING ERRCODE = 'integrity_constraint_violation', TABLE = TG_TABLE_NAME,
      MESSAGE = format('%s only grows: a cause keeps its name and is never settled back', TG_TABLE_NAME);
  END IF;
  RETURN NEW;
END
"""
# Always the head before the stream: a constant order of locks cannot deadlock.
_APPEND = """
DECLARE
  next_position bigint;
  next_hash bytea;
  next_id uuid;
BEGIN
  UPDATE tournaments_clubhead SET position = position + 1 WHERE club_id = in_club AND moved_to = ''
  RETURNING position INTO next_position;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  UPDATE tournaments_stream
  SET version = version + 1, head_hash = sha256(head_hash || int8send(next_position) || in_content)
  WHERE id = in_stream AND club_id = in_club AND version = in_expected
  RETURNING head_hash INTO next_hash;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  next_id := encode(int8send(next_position) || substring(next_hash FROM 1 FOR 8), 'hex')::uuid;
  INSERT INTO tournaments_event (id, club_id, position, stream_id, version, kind, schema, recipe, body, actor,
    device, recorded_at, occurred_at, key, request_digest, note_digest, hash)
  VALUES (next_id, in_club, next_position, in_stream,
    in_expected + 1, in_kind, in_schema, in_recipe, in_body, in_actor, in_device, in_recorded, in_occurred,
    in_key, in_request_digest, in_note_digest, next_hash);
  IF in_note <> '' THEN
    INSERT INTO tournaments_eventnote (event_id, club_id, position, salt, text)
    VALUES (next_id, in_club, next_position, in_salt, in_note);
  END IF;
  stored_position := next_position;
  stored_hash := next_hash;
  RETURN NEXT;
END
"""

# A session keeps its query plans. A plan made while there were few heads would keep scanning that whole table,
# including its dead rows after an import: 10 ms an append instead of 0.3, until the next ANALYZE.
_APPEND_TAKES = (
    "in_club uuid, in_stream uuid, in_expected integer, in_content bytea, in_kind text, in_schema integer,"
    " in_recipe integer, in_body text, in_actor text, in_device text, in_recorded timestamp with time zone,"
    " in_occurred timestamp with time zone, in_key uuid, in_request_digest bytea, in_note_digest bytea, in_salt bytea,"
    " in_note text"
)


def standing_triggers(cursor: Any, tables: Collection[str], ours: Mapping[str, str]) -> dict[str, str]:
    """Our functions and every trigger of some tables by name, as PostgreSQL would create them; a trigger that a
    partition lacks is marked with it."""
    cursor.execute(_FUNCTIONS, [[name for name, definition in ours.items() if _is_function(definition)]])
    # The schema's name is left out.
    definition_by_name = {
        name: text.replace(f"FUNCTION {schema}.", "FUNCTION ", 1) for name, schema, text in cursor.fetchall()
    }
    parts = parts_of(cursor, tables)
    on_parts = _triggers(cursor, parts)
    for (table, name), text in _triggers(cursor, tables).items():
        expected_by_part = {part: _on_part(text, table, part) for part, whole in parts.items() if whole == table}
        missed = [part for part, expected in expected_by_part.items() if on_parts.get((part, name)) != expected]
        definition_by_name[name] = f"{text} -- not on {', '.join(missed)}" if missed else text
    return definition_by_name


def strange_triggers(cursor: Any, tables: Collection[str], ours: Collection[str]) -> dict[str, str]:
    """Other triggers, rules and settings that affect writes to some tables: what they are, by name."""
    everywhere = [*tables, *parts_of(cursor, tables)]
    names = {name for _, name in _triggers(cursor, everywhere)}
    stranger_by_name = {f"trigger {name}": "is none of this code" for name in sorted(names - set(ours))}
    cursor.execute(_REFERENCES_OFF, [everywhere])
    stranger_by_name |= {f"references of {table}": "are not checked" for (table,) in cursor.fetchall()}
    cursor.execute(_RULES, [everywhere])
    stranger_by_name |= {f"rule {name} on {table}": "is none of this code" for name, table in cursor.fetchall()}
    cursor.execute(_SESSIONS)
    if cursor.fetchone()[0]:
        stranger_by_name[SESSION] = "is set to something else than origin: references are not checked then"
    return stranger_by_name


def dropping(cursor: Any, triggers: Mapping[str, str]) -> Iterator[str]:
    """Statements that drop these triggers; functions stay."""
    for name, definition in triggers.items():
        if not _is_function(definition):
            yield from (f"DROP TRIGGER IF EXISTS {name} ON {table}" for table in _places(cursor, definition))


def rebuilding(cursor: Any, triggers: Mapping[str, str]) -> Iterator[str]:
    """Statements that create these functions and triggers, whatever is left of them."""
    yield from filter(_is_function, triggers.values())
    for name, definition in triggers.items():
        if not _is_function(definition):
            for table, own_definition in _places(cursor, definition).items():
                yield f"DROP TRIGGER IF EXISTS {name} ON {table}"
                yield own_definition
                yield f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}"


def after_each_row(triggers: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Definitions of triggers and their functions by name, from the name of each, when it fires, and its statements
    for a row."""
    known = list(triggers)
    bodies = {name: f"\nBEGIN\n  {statements}\n  RETURN NULL;\nEND\n" for name, _, statements in known}
    return _trigger_functions(bodies) | {
        f"{name}_changed": f"CREATE TRIGGER {name}_changed {when} FOR EACH ROW EXECUTE FUNCTION {name}()"
        for name, when, _ in known
    }


def _is_function(definition: str) -> bool:
    return definition.startswith("CREATE OR REPLACE FUNCTION ")


def _trigger_functions(bodies: Mapping[str, str]) -> dict[str, str]:
    """Functions for triggers by name, from their bodies, as PostgreSQL prints them."""
    return {
        name: (
            f"CREATE OR REPLACE FUNCTION {name}()\n RETURNS trigger\n LANGUAGE plpgsql\nAS $function${body}$function$\n"
        )
        for name, body in bodies.items()
    }


def _triggers(cursor: Any, tables: Collection[str]) -> dict[tuple[str, str], str]:
    """Triggers by table and name. One that may be disabled is marked so."""
    cursor.execute(_TRIGGERS, [list(tables)])
    return {
        (table, name): text if enabled == ALWAYS else f"{text} -- {NOT_ALWAYS.get(enabled, enabled)}"
        for table, name, text, enabled in cursor.fetchall()
    }


def parts_of(cursor: Any, tables: Collection[str]) -> dict[str, str]:
    """The partitions of those of these tables that are partitioned, each with its table."""
    cursor.execute(_PARTS, [list(tables)])
    return dict(cursor.fetchall())


def _places(cursor: Any, definition: str) -> dict[str, str]:
    """How a trigger is created on each table; PostgreSQL itself creates row triggers on the partitions of a table."""
    table = definition.split(" ON ")[1].split(maxsplit=1)[0]
    parts = () if " FOR EACH ROW " in definition else parts_of(cursor, [table])
    return {table: definition, **{part: _on_part(definition, table, part) for part in parts}}


def _on_part(definition: str, table: str, part: str) -> str:
    return definition.replace(f" ON {table} ", f" ON {part} ", 1)


def _within_bounds(tables: Mapping[str, Bounds], refusing: str) -> dict[str, str]:
    """A trigger for each table whose types do not enforce limits on PostgreSQL; it calls the function `refusing`."""
    return {
        f"{table}_within_bounds": (
            f"CREATE TRIGGER {table}_within_bounds BEFORE INSERT ON {table} "
            f"FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION {refusing}()"
        )
        for table, bounds in tables.items()
        if (condition := " OR ".join(_beyond(bounds)))
    }


def _beyond(bounds: Bounds) -> Iterator[str]:
    """Conditions that a new row exceeds a bound, as PostgreSQL prints them; the range of its types needs no trigger."""
    # Seconds instead of a date: a date is printed in the session's format.
    for column in (*bounds.moments, *bounds.numbered):
        yield f"new.{column} < to_timestamp({FIRST_MOMENT.timestamp():.0f}::double precision)"
        yield f"new.{column} >= to_timestamp('{END.timestamp():.0f}'::bigint::double precision)"
    for name, most in bounds.wide.items():
        yield f"""new.{f'"{name}"' if name == "position" else name} > '{most}'::bigint"""
    for name, most in bounds.long.items():
        yield f"length(new.{name}) > {most}"


TRIGGERS_OF_BOOKS = {
    **_trigger_functions(
        {
            "scoring_refuse_beyond": _BEYOND,
            "scoring_refuse_change": _REFUSE.format("'%s is never changed (%s refused): post a reversal'", ", TG_OP"),
            "scoring_postings_complete": _POSTINGS_COMPLETE,
            "scoring_entry_not_empty": _NOT_EMPTY,
            "scoring_cause_grows": _GROWS,
        }
    ),
    **{
        f"{table}_no_change": (
            f"CREATE TRIGGER {table}_no_change BEFORE DELETE OR UPDATE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION scoring_refuse_change()"
        )
        for table in ("scoring_account", "scoring_journalentry", "scoring_posting")
    },
    "scoring_posting_complete": (
        "CREATE TRIGGER scoring_posting_complete AFTER INSERT ON scoring_posting "
        "REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION scoring_postings_complete()"
    ),
    "scoring_journalentry_not_empty": (
        "CREATE CONSTRAINT TRIGGER scoring_journalentry_not_empty AFTER INSERT ON scoring_journalentry "
        "DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION scoring_entry_not_empty()"
    ),
    "scoring_settledcause_stays": (
        "CREATE TRIGGER scoring_settledcause_stays BEFORE DELETE OR TRUNCATE ON scoring_settledcause "
        "FOR EACH STATEMENT EXECUTE FUNCTION scoring_refuse_change()"
    ),
    "scoring_settledcause_grows": (
        "CREATE TRIGGER scoring_settledcause_grows BEFORE UPDATE ON scoring_settledcause "
        "FOR EACH ROW EXECUTE FUNCTION scoring_cause_grows()"
    ),
    **_within_bounds(BOUNDS_OF_BOOKS, "scoring_refuse_beyond"),
}
TRIGGERS_OF_LOG = {
    **_trigger_functions(
        {
            "tournaments_refuse_change": _REFUSE.format("'%s is append-only (%s refused)'", ", TG_OP"),
            "tournaments_refuse_beyond": _BEYOND,
        }
    ),
    "tournaments_append": (
        f"CREATE OR REPLACE FUNCTION tournaments_append({_APPEND_TAKES})\n"
        " RETURNS TABLE(stored_position bigint, stored_hash bytea)\n LANGUAGE plpgsql\n"
        f" SET enable_seqscan TO 'off'\nAS $function${_APPEND}$function$\n"
    ),
    **{
        f"{table}_append_only": (
            f"CREATE TRIGGER {table}_append_only BEFORE {' OR '.join((*operations, 'TRUNCATE'))} ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION tournaments_refuse_change()"
        )
        for table, operations in REFUSED_BY_LOG.items()
    },
    **{
        f"{table}_stays": (
            f"CREATE TRIGGER {table}_stays BEFORE UPDATE OF {columns} ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION tournaments_refuse_change()"
        )
        for table, columns in KEPT_BY_LOG.items()
    },
    **_within_bounds(BOUNDS_OF_LOG, "tournaments_refuse_beyond"),
}
