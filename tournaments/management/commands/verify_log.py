"""`manage.py verify_log`: check that nobody has changed the log since it was written."""

from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from tournaments import log
from tournaments.log import triggers
from tournaments.log.auditing import Audit, missing_fingerprint, verify_log
from tournaments.management.runs import add_run_arguments, run_of
from tournaments.management.terminal import HOW_TO_LEAVE_OUT, EventsUnread
from tournaments.models import Club


class Command(BaseCommand):
    """Prints every bad position of each club, and fails when there is one."""

    stealth_options = ("run",)
    help = "Check hash chains, order, seals and notes of the log, and that every table can be read from it."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options: how much to check, and against what."""
        parser.add_argument("--club", default="", metavar="SLUG", help="only this club")
        parser.add_argument("--full", action="store_true", help="also go through long sealed history again")
        parser.add_argument(
            "--noted",
            action="append",
            default=[],
            metavar="FINGERPRINT",
            help="a fingerprint noted earlier (such as 17-3F9A-11C0-77AB-02DE); fails when the log has lost it",
        )
        add_run_arguments(parser)

    def handle(self, *, club: str, full: bool, noted: list[str], **options: Any) -> None:
        """Print one line for each club with a fault; the exit status shows whether there was any."""
        if club and not Club.objects.filter(slug=club).exists():
            raise CommandError(f"There is no club {club!r}.")
        with run_of(f"verify_log {club} {full}", **options) as run:
            audit = verify_log(slug=club, is_full=full, run=run)
        for line in triggers.faults(connection):
            self.stderr.write(line)
        lines = list(_finding_lines(audit))
        lines += [missing for fingerprint in noted if (missing := missing_fingerprint(fingerprint))]
        for line in (*lines, *(f"{left_out.event.club_name}: {left_out.text}" for left_out in audit.left_out)):
            self.stdout.write(line)
        if lines:
            raise _verdict(audit, len(lines))
        sealed = f", {audit.skipped} sealed ones not gone through again (--full does)" if audit.skipped else ""
        self.stdout.write(f"The log is as it was written: {audit.events} events checked{sealed}.")
        for row in Club.objects.filter(slug__in=[club]) if club else Club.objects.order_by("slug"):
            if seal := log.club_fingerprint(row.id):
                self.stdout.write(f"{row.slug}: note {seal} elsewhere; it stands for everything up to there.")


def _finding_lines(audit: Audit) -> Iterator[str]:
    """Describe each finding with its club. Look first at the first position that was changed."""
    reported_clubs: set[str] = set()
    for finding in audit.findings:
        club = finding.club or "no club"
        if finding.is_unreadable:
            yield f"{club}: position {finding.position} cannot be read: {finding.text}"
            continue
        word = "also bad" if club in reported_clubs else "first bad"
        reported_clubs.add(club)
        yield f"{club}: {word} position {finding.position}: {finding.text}"


def _verdict(audit: Audit, faults: int) -> CommandError:
    unread = sum(finding.is_unreadable for finding in audit.findings)
    if unread < faults:
        return CommandError("The log is not as it was written.")
    text = f"The log is as it was written, but {unread} of its events cannot be read: {HOW_TO_LEAVE_OUT}."
    return EventsUnread(text)
