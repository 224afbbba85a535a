"""Tells an outage from a defect, and says what failed: the database, or a disk; full, read-only, busy, or not there.

The rule: an outage is never answered with "saved", and never with "not saved" either, for a commit whose confirmation
was lost may have succeeded. The only promise is that the same request sent again counts once. Knows nothing of
responses.
"""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from time import monotonic

from django.conf import settings
from django.db import Error, InterfaceError, OperationalError, connection

from scoring import storage
from scoring.messages import Message, say

RETRY_AFTER_SECONDS = 5

NO_ANSWER = say("the database does not answer")
BUSY = say("the database is busy")
FULL = say("the disk of the database is full")
READ_ONLY = say("the database is read-only")
UNREADABLE = say("the database cannot read or write its files")

# SQLite reports a missing table as "operational" too, and that is a defect: any other code is one. By primary code.
SQLITE_OUTAGES = {5: BUSY, 6: BUSY, 8: READ_ONLY, 10: UNREADABLE, 13: FULL, 14: UNREADABLE}
# A lock that was not released within lock_timeout.
POSTGRESQL_LOCKED = "55P03"
# Any other operational error of PostgreSQL is no answer. "Read-only transaction" (of a primary that became a standby)
# is an internal one.
POSTGRESQL_OUTAGES = {
    **dict.fromkeys((POSTGRESQL_LOCKED, "57014", "40P01"), BUSY),
    "25006": READ_ONLY,
    "53100": FULL,
    "58030": UNREADABLE,
}
DISK_OUTAGES = {
    **dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), say("a disk of the server is full")),
    **dict.fromkeys(
        (errno.EIO, errno.ENODEV, errno.ENXIO, errno.ESTALE), say("a disk of the server is not there, or fails")
    ),
    errno.EROFS: say("a disk of the server is read-only"),
}
# Of a file only: firewalls refuse connections with the same.
NO_PERMISSION = frozenset({errno.EACCES, errno.EPERM})
MOST_LOGGED = 300


def outage_of(error: BaseException | None) -> Message | None:
    """What failed in the environment, without a full stop; None for a defect of ours."""
    if isinstance(error, OSError):
        return _disk_outage(error)
    if not isinstance(error, Error):
        return None
    sqlstate = getattr(error.__cause__, "sqlstate", None)
    if sqlstate in POSTGRESQL_OUTAGES:
        return POSTGRESQL_OUTAGES[sqlstate]
    code: int | None = getattr(error.__cause__, "sqlite_errorcode", None)
    if code is not None:
        return SQLITE_OUTAGES.get(code & 0xFF) if isinstance(error, OperationalError) else None
    return NO_ANSWER if isinstance(error, OperationalError | InterfaceError) else None


def is_outage(error: BaseException | None) -> bool:
    """Whether the environment failed, and not our code."""
    return outage_of(error) is not None


def outage_detail(outage: Message) -> str:
    """What a program is told, in English."""
    text = str(outage)
    return (
        f"{text[0].upper()}{text[1:]}. What you sent may or may not be stored: send it again, unchanged and with the "
        "same idempotency key, and it counts once."
    )


def outage_line(error: BaseException) -> str:
    """What failed, for the log: with the words of the driver or the kernel, and the path. Empty for a defect."""
    outage = outage_of(error)
    if outage is None:
        return ""
    said = str(error).partition("\n")[0][:MOST_LOGGED]
    return f"{outage} ({type(error).__name__}{said and f': {said}'})"


def _disk_outage(error: OSError) -> Message | None:
    fault = DISK_OUTAGES.get(error.errno or 0)
    if fault is None and error.errno in NO_PERMISSION and error.filename is not None:
        fault = say("the service may not use a folder of the server")
    if fault is None or not isinstance(error.filename, str):
        return fault
    # By the name of its setting: strangers need not know where it is.
    for name in ("BACKUP_DIR", "VAR_DIR"):
        folder = getattr(settings, name)
        if folder is not None and Path(error.filename).is_relative_to(folder):
            return say("{what}: {why}", what=fault, why=name)
    return fault


@contextmanager
def written_below(folder: Path) -> Iterator[None]:
    """Name the folder in an error of writing to an open file: the kernel does not say which one it was."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(folder)
        raise


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


ANSWERS_WITHIN_SECONDS = 3.0
# For each folder the thread that asks, and since when.
_asking: dict[Path, tuple[Thread, float]] = {}


def hangs(folder: Path) -> bool:
    """Whether a folder does not answer: whoever reads a share whose server is gone waits for as long as it is.

    One thread of this process waits for it, however often this is asked.
    """
    thread, since = _asking.get(folder, (None, 0.0))
    if thread is None or not thread.is_alive():
        thread, since = Thread(target=_ask, args=[folder], name="asks a folder", daemon=True), monotonic()
        thread.start()
        _asking[folder] = thread, since
    thread.join(max(0.0, since + ANSWERS_WITHIN_SECONDS - monotonic()))
    return thread.is_alive()


def is_there(folder: Path) -> bool:
    """Whether a folder is there and answers; not where reading it fails, as on a disk that was pulled out."""
    # Path.is_dir raises what is not "no such file".
    return not hangs(folder) and os.path.isdir(folder)


def refuse_hung(folder: Path | None) -> None:
    """Raises OSError, an outage, where a folder hangs."""
    if folder is not None and hangs(folder):
        text = f"it has not answered for {ANSWERS_WITHIN_SECONDS:.0f} seconds, as a share whose server is gone"
        raise OSError(errno.ENODEV, text, str(folder))


def _ask(folder: Path) -> None:
    # What the kernel remembers of a share is answered without its server; how full it is, never.
    with suppress(OSError):
        os.statvfs(folder)
