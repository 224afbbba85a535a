"""Restores a backup into an empty place, verifies it there, and only then opens it.

Rules: docs/how-to/backups.md, "Backup and restore". A failure in between leaves an empty place, or a complete database
that is closed; never half of one, and never one that is served unverified.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext, suppress
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote, urlsplit, urlunsplit

import msgspec
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils.timezone import now

from rummy_site.backup_folder import LONGEST
from rummy_site.database import advisory_lock, database_file, sqlite_address
from rummy_site.database_release import newer_in_backup, newer_migrations
from rummy_site.environment import BASE_DIR, ENDS_WITH_PARENT, MANIFEST
from rummy_site.operations.backup import KEY, PRIVATE_FILE, NotCopied, digest_of, restore_postgresql, sync
from rummy_site.startup import CLOSED, HOW_TO_OPEN, open_database, why_closed
from rummy_site.startup import closing as statements_that_close
from tournaments.management.terminal import UNREAD, EventsUnread
from tournaments.models import SiteCheck, WorkerHeartbeat
from tournaments.privacy import erase_as_listed_beside
from tournaments.projections.shown import show_anew
from tournaments.projections.stale import AHEAD

Write = Callable[[str], None]
# A copy of all of a club's data lies in it: one that was killed must not stay.
ON_TRIAL = "rummy-on-trial-"
# The number of PostgreSQL's advisory lock under which one process tries a restore.
TRYING = 7_866_933
# A worker that was seen so lately runs.
AT_WORK = timedelta(seconds=90)
UNDER_WAY = "it comes from a backup and has not been proven"
# Counts what the database contains besides PostgreSQL's own objects and those of extensions.
HELD = """
SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_%%'
AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND c.relname <> %s
AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
"""


class NotRestored(Exception):
    """Nothing was opened; the message says why, and what is there now."""


class CopiedFile(msgspec.Struct, frozen=True):
    """A file of a backup, as it was written."""

    sha256: str


class ReachedClub(msgspec.Struct, frozen=True):
    """How far the log of a club had come."""

    fingerprint: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The manifest of a backup. Those of earlier releases list the database alone, and no migrations."""

    database: str
    file: str
    sha256: str
    clubs: list[ReachedClub]
    files: dict[str, CopiedFile] = {}
    migrations: dict[str, str] = {}

    @property
    def digests(self) -> dict[str, str]:
        """The digest of every file."""
        return {self.file: self.sha256, **{name: file.sha256 for name, file in self.files.items()}}


def restore(folder: Path, *, noted: list[str], pg_restore: str | None, write: Write) -> None:
    """Check the backup, restore it into this site's empty database, verify it, open it. Raises NotRestored."""
    manifest = read_manifest(folder)
    problems = [*_damage(folder, manifest), *_misfits(manifest), *_occupied()]
    if problems:
        raise NotRestored("nothing was restored:" + "".join(f"\n  - {problem}" for problem in problems))
    write(f"every file of {folder} is as it was written")
    try:
        _put(folder / manifest.file, pg_restore)
    except (NotCopied, sqlite3.Error, OSError) as error:
        raise NotRestored(f"nothing was restored: {error}") from error
    _put_key(folder / KEY, write)
    prove_and_open([*(club.fingerprint for club in manifest.clubs), *noted], beside=folder.parent, write=write)


def try_restore(folder: Path, *, pg_restore: str | None, write: Write) -> None:
    """Restore a backup into a place of its own, prove it there, and delete it again. Raises NotRestored.

    On PostgreSQL that is a new database on the same server, which the role must be allowed to create.
    """
    path = database_file()
    name = f"{connection.settings_dict['NAME']}_on_trial"
    quoted = connection.ops.quote_name(name)
    _clear_killed_trials()
    # Each of several machines may have backups of its own; the place on the server is one.
    with (
        advisory_lock(TRYING) if path is None else nullcontext(),
        tempfile.TemporaryDirectory(prefix=ON_TRIAL) as var_dir,
    ):
        if path is None:
            address = urlsplit(os.environ["DATABASE_URL"])
            url = urlunsplit(address._replace(path=f"/{quote(name)}"))
            with connection.cursor() as cursor:
                cursor.execute(f"DROP DATABASE IF EXISTS {quoted} WITH (FORCE)")
                # On a server that was installed without a language the usual one would count bytes for letters.
                cursor.execute(f"CREATE DATABASE {quoted} TEMPLATE template0 ENCODING 'UTF8'")
        else:
            url = sqlite_address(Path(var_dir) / path.name)
        try:
            environment = {**os.environ, "VAR_DIR": var_dir, "DATABASE_URL": url, ENDS_WITH_PARENT: "true"}
            program = [sys.executable, "-m", "rummy_site", "manage", "restore", str(folder.resolve())]
            if pg_restore:
                program += ["--pg-restore", pg_restore]
            done = subprocess.run(program, cwd=BASE_DIR, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
        finally:
            if path is None:
                with connection.cursor() as cursor:
                    cursor.execute(f"DROP DATABASE IF EXISTS {quoted} WITH (FORCE)")
    if done.returncode not in (0, UNREAD):
        raise NotRestored(f"{folder} cannot be restored: {(done.stdout + done.stderr).strip()}")
    write(f"{folder} can be restored; what was restored on trial is gone again")


def _clear_killed_trials() -> None:
    for left in Path(tempfile.gettempdir()).glob(f"{ON_TRIAL}*"):
        with suppress(OSError):
            # Also one that lies ahead: it was left behind while the clock was wrong.
            if abs(time.time() - left.stat().st_mtime) > LONGEST.total_seconds():
                shutil.rmtree(left)


def prove_and_open(noted: list[str], *, write: Write, beside: Path | None = None) -> None:
    """Migrate to this code, verify log, leaderboards and books, and open the database. Raises NotRestored.

    Players whom the list `beside` the backup names are erased again first; without one, that in BACKUP_DIR is read. A
    database that other programs have restored is open: it is closed until it is proven.
    """
    if newer := newer_migrations():
        raise NotRestored("nothing was opened:" + "".join(f"\n  - it was written by {_code(of)}" for of in newer))
    if why_closed(connection) is None:
        if WorkerHeartbeat.objects.filter(beat_at__range=(now() - AT_WORK, now() + AHEAD)).exists():
            seconds = int(AT_WORK.total_seconds())
            raise NotRestored(
                f"nothing was proven: a worker was seen here {seconds} seconds ago or less. Stop the site first"
            )
        with connection.cursor() as cursor:
            for statement in statements_that_close(UNDER_WAY):
                cursor.execute(statement)
    try:
        call_command("migrate", interactive=False, verbosity=0)
        if erased := _erase_again(beside or settings.BACKUP_DIR):
            write(f"{erased} players were erased after the backup was taken, and are again")
        call_command("prove", noted=noted)
        proven = "proven and open"
    except EventsUnread as error:
        write(f"{error}. A table, tournament or cash book with such an event takes no further one")
        proven = "open, and proven but for those events"
    except CommandError as error:
        raise NotRestored(f"the database stays closed: {error}. Once that is fixed: {HOW_TO_OPEN}") from error
    # Clients that read a leaderboard after the backup was taken hold ETags that would come to mean something else.
    show_anew(connection)
    # What the workers of the other place saw there: its disks, its backups, and what was told of them.
    SiteCheck.objects.all().delete()
    WorkerHeartbeat.objects.all().delete()
    open_database(connection)
    write(proven)


def _erase_again(folder: Path | None) -> int:
    try:
        return erase_as_listed_beside(folder or Path(settings.VAR_DIR))
    except (OSError, msgspec.MsgspecError) as error:
        raise NotRestored(f"the database stays closed: the list of erasures cannot be read: {error}") from error


def read_manifest(folder: Path) -> Manifest:
    """Read the backup's manifest. Raises NotRestored."""
    try:
        return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=Manifest)
    except OSError as error:
        raise NotRestored(f"{folder} is no backup, or was never finished: {error}") from error
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise NotRestored(f"{folder / MANIFEST} cannot be read: {error}") from error


def _damage(folder: Path, manifest: Manifest) -> Iterator[str]:
    there = {path.name for path in folder.iterdir() if path.is_file()}
    for name, digest in manifest.digests.items():
        if name not in there:
            yield f"{name} is not there"
        elif digest_of(folder / name) != digest:
            yield f"{name} was changed since the backup was taken"
    # Of a key that nobody listed, whoever laid it there could sign sessions. Earlier releases listed no key.
    listed = {MANIFEST, *manifest.digests} if manifest.files else {MANIFEST, KEY, *manifest.digests}
    unlisted = {path.name for path in folder.iterdir()} - listed
    for name in sorted(unlisted):
        yield f"{name} is not part of the backup"


def _misfits(manifest: Manifest) -> Iterator[str]:
    """Refusals: another kind of database, or code that does not know what the backup contains."""
    if manifest.database != connection.vendor:
        yield f"the backup is of {manifest.database}, and DATABASE_URL names {connection.vendor}"
    yield from (f"the backup was made by {_code(of)}" for of in newer_in_backup(manifest.migrations))


def _code(migration: str) -> str:
    return f"newer code, which has {migration}: update first"


def _occupied() -> Iterator[str]:
    """What is in the way. Nothing is ever restored over anything."""
    path = database_file()
    if path is None:
        yield from _occupied_postgresql()
        return
    for name in (path, *(path.with_name(path.name + end) for end in ("-wal", "-shm", "-journal"))):
        if name.exists():
            yield f"{name} is there already: restore into an empty folder, which VAR_DIR names"
            break


def _occupied_postgresql() -> Iterator[str]:
    with connection.cursor() as cursor:
        cursor.execute(HELD, [CLOSED])
        (table_count,) = cursor.fetchone()
    name = connection.settings_dict["NAME"]
    if table_count and why_closed(connection):
        yield f"{name} holds a restore that was not proven. {HOW_TO_OPEN}"
    elif table_count:
        into = "restore into a new database (createdb), which DATABASE_URL names"
        yield f"{name} holds {table_count} tables already: {into}"


def _put(copy: Path, pg_restore: str | None) -> None:
    """Restore the whole database at once, closed from the first moment."""
    path = database_file()
    if path is None:
        _put_postgresql(copy, pg_restore)
    else:
        _put_sqlite(copy, path)


def _put_sqlite(copy: Path, path: Path) -> None:
    """Copy it to a temporary name first. A copy is closed already, one of an earlier release is not."""
    draft = path.with_name(f"{path.name}.restoring")
    draft.unlink(missing_ok=True)
    shutil.copyfile(copy, draft)
    draft.chmod(PRIVATE_FILE)
    with closing(sqlite3.connect(draft)) as database:
        close_sqlite(database, UNDER_WAY)
    sync(draft)
    draft.rename(path)
    sync(path.parent)


def close_sqlite(database: sqlite3.Connection, reason: str) -> None:
    """Close a copy, unless it is closed."""
    with suppress(sqlite3.OperationalError):
        for statement in statements_that_close(reason):
            database.execute(statement)
        database.commit()


def _put_postgresql(dump: Path, pg_restore: str | None) -> None:
    """Write the mark first, then everything in one transaction: a restore that is killed leaves only the mark."""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {CLOSED}")
        for statement in statements_that_close(UNDER_WAY):
            cursor.execute(statement)
    try:
        restore_postgresql(connection.get_connection_params(), dump, pg_restore=pg_restore)
    except BaseException:
        open_database(connection)
        raise
    finally:
        connection.close()


def _put_key(copy: Path, write: Write) -> None:
    """Restore the key of the machine that was backed up. An existing key is kept beside it."""
    key = Path(settings.VAR_DIR) / KEY
    if not copy.exists() or (key.exists() and key.read_bytes() == copy.read_bytes()):
        return
    if key.exists():
        os.replace(key, key.with_name(f"{KEY}.before-restore"))
    draft = key.with_name(f".{KEY}.restoring")
    shutil.copyfile(copy, draft)
    draft.chmod(PRIVATE_FILE)
    os.replace(draft, key)
    write(f"{key} is the backup's; SECRET_KEY in the environment goes before it")
