"""`manage.py box CLUB [FILE]`: writes a club with everything that is its own into one file."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import now

from rummy_site.database_release import release_fault
from tournaments import log
from tournaments.boxes.packing import box_file, file_name, pack
from tournaments.management.terminal import ProgressLine
from tournaments.models import Club


class Command(BaseCommand):
    """Writes the file whole or not at all, and prints the code by which another installation knows it."""

    help = "Write a club into one file, for `unbox` on another installation. Rules: docs/how-to/moving.md"

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the club, the file, and the end of writing here."""
        parser.add_argument("club", metavar="CLUB", help="its short name, as in the address")
        parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="CLUB-DATE.rummybox here if not given")
        parser.add_argument("--moves-to", default="", metavar="WHERE", help="change nothing here from now on")
        parser.add_argument("--progress", action="store_true", help="show progress also without a terminal")

    def handle(self, *, club: str, file: Path | None, moves_to: str, progress: bool, **options: object) -> None:
        """Close the club first where it moves: the box then has all that was acknowledged."""
        if fault := release_fault():
            raise CommandError(f"nothing was written: {fault}")
        row = Club.objects.filter(slug__iexact=club).first()
        if row is None:
            raise CommandError(f"there is no club {club!r}: name it as its address does")
        moment = now()
        out = file or Path(file_name(row, moment))
        if out.exists():
            raise CommandError(f"{out} is there already, and nothing is written over it")
        if moves_to:
            log.move_club(row.pk, moves_to)
        line, written = ProgressLine("Rows", is_asked=progress), 0

        def report(rows: int) -> None:
            nonlocal written
            written += rows
            line(written, written + 1)

        try:
            with box_file(out) as box:
                packed = pack(row.pk, box, now=moment, report=report)
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}") from error
        self.stdout.write(f"{out}: {row.name} up to position {packed.manifest.position}")
        self.stdout.write(f"  its code, for another installation: {packed.code}")
        if moves_to:
            self.stdout.write(f"  nothing of {row.name} can be changed here any more: it has moved to {moves_to}")
