"""`manage.py import_list FILE --club SLUG --kind KIND`: import a list from a spreadsheet, or undo an import."""

from pathlib import Path
from typing import Any
from uuid import uuid4

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import now

from scoring.messages import english
from tournaments.importing import AS_NEW, LEAVE_OUT, ImportDraft, ImportRejected, Outcome
from tournaments.importing.columns import FIELDS
from tournaments.importing.run import preview_import, save_import, undo_import
from tournaments.log.context import CommandContext
from tournaments.models import Club, Import, ImportKind, Season, Tournament
from tournaments.people.players import uuid_of
from tournaments.spreadsheets import MOST_BYTES, SpreadsheetRejected, read_spreadsheet

ACTOR = "command:import_list"


class Command(BaseCommand):
    """Imports a list completely, or prints every problem with it and stores nothing."""

    help = "Import a list from XLSX, ODS or CSV: all or nothing. Format: docs/how-to/importing.md"

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the file, the club and what is in the list."""
        parser.add_argument("file", type=Path, nargs="?", metavar="FILE")
        parser.add_argument("--club", required=True, help="the club's short name")
        parser.add_argument("--kind", choices=ImportKind.values, help="what is in the list")
        parser.add_argument("--tournament", help="the short name of the tournament, for entries")
        parser.add_argument("--season", help="the short name of the season, for standings")
        parser.add_argument("--worksheet", default="", help="the name of the worksheet; the first one by default")
        parser.add_argument(
            "--column", action="append", default=[], metavar="B=name", help="what a column means, if not guessed"
        )
        parser.add_argument("--similar", choices=[AS_NEW, LEAVE_OUT], default="", help="what similar names are")
        parser.add_argument("--key", default="", help="makes a repetition harmless: it imports nothing again")
        parser.add_argument("--dry-run", action="store_true", help="say what would change, and store nothing")
        parser.add_argument("--undo", metavar="ID", help="undo an import")

    def handle(self, *, file: Path | None, **options: Any) -> None:
        """Print the counts, and every row that is not simply new or the same."""
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            raise CommandError(f"there is no club {options['club']}")
        context = CommandContext(actor=ACTOR, now=now(), key=options["key"] or str(uuid4()), device="command")
        try:
            if options["undo"]:
                self._undo(club, options["undo"], context)
            elif file is None or options["kind"] is None:
                raise CommandError("give a file and --kind, or --undo")
            else:
                self._import(_draft(club, file, options), context, is_dry_run=options["dry_run"])
        except (ImportRejected, SpreadsheetRejected) as rejected:
            for problem in rejected.problems:
                self.stderr.write(problem.text())
            raise CommandError("nothing was stored") from rejected

    def _import(self, draft: ImportDraft, context: CommandContext, *, is_dry_run: bool) -> None:
        if not is_dry_run:
            saved = save_import(draft, context=context)
            again = " (imported before)" if saved.is_replay else ""
            counts = ", ".join(f"{number} {name}" for name, number in saved.made.counts.items())
            self.stdout.write(f"{saved.made.pk}: {counts}{again}")
            return
        _, preview = preview_import(draft)
        for row in preview.rows:
            if row.outcome is Outcome.CHANGED:
                changes = "; ".join(f"{change.name}: {change.before} -> {change.after}" for change in row.changes)
                effects = "; ".join(map(english, row.effects))
                self.stdout.write(f"row {row.number}: {row.name}: {changes or effects}")
        for problem in preview.refusals:
            self.stderr.write(problem.text())
        counts = ", ".join(f"{number} {outcome.value}" for outcome, number in preview.counts.items())
        self.stdout.write(f"{counts} (nothing was stored: this was a dry run)")
        if preview.refusals:
            raise CommandError("the list cannot be imported")

    def _undo(self, club: Club, asked: str, context: CommandContext) -> None:
        import_id = uuid_of(asked)
        made = Import.objects.filter(club=club, pk=import_id).first() if import_id else None
        if made is None:
            raise CommandError(f"there is no import {asked}")
        for stays in undo_import(made, context=context):
            self.stdout.write(f"stays: {english(stays.text)}")
        self.stdout.write("undone")


def _draft(club: Club, file: Path, options: dict[str, Any]) -> ImportDraft:
    try:
        with file.open("rb") as opened:
            data = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise CommandError(f"{file} cannot be read: {error.strerror}") from error
    kind = ImportKind(options["kind"])
    return ImportDraft(
        club=club,
        kind=kind,
        worksheet=read_spreadsheet(data, name=options["worksheet"]),
        columns=_columns(kind, options["column"]),
        others=options["similar"],
        tournament=_tournament(club, options["tournament"]),
        season=_season(club, options["season"]),
        file_name=file.name,
    )


def _columns(kind: ImportKind, typed: list[str]) -> dict[int, str] | None:
    """`B=name` as columns counted from 0."""
    columns = {}
    for text in typed:
        letters, _, name = text.partition("=")
        if not (letters.isascii() and letters.isalpha() and len(letters) <= 3 and name in FIELDS[kind]):
            raise CommandError(f"{text} is not a column: write B=name, with one of {', '.join(FIELDS[kind])}")
        column = 0
        for letter in letters.upper():
            column = column * 26 + ord(letter) - 64
        columns[column - 1] = name
    return columns or None


def _tournament(club: Club, slug: str | None) -> Tournament | None:
    if not slug:
        return None
    tournament = Tournament.objects.filter(club=club, slug=slug).first()
    if tournament is None:
        raise CommandError(f"there is no tournament {slug}")
    return tournament


def _season(club: Club, slug: str | None) -> Season | None:
    if not slug:
        return None
    season = Season.objects.filter(club=club, slug=slug).first()
    if season is None:
        raise CommandError(f"there is no season {slug}")
    return season
