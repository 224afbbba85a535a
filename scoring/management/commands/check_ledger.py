"""`manage.py check_ledger`: are the books in order?"""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring.ledger import ledger_problems


class Command(BaseCommand):
    """Prints each fault it finds, and fails when there is one."""

    help = "Check that every journal entry balances, is complete, unchanged and posted once."

    def add_arguments(self, parser: CommandParser) -> None:
        """All clubs, or one."""
        parser.add_argument("--club", type=UUID, help="id of the only club to look at")

    def handle(self, *, club: UUID | None, **options: Any) -> None:
        """One line for each fault; the exit status tells whether there was any."""
        problems = ledger_problems(club)
        for problem in problems:
            self.stdout.write(problem)
        if problems:
            raise CommandError(f"{len(problems)} faults in the books")
        self.stdout.write("The books are in order.")
