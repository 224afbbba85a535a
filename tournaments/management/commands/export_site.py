"""`manage.py export_site`: export a finished tournament as a folder of plain HTML, or as a zip file of it."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.boards.clubs import tournament_by_address
from tournaments.management.terminal import written_whole
from tournaments.models import Tournament
from tournaments.web.rewriting import File
from tournaments.web.static_site import ExportOptions, ExportRefused, FolderTaken, exported, keep_folder, keep_zip


class Command(BaseCommand):
    """Writes the folder whole or not at all."""

    help = "Write the pages of a tournament as files that any web host serves (docs/how-to/publishing.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options: the tournament, the destination, and the site's address for links that leave the export."""
        parser.add_argument("tournament", metavar="CLUB/TOURNAMENT", help="the short names, as in the address")
        parser.add_argument("out", type=Path, metavar="FOLDER", help="where to; nothing may stand there yet")
        parser.add_argument("--zip", action="store_true", dest="is_zip", help="write FOLDER as one zip file instead")
        parser.add_argument("--address", default="", metavar="URL", help="where the site is, for links that leave")
        parser.add_argument(
            "--language", default=settings.LANGUAGE_CODE, choices=[code for code, _ in settings.LANGUAGES]
        )
        parser.add_argument("--anyway", action="store_true", help="although the tournament is not finished")

    def handle(self, *, tournament: str, out: Path, address: str, **options: Any) -> None:
        """Find the tournament, write the export, and print where it is."""
        tournament_row = _found(tournament)
        if address and not (urlsplit(address).scheme in ("http", "https") and urlsplit(address).netloc):
            raise CommandError(f"{address!r} is no address: it begins with https://")
        export_options = ExportOptions(site=address, language=options["language"], is_unfinished_too=options["anyway"])
        files = exported(tournament_row, export_options)
        try:
            count = _zipped(files, out, tournament_row.slug) if options["is_zip"] else keep_folder(files, out)
        except ExportRefused as refused:
            hint = " Say --anyway to export it as it stands." if refused.code == "not_finished" else ""
            raise CommandError(f"{refused}{hint}") from refused
        except FolderTaken as taken:
            raise CommandError(f"{out} is there already, and nothing is written over it") from taken
        except OSError as failed:
            raise CommandError(f"{out} cannot be written: {failed.strerror}") from failed
        self.stdout.write(f"{out} holds {count} files of {tournament_row.name}.")


def _found(words: str) -> Tournament:
    club, _, slug = words.partition("/")
    tournament = tournament_by_address(club, slug)
    if tournament is None:
        raise CommandError(f"there is no tournament {words!r}: name it as its address does, club/tournament")
    return tournament


def _zipped(files: Iterable[File], out: Path, folder: str) -> int:
    if out.exists():
        raise FolderTaken(str(out))
    with written_whole(out) as file:
        return keep_zip(files, file, folder=folder)
