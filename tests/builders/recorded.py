"""A tournament is played once and kept as a database, and whatever tests it begin with a copy.

It is kept under a digest of all code of the project, not of its migrations alone: a fault in a command is in what it
records, and yesterday's recording would hide it. So a changed line plays each tournament anew, once, and a run of
unchanged code plays none. On SQLite a recording is a file in the virtualenv; on PostgreSQL it is a database of the
run's server, and a copy is made from it as from a template.
"""

import fcntl
import os
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any, TypeVar

from django.core.cache import caches
from django.db import connection
from django.test import Client

from tests.builders import migrated

T = TypeVar("T")
CODE = ("rummy_site", "scoring", "tournaments", "tests/builders")
MARKER = "value"


class _Pickler(pickle.Pickler):
    """Pickles clients of tests without what they have loaded.

    Who is signed in stays so: the session is recorded, and all runs sign with one key (tests/settings.py).
    """

    def reducer_override(self, value: Any) -> Any:
        if not isinstance(value, Client):
            return NotImplemented
        return _client, (type(value), {name: own for name, own in vars(value).items() if name != "handler"})


def _client(kind: type[Client], attributes: dict[str, Any]) -> Client:
    client = kind.__new__(kind)
    Client.__init__(client)
    vars(client).update(attributes)
    return client


def _pickled(value: Any) -> bytes:
    file = BytesIO()
    _Pickler(file).dump(value)
    return file.getvalue()


@contextmanager
def copy_of(play: Callable[[], T]) -> Iterator[T]:
    """The database as `play` left it, for the length of the block, and what it returned (which can be pickled)."""
    copied = _copied_file if connection.vendor == "sqlite" else _copied_database
    with copied(_name_of(play), play) as value:
        for each in caches.all():
            each.clear()
        yield value


@contextmanager
def _copied_file(name: str, play: Callable[[], Any]) -> Iterator[Any]:
    folder = Path(f"{connection.settings_dict['NAME']}-{name}")

    def make(unfinished: Path) -> None:
        unfinished.mkdir()
        migrated.copy_for_sqlite(unfinished / "database")
        with _connected_to(str(unfinished / "database")):
            (unfinished / MARKER).write_bytes(_pickled(play()))

    migrated.copy_kept(f"{name}.recorded", make, folder, of=_digest_of_code())
    try:
        with _connected_to(str(folder / "database")):
            yield pickle.loads((folder / MARKER).read_bytes())  # noqa: S301 - written above
    finally:
        migrated.remove(folder)


@contextmanager
def _copied_database(name: str, play: Callable[[], Any]) -> Iterator[Any]:
    own = str(connection.settings_dict["NAME"])
    kept, copy = f"{name}_{_digest_of_code()}", f"{own}_{name}"
    # The one of this process is as empty; it stands in where the server was given to the run.
    empty = os.environ.get("MIGRATED_DATABASE", own)
    with (Path(sys.prefix) / "migrated" / "lock.postgresql").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not _databases(kept):
            unfinished = f"{kept}_unfinished"
            _run(f'DROP DATABASE IF EXISTS "{unfinished}"', f'CREATE DATABASE "{unfinished}" TEMPLATE "{empty}"')
            with _connected_to(unfinished), connection.cursor() as cursor:
                value = _pickled(play())
                cursor.execute("CREATE SCHEMA recorded")
                cursor.execute("CREATE TABLE recorded.value AS SELECT %s::bytea AS pickled", [value])
            _run(f'ALTER DATABASE "{unfinished}" RENAME TO "{kept}"')
        _run(f'CREATE DATABASE "{copy}" TEMPLATE "{kept}"')
    try:
        with _connected_to(copy):
            with connection.cursor() as cursor:
                cursor.execute("SELECT pickled FROM recorded.value")
                value = cursor.fetchone()[0]
            yield pickle.loads(value)  # noqa: S301 - written above
    finally:
        _run(f'DROP DATABASE "{copy}" WITH (FORCE)')


@contextmanager
def _connected_to(name: str) -> Iterator[None]:
    """Connect to another database; threads and processes that tests start are given it, too."""
    before = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = name
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict["NAME"] = before


def _run(*statements: str) -> None:
    """From outside any database of the tests, since a template must have no connections."""
    connection.close()
    with connection._nodb_cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def _databases(name: str) -> bool:
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name])
        return cursor.fetchone() is not None


def _name_of(play: Callable[[], Any]) -> str:
    """From its module, its name and what it is given, and short enough for PostgreSQL."""
    whole = play
    words: tuple[Any, ...] = ()
    if isinstance(play, partial):
        whole, words = play.func, (*play.args, *sorted(play.keywords.items()))
    described = f"{whole.__module__}.{whole.__qualname__}{words}"
    return f"{whole.__name__.strip('_')[:20]}_{sha256(described.encode()).hexdigest()[:8]}"


@cache
def _digest_of_code() -> str:
    modules = (path for folder in CODE for path in sorted((migrated.ROOT / folder).rglob("*.py")))
    return sha256(b"".join(path.read_bytes() for path in (migrated.ROOT / migrated.OTHERS, *modules))).hexdigest()[:16]
