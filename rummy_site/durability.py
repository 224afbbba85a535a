"""Refuses a database that answers "saved" before the fact is on disk.

SQLite must run with synchronous FULL or EXTRA, PostgreSQL with synchronous_commit other than off.
"""

from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

SQLITE_FULL = 2


def forgetful_setting(database: BaseDatabaseWrapper) -> str | None:
    """What makes this database forget acknowledged facts, said in one sentence; None where nothing does."""
    if database.vendor == "sqlite":
        return _forgetful_sqlite(database)
    return _forgetful_postgresql(database)


def refuse_forgetful_database() -> None:
    """Stop this process before it serves anything from a forgetful database."""
    try:
        complaint = forgetful_setting(connection)
    finally:
        connection.close()
    if complaint:
        raise ImproperlyConfigured(complaint)


def _forgetful_sqlite(database: BaseDatabaseWrapper) -> str | None:
    level = int(_answer(database, "PRAGMA synchronous"))
    if level >= SQLITE_FULL:
        return None
    return f"SQLite runs with synchronous={level}; below {SQLITE_FULL} (FULL) a power cut loses acknowledged facts."


def _forgetful_postgresql(database: BaseDatabaseWrapper) -> str | None:
    level = _answer(database, "SHOW synchronous_commit")
    if level != "off":
        return None
    return "PostgreSQL runs with synchronous_commit=off; a crash then loses acknowledged facts."


def _answer(database: BaseDatabaseWrapper, question: str) -> str:
    with database.cursor() as cursor:
        cursor.execute(question)
        (answer,) = cursor.fetchone()
    return str(answer)
