"""Database triggers that keep the log append-only, whichever program writes.

`missing` names those that are not as they were created, and `strangers` other triggers on these tables.
"""

from scoring.storage.bounds import REFUSED_BY_LOG
from scoring.storage.guards import Guards

LOG = Guards(
    triggers=lambda database: database.TRIGGERS_OF_LOG,
    tables=frozenset(REFUSED_BY_LOG),
    noun="log",
    unguarded="log is not guarded",
    proof="verify_log --full",
    check="tournaments.W001",
)
missing, strangers, faults, restore = LOG.missing, LOG.strangers, LOG.faults, LOG.restore
connect = LOG.stand_through_migrations
