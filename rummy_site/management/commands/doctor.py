"""`manage.py doctor`: is this machine fit for a club night?"""

from collections.abc import Collection

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import now

from rummy_site.operations.alarms import look
from rummy_site.operations.doctor import LOOKS, Level, examine


class Command(BaseCommand):
    """Prints one line for each check; fails on an error, not on a warning."""

    help = "Look at database, guards, worker, broker, seals and disk. Whether the data is right: manage.py prove"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add which checks to run, and that those who run the site are told instead of this terminal."""
        parser.add_argument("--only", nargs="+", choices=LOOKS, default=(), metavar="SUBJECT", help="only these checks")
        help_text = "print nothing: mail what is bad to those who run the site, as the worker does every five minutes"
        parser.add_argument("--tell", action="store_true", help=help_text)

    def handle(self, *, only: Collection[str], tell: bool, **options: object) -> None:
        """Print the findings; the exit status is 1 if any is an error."""
        if tell:
            look(now=now(), only=only)
            return
        findings = examine(now=now(), only=only)
        for finding in findings:
            self.stdout.write(f"{finding.level:<8} {finding.subject:<12} {finding.text}")
        bad = [finding.subject for finding in findings if finding.level is Level.BAD]
        if bad:
            raise CommandError(f"not fit for a club night: {', '.join(dict.fromkeys(bad))}")
