"""Long work in parts: each can be done by itself, by any process, and its result is a value.

`InTurn` does them one after the other; `tournaments.management.runs` does several at once, and resumes after an
interruption. They may read from one snapshot while others write.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeVar

from django.db import connection

from scoring import storage

# How many are done, and of how many.
Progress = Callable[[int, int], object]
# How many of a part are done.
Report = Callable[[int], object]


class Part(Protocol):
    """A part of the work. Immutable and JSON-serializable: its content identifies it."""

    @property
    def size(self) -> int:
        """The number of events or streams in it, for the progress."""


class Done(Protocol):
    """The result of a part, JSON-serializable."""

    @property
    def events(self) -> int:
        """The number of events read."""


P = TypeVar("P", bound=Part)
D = TypeVar("D", bound=Done)
# A module-level function, so that another process can import it.
Work = Callable[[P, Report], D]


class InTurn:
    """Does one part after the other in this process."""

    processes = 1

    def __init__(self, progress: Progress | None = None) -> None:
        self.progress = progress or (lambda done, total: None)

    def __call__(self, stage: str, work: Work[P, D], parts: Sequence[P], kind: type[D]) -> Iterator[D]:
        """The results of the parts, in order. `stage` is a name; all results of a stage are of one type `kind`."""
        total, done = sum(part.size for part in parts), 0

        def report_progress(within: int) -> None:
            self.progress(min(done + within, total), total)

        for part, result in zip(parts, self.results(stage, work, parts, kind, report_progress), strict=True):
            done += part.size
            report_progress(0)
            yield result

    def results(self, stage: str, work: Work[P, D], parts: Sequence[P], kind: type[D], report: Report) -> Iterator[D]:
        """The results alone; each part reports its own progress."""
        return (work(part, report) for part in parts)


@contextmanager
def one_snapshot(shared: str = "") -> Iterator[None]:
    """Read everything inside from one snapshot. Nothing can be written, and no writer has to wait.

    `shared` names a snapshot of another process (`shared_snapshot`), which must last as long. Inside a transaction that
    has already begun it changes nothing: what can be seen there depends on that one.
    """
    if connection.in_atomic_block:
        yield
        return
    with storage.of(connection).snapshot(shared):
        yield


def shared_snapshot() -> str:
    """The name of this snapshot for other processes; empty on SQLite, where each process has its own."""
    return str(storage.of(connection).shared_snapshot())
