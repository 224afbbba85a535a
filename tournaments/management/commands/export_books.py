"""`manage.py export_books`: export a club's journal to a file for a spreadsheet or an accounting program."""

import io
from argparse import ArgumentTypeError
from datetime import date
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from scoring.exports.spreadsheets import TooManyRows
from tournaments.books.queries import BookScope
from tournaments.management.terminal import written_whole
from tournaments.models import Club
from tournaments.models.bounds import FIRST_DAY, LAST_DAY, is_day_in_the_calendar
from tournaments.printing.files import FileKind, write_journal
from tournaments.rendering.pdf import PageSize


class Command(BaseCommand):
    """Writes the file whole or not at all."""

    help = "Write the journal of a club as CSV, XLSX, beancount or PDF (docs/how-to/books.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the options: the club, the period, and the output file."""
        parser.add_argument("--club", required=True, metavar="SLUG", help="the club's short name")
        parser.add_argument("--format", required=True, choices=list(FileKind), type=FileKind, dest="kind")
        parser.add_argument("--from", type=_day, dest="first", metavar="DAY", help="first day, 2026-11-01")
        parser.add_argument("--to", type=_day, dest="last", metavar="DAY", help="last day, included")
        parser.add_argument("--paper", default="a4", choices=["a4", "letter"], help="what a PDF is printed on")
        spoken = [code for code, _ in settings.LANGUAGES]
        parser.add_argument("--language", default=settings.LANGUAGE_CODE, choices=spoken, help="what a PDF speaks")
        parser.add_argument("--out", type=Path, metavar="FILE", help="where to; without it the text is printed")

    def handle(self, *, club: str, kind: FileKind, out: Path | None, **options: Any) -> None:
        """Find the club, write the file, and print its path."""
        club_row = Club.objects.filter(slug=club).first()
        if club_row is None:
            raise CommandError(f"there is no club {club!r}")
        first, last = options["first"], options["last"]
        if first and last and last < first:
            raise CommandError(f"{last} is before {first}")
        if out is None and kind in (FileKind.XLSX, FileKind.PDF):
            raise CommandError(f"{kind} is no text that could be shown here: say --out FILE")
        extract = BookScope(club=club_row, first=first, last=last)
        try:
            if out is None:
                with TemporaryFile() as file:
                    write_journal(file, extract, kind)
                    file.seek(0)
                    for line in io.TextIOWrapper(file, encoding="utf-8", newline=""):
                        self.stdout.write(line, ending="")
            else:
                with translation.override(options["language"]):
                    _keep(out, extract, kind, PageSize[options["paper"].upper()])
                self.stdout.write(f"{out} holds the books of {club_row.name}.")
        except TooManyRows as refused:
            raise CommandError(str(refused)) from refused


def _keep(out: Path, extract: BookScope, kind: FileKind, paper: PageSize) -> None:
    try:
        with written_whole(out) as file:
            write_journal(file, extract, kind, paper)
    except OSError as failed:
        raise CommandError(f"{out} cannot be written: {failed.strerror}") from failed


def _day(text: str) -> date:
    """Parse a day. Days outside the calendar are refused: their midnight could not be represented."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is no day; one looks like 2026-11-01") from None
    if not is_day_in_the_calendar(day):
        raise ArgumentTypeError(f"{day} is not between {FIRST_DAY} and {LAST_DAY}")
    return day
