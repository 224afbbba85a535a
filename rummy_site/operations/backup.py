"""Backups: a copy of all of a club's data, taken while people play, that can be moved and opened elsewhere.

Rules: docs/how-to/backups.md, "Backup and restore". A backup is a folder that is renamed at the end: a folder with that
name is complete. Beside the copy it stores how far each club's log had come before the copying began, so that after a
restore it can be checked that no event acknowledged by then is missing. Events that cannot be read are copied like all
others and named: a copy with them is better than none. Knows nothing of what the events mean.
"""

import getpass
import hashlib
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.db import connection
from psycopg.conninfo import make_conninfo
from psycopg.pq import Conninfo

from rummy_site.database import database_file, sqlite_address
from rummy_site.database_release import last_migrations, newer_migrations, unapplied_migrations
from rummy_site.environment import BASE_DIR, MANIFEST
from rummy_site.operations.preloading import die_with_parent
from rummy_site.startup import closing as statements_that_close
from rummy_site.startup import why_closed
from tournaments import log
from tournaments.log.auditing import unreadable_lines
from tournaments.management.terminal import UNREAD
from tournaments.models import Club, Membership, Role
from tournaments.privacy import list_erasures_beside
from tournaments.release import release_stamp

# The programs a backup calls: our own checks on a copied file, and PostgreSQL's pg_dump.

DEBIAN_HOME = Path("/usr/lib/postgresql")

NO_PROGRAM = (
    "{name} was not found. Install the PostgreSQL client of the server's release (on Debian: postgresql-client), or "
    "name the program with --{option}. A base backup or snapshot by whoever runs the server does as well."
)


class NotCopied(Exception):
    """No backup was made; the message says why."""


def prove_sqlite(copy: Path, fingerprints: Sequence[str]) -> bool:
    """Check a copied file against its own log: chains, leaderboards, books, and the fingerprints noted before copying.

    Returns False where everything is right except for events that cannot be read. Raises NotCopied where anything was
    changed.
    """
    noted = [word for fingerprint in fingerprints for word in ("--noted", fingerprint)]
    with tempfile.TemporaryDirectory(prefix="rummy-proof-") as folder:
        environment = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "rummy_site.settings",
            "DATABASE_URL": sqlite_address(copy.resolve()),
            "VAR_DIR": folder,
        }
        program = [sys.executable, "-m", "rummy_site", "manage"]
        return _run([*program, "prove", *noted], environment, cwd=BASE_DIR, beside=UNREAD) != UNREAD


def copy_postgresql(parameters: Mapping[str, Any], copy: Path, *, pg_dump: str | None) -> None:
    """One consistent dump in PostgreSQL's custom format, read back to its end. `parameters` are the driver's."""
    program = _program("pg_dump", pg_dump)
    address, environment = _address(parameters)
    options = ["--format=custom", "--no-owner", "--no-privileges", "--lock-wait-timeout=20s", f"--file={copy}"]
    _run([program, *options, f"--dbname={address}"], environment)
    restore = Path(program).with_name("pg_restore")
    if restore.exists():
        _run([str(restore), "--file=/dev/null", str(copy)], environment)


def restore_postgresql(parameters: Mapping[str, Any], dump: Path, *, pg_restore: str | None) -> None:
    """Restore the whole dump in one transaction, or nothing of it."""
    program = _program("pg_restore", pg_restore)
    address, environment = _address(parameters)
    options = ["--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges"]
    _run([program, *options, f"--dbname={address}", str(dump)], environment)


def _address(parameters: Mapping[str, Any]) -> tuple[str, Mapping[str, str]]:
    """The arguments that name the database to a program: all but the password, which goes into its environment.

    And but our name: PostgreSQL shows who waits for `pg_dump` what it waits for.
    """
    option_names = {option.keyword.decode() for option in Conninfo.get_defaults()} - {"password", "application_name"}
    address = make_conninfo(**{name: value for name, value in parameters.items() if name in option_names})
    return address, {**os.environ, "PGPASSWORD": parameters.get("password") or ""}


def _program(name: str, named: str | None) -> str:
    """The configured program, else the newest on this machine: it must not be older than the server."""
    if named:
        # A name without a folder is looked for as usual. With one, its pg_restore is looked for beside it.
        return str(Path(named).resolve()) if os.sep in named else named
    newest = sorted(DEBIAN_HOME.glob(f"*/bin/{name}"), key=lambda path: int(path.parts[-3]))
    program = str(newest[-1]) if newest else shutil.which(name)
    if program is None:
        raise NotCopied(NO_PROGRAM.format(name=name, option=name.replace("_", "-")))
    return program


def _run(command: Sequence[str], environment: Mapping[str, str], *, cwd: Path | None = None, beside: int = 0) -> int:
    """The exit status of a program: 0, or the other accepted one. Raises NotCopied on any other.

    PostgreSQL's programs run where the command was given: its files, and those of DATABASE_URL, may be relative.
    """
    try:
        done = subprocess.run(  # noqa: S603 (the commands are ours, or named by whoever runs this machine)
            command,
            cwd=cwd,
            env=dict(environment),
            capture_output=True,
            text=True,
            check=False,
            # A command that was killed leaves no pg_restore that goes on filling the database.
            preexec_fn=die_with_parent,
        )
    except OSError as error:
        raise NotCopied(f"{command[0]} could not be started: {error}") from error
    if done.returncode not in (0, beside):
        output = (done.stdout + done.stderr).strip()[-1_000:]
        raise NotCopied(f"{Path(command[0]).name} {command[1]} said: {output}")
    return done.returncode


KEY = "secret_key"
LEFT_OUT_MEANWHILE = "an event that cannot be read, and that was left out while the copy was made"
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """How far one club's log had come: its last position, and a fingerprint that `verify_log --noted` knows."""

    club: str
    position: int
    fingerprint: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """A complete backup: its folder, how far each club's log had come before it, and its manifest's own digest.

    `unread` names the events in it that cannot be read. With migrations `waiting` nothing in it was proven.
    """

    folder: Path
    clubs: list[Reach]
    size: int
    digest: str
    unread: list[str]
    waiting: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Copy:
    """A copy of the database, and the events in it that cannot be read."""

    file: Path
    unread: list[str]


def take_backup(into: Path, *, now: datetime, pg_dump: str | None) -> Backup:
    """Copy database and key into a new folder below `into`, and verify the copy. Raises NotCopied.

    A copy with events that cannot be read is kept, and names them; one in which anything was changed is not. While
    migrations wait, this code cannot read the tables: they are copied, and proven when they are restored.
    """
    folder = into / f"rummy-{now:%Y%m%dT%H%M%SZ}"
    draft = into / f".unfinished-{folder.name}-{os.getpid()}"
    if folder.exists():
        raise NotCopied(f"{folder} exists already")
    if reason := why_closed(connection):
        raise NotCopied(f"the database is closed: {reason}")
    if newer := newer_migrations():
        raise NotCopied(f"the database was written by newer code, which has {', '.join(newer)}: update this code first")
    waiting = unapplied_migrations()
    draft.mkdir(mode=PRIVATE_FOLDER, parents=True)
    try:
        clubs = [] if waiting else reaches()
        is_file = database_file() is not None
        unread = [] if waiting or is_file else unread_here()
        copy = (
            _copy_sqlite(draft, clubs, now, is_proven=not waiting)
            if is_file
            else _copy_postgresql(draft, pg_dump, unread)
        )
        _copy_key(draft)
        _write_manifest(draft, copy, clubs, now)
        _make_durable(draft)
        draft.rename(folder)
        if not waiting:
            list_erasures_beside(into)
        sync(into)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return Backup(
        folder=folder,
        clubs=clubs,
        size=(folder / copy.file.name).stat().st_size,
        digest=digest_of(folder / MANIFEST),
        unread=copy.unread,
        waiting=waiting,
    )


def reaches() -> list[Reach]:
    """How far each club's log has come by now."""
    ends = log.club_ends()
    clubs = Club.objects.filter(id__in=ends).order_by("slug").values_list("id", "slug")
    return [
        Reach(club=slug, position=ends[club].position, fingerprint=log.fingerprint(club, ends[club].stream_id))
        for club, slug in clubs
    ]


def _copy_sqlite(draft: Path, clubs: list[Reach], now: datetime, *, is_proven: bool) -> _Copy:
    """Copy the whole database in one step of SQLite's own backup: writers continue, and the copy is consistent."""
    copy = draft / "rummy.sqlite3"
    address = f"file:{quote(str(connection.settings_dict['NAME']))}?mode=ro"
    try:
        with (
            closing(sqlite3.connect(address, uri=True, timeout=20)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
            (result,) = target.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        raise NotCopied(f"SQLite could not copy the database: {error}") from error
    if result != "ok":
        raise NotCopied(f"the copy is damaged, and so most likely is the database: {result}")
    is_read = not is_proven or prove_sqlite(copy, [club.fingerprint for club in clubs])
    with closing(sqlite3.connect(copy)) as target:
        # It may be verified today. A later restore, after the backup was moved, verifies it again.
        for statement in statements_that_close(f"it is a copy, taken on {now:%Y-%m-%d %H:%M} UTC"):
            target.execute(statement)
        target.commit()
    return _Copy(file=copy, unread=[] if is_read else unread_here() or [LEFT_OUT_MEANWHILE])


def _copy_postgresql(draft: Path, pg_dump: str | None, unread: list[str]) -> _Copy:
    """Copy by pg_dump. `unread` was looked for before: a dump can be verified only after it is restored."""
    copy = draft / "rummy.dump"
    copy_postgresql(connection.get_connection_params(), copy, pg_dump=pg_dump)
    return _Copy(file=copy, unread=unread)


def unread_here() -> list[str]:
    """The unreadable events of every club that no director has left out."""
    return unreadable_lines(Club.objects.order_by("slug"))


def _copy_key(draft: Path) -> None:
    """Copy the key of one machine, where it keeps one: without it every session and signed link ends."""
    key = Path(settings.VAR_DIR) / KEY
    if key.exists():
        shutil.copyfile(key, draft / KEY)


def _write_manifest(draft: Path, copy: _Copy, clubs: list[Reach], now: datetime) -> None:
    """Write what a restore checks against: a digest of every file, and the code's version and the data's owners."""
    files = {path.name: {"bytes": path.stat().st_size, "sha256": digest_of(path)} for path in sorted(draft.iterdir())}
    manifest = {
        "taken_at": now.isoformat(),
        "taken_by": f"{getpass.getuser()}@{socket.gethostname()}",
        "code": release_stamp(),
        "migrations": last_migrations(),
        "database": connection.vendor,
        "file": copy.file.name,
        **files[copy.file.name],
        "files": files,
        "clubs": [{**asdict(club), "owners": owners_of(club.club)} for club in clubs],
        "unreadable": copy.unread,
    }
    (draft / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")


def owners_of(slug: str) -> list[str]:
    """The user names of a club's owners: whose data it is, and whom to ask."""
    owners = Membership.objects.filter(club__slug=slug, role=Role.OWNER).order_by("user__username")
    return list(owners.values_list("user__username", flat=True))


def digest_of(path: Path) -> str:
    """The SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _make_durable(draft: Path) -> None:
    """Flush the backup to disk: one that is only in the operating system's memory does not count."""
    for path in draft.iterdir():
        path.chmod(PRIVATE_FILE)
        sync(path)
    sync(draft)


def sync(path: Path) -> None:
    """Flush a file, or the names in a folder, to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
