"""What must hold before anything is served or worked on."""

import contextlib
import importlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from rummy_site.environment import env

# Files of the service are readable by their owner alone: the database holds names, amounts and password hashes.

PRIVATE_MASK = 0o077
OTHERS = 0o007
ENTER = 0o001


def keep_to_owner() -> None:
    """Make files that this process writes from now on unreadable to others."""
    os.umask(PRIVATE_MASK)


def private_paths(var: Path, database: Path | None) -> list[Path]:
    """Existing paths that only their owner may use: the data folder, its key, and SQLite's files wherever they are."""
    files = [database.with_name(database.name + end) for end in ("", "-wal", "-shm")] if database else []
    return [path for path in (var, var / "secret_key", *files) if path.exists()]


def too_open(paths: list[Path]) -> Iterator[tuple[Path, int]]:
    """Those that group or others may use, and by which permissions."""
    for path in paths:
        mode = stat.S_IMODE(path.stat().st_mode)
        if mode & PRIVATE_MASK:
            yield path, mode


def is_in_reach(path: Path, mode: int) -> bool:
    """Whether any user of the machine can use it: the permissions allow it, also for the folder that it is in."""
    return bool(mode & OTHERS) and (path.is_dir() or bool(path.parent.stat().st_mode & ENTER))


def close(paths: list[Path]) -> Iterator[str]:
    """Remove the permissions of group and others; returns what was done, or why it could not be."""
    for path, mode in list(too_open(paths)):
        try:
            path.chmod(mode & ~PRIVATE_MASK)
        except PermissionError:
            yield f"{path} can be read by others (mode {mode:04o}), and is not ours to close"
        else:
            yield f"{path} could be read by others (mode {mode:04o}); now by its owner alone"


# A process that was forked before it had its own environment.


def read_settings_again() -> None:
    """Set what this environment says, and forget the connections that another one described; none is open."""
    module = importlib.reload(importlib.import_module(os.environ["DJANGO_SETTINGS_MODULE"]))
    for name in filter(str.isupper, dir(module)):
        setattr(settings, name, getattr(module, name))
    connections.settings = connections.configure_settings(settings.DATABASES)
    for alias in connections:
        with contextlib.suppress(AttributeError):
            del connections[alias]


# Whether a database may be served: a restored backup stays closed until it has been verified.

CLOSED = "rummy_closed"
HOW_TO_OPEN = "Run manage.py restore --here, which proves it and opens it"


def closing(reason: str) -> Iterable[str]:
    """The statements that close a database of either kind, for code that has it open."""
    # The reason is the column's default: the two drivers mark parameters differently, and so none is needed.
    quoted = reason.replace("'", "''")
    yield f"CREATE TABLE {CLOSED} (reason varchar(200) NOT NULL DEFAULT '{quoted}')"
    yield f"INSERT INTO {CLOSED} DEFAULT VALUES"


def why_closed(database: BaseDatabaseWrapper) -> str | None:
    """Why this database may not be served; None where it may."""
    with database.cursor() as cursor:
        if CLOSED not in database.introspection.table_names(cursor):
            return None
        cursor.execute("SELECT reason FROM rummy_closed")
        row: Any = cursor.fetchone()
    return str(row[0]) if row else "it was closed"


def open_database(database: BaseDatabaseWrapper) -> None:
    """Open the database: from now on it may be served."""
    with database.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {CLOSED}")


def refuse_closed_database() -> None:
    """Stop this process before it serves an unverified database."""
    try:
        reason = why_closed(connection)
    finally:
        connection.close()
    if reason:
        raise ImproperlyConfigured(f"the database is closed: {reason}. {HOW_TO_OPEN}.")


# Settings that a site reachable by strangers must not start with: every problem at once, before anything listens.

# Counted as in Django's own deployment check.
KEY_CHARACTERS, KEY_DIFFERENT = 50, 5
MADE_BY_DJANGO = "django-insecure-"
ORIGIN_PARTS = 2
TRUE, FALSE = {"true", "on", "ok", "y", "yes", "1"}, {"false", "off", "n", "no", "0", ""}


def switch(name: str, *, default: bool = False) -> bool:
    """A yes or a no. Any other word is an error, not a "no": a typing mistake in PRODUCTION would open everything."""
    word: str = env.str(name, default=str(default)).strip().lower()
    if word in TRUE | FALSE:
        return word in TRUE
    raise ImproperlyConfigured(f"{name} is {word!r}: say true or false.")


def refuse_unsafe_settings() -> None:
    """Raises ImproperlyConfigured with everything that is wrong with a production environment."""
    problems = list(unsafe_settings())
    if problems:
        lines = "".join(f"\n  - {problem}" for problem in problems)
        raise ImproperlyConfigured(f"PRODUCTION is on, and the site does not start with these settings:{lines}")


def unsafe_settings() -> Iterator[str]:
    """Problems of the environment for a site that strangers can reach."""
    yield from _key("SECRET_KEY", env.str("SECRET_KEY", default=""))
    for number, key in enumerate(env.list("SECRET_KEY_FALLBACKS", default=[]), start=1):
        yield from _key(f"SECRET_KEY_FALLBACKS, number {number},", key)
    if switch("DEBUG"):
        yield "DEBUG is on: its error pages show settings and code to everybody."
    yield from _hosts([host.strip() for host in env.list("ALLOWED_HOSTS", default=[])])
    for origin in env.list("CSRF_TRUSTED_ORIGINS", default=[]):
        yield from _origin(origin.strip())


def _key(name: str, key: str) -> Iterator[str]:
    """The secret key: with one that can be guessed, anyone can sign in as any user."""
    if not key:
        yield f"{name} is not set: give it {KEY_CHARACTERS} random characters or more."
    elif key.startswith(MADE_BY_DJANGO):
        yield f"{name} begins with {MADE_BY_DJANGO}: it was made for development."
    elif len(key) < KEY_CHARACTERS:
        yield f"{name} has {len(key)} characters: give it {KEY_CHARACTERS} random ones or more."
    elif len(set(key)) < KEY_DIFFERENT:
        yield f"{name} has {len(set(key))} different characters: make it random."


def _hosts(hosts: list[str]) -> Iterator[str]:
    if not any(hosts):
        yield "ALLOWED_HOSTS is empty: name the host names that the site answers to."
    for host in hosts:
        # A whole domain of a country or trade is not one's own.
        if "*" in host or (host.startswith(".") and "." not in host.strip(".")):
            yield f"ALLOWED_HOSTS has {host}: name each host; links in mails and pages follow what a visitor claims."
        elif "/" in host or (":" in host and not host.startswith("[")):
            yield f"ALLOWED_HOSTS has {host}: give the name alone, without scheme, port or path."


def _origin(origin: str) -> Iterator[str]:
    parts = origin.split("://")
    if len(parts) != ORIGIN_PARTS or urlsplit(origin).scheme != "https":
        yield f"CSRF_TRUSTED_ORIGINS has {origin}: it must begin with https://."
    elif (host := urlsplit(origin).netloc).startswith("*") and "." not in host.strip("*."):
        yield f"CSRF_TRUSTED_ORIGINS has {origin}: that is every site there is, or all of a country."
