"""How long a request waits for locks: one that writes some seconds in all, one that reads hardly at all.

On SQLite every writer waits for all other writers; on PostgreSQL for those who hold the same row. A request has one
allowance, which starts when the whole request has arrived: what one lock has used up is not there for the next. Readers
wait for no lock in either database; their allowance is for a file that is just being opened.
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from traceback import clear_frames
from typing import Any

from django.db import Error, connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from rummy_site.database import READ_WAIT_SECONDS, WRITE_WAIT_SECONDS
from scoring import storage

# A wait shorter than this does not justify a query.
NOTICED_SECONDS = 0.2
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
# Where the server notes when the whole request had arrived: rummy_site/server.
RECEIVED = "rummy.received"
Run = Callable[..., Any]


class LockWaitMiddleware:
    """Sets the allowance of each request; comes before all middleware that queries the database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer within the allowance."""
        if request.method in SAFE_METHODS:
            with storage.of(connection).waiting(connection, READ_WAIT_SECONDS, new=READ_WAIT_SECONDS):
                return self.get_response(request)
        until = request.META.get(RECEIVED, time.monotonic()) + WRITE_WAIT_SECONDS
        with (
            storage.of(connection).waiting(connection, WRITE_WAIT_SECONDS, new=READ_WAIT_SECONDS),
            within(until),
        ):
            return self.get_response(request)


@contextmanager
def within(until: float) -> Iterator[None]:
    """No query in the block waits for a lock after this moment."""
    allowance = Allowance(until)
    # Before the first statement, because not every write of the log goes through Django's cursor. A request without
    # queries opens no connection.
    if connection.connection is not None:
        allowance.apply(connection)
    token = _current.set(allowance)
    try:
        with connection.execute_wrapper(allowance):
            yield
    finally:
        _current.reset(token)
        storage.of(connection).reset_wait(connection)


class Allowance:
    """Wraps every statement of a request that writes: one that had to wait leaves less for the following ones."""

    def __init__(self, until: float) -> None:
        self._until = until
        # What the database was set to last.
        self._applied = math.inf

    def __call__(self, execute: Run, sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:  # noqa: FBT001 (as Django calls it)
        """Run the statement with the remaining allowance."""
        self.apply(context["connection"])
        try:
            return execute(sql, params, many, context)
        except Error as error:
            # Django's frames refer to the error and it to them, and so to the cursor. The thread that collects this
            # garbage would reset the cursor's statement, and wait until this connection is done with its next one.
            clear_frames(error.__traceback__)
            raise

    def apply(self, database: BaseDatabaseWrapper) -> None:
        """Set how long the database waits from now on, where that is clearly less than what is set."""
        wait_seconds = max(0.0, self._until - time.monotonic())
        if self._applied - wait_seconds < NOTICED_SECONDS or database.needs_rollback:
            return
        self._applied = wait_seconds
        storage.of(database).set_wait(database, wait_seconds)

    def begin(self, database: BaseDatabaseWrapper) -> None:
        """Set up a connection that was opened just now with a reader's setting."""
        self._applied = math.inf
        self.apply(database)


_current: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@receiver(connection_created)
def apply_to_new_connection(*, connection: BaseDatabaseWrapper, **about: object) -> None:
    """Set up a connection that is opened in the middle of a request that writes."""
    if allowance := _current.get():
        allowance.begin(connection)
