"""The books of one club as they are stored, row by row, and how they are stored again on another installation.

Nothing is posted anew: entries keep their ids, references and digests, and the audit holds for them afterwards. Guards
stay: each entry is written with all its postings. Postings get new numbers in their old order.
"""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import OuterRef, Subquery

from scoring import storage
from scoring.models import Account, JournalEntry, Posting, SettledCause
from scoring.storage.row_lines import Record, RowFormat, batches

CHUNK = 500
ACCOUNTS = RowFormat(Account, without=("club",))
# `postings` of an entry is a list of them, in their order.
ENTRIES = RowFormat(JournalEntry, without=("club",))
POSTINGS = RowFormat(Posting, without=("id", "club", "entry_id"))
CAUSES = RowFormat(SettledCause, without=("id", "club"))


def account_records(club: UUID) -> Iterator[Record]:
    """The accounts of a club."""
    rows = Account.objects.filter(club=club).order_by("id").values_list(*ACCOUNTS.names)
    yield from map(ACCOUNTS.record, rows.iterator(CHUNK))


def entry_records(club: UUID) -> Iterator[Record]:
    """The entries of a club with their postings, in the order in which they were written."""
    rows = JournalEntry.objects.filter(club=club).values_list(*ENTRIES.names)
    first = Posting.objects.filter(club=OuterRef("club"), entry_id=OuterRef("id")).order_by("id").values("id")[:1]
    ordered_rows = rows.annotate(first=Subquery(first)).order_by("first", "id")
    for batch in batches(ordered_rows.iterator(CHUNK), CHUNK):
        records = {row[0]: ENTRIES.record(row[: len(ENTRIES.names)]) | {"postings": []} for row in batch}
        postings = Posting.objects.filter(club=club, entry_id__in=list(records)).order_by("id")
        for entry, *values in postings.values_list("entry_id", *POSTINGS.names):
            records[entry]["postings"].append(POSTINGS.record(values))
        yield from records.values()


def cause_records(club: UUID) -> Iterator[Record]:
    """The versions to which the causes of a club are settled."""
    rows = SettledCause.objects.filter(club=club).order_by("cause").values_list(*CAUSES.names)
    yield from map(CAUSES.record, rows.iterator(CHUNK))


def write_accounts(club: UUID, rows: Sequence[dict[str, Any]]) -> None:
    """Store accounts."""
    Account.objects.bulk_create([Account(club=club, **row) for row in rows])


def write_entries(club: UUID, rows: Sequence[dict[str, Any]]) -> None:
    """Store entries with their postings, in the order in which this database checks that they are whole.

    Without model instances: a club has more postings than events.
    """
    database = storage.of(connection)
    entries = [(club, *ENTRIES.in_order(row)) for row in rows]
    postings = [(club, row["id"], *POSTINGS.in_order(posting)) for row in rows for posting in row["postings"]]
    parts = [
        (JournalEntry._meta.db_table, ("club", *ENTRIES.names), entries),
        (Posting._meta.db_table, ("club", "entry_id", *POSTINGS.names), postings),
    ]
    for table, columns, values in parts[::-1] if database.POSTINGS_FIRST else parts:
        database.insert_rows(table, columns, values, "")


def write_causes(club: UUID, rows: Sequence[dict[str, Any]]) -> None:
    """Store the versions to which causes are settled."""
    SettledCause.objects.bulk_create([SettledCause(club=club, **row) for row in rows])
