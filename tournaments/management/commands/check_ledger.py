"""`manage.py check_ledger`: are the books in order, and do they say what the log says?"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandParser
from django.db import connection, transaction

from scoring.ledger import ledger_problems
from tournaments.integrity.audit import compare_books
from tournaments.log.auditing import are_faults
from tournaments.management.terminal import failure

# Many statements that see the database as it stood at one moment, while others go on writing.

_ONE_VIEW = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY"


@contextmanager
def one_snapshot() -> Iterator[None]:
    """Everything read inside is of one moment. Nothing can be written, and nobody who writes has to wait.

    Inside a transaction that has begun already it changes nothing: what that one sees is its own to say.
    """
    if connection.in_atomic_block:
        yield
        return
    with _deferred(connection), transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(_ONE_VIEW)
        yield


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


class Command(BaseCommand):
    """Prints each fault it finds, and fails when there is one."""

    help = "Check that every entry balances and is unchanged, and that every table is settled once, as the log says."

    def add_arguments(self, parser: CommandParser) -> None:
        """All clubs, or one."""
        parser.add_argument("--club", type=UUID, help="id of the only club to look at")

    def handle(self, *, club: UUID | None, **options: Any) -> None:
        """One line for each fault; the exit status tells whether there was any."""
        with one_snapshot():
            books = compare_books(club)
            problems = [*ledger_problems(club), *books.faults]
        for problem in problems:
            self.stdout.write(problem)
        if problems:
            unread = "facts cannot be read, and their money is not judged"
            raise failure(f"{len(problems)} {'faults in the books' if are_faults(problems) else unread}", problems)
        waiting = f" {books.waiting} wait for settlement." if books.waiting else ""
        self.stdout.write(f"The books are in order: {books.tables} tables held against the log.{waiting}")
