"""`manage.py unbox FILE [--dry-run]`: brings a club in from a box, proven, or nothing of it."""

from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.timezone import now

from rummy_site.database_release import release_fault
from tournaments.boxes.arriving import Arrival, unbox
from tournaments.boxes.checking import BoxRefused


class Command(BaseCommand):
    """Checks the box, stores and proves the club in one transaction, and prints what came."""

    help = "Bring a club in from a box made by `box`. Rules: docs/how-to/moving.md"

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the file, its code and the trial."""
        parser.add_argument("file", type=Path, metavar="FILE", help="a box")
        parser.add_argument("--code", default="", metavar="CODE", help="shown with the box, if it was made elsewhere")
        parser.add_argument("--dry-run", action="store_true", help="check and prove everything, and store nothing")

    def handle(self, *, file: Path, code: str, dry_run: bool, **options: object) -> None:
        """Print the club, its rows and what differs here."""
        if fault := release_fault():
            raise CommandError(f"nothing came in: {fault}")
        try:
            arrival = unbox(file, now=now(), code=code, is_trial=dry_run)
        except BoxRefused as refused:
            lines = "".join(f"\n  - {problem.text()}" for problem in refused.problems)
            raise CommandError(f"nothing came in:{lines}") from refused
        for line in _lines(arrival):
            self.stdout.write(line)
        self.stdout.write("nothing was stored: a dry run" if dry_run else "it is here, and proven. Give it an owner")


def _lines(arrival: Arrival) -> list[str]:
    manifest = arrival.manifest
    counts = ", ".join(f"{number} {name.partition('.')[2]}" for name, number in arrival.counts.items() if number)
    lines = [
        f"{manifest.name}, up to position {manifest.position}, made {manifest.made_at} by {manifest.made_by}",
        f"  {counts}",
    ]
    if arrival.is_renamed:
        lines.append(f"  its address is {arrival.slug}: another club here has had {manifest.slug}")
    if arrival.people:
        lines.append(f"  without a login here: {', '.join(arrival.people)}")
    if arrival.erased_again:
        lines.append(f"  {arrival.erased_again} players were erased here after the box was made, and are again")
    return [*lines, *(f"  cannot be read: {line}" for line in arrival.unread)]
