"""What only PostgreSQL does: the statements of the books, keys that begin with the club, and partitions by its hash.

A cause that is new to the books is claimed and posted in one statement, others step by step. Rows are passed as
columns, so that a statement stays the same however many there are, and the driver's own cursor of Django's connection
can keep it prepared: docs/decisions/0005-a-ledger-the-database-keeps.md.

Keys are changed only by migrations of the log, the books and the leaderboards. Rows stay where they are; the database
checks each of them against a new key, and one that does not fit rolls the migration back. Partitioned tables keep their
names, rows and keys: rows are copied, and compared by number and a digest over all of each, before the old table is
dropped. Triggers go with it, and the caller must create them again. Both are done in the caller's transaction. Why:
docs/decisions/0065-keys-lead-with-the-club.md.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import connection

from scoring.problems import Defect
from scoring.storage.writes import AccountKey, Accounts, Batch, Claimed, cause_digest

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
# The triggers check an entry when its postings are written: scoring/ledger/triggers/__init__.py.
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
  posting.amount_minor, entry.memo, entry.reverses_id IS NOT NULL
FROM scoring_account AS account
JOIN scoring_posting AS posting ON posting.club = account.club AND posting.account_id = account.id
JOIN scoring_journalentry AS entry ON entry.club = posting.club AND entry.id = posting.entry_id
WHERE account.club = %s::uuid AND account.kind = 'player' AND account.owner = ANY(%s::text[])
ORDER BY entry.posted_at, posting.id"""

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


def parts_of(cursor: Any, tables: Collection[str]) -> dict[str, str]:
    """The partitions of those of these tables that are partitioned, each with its table."""
    cursor.execute(_PARTS, [list(tables)])
    return dict(cursor.fetchall())


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
        raise Defect(f"parts need PostgreSQL {OLDEST_SERVER // 10_000} or newer")
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
