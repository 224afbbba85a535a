"""The database's own triggers over the books: entries balance, are complete, and never change.

Rules: docs/decisions/0005-a-ledger-the-database-keeps.md. They are triggers, so that they apply to every program that
writes, ours or not. `missing` names those that are not as they were created, and `strangers` other triggers on these
tables.
"""

from scoring.storage.guards import Guards

BOOKS = Guards(
    triggers=lambda database: database.TRIGGERS_OF_BOOKS,
    tables=frozenset({"scoring_account", "scoring_journalentry", "scoring_posting", "scoring_settledcause"}),
    noun="books",
    unguarded="books are not guarded",
    proof="check_ledger",
    check="scoring.W001",
    names_others=True,
)
missing, strangers, faults, restore = BOOKS.missing, BOOKS.strangers, BOOKS.faults, BOOKS.restore

connect, make_way = BOOKS.stand_through_migrations, BOOKS.make_way
