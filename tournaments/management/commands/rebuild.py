"""`manage.py rebuild [--check]`: rebuild the boards from the log alone, or check that they equal it."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.integrity.rebuild import rebuild_all, rebuild_differences
from tournaments.log.auditing import are_faults
from tournaments.management.runs import add_run_arguments, run_of
from tournaments.management.terminal import failure


class Command(BaseCommand):
    """Rewrites every score sheet and standing; with --check it only compares."""

    stealth_options = ("run",)
    help = "Make the boards again from the log; with --check, compare them and fail where they differ."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options: write or compare, and how to run."""
        parser.add_argument("--check", action="store_true", help="change nothing; exit 1 on a difference")
        add_run_arguments(parser)

    def handle(self, *, check: bool, **options: Any) -> None:
        """Show progress on a terminal, and print one line at the end."""
        if check:
            with run_of(f"rebuild {check}", **options) as run:
                differences = rebuild_differences(run=run)
            for difference in differences:
                self.stdout.write(difference)
            if differences:
                label = "differences between boards and log" if are_faults(differences) else "events cannot be read"
                raise failure(f"{len(differences)} {label}", differences)
            self.stdout.write("The boards equal the log.")
            return
        start = time.perf_counter()
        with run_of(f"rebuild {check}", **options) as run:
            rebuilt = rebuild_all(run=run)
        for problem in rebuilt.problems:
            self.stdout.write(problem)
        if rebuilt.problems:
            raise CommandError(
                f"{rebuilt.events} events read; {len(rebuilt.problems)} things cannot be read: manage.py leave_out"
            )
        seconds = time.perf_counter() - start
        self.stdout.write(f"{rebuilt.events} events read, every board written again in {seconds:.1f} s.")
