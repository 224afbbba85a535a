"""`manage.py prove`: verifies log, leaderboards and books in one go, as after a restore."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from rummy_site.database_release import release_fault
from tournaments.integrity.triggers import strangers_elsewhere
from tournaments.log import triggers
from tournaments.management.runs import add_run_arguments, run_of
from tournaments.management.terminal import HOW_TO_LEAVE_OUT, UNREAD, EventsUnread


class Command(BaseCommand):
    """Runs verify_log --full, rebuild --check and check_ledger to the end, even where one of them fails."""

    help = f"verify_log --full, rebuild --check and check_ledger; exit {UNREAD} where events only cannot be read."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the fingerprints that must be in the log, and options of the checks."""
        parser.add_argument("--noted", action="append", default=[], metavar="FINGERPRINT", help="as for verify_log")
        add_run_arguments(parser)

    def handle(self, *, noted: list[str], **options: Any) -> None:
        """Print the output of each, and which of them failed."""
        if fault := release_fault():
            raise CommandError(f"nothing was verified: {fault}")
        proofs: dict[str, dict[str, object]] = {
            "verify_log": {"full": True, "noted": noted},
            "rebuild": {"check": True},
            "check_ledger": {},
        }
        with run_of("prove", **options) as run:
            ends = {name: self._end(name, {**words, "run": run}) for name, words in proofs.items()}
        failed = [name for name, end in ends.items() if end is not None and not isinstance(end, EventsUnread)]
        # verify_log only warns of missing guards: the log may be intact. What was verified without them may change
        # later.
        elsewhere = strangers_elsewhere(connection)
        for line in elsewhere:
            self.stderr.write(line)
        if elsewhere or triggers.missing(connection) or triggers.strangers(connection):
            failed.append("guards")
        if failed:
            raise CommandError(f"not proved: {', '.join(failed)}")
        if any(ends.values()):
            raise EventsUnread(f"proved but for events that cannot be read: {HOW_TO_LEAVE_OUT}", returncode=UNREAD)

    def _end(self, name: str, words: dict[str, object]) -> Exception | None:
        """How one of them fails; None where it passes."""
        try:
            call_command(name, stdout=self.stdout, stderr=self.stderr, **words)
        except CommandError as error:
            self.stdout.write(f"{name}: {error}")
            return error
        except Exception as error:  # noqa: BLE001 - rows that nobody can read end one proof, and not the next
            self.stdout.write(f"{name} could not go on: {type(error).__name__}: {error}")
            return error
        return None
