"""The database's own guards over the log: what is stored stays, whichever program writes.

They are triggers, and on PostgreSQL the function that stores an event. They are put back after each migration,
because SQLite loses a table's triggers when Django rebuilds it; `missing` says which do not stand as they were made,
and `strangers` what else has a say there. Nothing here lifts them for a running service.
"""

from scoring.ledger.triggers.definitions import Guards
from tournaments.log.triggers import postgresql, sqlite

LOG = Guards(
    vendors={"postgresql": postgresql.GUARDS, "sqlite": sqlite.GUARDS},
    tables=frozenset(
        {
            "tournaments_clubhead",
            "tournaments_stream",
            "tournaments_event",
            "tournaments_eventnote",
            "tournaments_seal",
        }
    ),
    noun="log",
    unguarded="log is not guarded",
    proof="verify_log --full",
    check="tournaments.W001",
)
VENDORS = LOG.vendors
missing, strangers, faults, restore = LOG.missing, LOG.strangers, LOG.faults, LOG.restore
connect = LOG.stand_through_migrations
