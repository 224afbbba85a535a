"""What only SQLite does: the statements of the books.

They are plain statements on the driver's own cursor of Django's connection, and safe because a transaction there begins
by taking the only write lock (transaction_mode IMMEDIATE): docs/decisions/0005-a-ledger-the-database-keeps.md.
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import connection

from scoring.problems import Defect
from scoring.storage.writes import AccountKey, Accounts, Batch, Claimed, cause_digest

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
  posting.amount_minor, entry.memo, entry.reverses_id IS NOT NULL
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
    """Write postings, then the entries that seal them: scoring/ledger/triggers/__init__.py."""
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
