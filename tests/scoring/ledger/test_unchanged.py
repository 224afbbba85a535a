"""An entry stays as it was booked, to the last byte of its memo, and a cause as far settled as was noted.

Planted faults: with only amounts compared with the log, another day, memo and version were not found.
"""

import importlib
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction

from scoring.ledger import ledger_problems, player_statement
from scoring.models import Account, JournalEntry, Posting, SettledCause
from tests.builders.ledger import CLUB, NOW, TABLE, deal, settled
from tests.builders.samples import some_of
from tests.builders.tampering import undone, unguarded
from tests.builders.there import there

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
MODELS = (JournalEntry, Posting, Account, SettledCause)
# Numbers that are never shown. One of a posting decides its place, and is found where that changes.
WITHOUT_EFFECT = {("scoring_settledcause", "id"), ("scoring_posting", "id")}


@pytest.fixture
def night() -> Iterator[None]:
    """Deals with the second corrected, a second table settled at the same moment; the guards are down."""
    settled(17, deal(1, asha=-600, bo=540, house=60), deal(2, bo=-40, asha=40))
    settled(21, deal(1, asha=-600, bo=540, house=60), deal(2, bo=-44, asha=44), at=NOW + timedelta(hours=1))
    settled(3, deal(1, asha=-5, bo=5), deal(2, asha=-6, bo=6), cause="table:another")
    assert ledger_problems() == []
    with unguarded():
        yield


def run(statement: str, *parameters: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall() if cursor.description else []


def others(value: Any) -> Iterator[Any]:
    """A value with its first, middle and last byte changed."""
    match value:
        case UUID():
            yield uuid4()
        case datetime():
            yield from (value + step for step in (timedelta(days=400), timedelta(minutes=1), timedelta(microseconds=1)))
        case int():
            yield from {value + 1, value - 1, value + 10 ** (len(str(abs(value))))}
        case str():
            for at in {0, len(value) // 2, len(value) - 1} if value else ():
                yield f"{value[:at]}{'x' if value[at] != 'x' else 'y'}{value[at + 1 :]}"
        case None:
            yield uuid4()
        case _:
            raw = bytes(value)
            yield from (raw[:at] + bytes([raw[at] ^ 1]) + raw[at + 1 :] for at in (0, len(raw) // 2, len(raw) - 1))


def cells() -> Iterator[tuple[str, str | None, Any, Any]]:
    """Every value of the books: its table, its column, the row's key, and the stored value."""
    for model in MODELS:
        for row in model.objects.order_by("pk"):
            for field in model._meta.concrete_fields:
                yield model._meta.db_table, field.column, row.pk, getattr(row, field.attname)


@pytest.mark.slow
def test_every_changed_byte_of_the_books_is_found(night: None):
    seen, before = 0, statements()
    # SQLite tests one half, PostgreSQL the other.
    for table, column, key, value in some_of(cells(), one_in=2, part=connection.vendor == "postgresql"):
        for other in others(value):
            with undone():
                try:
                    with transaction.atomic():
                        run(f"UPDATE {table} SET {column} = %s WHERE id = %s", other, key)
                except DatabaseError:
                    continue
                said = ledger_problems()
                seen += 1
                if not any("table:" in line and "guard" not in line for line in said):
                    assert (table, column) in WITHOUT_EFFECT, (table, column, value, other)
                    assert statements() == before
    assert seen > 100


def statements() -> list[Any]:
    """Everything that is read from the books of a player, in its order."""
    lines = [player_statement(CLUB, [owner]) for owner in ("asha", "bo")]
    # The number of a posting is under no digest: it only tells a program where a page of lines ends.
    return [tuple(line._replace(posting=0) for line in of_owner) for of_owner in lines]


def change_the_memo() -> None:
    JournalEntry.objects.filter(reference=f"{TABLE}@17/deal:2").update(memo="another story")


def change_the_day() -> None:
    JournalEntry.objects.filter(reference=f"{TABLE}@17/deal:2").update(posted_at=NOW + timedelta(hours=1))


def forget_the_digest() -> None:
    JournalEntry.objects.filter(reference=f"{TABLE}@17/deal:2").update(digest=b"")


def let_postings_change_places() -> None:
    """A statement lists postings in their order."""
    first, last = (
        Posting.objects.filter(entry__reference=f"{TABLE}@17/deal:2").order_by("id").values_list("id", flat=True)
    )
    for old, new in ((first, -1), (last, first), (-1, last)):
        Posting.objects.filter(id=old).update(id=new)


def move_a_posting_among_those_of_another_cause() -> None:
    last = Posting.objects.filter(entry__reference=f"{TABLE}@17/deal:2").order_by("id").last()
    Posting.objects.filter(id=there(last).id).update(id=10_000)


def test_the_entry_that_was_changed_is_named(night: None):
    for change in (
        change_the_memo,
        change_the_day,
        forget_the_digest,
        let_postings_change_places,
        move_a_posting_among_those_of_another_cause,
    ):
        with undone():
            change()
            said = [line for line in ledger_problems() if "guard" not in line]
            assert any(f"{TABLE}@17/deal:2 is not what was booked" in line for line in said), (change, said)
    SettledCause.objects.filter(cause=TABLE).update(version=22)
    assert f"{TABLE} is noted as settled at 22, and that was changed since" in ledger_problems()


def test_the_migration_digests_what_stood_before_as_it_is_written_today(night: None):
    migration = importlib.import_module("scoring.migrations.0004_entries_under_a_digest")
    wanted = {model: dict(model.objects.values_list("pk", "digest")) for model in (JournalEntry, SettledCause)}
    for model in wanted:
        model.objects.update(digest=b"")
    migration.digest_everything(apps, None)
    assert {model: dict(model.objects.values_list("pk", "digest")) for model in wanted} == wanted
    assert all(len(digest) == 32 for digest in wanted[JournalEntry].values())
