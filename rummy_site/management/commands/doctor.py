"""`manage.py doctor`: is this machine fit for a club night?"""

from django.core.management.base import BaseCommand, CommandError
from django.utils.timezone import now

from rummy_site.operations.doctor import Level, examine


class Command(BaseCommand):
    """Prints one line for each check; fails on an error, not on a warning."""

    help = "Look at database, guards, worker, broker, seals and disk. Whether the data is right: manage.py prove"
    requires_system_checks: list[str] = []

    def handle(self, **options: object) -> None:
        """Print the findings; the exit status is 1 if any is an error."""
        findings = examine(now=now())
        for finding in findings:
            self.stdout.write(f"{finding.level:<8} {finding.subject:<12} {finding.text}")
        bad = [finding.subject for finding in findings if finding.level is Level.BAD]
        if bad:
            raise CommandError(f"not fit for a club night: {', '.join(dict.fromkeys(bad))}")
