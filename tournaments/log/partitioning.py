"""Log and postings in parts, by the hash of the club: what it takes is docs/how-to/partitioning.md."""

from django.db import connection, transaction

from scoring.ledger.parts import OF_BOOKS, divide
from scoring.ledger.triggers import BOOKS
from scoring.problems import Defect
from tournaments.log.triggers import LOG

OF_LOG = {"tournaments_event": "club_id", "tournaments_eventnote": "club_id"}
MOST_PARTS = 1_000


def divide_log_and_postings(parts: int) -> dict[str, int]:
    """Put them into so many parts, in one transaction; how many rows each table has. Raises Defect."""
    if connection.vendor != "postgresql":
        raise Defect("SQLite has no tables in parts")
    if not 2 <= parts <= MOST_PARTS:
        raise Defect(f"from 2 to {MOST_PARTS} parts, not {parts}")
    with transaction.atomic(), connection.cursor() as cursor:
        counts = divide(cursor, OF_LOG | OF_BOOKS, parts)
        for guards in (LOG, BOOKS):
            guards.restore(connection)
    return counts
