"""How much the log adds to a bare INSERT and COMMIT of the same bytes, and how fast it is verified.

Writers are processes, each with a table of its own in one club, so that they meet at the club's head. Ours, bare and
(where it is installed) the `eventsourcing` package take turns in short rounds, so that other load meets all of them;
a ratio is the median of the rounds. The bare side has the same columns and a primary key, no other key and no check.
PostgreSQL runs with fsync off, because a slow disk would make everybody look alike; SQLite with synchronous FULL.

    python -m benchmarks.bench_log [--json]
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Any

from benchmarks.databases import DATABASES
from benchmarks.figures import sized

ROUNDS, APPENDS = sized((7, 50), smallest=(1, 2))
TABLES, DEALS = sized((100, 98), smallest=(2, 3))
TABLE_LENGTH = 20
BODY = '{"deal":17,"sheet":{"1":{"how":"show"},"2":{"count":34,"how":"loss"},"3":{"how":"first_drop"}}}'
DIGEST = "ab" * 32
COLUMNS = (
    "club, position, stream, version, kind, schema, recipe, body, actor, device, recorded_at, occurred_at, key,"
    " request_digest, note_digest, hash"
)
WRITERS = (1, 4)
TARGETS = {
    **{f"{database}_{count}_to_bare": 0.35 for database in DATABASES for count in WRITERS},
    **{f"{database}_{count}_to_eventsourcing": 1.0 for database in DATABASES for count in WRITERS},
    **{f"{database}_verified_a_second": 30_000.0 for database in DATABASES},
}
Permission = Callable[[], object]


def main() -> None:
    """Print the figures beside what they must reach."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    parser.add_argument("--writer", metavar="CLUB", help="be one of the writers")
    parser.add_argument("--verify", action="store_true", help="measure the verification in the given database")
    wanted = parser.parse_args()
    if wanted.writer:
        write_on_demand(uuid.UUID(wanted.writer))
        return
    found = verification() if wanted.verify else figures()
    if wanted.json or wanted.verify:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:32} {value:12.2f}   {'at least ' + str(TARGETS[name]) if name in TARGETS else ''}")


def figures() -> dict[str, float]:
    """Every figure on both databases."""
    found: dict[str, float] = {}
    for database, server in DATABASES.items():
        with server() as environment:
            club = _ask(environment, "--verify")
            found[f"{database}_verified_a_second"] = club["rate"]
            for count in WRITERS:
                found |= _race(f"{database}_{count}", count, club["club"], environment)
    return found


def _race(name: str, count: int, club: str, environment: dict[str, str]) -> dict[str, float]:
    """All kinds of writers in turn, `count` processes at a time."""
    kinds = ["bare", "ours"] + (["eventsourcing", "package_in_memory"] if find_spec("eventsourcing") else [])
    writers = [_Writer(club, environment) for _ in range(count)]
    for kind in kinds:
        for writer in writers:
            _round([writer], kind)  # one by one: the package's writers create their tables, and not well at once
    rounds = [{kind: _round(writers, kind) for kind in kinds} for _ in range(ROUNDS)]
    for writer in writers:
        writer.stop()
    found = {f"{name}_appends_a_second": statistics.median(1 / each["ours"] for each in rounds)}
    for kind in kinds:
        if kind != "ours":
            found[f"{name}_to_{kind}"] = statistics.median(each[kind] / each["ours"] for each in rounds)
    return found


def _round(writers: list["_Writer"], kind: str) -> float:
    """Seconds an append took, all writers together."""
    began = time.perf_counter()
    for writer in writers:
        writer.start(kind)
    for writer in writers:
        writer.wait()
    return (time.perf_counter() - began) / (APPENDS * len(writers))


class _Writer:
    """A process that appends when it is told to."""

    def __init__(self, club: str, environment: dict[str, str]) -> None:
        command = [sys.executable, "-m", "benchmarks.bench_log", "--writer", club]
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.wait()

    def start(self, kind: str) -> None:
        assert self._process.stdin
        self._process.stdin.write(f"{kind}\n")

    def wait(self) -> None:
        assert self._process.stdout
        if not self._process.stdout.readline():
            raise RuntimeError("a writer gave up")

    def stop(self) -> None:
        self._process.communicate()


def write_on_demand(club: uuid.UUID) -> None:
    """Answer each word on standard input with a round of appends of that kind."""
    _set_up()
    permissions: dict[str, Permission] = {}
    makers = {
        "ours": _ours,
        "bare": _bare,
        "eventsourcing": _eventsourcing,
        "package_in_memory": _eventsourcing_in_memory,
    }
    print("ready", flush=True)
    for line in sys.stdin:
        kind = line.strip()
        permission = permissions.get(kind) or permissions.setdefault(kind, makers[kind](club))
        for _ in range(APPENDS):
            permission()
        print("done", flush=True)


def _ours(club: uuid.UUID) -> Permission:
    from tournaments import log  # noqa: PLC0415 - after django.setup, like all of the service

    stream, version = uuid.uuid4(), 0

    def append() -> None:
        nonlocal version
        now = datetime.now(UTC)
        store = log.append if version else lambda place, event, **rest: log.open_stream(place, "table", event, **rest)
        store(
            log.StreamVersion(club_id=club, stream_id=stream, expected=version),
            log.NewEvent(kind="deal_recorded", schema=1, body=BODY, occurred_at=now),
            request=log.Request(
                key=str(uuid.uuid4()), digest=DIGEST, actor="user:17", device="token:phone", received_at=now
            ),
            on_append=lambda stored: None,
        )
        version += 1

    return append


def _bare(club: uuid.UUID) -> Permission:
    """The driver alone, one transaction an append, the same bytes as ours."""
    from django.db import connection  # noqa: PLC0415

    given = connection.get_connection_params()
    is_sqlite = connection.vendor == "sqlite"
    names = ("database",) if is_sqlite else ("dbname", "user", "password", "host", "port")
    wrapper: Any = connection
    driver = wrapper.Database.connect(**{name: given[name] for name in names if given.get(name)})
    if is_sqlite:
        driver.execute("PRAGMA journal_mode=WAL")
        driver.execute("PRAGMA synchronous=FULL")
        driver.execute("PRAGMA busy_timeout=20000")
    mark = "?" if is_sqlite else "%s"
    insert = f"INSERT INTO bare_event ({COLUMNS}) VALUES ({', '.join([mark] * 16)})"  # noqa: S608 - constants
    stream, digest = uuid.uuid4(), b"x" * 32

    def append() -> None:
        now: Any = datetime.now(UTC)
        now = int(now.timestamp() * 1e6) if is_sqlite else now
        row = (club, 1, stream, 1, "deal_recorded", 1, 1, BODY, "user:17", "token:phone", now, now)
        driver.execute(insert, (*row, uuid.uuid4(), digest[:16], b"", digest))
        driver.commit()

    return append


def _eventsourcing(club: uuid.UUID) -> Permission:
    """The package as its documentation uses it: an application loads an aggregate, changes it and saves it.

    A new aggregate after as many events as an evening's table has, so that loading stays short.
    """
    app, aggregate = _application()
    table, left = None, 0

    def append() -> None:
        nonlocal table, left
        if left:
            deals = app.repository.get(table)
        else:
            deals, left = aggregate(), TABLE_LENGTH
            table = deals.id
        left -= 1
        deals.record(body=BODY, actor="user:17", device="token:phone", key=str(uuid.uuid4()))
        app.save(deals)

    return append


def _eventsourcing_in_memory(club: uuid.UUID) -> Permission:
    """The package with its aggregate kept between appends, which only one process could do for a table."""
    app, aggregate = _application()
    deals = aggregate()

    def append() -> None:
        deals.record(body=BODY, actor="user:17", device="token:phone", key=str(uuid.uuid4()))
        app.save(deals)

    return append


def _application() -> tuple[Any, Any]:
    from django.db import connection  # noqa: PLC0415

    from benchmarks.package_deals import Deals, application  # noqa: PLC0415 - only where it is installed

    return application(_package_settings(connection)), Deals


def _package_settings(connection: Any) -> dict[str, str]:
    given = connection.get_connection_params()
    if connection.vendor == "sqlite":
        return {
            "PERSISTENCE_MODULE": "eventsourcing.sqlite",
            "SQLITE_DBNAME": f"{given['database']}.package",
            "SQLITE_LOCK_TIMEOUT": "20",
        }
    names = {"DBNAME": "dbname", "HOST": "host", "USER": "user", "PASSWORD": "password", "PORT": "port"}
    settings = {f"POSTGRES_{name}": str(given.get(key) or "") for name, key in names.items()}
    return {"PERSISTENCE_MODULE": "eventsourcing.postgres", **settings, "POSTGRES_PORT": str(given.get("port") or 5432)}


def verification() -> dict[str, Any]:
    """A club with a season in its log, and how many events of it are verified in a second of processor time."""
    _set_up()
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection, transaction  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    from tests.builders.log_writers import new_club, play_night  # noqa: PLC0415
    from tournaments.log.auditing import verify_log  # noqa: PLC0415

    is_sqlite = connection.vendor == "sqlite"
    kind, name, moment = ("BLOB", "BLOB", "integer") if is_sqlite else ("bytea", "uuid", "timestamptz")
    identity = "INTEGER PRIMARY KEY" if is_sqlite else "bigserial PRIMARY KEY"
    with connection.cursor() as cursor:
        cursor.execute(
            f"CREATE TABLE bare_event (id {identity}, club {name}, position bigint, stream {name}, version integer,"
            " kind text, schema integer, recipe integer, body text, actor text, device text,"
            f" recorded_at {moment}, occurred_at {moment}, key {name}, request_digest {kind}, note_digest {kind},"
            f" hash {kind})"
        )
    club = new_club()
    with transaction.atomic():
        play_night(club, tables=TABLES, deals=DEALS)
    rates = []
    for _ in range(5):
        began = time.process_time()
        events = verify_log(is_full=True).events
        rates.append(events / (time.process_time() - began))
    return {"club": club.id.hex, "rate": max(rates)}


def _set_up() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")
    import django  # noqa: PLC0415 - settings come from the environment of this process

    django.setup()


def _ask(environment: dict[str, str], word: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.bench_log", word]
    done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    answer: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return answer


if __name__ == "__main__":
    main()
