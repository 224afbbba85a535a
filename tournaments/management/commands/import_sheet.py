"""`manage.py import_sheet FILE`: import a paper score sheet."""

from collections.abc import Callable
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import now

from tournaments.sheet_import import SheetRejected
from tournaments.sheet_import.run import Imported, import_sheet, rehearse_sheet

TakeOver = Callable[..., Imported]
MOST_READ = 2_000_000


class Command(BaseCommand):
    """Imports a sheet completely, or prints every problem with it and stores nothing."""

    help = "Take a paper score sheet (CSV) over: all or nothing, and safe to repeat. Format: docs/how-to/importing.md"

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the files, one sheet each."""
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument("--dry-run", action="store_true", help="say what would change, and store nothing")

    def handle(self, *, files: list[Path], dry_run: bool, **options: object) -> None:
        """Print one line for each sheet; the exit status shows whether one was refused."""
        take_over, describe = (rehearse_sheet, dry_run_text) if dry_run else (import_sheet, result_text)
        refused = [path for path in files if not self._take_over(path, take_over, describe)]
        if refused:
            raise CommandError(f"nothing was stored from {', '.join(path.name for path in refused)}")

    def _take_over(self, path: Path, take_over: TakeOver, describe: Callable[[Imported], str]) -> bool:
        try:
            with path.open("rb") as file:
                imported = take_over(file.read(MOST_READ), now=now())
        except OSError as error:
            raise CommandError(f"{path} cannot be read: {error.strerror}") from error
        except SheetRejected as rejected:
            for problem in rejected.problems:
                self.stderr.write(f"{path.name}: {problem.text()}")
            return False
        self.stdout.write(f"{path.name}: {describe(imported)}")
        return True


def dry_run_text(imported: Imported) -> str:
    """Describe what the import would create, with the names of new players: a mistyped name becomes a new player."""
    fresh = ["a new tournament"] if imported.new_tournament else []
    fresh += [f"new players {', '.join(imported.new_players)}"] if imported.new_players else []
    return f"{result_text(imported)} ({'; '.join([*fresh, 'nothing was stored: this was a dry run'])})"


def result_text(imported: Imported) -> str:
    """Describe the result of an import in words."""
    table = imported.table
    where = f"{table.tournament.name}, round {table.round}, table {table.number}"
    repeats = f", {imported.repeated} were there already" if imported.repeated else ""
    return f"{where}: {imported.stored} events stored{repeats}"
