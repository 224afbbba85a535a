"""Moments as numbers on SQLite, for rows that are many: docs/decisions/0072-sixteen-bytes-of-a-key.md."""

from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import models

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class MomentField(models.DateTimeField):  # type: ignore[type-arg]
    """A moment that SQLite keeps as a number of microseconds since 1970, where Django keeps a text of 26 signs."""

    def get_internal_type(self) -> str:
        """None that Django's backend would convert by itself."""
        return "MomentField"

    def db_type(self, connection: Any) -> str:
        """As it is declared."""
        return "bigint" if connection.vendor == "sqlite" else "timestamp with time zone"

    def get_db_prep_value(self, value: Any, connection: Any, *args: Any, **kwargs: Any) -> Any:
        """A moment as a parameter."""
        moment = self.get_prep_value(value)
        if connection.vendor == "sqlite" and isinstance(moment, datetime):
            return (moment - EPOCH) // MICROSECOND
        return super().get_db_prep_value(moment, connection, *args, **kwargs)

    def from_db_value(self, value: Any, *_: object) -> Any:
        """A moment as it was read."""
        return EPOCH + value * MICROSECOND if isinstance(value, int) else value
