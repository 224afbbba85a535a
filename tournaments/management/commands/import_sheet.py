"""`manage.py import_sheet FILE`: take a paper score sheet over."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import now

from tournaments.commands.importing import Imported, import_sheet
from tournaments.commands.paper import SheetRejected

MOST_READ = 2_000_000


class Command(BaseCommand):
    """Stores a sheet whole, or says everything that is wrong with it and stores nothing."""

    help = "Take a paper score sheet (CSV) over: all of it or nothing, and safe to repeat. Format: docs/importing.md"

    def add_arguments(self, parser: CommandParser) -> None:
        """The files, each a sheet of its own."""
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")

    def handle(self, *, files: list[Path], **options: Any) -> None:
        """One line for each sheet; the exit status tells whether one was refused."""
        refused = [path for path in files if not self._take_over(path)]
        if refused:
            raise CommandError(f"nothing was stored from {', '.join(path.name for path in refused)}")

    def _take_over(self, path: Path) -> bool:
        try:
            with path.open("rb") as file:
                imported = import_sheet(file.read(MOST_READ), now=now())
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}") from error
        except SheetRejected as rejected:
            for problem in rejected.problems:
                self.stderr.write(f"{path.name}: {problem.detail}")
            return False
        self.stdout.write(f"{path.name}: {said(imported)}")
        return True


def said(imported: Imported) -> str:
    """What a sheet became, in words."""
    table = imported.table
    where = f"{table.tournament.name}, round {table.round}, table {table.number}"
    known = f", {imported.repeated} were there already" if imported.repeated else ""
    return f"{where}: {imported.stored} facts stored{known}"
