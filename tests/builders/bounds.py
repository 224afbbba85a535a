"""Every column with limits, and values beyond them."""

from datetime import UTC, date, datetime
from typing import Any

from django.apps import apps
from django.db import models

from tests.builders.there import there

# Rows that cannot be updated: their values are bounded where they are inserted.
APPEND_ONLY = {"Event", "EventNote", "Seal"}
# Columns whose values cannot be too long or too large.
BY_THEMSELVES = (models.UUIDField, models.BooleanField, models.ForeignKey, models.OneToOneField, models.BigAutoField)
EARLY, LATE = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 12, 30, tzinfo=UTC)
WIDEST = 2**63 - 1


def bounded_models() -> list[type[models.Model]]:
    return [model for model in apps.get_app_config("tournaments").get_models() if model.__name__ not in APPEND_ONLY]


def beyond(field: "models.Field[Any, Any]") -> list[Any]:
    """Values just over the limit of a column, or far over where its type has no limit."""
    match field:
        case models.DateTimeField():
            return [EARLY, LATE]
        case models.DateField():
            return [date(1, 1, 1), date(9999, 12, 31)]
        case models.IntegerField():
            return [WIDEST, -WIDEST]
        case models.BinaryField():
            return [b"x" * (there(field.max_length) + 1)]
        case models.JSONField():
            return [["x" * 5_000_000]]
        case models.TextField() if not field.max_length:
            return ["x" * 5_000_000]
        case models.CharField() | models.TextField():
            return ["x" * (there(field.max_length) + 1)]
    raise AssertionError(f"{field} is of a type that nobody has said the extremes of")
