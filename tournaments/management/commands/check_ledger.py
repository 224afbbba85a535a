"""`manage.py check_ledger`: are the books in order, and do they say what the log says?"""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandParser

from tournaments.integrity.books import check_books
from tournaments.log.auditing import are_faults
from tournaments.management.runs import add_run_arguments, run_of
from tournaments.management.terminal import failure


class Command(BaseCommand):
    """Prints each fault it finds, and fails when there is one."""

    stealth_options = ("run",)
    help = "Check that every entry balances and is unchanged, and that every table is settled once, as the log says."

    def add_arguments(self, parser: CommandParser) -> None:
        """All clubs, or one, and how."""
        parser.add_argument("--club", type=UUID, help="id of the only club to look at")
        add_run_arguments(parser)

    def handle(self, *, club: UUID | None, **options: Any) -> None:
        """One line for each fault; the exit status tells whether there was any."""
        with run_of(f"check_ledger {club}", **options) as run:
            books = check_books(club, run=run)
        for problem in books.faults:
            self.stdout.write(problem)
        if books.faults:
            unread = "facts cannot be read, and their money is not judged"
            called = "faults in the books" if are_faults(books.faults) else unread
            raise failure(f"{len(books.faults)} {called}", books.faults)
        waiting = f" {books.waiting} wait for settlement." if books.waiting else ""
        self.stdout.write(f"The books are in order: {books.tables} tables held against the log.{waiting}")
