"""The database's own guards over the books: entries balance, are complete, and never change.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. The guards are triggers, so that they hold for
every program that writes, ours or not. They are put back after each migration, because SQLite loses a
table's triggers when Django rebuilds it; `missing` says which do not stand as they were made, and `strangers`
what else has a say there. Nothing here lifts them for a running service.
"""

from scoring.ledger.triggers import postgresql, sqlite
from scoring.ledger.triggers.definitions import Guards

BOOKS = Guards(
    vendors={"postgresql": postgresql.GUARDS, "sqlite": sqlite.GUARDS},
    tables=frozenset({"scoring_account", "scoring_journalentry", "scoring_posting", "scoring_settledcause"}),
    noun="books",
    unguarded="books are not guarded",
    proof="check_ledger",
    check="scoring.W001",
    names_others=True,
)
missing, strangers, faults, restore = BOOKS.missing, BOOKS.strangers, BOOKS.faults, BOOKS.restore

connect, make_way = BOOKS.stand_through_migrations, BOOKS.make_way
