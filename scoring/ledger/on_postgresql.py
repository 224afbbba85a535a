"""Writes into the books on PostgreSQL: everything in one statement where the cause is new, else step by step.

Rows are passed as columns, so that a statement stays the same however many there are, and the driver's own cursor of
Django's connection can keep it prepared: docs/decisions/0005-a-ledger-the-database-keeps.md.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.db import connection

from scoring.ledger.writes import AccountKey, Accounts, Batch, Claimed, cause_digest

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


def insert(batch: Batch) -> None:
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
