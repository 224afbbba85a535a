"""What differs between the two databases, in one module for each: `sqlite` and `postgresql`.

Both have the same functions. Callers ask `of` for the one of their connection, and nothing else which database it is.
"""

from types import ModuleType

from django.db.backends.base.base import BaseDatabaseWrapper

from scoring.storage import postgresql, sqlite


def of(connection: BaseDatabaseWrapper) -> ModuleType:
    """The module of this connection's database."""
    return postgresql if connection.vendor == "postgresql" else sqlite
