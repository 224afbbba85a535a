"""`manage.py restore BACKUP`: restores a backup into an empty place, verifies it there, and only then opens it."""

import signal
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import now

from rummy_site.backup_folder import Try, note_try
from rummy_site.operations.restore import NotRestored, prove_and_open, restore, try_restore
from tournaments.transient_errors import is_there


class Command(BaseCommand):
    """Checks the backup's digests, restores, migrates, verifies, opens. Until then nothing serves the database."""

    help = "Restore a backup into this site's empty database, prove it, and open it. Rules: docs/how-to/backups.md"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the backup to restore, or the option for a database that is here already."""
        source = parser.add_mutually_exclusive_group(required=True)
        source.add_argument("backup", type=Path, nargs="?", metavar="BACKUP", help="a folder made by manage.py backup")
        source.add_argument("--here", action="store_true", help="prove and open what is here already")
        parser.add_argument(
            "--try",
            action="store_true",
            dest="is_trial",
            help="restore BACKUP elsewhere, prove it there, delete it again",
        )
        parser.add_argument("--noted", action="append", default=[], metavar="FINGERPRINT", help="as for verify_log")
        parser.add_argument("--pg-restore", metavar="PROGRAM", help="PostgreSQL: pg_restore of the server's release")

    def handle(self, *, backup: Path | None, noted: list[str], pg_restore: str | None, **options: Any) -> None:
        """Print each step that was done."""
        try:
            if options["is_trial"]:
                if backup is None or noted:
                    raise CommandError("--try takes a BACKUP, and proves what its manifest notes.")
                # A service that is stopped ends us so: what was restored on trial is deleted then, too.
                signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
                try_restore(backup, pg_restore=pg_restore, write=self.stdout.write)
                folder = settings.BACKUP_DIR
                if folder is not None and is_there(folder) and folder.samefile(backup.resolve().parent):
                    note_try(folder, restore=Try(at=now(), backup=backup.name, good_at=now()))
            elif backup is None:
                prove_and_open(noted, write=self.stdout.write)
            else:
                restore(backup, noted=noted, pg_restore=pg_restore, write=self.stdout.write)
        except NotRestored as error:
            raise CommandError(str(error)) from error
