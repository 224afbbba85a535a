"""`manage.py prove`: log, boards and books in one go, as after a restore."""

from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection

from tournaments.log import guards


class Command(BaseCommand):
    """Runs verify_log --full, rebuild --check and check_ledger to the end, whatever one of them finds."""

    help = "verify_log --full, rebuild --check and check_ledger; fails where one of them does."

    def add_arguments(self, parser: CommandParser) -> None:
        """Fingerprints that must be in the log."""
        parser.add_argument("--noted", action="append", default=[], metavar="FINGERPRINT", help="as for verify_log")

    def handle(self, *, noted: list[str], **options: Any) -> None:
        """What each of them says, and which of them failed."""
        proofs: dict[str, dict[str, Any]] = {
            "verify_log": {"full": True, "noted": noted},
            "rebuild": {"check": True},
            "check_ledger": {},
        }
        failed = [name for name, words in proofs.items() if not self._holds(name, words)]
        # verify_log only warns of them: what it looked at may be whole. What was proved without them may not stay so.
        if guards.missing(connection) or guards.strangers(connection):
            failed.append("guards")
        if failed:
            raise CommandError(f"not proved: {', '.join(failed)}")

    def _holds(self, name: str, words: dict[str, Any]) -> bool:
        try:
            call_command(name, stdout=self.stdout, stderr=self.stderr, **words)
        except CommandError as error:
            self.stdout.write(f"{name}: {error}")
            return False
        except Exception as error:  # noqa: BLE001 - rows that nobody can read end one proof, and not the next
            self.stdout.write(f"{name} could not go on: {type(error).__name__}: {error}")
            return False
        return True
