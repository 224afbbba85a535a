"""Checks that everything stored agrees, and rebuilds it from the log where it does not."""

from collections.abc import Iterator, Mapping
from typing import TypeVar

from django.db.models import Model, QuerySet

BATCH = 100
# A tournament has up to a thousand events.
TOURNAMENTS = 10
Row = TypeVar("Row", bound=Model)


def in_batches(rows: QuerySet[Row], size: int = BATCH) -> Iterator[list[Row]]:
    """All rows of a query in the order of their keys, in batches."""
    ordered = rows.order_by("pk")
    batch = list(ordered[:size])
    while batch:
        yield batch
        batch = list(ordered.filter(pk__gt=batch[-1].pk)[:size])


def unequal(what: str, row: object | None, wanted: Mapping[str, object], source: str = "the log says") -> Iterator[str]:
    """Each column of a row that differs from the value that it should have."""
    if row is None:
        yield f"{what} is missing"
        return
    for column, expected in wanted.items():
        stored_value = row[column] if isinstance(row, Mapping) else getattr(row, column)
        if stored_value != expected:
            yield f"{what}: {column} is {str(stored_value)[:80]!r}, {source} {str(expected)[:80]!r}"
