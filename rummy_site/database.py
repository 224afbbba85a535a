"""Database connections: their settings, and checks that `manage.py check` and `migrate` run besides Django's own."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.apps import AppConfig
from django.core.checks import CheckMessage, Error, Tags, register
from django.core.exceptions import ImproperlyConfigured
from django.db import InterfaceError, OperationalError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from rummy_site.environment import count, env
from scoring import storage

# Refuses a database that answers "saved" before the event is on disk.


def forgetful_setting(database: BaseDatabaseWrapper) -> str | None:
    """The setting by which this database can lose acknowledged events, as one sentence; None where there is none."""
    complaint: str | None = storage.of(database).forgetful_setting(database)
    return complaint


def refuse_forgetful_database() -> None:
    """Stop this process before it serves anything from a database that can lose acknowledged events."""
    try:
        complaint = forgetful_setting(connection)
    finally:
        connection.close()
    if complaint:
        raise ImproperlyConfigured(complaint)


# Connection settings: an event is on disk before it is acknowledged.

# FULL, not NORMAL: in WAL mode NORMAL left 59 of 60 acknowledged entries in the operating system's memory.
SQLITE_PRAGMAS = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout={wait};"
KEEP_SECONDS = 600
PREPARE_AFTER = 5
# With the database down each request waits this long before it fails. The pool's own timeout is as short: at its
# default it doubles its pauses for five minutes, and a database that had long recovered was still reported as down.
WAIT_SECONDS = 3
# A machine that is switched off or cut off ends no connection. The kernel does, when what was sent is not received for
# so long, or probes are not answered; otherwise a request would wait for a quarter of an hour.
SILENCE_SECONDS = WAIT_SECONDS
# No one waits for a worker, a backup or a migration, and a switch that restarts must not end them.
PATIENT_SILENCE_SECONDS = 60
# How long a request that writes waits for locks, in all: a little less than the five seconds after which it is
# answered.
WRITE_WAIT_SECONDS = 4.5
# Readers wait for no lock; this is for a file that another process is just opening or closing.
READ_WAIT_SECONDS = 0.5
# No one waits for workers and commands.
PATIENT_SECONDS = 20
# No page and no file may run one statement for longer than this; it would keep a thread and a connection.
LONGEST_STATEMENT_SECONDS = 30
# How often a process that waits for another one's work asks whether that is done.
ASK_AGAIN_SECONDS = 0.5


def default_database(*, folder: Path, is_web: bool, is_worker: bool = False) -> dict[str, Any]:
    """Django's entry for the database named by DATABASE_URL."""
    address = env.db_url("DATABASE_URL", default=sqlite_address(folder / "rummy.sqlite3"))
    entry: dict[str, Any] = {**address, "ATOMIC_REQUESTS": False}
    match entry.get("ENGINE") or "no database":
        case "django.db.backends.sqlite3":
            return _sqlite(entry, is_web=is_web)
        case "django.db.backends.postgresql":
            return _postgresql(entry, is_web=is_web, is_worker=is_worker)
        case other:
            raise ImproperlyConfigured(f"DATABASE_URL names {other}; only sqlite and postgres are supported.")


def sqlite_address(file: Path) -> str:
    """The DATABASE_URL of a file. In a folder named "USB #1" an address would end at the `#`, unless it is quoted."""
    return f"sqlite:///{quote(str(file))}"


def database_file() -> Path | None:
    """The file of the SQLite database; None where a server keeps it."""
    return Path(connection.settings_dict["NAME"]).resolve() if connection.vendor == "sqlite" else None


@contextmanager
def advisory_lock(number: int) -> Iterator[None]:
    """Wait for PostgreSQL's lock of this number, as long as it takes. With a connection that is lost it is free."""
    with connection.cursor() as cursor:
        # Who waits in PostgreSQL has a snapshot, and an index that is built concurrently waits until that is gone.
        while not cursor.execute("SELECT pg_try_advisory_lock(%s)", [number]).fetchone()[0]:
            time.sleep(ASK_AGAIN_SECONDS)
    try:
        yield
    finally:
        with suppress(InterfaceError, OperationalError), connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_unlock(%s)", [number])


def _silence(seconds: int) -> dict[str, int]:
    """Options of libpq. The first of them overrides the count of probes."""
    return {"tcp_user_timeout": seconds * 1000, "keepalives_idle": seconds, "keepalives_interval": max(1, seconds // 6)}


def _sqlite(entry: dict[str, Any], *, is_web: bool) -> dict[str, Any]:
    # IMMEDIATE takes the write lock at once: deferred transactions lost half of their writes to "locked".
    options = {
        "transaction_mode": "IMMEDIATE",
        "init_command": SQLITE_PRAGMAS.format(wait=round((READ_WAIT_SECONDS if is_web else PATIENT_SECONDS) * 1000)),
        "timeout": PATIENT_SECONDS,
        **entry.get("OPTIONS", {}),
    }
    return {**entry, "ENGINE": "rummy_site.sqlite", "CONN_MAX_AGE": None, "OPTIONS": options}


def _postgresql(entry: dict[str, Any], *, is_web: bool, is_worker: bool) -> dict[str, Any]:
    """A pool for the threads of the web process; elsewhere one lasting connection for each thread.

    Workers get no pool: theirs ran dry, because Celery and Django disagree on who returns a connection.
    """
    prepare = PREPARE_AFTER if env.bool("DATABASE_PREPARE", default=True) else None
    # A cursor of the server lasts longer than a transaction, and so than the session that a pooler lends.
    entry["DISABLE_SERVER_SIDE_CURSORS"] = prepare is None
    kind = "web" if is_web else "worker" if is_worker else "command"
    options = {
        "application_name": f"rummy {kind}",
        "connect_timeout": WAIT_SECONDS,
        **_silence(SILENCE_SECONDS if is_web else PATIENT_SILENCE_SECONDS),
        "prepare_threshold": prepare,
        **entry.get("OPTIONS", {}),
    }
    if is_worker and prepare:
        # As long as on SQLite. A worker that waits for ever settles nothing, and no one sees what it waits for.
        options["options"] = f"{options.get('options', '')} -c lock_timeout={PATIENT_SECONDS * 1000}".strip()
    if not is_web:
        return {**entry, "CONN_MAX_AGE": KEEP_SECONDS, "CONN_HEALTH_CHECKS": True, "OPTIONS": options}
    # One for each thread: with fewer, writers that wait for a lock would take the last one from the readers.
    threads = count("WEB_THREADS") + count("WEB_WRITER_THREADS")
    size = count("DATABASE_POOL_MAX", threads)
    options["pool"] = {
        "min_size": 1,
        "max_size": size,
        "timeout": WAIT_SECONDS,
        "reconnect_timeout": WAIT_SECONDS,
        "max_idle": KEEP_SECONDS,
    }
    if prepare:
        # Behind a connection pooler its configuration has them: examples/pgbouncer/pgbouncer.ini.
        waits = {"lock_timeout": WRITE_WAIT_SECONDS, "statement_timeout": LONGEST_STATEMENT_SECONDS}
        limits = " ".join(f"-c {name}={seconds * 1000:.0f}" for name, seconds in waits.items())
        options["options"] = f"{options.get('options', '')} {limits}".strip()
    return {**entry, "CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": True, "OPTIONS": options}


@register(Tags.database)
def database_keeps_what_it_acknowledges(
    app_configs: Sequence[AppConfig] | None,
    *,
    databases: Sequence[str] | None = None,
    **_: Any,
) -> list[CheckMessage]:
    """An error for each database that could lose an acknowledged event."""
    complaints = {alias: forgetful_setting(connections[alias]) for alias in databases or ()}
    return [Error(complaint, obj=alias, id="rummy.E001") for alias, complaint in complaints.items() if complaint]
