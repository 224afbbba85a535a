"""`manage.py partition`: partition log and postings by the hash of the club. How: docs/how-to/partitioning.md."""

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection, transaction

from scoring import storage
from scoring.ledger.triggers import BOOKS
from scoring.problems import Defect
from tournaments.log.triggers import LOG

MOST_PARTS = 1_000


class Command(BaseCommand):
    """All or nothing: if a row differs afterwards, nothing is changed."""

    help = "Put the log and the postings of a PostgreSQL database into parts by club. Stop web and worker first."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the option for the number of partitions."""
        parser.add_argument("--parts", type=int, default=8, metavar="N", help="how many parts of each table (8)")

    def handle(self, *, parts: int, **options: object) -> None:
        """Partition, and print one line for each table."""
        if not 2 <= parts <= MOST_PARTS:
            raise CommandError(f"from 2 to {MOST_PARTS} parts, not {parts}")
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                counts = storage.of(connection).divide(cursor, parts)
                for guards in (LOG, BOOKS):
                    guards.restore(connection)
        except Defect as defect:
            raise CommandError(str(defect)) from None
        for table, rows in counts.items():
            self.stdout.write(f"{table}: {rows} rows in {parts} parts, each as it was")
