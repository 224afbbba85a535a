"""`manage.py check_ledger`: are the books in order, and do they say what the log says?"""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandParser

from scoring.ledger import ledger_problems
from tournaments.integrity.audit import compare_books
from tournaments.log.auditing import are_faults
from tournaments.log.snapshot import one_snapshot
from tournaments.management.terminal import failure


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
