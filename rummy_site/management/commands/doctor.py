"""`manage.py doctor`: is this machine fit for a club night?"""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import now

from rummy_site.doctor import Level, examine

PROOFS: dict[str, dict[str, bool]] = {
    "verify_log": {"full": True},
    "rebuild": {"check": True},
    "check_ledger": {},
}


class Command(BaseCommand):
    """One line for each thing it looks at; fails where something is bad, not where it only warns."""

    help = "Look at database, guards, worker, broker, seals and disk; with --full, prove log, boards and books too."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """How much to look at."""
        parser.add_argument("--full", action="store_true", help="also verify_log --full, rebuild --check, check_ledger")

    def handle(self, *, full: bool, **options: Any) -> None:
        """Print the findings; the exit status tells whether any is bad."""
        findings = examine(now=now())
        for finding in findings:
            self.stdout.write(f"{finding.level:<8} {finding.subject:<12} {finding.said}")
        bad = [finding.subject for finding in findings if finding.level is Level.BAD]
        if full:
            bad += [name for name in PROOFS if not self._proves(name)]
        if bad:
            raise CommandError(f"not fit for a club night: {', '.join(bad)}")

    def _proves(self, name: str) -> bool:
        try:
            call_command(name, stdout=self.stdout, stderr=self.stderr, **PROOFS[name])
        except CommandError as error:
            self.stdout.write(f"{Level.BAD:<8} {name:<12} {error}")
            return False
        return True
