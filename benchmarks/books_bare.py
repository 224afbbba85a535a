"""The same entry by the driver alone: the rows of a settlement written into the same guarded tables.

Takes no claim, looks at nothing that stands, finds no account and digests nothing.
"""

import secrets
import uuid
from collections.abc import Callable
from datetime import datetime
from typing import Any

from scoring.money import PlannedEntry

ENTRY_COLUMNS = [
    "id",
    "club",
    "reference",
    "cause",
    "slot",
    "version",
    "currency",
    "memo",
    "posting_count",
    "reverses_id",
    "posted_at",
    "digest",
]
DIGEST_BYTES = 32
POSTING_COLUMNS = ["club", "entry_id", "account_id", "amount_minor", "purpose"]
Postings = list[tuple[uuid.UUID, int, str]]


def bare(club: uuid.UUID, plan: PlannedEntry, now: datetime) -> Callable[[], None]:
    """The same rows by the driver alone, on a connection that is set up like ours."""
    from django.db import connection  # noqa: PLC0415

    from scoring.models import Account  # noqa: PLC0415

    accounts = {
        (row.kind, row.owner): row.id
        for row in (
            Account.objects.get_or_create(club=club, kind=each.account.kind, owner=each.account.owner, currency="INR")[
                0
            ]
            for each in plan.postings
        )
    }
    postings = [
        (accounts[each.account.kind, each.account.owner], each.amount_minor, str(each.purpose))
        for each in plan.postings
    ]
    wrapper: Any = connection
    driver = wrapper.Database.connect(**_parameters(connection))
    return (_bare_sqlite if connection.vendor == "sqlite" else _bare_postgresql)(driver, club, postings, now)


def _parameters(connection: Any) -> dict[str, Any]:
    given = connection.get_connection_params()
    if connection.vendor == "sqlite":
        return {"database": given["database"], "timeout": 20, "isolation_level": None}
    return {name: given[name] for name in ("dbname", "user", "password", "host", "port") if given.get(name)}


def _bare_sqlite(driver: Any, club: uuid.UUID, postings: Postings, now: datetime) -> Callable[[], None]:
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        driver.execute(f"PRAGMA {pragma}")
    into_postings = _insert("scoring_posting", POSTING_COLUMNS, rows=len(postings), mark="?")
    into_entries = _insert("scoring_journalentry", ENTRY_COLUMNS, rows=1, mark="?")

    def insert() -> None:
        entry = uuid.uuid4().bytes
        driver.execute("BEGIN IMMEDIATE")
        rows = [(club.bytes, entry, account.bytes, *rest) for account, *rest in postings]
        driver.execute(into_postings, [value for row in rows for value in row])
        driver.execute(into_entries, _entry(entry, club.bytes, len(postings), str(now.replace(tzinfo=None))))
        driver.execute("COMMIT")

    return insert


def _bare_postgresql(driver: Any, club: uuid.UUID, postings: Postings, now: datetime) -> Callable[[], None]:
    into_postings = _insert("scoring_posting", POSTING_COLUMNS, rows=len(postings), mark="%s")
    into_entries = _insert("scoring_journalentry", ENTRY_COLUMNS, rows=1, mark="%s")

    def insert() -> None:
        entry = uuid.uuid4()
        driver.execute(into_entries, _entry(entry, club, len(postings), now))
        driver.execute(into_postings, [value for row in postings for value in (club, entry, *row)])
        driver.commit()

    return insert


def _entry(entry: Any, club: Any, count: int, posted_at: Any) -> list[Any]:
    cause = f"table:{uuid.uuid4()}"
    return [
        *(entry, club, f"{cause}@31/table", cause, "table", 31),
        *("INR", "as on paper", count, None, posted_at, secrets.token_bytes(DIGEST_BYTES)),
    ]


def _insert(table: str, columns: list[str], *, rows: int, mark: str) -> str:
    row = f"({', '.join([mark] * len(columns))})"
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES {', '.join([row] * rows)}"  # noqa: S608
