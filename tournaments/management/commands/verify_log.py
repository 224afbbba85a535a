"""`manage.py verify_log`: is the log as it was written?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from tournaments import log
from tournaments.log import guards
from tournaments.models import Club
from tournaments.queries.verification import Audit, missing_fingerprint, verify_log


class Command(BaseCommand):
    """Names the first bad position of each club, and fails when there is one."""

    help = "Check hash chains, order, seals and notes of the log, and that every table can be read from it."

    def add_arguments(self, parser: CommandParser) -> None:
        """How much to check, and against what."""
        parser.add_argument("--club", default="", metavar="SLUG", help="only this club")
        parser.add_argument("--full", action="store_true", help="also go through long sealed history again")
        parser.add_argument(
            "--noted",
            action="append",
            default=[],
            metavar="FINGERPRINT",
            help="a fingerprint noted earlier (such as 17-3F9A-11C0-77AB-02DE); fails when the log has lost it",
        )

    def handle(self, *, club: str, full: bool, noted: list[str], **options: Any) -> None:
        """One line for each club with a fault; the exit status tells whether there was any."""
        if club and not Club.objects.filter(slug=club).exists():
            raise CommandError(f"There is no club {club!r}.")
        audit = verify_log(slug=club, is_full=full)
        for line in guards.faults(connection):
            self.stderr.write(line)
        said = [
            f"{finding.club or 'no club'}: first bad position {finding.position}: {finding.said}"
            for finding in audit.findings
        ]
        said += [missing for fingerprint in noted if (missing := missing_fingerprint(fingerprint))]
        for line in said:
            self.stdout.write(line)
        if said:
            raise CommandError("The log is not as it was written.")
        self.stdout.write(_summary(audit))
        for row in Club.objects.filter(slug__in=[club]) if club else Club.objects.order_by("slug"):
            if seal := log.club_fingerprint(row.id):
                self.stdout.write(f"{row.slug}: note {seal} elsewhere; it stands for everything up to there.")


def _summary(audit: Audit) -> str:
    sealed = f", {audit.skipped} sealed ones not gone through again (--full does)" if audit.skipped else ""
    return f"The log is as it was written: {audit.events} events checked{sealed}."
