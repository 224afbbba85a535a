"""What differs between the two databases, in one module for each: `sqlite` and `postgresql`.

Both have the functions that callers use, and `of` is the module of a connection.
"""

from datetime import datetime
from types import ModuleType
from uuid import UUID

from django.db.backends.base.base import BaseDatabaseWrapper

from scoring.storage import postgresql, sqlite
from scoring.storage.bounds import EPOCH, MICROSECOND


def of(connection: BaseDatabaseWrapper) -> ModuleType:
    """The module of this connection's database."""
    return postgresql if connection.vendor == "postgresql" else sqlite


def uuid_from(stored: UUID | bytes) -> UUID:
    """A UUID from a column's value."""
    return UUID(bytes=stored) if isinstance(stored, bytes) else stored


def moment_from(stored: datetime | int) -> datetime:
    """A time from the value of a column of the log. Raises ValueError for anything else."""
    if isinstance(stored, int):
        return EPOCH + stored * MICROSECOND
    if isinstance(stored, datetime):
        return stored
    # SQLite stores values of any type in any column.
    raise ValueError("a moment of the log cannot be read")
