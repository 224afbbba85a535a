"""`manage.py partition`: log and postings in parts, by the hash of the club."""

from django.core.management.base import BaseCommand, CommandError, CommandParser

from scoring.problems import Defect
from tournaments.log.partitioning import divide_log_and_postings


class Command(BaseCommand):
    """All or nothing: where a row does not come out as it was, nothing has changed."""

    help = "Put the log and the postings of a PostgreSQL database into parts by club. Stop web and worker first."

    def add_arguments(self, parser: CommandParser) -> None:
        """How many parts."""
        parser.add_argument("--parts", type=int, default=8, metavar="N", help="how many parts of each table (8)")

    def handle(self, *, parts: int, **options: object) -> None:
        """One line for each table."""
        try:
            counts = divide_log_and_postings(parts)
        except Defect as defect:
            raise CommandError(str(defect)) from None
        for table, rows in counts.items():
            self.stdout.write(f"{table}: {rows} rows in {parts} parts, each as it was")
