"""How much work SQLite does: a count that needs no clock, and grows with every row that a statement passes over."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

EVERY = 10


class Steps:
    """The steps of SQLite's virtual machine, in tens."""

    taken = 0

    def count(self) -> int:
        self.taken += 1
        return 0


@contextmanager
def counted_steps() -> Iterator[Steps]:
    """Count the steps of all statements run meanwhile."""
    steps = Steps()
    connection.ensure_connection()
    connection.connection.set_progress_handler(steps.count, EVERY)
    try:
        yield steps
    finally:
        connection.connection.set_progress_handler(None, EVERY)
