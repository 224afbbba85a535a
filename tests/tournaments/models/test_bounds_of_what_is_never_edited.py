"""Values of the log and the books are bounded by the database on insert, or listed here with the reason.

Each bound is tested: a copy of a stored row is inserted with one column pushed over it, without any check of
Python's. Planted faults: a new column without a bound; the guard of the notes removed.
"""

import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.db import DataError, IntegrityError, connection, models, transaction

from scoring.models import Account, JournalEntry, Posting, SettledCause
from scoring.storage.bounds import FIRST_MOMENT, MOST_POSITION
from tests.builders.bounds import BY_THEMSELVES, EARLY, LATE, WIDEST, beyond
from tests.builders.playing import context
from tests.builders.prize_evening import Evening
from tournaments.models.log import Event, EventNote, Seal
from tournaments.running.commands.close import reopen_tournament
from tournaments.tasks import seal_logs

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
NEVER_EDITED = (Event, EventNote, Seal, Account, JournalEntry, Posting, SettledCause)
UNBOUNDED = {
    "JournalEntry.memo": "words of ours, a line for each reason why money moved: worked out, and typed by nobody"
}
# Messages of other refusals than those of a guard or of the width of a column.
CHECKS = (
    "posting_amount_in_range",
    "_numbers_fit",
    "_from_1",
    "_not_negative",
    "_32_bytes",
    "_known",
    "_currency_code",
    "_or_more",
    "seal_covers",
)


def test_every_model_of_the_books_is_among_them():
    assert set(apps.get_app_config("scoring").get_models()) <= set(NEVER_EDITED)


@pytest.mark.slow
def test_what_is_inserted_is_bounded_by_the_database():
    evening = Evening().closed()
    evening.settle()
    reopen_tournament(evening.tournament.id, reason="a note beside the log", context=context())
    seal_logs()
    found = {f"{model.__name__}.{field.name}" for model, field in columns() if takes_too_much(model, field)}
    assert sorted(found) == sorted(UNBOUNDED)


def columns() -> "Iterator[tuple[type[models.Model], models.Field[Any, Any]]]":
    for model in NEVER_EDITED:
        for field in model._meta.concrete_fields:
            if not isinstance(field, BY_THEMSELVES):
                yield model, field


def takes_too_much(model: type[models.Model], field: "models.Field[Any, Any]") -> bool:
    return any(is_inserted(model, field, value) for value in beyond(field))


def is_inserted(model: type[models.Model], field: "models.Field[Any, Any]", value: Any) -> bool:
    """Whether the value itself is accepted: other problems of a copied row do not count."""
    fresh = {
        "id": uuid.uuid4(),
        "reference": str(uuid.uuid4()),
        "reverses_id": None,
        "entry_id": uuid.uuid4(),
        "event_id": uuid.uuid4(),
        field.column: value,
    }
    fields = [one for one in model._meta.concrete_fields if not isinstance(one, models.BigAutoField)]
    given = [one.get_db_prep_save(fresh[one.column], connection) for one in fields if one.column in fresh]
    names = ", ".join(f'"{one.column}"' for one in fields)
    chosen = ", ".join("%s" if one.column in fresh else f'"{one.column}"' for one in fields)
    table = model._meta.db_table
    statement = f"INSERT INTO {table} ({names}) SELECT {chosen} FROM {table} LIMIT 1"
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, given)
            assert cursor.rowcount == 1, f"no {model.__name__} stands to be made another of"
            transaction.set_rollback(True)
    except (DataError, OverflowError):
        return False
    except IntegrityError as refusal:
        return not any(word in str(refusal) for word in ("beyond its bound", *CHECKS))
    return True


def test_the_values_that_are_tried_lie_beyond_the_limits():
    assert EARLY < FIRST_MOMENT < LATE
    assert WIDEST > MOST_POSITION
