"""`manage.py check_ledger`: checks that the books balance and agree with the log."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring.ledger.audit import clubs_with_books, entry_problems, unguarded_problems
from tournaments.integrity.audit import Books, compare_books
from tournaments.integrity.ranges import Found, OfClub
from tournaments.log.auditing import are_faults
from tournaments.log.parts import InTurn, Report, one_snapshot, shared_snapshot
from tournaments.management.runs import add_run_arguments, run_of
from tournaments.management.terminal import failure
from tournaments.models import Club


class Command(BaseCommand):
    """Prints each fault it finds, and fails when there is one."""

    stealth_options = ("run",)
    help = "Check that every entry balances and is unchanged, and that every table is settled once, as the log says."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options: one club or all clubs, and how to run."""
        parser.add_argument("--club", type=UUID, help="id of the only club to look at")
        add_run_arguments(parser)

    def handle(self, *, club: UUID | None, **options: Any) -> None:
        """Print one line for each fault; the exit status shows whether there was any."""
        if club and not (Club.objects.filter(pk=club).exists() or club in clubs_with_books()):
            raise CommandError(f"There is no club {club}.")
        with run_of(f"check_ledger {club}", **options) as run:
            books = check_books(club, run=run)
        for problem in books.faults:
            self.stdout.write(problem)
        if books.faults:
            unread = "events cannot be read, and their money is not judged"
            label = "faults in the books" if are_faults(books.faults) else unread
            raise failure(f"{len(books.faults)} {label}", books.faults)
        waiting = f" {books.waiting} wait for settlement." if books.waiting else ""
        self.stdout.write(f"The books are in order: {books.tables} tables held against the log.{waiting}")


def check_books(club: UUID | None, *, run: InTurn) -> Books:
    """Find every fault in the books of one club, or of all, as of one moment.

    On PostgreSQL all processes share one snapshot; on SQLite each club is read at its own moment.
    """
    with one_snapshot():
        shared = shared_snapshot() if run.processes > 1 else ""
        clubs = {club} if club else {*Club.objects.values_list("id", flat=True), *clubs_with_books()}
        parts = [OfClub(what=what, club=club_id) for club_id in sorted(clubs) for what in _JUDGED]
        findings = list(run("Books", partial(judge_books, shared), parts, Found))
        faults = [*unguarded_problems(club), *(line for finding in findings for line in finding.typed_lines())]
    return Books(
        faults=tuple(faults),
        tables=sum(finding.tables for finding in findings),
        waiting=sum(finding.waiting for finding in findings),
    )


def judge_books(shared: str, part: OfClub, report: Report) -> Found:
    """Check the entries of a club by themselves, or against the log. `shared` names the snapshot they are read in."""
    with one_snapshot(shared):
        return _JUDGED[part.what](part.club)


def _against_the_log(club: UUID) -> Found:
    books = compare_books(club)
    return Found.of(books.faults, tables=books.tables, waiting=books.waiting)


_JUDGED: dict[str, Callable[[UUID], Found]] = {
    "entries": lambda club: Found.of(entry_problems(club)),
    "log": _against_the_log,
}
