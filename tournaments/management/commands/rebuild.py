"""`manage.py rebuild [--check]`: rebuild the boards from the log alone, or check that they equal it."""

import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.integrity.rebuild import Rebuilt, rebuild_all, rebuild_differences
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
        with run_of(f"rebuild {check}", **options) as run:
            if check:
                differences = rebuild_differences(run=run)
            else:
                start = time.perf_counter()
                rebuilt = rebuild_all(run=run)
        if check:
            self._report_differences(differences)
        else:
            self._report_rebuilt(rebuilt, time.perf_counter() - start)

    def _report_rebuilt(self, rebuilt: Rebuilt, seconds: float) -> None:
        for problem in rebuilt.problems:
            self.stdout.write(problem)
        if rebuilt.problems:
            raise CommandError(
                f"{rebuilt.events} events read; {len(rebuilt.problems)} things cannot be read: manage.py leave_out"
            )
        self.stdout.write(f"{rebuilt.events} events read, every board written again in {seconds:.1f} s.")

    def _report_differences(self, differences: list[str]) -> None:
        for difference in differences:
            self.stdout.write(difference)
        if differences:
            label = "differences between boards and log" if are_faults(differences) else "events cannot be read"
            raise failure(f"{len(differences)} {label}", differences)
        self.stdout.write("The boards equal the log.")
