"""Holds every entry and every settled cause against the digest that was stored with it, and names what was changed.

Rules: docs/decisions/0028-what-is-proven-how.md. Rows are read as bytes, as they stand: a changed one may be no text
and no moment any more, and an object made of it could smooth that over or end the audit.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Any
from uuid import UUID

from django.db import connection

from scoring.ledger.digests import CAUSE, ENTRY, stored_digest

CHUNK = 2_000
_ENTRY = ("club", "id", "reference", "cause", "slot", "version", "currency", "memo", "posting_count", "reverses_id")
_CAUSE = ("club", "cause", "version")
_IDS = {"club", "id", "reverses_id", "entry_id"}
_NUMBERS = {"version", "posting_count", "amount_minor"}
_ACCOUNT = ("kind", "owner")
# Where an entry says what its postings say of it: the account, then the amount and what for.
_FIRST_OF_POSTING = len(_ENTRY) + 2


def changed_entries(club: UUID | None = None) -> Iterator[str]:
    """Every entry that is not what was written, by its reference: a column of it, of a posting, or of an account.

    The entries of a cause at a version were written at once and in one order, so each stands on the one before it, and
    no other cause's of the same moment come in between.
    """
    for _, batch in groupby(_entry_rows(club), key=lambda row: (row[0], row[len(_ENTRY)])):
        closed: set[tuple[bytes, bytes]] = set()
        for run, rows in groupby(batch, key=lambda row: (row[3], row[5])):
            yield from _changed_in_run(list(rows), is_torn=run in closed)
            closed.add(run)


def changed_causes(club: UUID | None = None) -> Iterator[str]:
    """Every cause whose note of how far it is settled is not what was written."""
    columns = [_column("cause", name) for name in _CAUSE]
    question = (
        f"SELECT {', '.join(columns)}, {_moment('cause', 'settled_at')}, cause.digest"  # noqa: S608 - constants
        " FROM scoring_settledcause AS cause"
    )
    for *fields, digest in _rows(f"{question}{_of(club, 'cause.club')} ORDER BY cause.cause", club):
        if stored_digest(CAUSE, b"", [_bytes(field) for field in fields]) != bytes(digest):
            yield f"{_shown(fields[1])} is noted as settled at {_shown(fields[2])}, and that was changed since"


def _changed_in_run(rows: list[Any], *, is_torn: bool) -> Iterator[str]:
    before = b""
    for _, group in groupby(rows, key=lambda row: row[1]):
        postings = list(group)
        fields = [_bytes(field) for field in postings[0][: _FIRST_OF_POSTING - 1]]
        moved = [_bytes(field) for row in postings for field in row[_FIRST_OF_POSTING:]]
        stored = bytes(postings[0][_FIRST_OF_POSTING - 1])
        if is_torn or stored_digest(ENTRY, before, [*fields, *moved]) != stored:
            yield f"{_shown(postings[0][2])} is not what was booked: it, a posting or an account of it was changed"
        before = stored


def _entry_rows(club: UUID | None) -> Iterator[tuple[Any, ...]]:
    """Each posting behind its entry, in the order in which they were written."""
    entry = [_column("entry", name) for name in _ENTRY]
    posting = [
        *(_column("account", name) for name in _ACCOUNT),
        _column("posting", "amount_minor"),
        _column("posting", "purpose"),
    ]
    columns = [*entry, _moment("entry", "posted_at"), "entry.digest", *posting]
    return _rows(
        f"SELECT {', '.join(columns)} FROM scoring_journalentry AS entry"  # noqa: S608 - constants
        " LEFT JOIN scoring_posting AS posting ON posting.entry_id = entry.id"
        " LEFT JOIN scoring_account AS account ON account.id = posting.account_id"
        f"{_of(club, 'entry.club')} ORDER BY entry.club, entry.posted_at, posting.id",
        club,
    )


def _of(club: UUID | None, column: str) -> str:
    return "" if club is None else f" WHERE {column} = %s"


def _rows(question: str, club: UUID | None) -> Iterator[tuple[Any, ...]]:
    parameters = [] if club is None else [club if connection.vendor == "postgresql" else club.hex]
    with connection.chunked_cursor() as cursor:
        cursor.execute(question, parameters)
        while rows := cursor.fetchmany(CHUNK):
            yield from rows


def _column(table: str, name: str) -> str:
    """The SQL that gives a column in the form in which it was digested."""
    if connection.vendor == "sqlite":
        return f"CAST({table}.{name} AS BLOB)"
    if name in _IDS:
        return f"encode(uuid_send({table}.{name}), 'hex')"
    return f"{table}.{name}::text" if name in _NUMBERS else f"{table}.{name}"


def _moment(table: str, name: str) -> str:
    """SQLite leaves a fraction of nought away."""
    if connection.vendor == "sqlite":
        column = f"CAST({table}.{name} AS BLOB)"
        return f"CASE length({column}) WHEN 19 THEN CAST({table}.{name} || '.000000' AS BLOB) ELSE {column} END"
    return f"to_char({table}.{name} AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')"


def _bytes(value: Any) -> bytes:
    if value is None:
        return b""
    return bytes(value) if isinstance(value, bytes | memoryview) else str(value).encode()


def _shown(value: Any) -> str:
    return _bytes(value).decode(errors="replace")
