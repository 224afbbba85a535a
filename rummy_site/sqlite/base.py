"""The database backend, under the name by which Django finds it.

Django keeps an id on SQLite as 32 hex digits, in the row and in each index over it. Here a UUID is a value like any
other, written and read as bytes. The columns are declared as before, so old files need no other tables.
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
    """How ids are read, and how they are searched by a part of their text."""

    def convert_uuidfield_value(self, value: bytes | None, *_: Any) -> UUID | None:
        """Convert these bytes to the id."""
        return None if value is None else UUID(bytes=value)

    def lookup_cast(self, lookup_type: str, internal_type: str | None = None) -> str:
        """Convert an id to text for text lookups."""
        if internal_type == "UUIDField" and lookup_type not in {
            "exact",
            "in",
            "gt",
            "gte",
            "lt",
            "lte",
            "range",
            "isnull",
        }:
            return f"{AS_TEXT}(%s)"
        return super().lookup_cast(lookup_type, internal_type)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection with SQL functions for ids."""

    features_class = DatabaseFeatures
    ops_class = DatabaseOperations

    def get_new_connection(self, conn_params: Any) -> Any:
        """Open a connection with the function that writes an id as text."""
        connection = super().get_new_connection(conn_params)
        connection.create_function(AS_TEXT, 1, _text, deterministic=True)
        return connection


def _text(value: bytes | None) -> str | None:
    return None if value is None else str(UUID(bytes=value))
