"""`manage.py rebuild [--check]`: the boards again from the log alone, or the proof that they equal it."""

import time

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.integrity.rebuild import rebuild_all, rebuild_differences
from tournaments.log.auditing import are_faults
from tournaments.management.terminal import ProgressLine, failure


class Command(BaseCommand):
    """Writes every score sheet and standing again; with --check it only compares."""

    help = "Make the boards again from the log; with --check, compare them and fail where they differ."

    def add_arguments(self, parser: CommandParser) -> None:
        """Write or compare."""
        parser.add_argument("--check", action="store_true", help="change nothing; exit 1 on a difference")

    def handle(self, *, check: bool, **options: object) -> None:
        """A progress bar where somebody watches, and one line at the end."""
        if check:
            self._compare()
            return
        start = time.perf_counter()
        rebuilt = rebuild_all(progress=ProgressLine("Tables"))
        seconds = time.perf_counter() - start
        for problem in rebuilt.problems:
            self.stdout.write(problem)
        if rebuilt.problems:
            raise CommandError(
                f"{rebuilt.events} events read; {len(rebuilt.problems)} things cannot be read: manage.py leave_out"
            )
        self.stdout.write(f"{rebuilt.events} events read, every board written again in {seconds:.1f} s.")

    def _compare(self) -> None:
        differences = rebuild_differences(progress=ProgressLine("Tables"))
        for difference in differences:
            self.stdout.write(difference)
        if differences:
            called = "differences between boards and log" if are_faults(differences) else "facts cannot be read"
            raise failure(f"{len(differences)} {called}", differences)
        self.stdout.write("The boards equal the log.")
