"""`manage.py backup DIR`: a proven copy of the club's data, taken while people play."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import now

from rummy_site.backup import take_backup
from rummy_site.backup_programs import NotCopied


class Command(BaseCommand):
    """Makes a new folder below DIR; nothing is left there when the copy could not be made or proved."""

    help = "Copy database and key into a new folder below DIR and prove the copy. How to restore: docs/resilience.md"

    def add_arguments(self, parser: CommandParser) -> None:
        """Where to, and with which program on PostgreSQL."""
        parser.add_argument("into", type=Path, metavar="DIR")
        parser.add_argument("--pg-dump", metavar="PROGRAM", help="PostgreSQL: pg_dump of the server's release or newer")

    def handle(self, *, into: Path, pg_dump: str | None, **options: Any) -> None:
        """Where the backup lies, and how far each club's log had come before it."""
        try:
            backup = take_backup(into, now=now(), pg_dump=pg_dump)
        except (NotCopied, OSError) as error:
            raise CommandError(f"no backup was made: {error}") from error
        self.stdout.write(f"{backup.folder}: {backup.size / 1024**2:.1f} MiB")
        for club in backup.clubs:
            self.stdout.write(f"  {club.club}: up to position {club.position}, fingerprint {club.fingerprint}")
