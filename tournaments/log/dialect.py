"""How the two databases write the same value.

SQLite keeps a UUID as 32 hex digits and a moment as text; PostgreSQL has types for both.
"""

from datetime import UTC, datetime
from uuid import UUID

from django.db import connection

from tournaments.log.rows import time_from_text


def uuid_value(value: UUID) -> UUID | str:
    """A UUID as a parameter."""
    return value if connection.vendor == "postgresql" else value.hex


def uuid_from(stored: UUID | str) -> UUID:
    """A UUID as it came out of a column."""
    return UUID(hex=stored) if isinstance(stored, str) else stored


def moment_from(stored: datetime | str | None) -> datetime:
    """A moment as it came out of a column. Django's SQLite connection makes a date of it, but one without a zone."""
    if isinstance(stored, str):
        return time_from_text(stored)
    if stored is None:
        # SQLite's connection makes nothing of a text that is no moment.
        raise ValueError("a moment of the log cannot be read")
    return stored if stored.tzinfo else stored.replace(tzinfo=UTC)
