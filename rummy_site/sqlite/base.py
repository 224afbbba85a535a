"""The database backend, under the name by which Django finds it.

Django keeps an id on SQLite as 32 hex digits, in the row and in each index over it. Here it is a value as any other: a
UUID goes in, and one comes out. The columns are declared as before, so old files need no other tables.
"""

import sqlite3
from typing import Any
from uuid import UUID

from django.db.backends.sqlite3 import base, features, operations

sqlite3.register_adapter(UUID, lambda value: value.bytes)

AS_TEXT = "uuid_text"


class DatabaseFeatures(features.DatabaseFeatures):
    """Django hands ids over as they are."""

    has_native_uuid_field = True


class DatabaseOperations(operations.DatabaseOperations):
    """How ids are read, and how they are looked for by a part of their text."""

    def convert_uuidfield_value(self, value: bytes | None, *_: Any) -> UUID | None:
        """The id that these bytes are."""
        return None if value is None else UUID(bytes=value)

    def lookup_cast(self, lookup_type: str, internal_type: str | None = None) -> str:
        """An id as its text for whoever searches for a text."""
        if internal_type == "UUIDField" and lookup_type not in {"exact", "in", "gt", "gte", "lt", "lte", "isnull"}:
            return f"{AS_TEXT}(%s)"
        return super().lookup_cast(lookup_type, internal_type)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection."""

    features_class = DatabaseFeatures
    ops_class = DatabaseOperations

    def get_new_connection(self, conn_params: Any) -> Any:
        """One that knows the text of an id."""
        connection = super().get_new_connection(conn_params)
        connection.create_function(AS_TEXT, 1, _text, deterministic=True)
        return connection


def _text(value: bytes | None) -> str | None:
    return None if value is None else str(UUID(bytes=value))
