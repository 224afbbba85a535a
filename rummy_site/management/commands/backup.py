"""`manage.py backup [DIR]`: a verified copy of the club's data, taken while people play."""

import time
from argparse import ArgumentTypeError
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections
from django.utils.timezone import now

from rummy_site.backup_folder import Try, note_try
from rummy_site.database_release import migrations_wait
from rummy_site.operations.backup import NotCopied, take_backup
from rummy_site.operations.backup_rotation import PERIODS, Keeping, clear_leftovers, rotate
from tournaments.management.terminal import HOW_TO_LEAVE_OUT, UNREAD, EventsUnread
from tournaments.transient_errors import is_there

# Minutes of two months; nobody keeps so many copies.
MOST_NUMBER = 100_000


class Command(BaseCommand):
    """Makes a new folder below DIR; removes it when the copy could not be made or was changed.

    Where events in it cannot be read the copy is kept, and the exit status is 3: a timer notices, and nothing is lost.
    """

    help = "Copy database and key to a new folder in DIR, and prove the copy. How to restore: docs/how-to/backups.md"

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the folder, the rotation, and the program to use on PostgreSQL."""
        parser.add_argument("into", type=Path, nargs="?", metavar="DIR", help="BACKUP_DIR where none is given")
        parser.add_argument("--keep", type=_number, default=0, metavar="N", help="take older ones away but the last N")
        for period in PERIODS:
            text = f"and the newest of each of the last N ({period})"
            parser.add_argument(f"--keep-{period}", type=_number, default=0, metavar="N", help=text)
        parser.add_argument("--every", type=_number, metavar="MINUTES", help="again and again, until it is stopped")
        parser.add_argument("--pg-dump", metavar="PROGRAM", help="PostgreSQL: pg_dump of the server's release or newer")

    def handle(self, *, into: Path | None, pg_dump: str | None, keep: int, **options: Any) -> None:
        """Make one backup, or one after the other: a drive that is removed and mounted again gets the next one."""
        folder = into or settings.BACKUP_DIR
        if folder is None:
            raise CommandError("say where to, or set BACKUP_DIR")
        keeping = Keeping(last=keep, **{period: options[f"keep_{period}"] for period in PERIODS})
        if (minutes := options["every"]) is None:
            self._back_up(folder, keeping, pg_dump)
            return
        while True:
            try:
                self._back_up(folder, keeping, pg_dump)
            except CommandError as error:
                self.stderr.write(str(error))
            self.stdout.flush()
            self.stderr.flush()
            connections.close_all()
            time.sleep(minutes * 60)

    def _back_up(self, folder: Path, keeping: Keeping, pg_dump: str | None) -> None:
        """Report where the backup is, how far each club's log had come before it, and which older ones were removed."""
        if not folder.is_dir():
            # It is not made here either: see `backup_dir`.
            raise CommandError(f"no backup was made: {folder} is not there. Mount its disk, or make the folder")
        try:
            backup = take_backup(folder, now=now(), pg_dump=pg_dump)
        except (NotCopied, OSError) as error:
            raise CommandError(f"no backup was made: {error}") from error
        self.stdout.write(f"{backup.folder}: {backup.size / 1024**2:.1f} MiB")
        for club in backup.clubs:
            self.stdout.write(f"  {club.club}: up to position {club.position}, fingerprint {club.fingerprint}")
        if backup.waiting:
            self.stderr.write(
                f"  not proven: {migrations_wait(backup.waiting)}. Run manage.py migrate; a restore proves the copy"
            )
        for line in backup.unread:
            self.stdout.write(f"  cannot be read: {line}")
        self.stdout.write(f"  to be noted elsewhere: the manifest's SHA-256 is {backup.digest}")
        moment = now()
        if settings.BACKUP_DIR is not None and is_there(settings.BACKUP_DIR) and folder.samefile(settings.BACKUP_DIR):
            # What failed by night is mended by hand.
            note_try(folder, backup=Try(at=moment, good_at=moment))
        try:
            for gone in (
                *rotate(folder, keeping, taken=backup.folder, now=moment),
                *clear_leftovers(folder, now=moment),
            ):
                self.stdout.write(f"{gone} taken away")
        except OSError as error:
            raise CommandError(f"the backup was made, and an older one could not be taken away: {error}") from error
        if backup.unread:
            text = f"the backup was made, but {len(backup.unread)} events in it cannot be read: {HOW_TO_LEAVE_OUT}"
            raise EventsUnread(text, returncode=UNREAD)


def _number(text: str) -> int:
    number = int(text) if text.isdecimal() and len(text) <= len(str(MOST_NUMBER)) else 0
    if not 1 <= number <= MOST_NUMBER:
        raise ArgumentTypeError(f"{text!r} is no number from 1 to {MOST_NUMBER}")
    return number
