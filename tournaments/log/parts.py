"""Long work in parts: each can be done by itself, by any process, and what comes out of it is a value.

`InTurn` does one after the other; `tournaments.management.runs` does several at once, and goes on where it was stopped.
What they read may be of one moment, while others go on writing.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

from django.db import connection, transaction

_ONE_VIEW = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"

# How many are done, and of how many.
Progress = Callable[[int, int], object]
# How many of a part are done.
Report = Callable[[int], object]


class Part(Protocol):
    """Something to do. Frozen, and made of what JSON can hold: it is known again by what it says."""

    @property
    def size(self) -> int:
        """How many facts or streams it is, as progress counts them."""


class Done(Protocol):
    """What came out of a part, made of what JSON can hold."""

    @property
    def facts(self) -> int:
        """How many facts were read."""


P = TypeVar("P", bound=Part)
D = TypeVar("D", bound=Done)
# A function of a module, so that another process finds it.
Work = Callable[[P, Report], D]


class InTurn:
    """Does part after part in this process."""

    processes = 1

    def __init__(self, progress: Progress | None = None) -> None:
        self.progress = progress or (lambda done, total: None)

    def __call__(self, stage: str, work: Work[P, D], parts: Sequence[P], kind: type[D]) -> Iterator[D]:
        """What comes out of each part, in their order. Each stage has a name, and all of its results are of a kind."""
        total, done = sum(part.size for part in parts), 0

        def report_progress(within: int) -> None:
            self.progress(min(done + within, total), total)

        for part, result in zip(parts, self.results(stage, work, parts, kind, report_progress), strict=True):
            done += part.size
            report_progress(0)
            yield result

    def results(self, stage: str, work: Work[P, D], parts: Sequence[P], kind: type[D], report: Report) -> Iterator[D]:
        """The results alone; each part tells of its own how far it has come."""
        return (work(part, report) for part in parts)


@contextmanager
def one_snapshot(shared: str = "") -> Iterator[None]:
    """Everything read inside is of one moment. Nothing can be written, and nobody who writes has to wait.

    `shared` names a snapshot of another process (`shared_snapshot`), which must last as long. Inside a transaction that
    has begun already it changes nothing: what that one sees is its own to say.
    """
    if connection.in_atomic_block:
        yield
        return
    with _deferred(connection), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(_ONE_VIEW)
                if shared:
                    cursor.execute("SET TRANSACTION SNAPSHOT %s", [shared])
        yield


def shared_snapshot() -> str:
    """The name by which other processes see what is seen here; empty on SQLite, where each sees its own moment."""
    if connection.vendor != "postgresql":
        return ""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        return str(cursor.fetchone()[0])


@contextmanager
def _deferred(database: Any) -> Iterator[None]:
    """On SQLite a transaction of ours takes the only write lock at once; one that only reads needs none."""
    if database.vendor != "sqlite":
        yield
        return
    # A connection that was never opened does not know its mode yet: a command may begin with a proof.
    database.ensure_connection()
    mode, database.transaction_mode = database.transaction_mode, "DEFERRED"
    try:
        yield
    finally:
        database.transaction_mode = mode
