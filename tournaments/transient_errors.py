"""Tells an outage from a defect: a full disk, a database that restarts, a lock that does not come free.

The rule: an outage is never answered with "saved", and never with "not saved" either, for a commit whose confirmation
was lost may have succeeded. The only promise is that the same request sent again counts once. Knows nothing of
responses.
"""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error, InterfaceError, OperationalError, connection

from scoring import storage

RETRY_AFTER_SECONDS = 5
OUTAGE_DETAIL = (
    "The database does not answer at the moment. What you sent may or may not be stored: send it again, unchanged and "
    "with the same idempotency key, and it counts once."
)

# SQLite reports a missing table as "operational" too, and that is a defect. These are outages: busy, locked, read-only,
# I/O error, full, cannot open.
SQLITE_OUTAGES = frozenset({5, 6, 8, 10, 13, 14})
# A primary that became a standby reports "read-only transaction", which counts as internal.
POSTGRESQL_READ_ONLY = "25006"
# A lock that was not released within lock_timeout.
POSTGRESQL_LOCKED = "55P03"
# Full, read-only, or not mounted.
NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.ENODEV})


def is_outage(error: BaseException | None) -> bool:
    """Whether the environment failed, and not our code."""
    if isinstance(error, OSError):
        return error.errno in NO_ROOM
    if not isinstance(error, Error):
        return False
    if getattr(error.__cause__, "sqlstate", None) == POSTGRESQL_READ_ONLY:
        return True
    code: int | None = getattr(error.__cause__, "sqlite_errorcode", None)
    return isinstance(error, OperationalError | InterfaceError) and (code is None or code & 0xFF in SQLITE_OUTAGES)


def is_held_elsewhere(error: BaseException) -> bool:
    """Whether only a single row is locked by another transaction."""
    return getattr(error.__cause__, "sqlstate", None) == POSTGRESQL_LOCKED


@contextmanager
def left_out_if_locked() -> Iterator[None]:
    """Run a write that is not essential, such as a token's last use: skipped where the database cannot do it at once.

    Otherwise a reader would wait for the writer, and a writer twice.
    """
    try:
        with storage.of(connection).without_waiting():
            yield
    except (Error, OSError) as error:
        if not is_outage(error):
            raise
