"""How long a request waits for what others have locked: a write some seconds in all, a read hardly at all.

On SQLite everybody who writes waits for everybody else who does; on PostgreSQL for those who hold the same row. A
request has one allowance, from the moment in which it was here whole: what one lock has used up is not there for the
next. Readers wait for nobody in either database; what they are allowed is for a file that is just being opened.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.http import HttpRequest, HttpResponse

from rummy_site.databases import WRITE_WAIT_SECONDS

READ_WAIT_SECONDS = 0.5
# A wait shorter than this is not worth a question to the database.
NOTICED_SECONDS = 0.2
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# Where the server notes when the whole request was here: rummy_site/server.
RECEIVED = "rummy.received"
Run = Callable[..., Any]


class LockWaitMiddleware:
    """Sets the allowance of each request; stands before whatever asks the database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer within the allowance."""
        if request.method in SAFE_METHODS:
            with _sqlite_wait(connection, READ_WAIT_SECONDS):
                return self.get_response(request)
        until = request.META.get(RECEIVED, time.monotonic()) + WRITE_WAIT_SECONDS
        with _sqlite_wait(connection, until - time.monotonic()), connection.execute_wrapper(Allowance(until)):
            return self.get_response(request)


class Allowance:
    """Around every statement of a request that writes: one that had to wait leaves less to those after it."""

    def __init__(self, until: float) -> None:
        self._until = until
        self._is_used = self._left() < WRITE_WAIT_SECONDS - NOTICED_SECONDS

    def __call__(self, execute: Run, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:  # noqa: FBT001 - as Django calls it
        """Run the statement, and note how long it took."""
        began = time.monotonic()
        if self._is_used:
            self._tell_postgresql(context)
        try:
            return execute(sql, params, many, context)
        finally:
            if time.monotonic() - began > NOTICED_SECONDS:
                self._is_used = True
                self._tell_sqlite(context["connection"])

    def _left(self) -> float:
        return self._until - time.monotonic()

    def _tell_sqlite(self, database: BaseDatabaseWrapper) -> None:
        if database.vendor == "sqlite":
            _set_sqlite_wait(database, self._left())

    def _tell_postgresql(self, context: dict[str, Any]) -> None:
        """For the transaction at hand; outside of one, and at first, the setting of the connection holds."""
        database = context["connection"]
        if database.vendor == "postgresql" and database.in_atomic_block and not database.needs_rollback:
            # Nought would mean: no limit.
            context["cursor"].cursor.execute(f"SET LOCAL lock_timeout = {max(1, round(self._left() * 1000))}")


@contextmanager
def _sqlite_wait(database: BaseDatabaseWrapper, seconds: float) -> Iterator[None]:
    """The wait of this connection, for as long as the block lasts."""
    if database.vendor != "sqlite":
        yield
        return
    database.ensure_connection()
    (before,) = database.connection.execute("PRAGMA busy_timeout").fetchone()
    _set_sqlite_wait(database, seconds)
    try:
        yield
    finally:
        # A connection that was closed meanwhile begins with its own setting.
        if database.connection is not None:
            _set_sqlite_wait(database, before / 1000)


def _set_sqlite_wait(database: BaseDatabaseWrapper, seconds: float) -> None:
    """Past Django's cursor: asked on every request, and never the reason for one to fail."""
    database.connection.execute(f"PRAGMA busy_timeout = {max(0, round(seconds * 1000))}")
