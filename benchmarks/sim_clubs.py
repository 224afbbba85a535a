"""How deals a second grow with the number of clubs that play at once: four writers in one, two and four clubs.

Writers are processes and record whole deals (the event, its boards, its settlement due), on a PostgreSQL that really
waits for the disk. Within a club events queue up behind each other, because they have an order; clubs share nothing.
With fewer cores than writers the processor is the bound. `--commit-ms` makes each commit that much slower, as a
synchronous replica in another place would: then the order within a club is the bound, and shows.

    python -m benchmarks.sim_clubs [--seconds 8] [--commit-ms 20]
"""

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

WRITERS = 4
CLUBS = (1, 2, 4)
ROUNDS = 3


def main() -> None:
    """One line for each number of clubs: deals a second of all writers together, and one writer's waiting."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=8.0, help="how long each round lasts")
    parser.add_argument("--commit-ms", type=int, default=0, help="how much slower each commit is made")
    parser.add_argument("--writer", nargs=2, metavar=("CLUB", "SECONDS"), help="be one of the writers")
    wanted = parser.parse_args()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")
    if wanted.writer:
        write(wanted.writer[0], float(wanted.writer[1]))
        return
    with _server() as environment:
        _run(environment, [sys.executable, "manage.py", "migrate", "--verbosity", "0"])
        _slow_commits(environment["DATABASE_URL"], wanted.commit_ms)
        alone = _round(environment, writers=1, clubs=1, seconds=wanted.seconds)
        print(f"1 writer,  1 club : {alone:7.0f} deals a second")
        for clubs in CLUBS:
            rates = [_round(environment, WRITERS, clubs, wanted.seconds) for _ in range(ROUNDS)]
            print(f"{WRITERS} writers, {clubs} clubs: {statistics.median(rates):7.0f} deals a second")


def write(club_name: str, seconds: float) -> None:
    """Record deals at a table of this club until the time is up; say how many."""
    import django  # noqa: PLC0415 - settings come from the environment of this process

    django.setup()
    from tests.builders.club_at_play import deal, new_evening  # noqa: PLC0415
    from tests.builders.playing import context  # noqa: PLC0415
    from tournaments.models import Club  # noqa: PLC0415
    from tournaments.tables.commands.record import record_wire_event  # noqa: PLC0415

    club, _ = Club.objects.get_or_create(slug=club_name, defaults={"name": club_name})
    state = new_evening(club=club)
    table, chance, count = state.new_table(), random.Random(1), 0
    print("ready", flush=True)
    sys.stdin.readline()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        count += 1
        body = deal(table.id, count, chance).body
        record_wire_event(table.id, body["event"], expected=body["expected_version"], context=context())
    print(count, flush=True)


def _round(environment: dict[str, str], writers: int, clubs: int, seconds: float) -> float:
    """Deals a second of all writers together."""
    name = uuid.uuid4().hex[:8]
    commands = [
        [sys.executable, "-m", "benchmarks.sim_clubs", "--writer", f"club-{name}-{number % clubs}", str(seconds)]
        for number in range(writers)
    ]
    started = [_start(environment, words) for words in commands]
    for process in started:
        assert process.stdin
        process.stdin.write("go\n")
        process.stdin.flush()
    return sum(int(process.communicate()[0]) for process in started) / seconds


def _slow_commits(address: str, milliseconds: int) -> None:
    """Every transaction that stores an event ends with a nap, its locks held, as it would wait for a replica."""
    if not milliseconds:
        return
    with psycopg.connect(address.replace("postgres://", "postgresql://"), autocommit=True) as connection:
        connection.execute(
            "CREATE FUNCTION far_away() RETURNS trigger LANGUAGE plpgsql AS"
            f" $$ BEGIN PERFORM pg_sleep({milliseconds / 1000}); RETURN NULL; END $$"
        )
        connection.execute(
            "CREATE CONSTRAINT TRIGGER far_away AFTER INSERT ON tournaments_event DEFERRABLE INITIALLY DEFERRED"
            " FOR EACH ROW EXECUTE FUNCTION far_away()"
        )


def _start(environment: dict[str, str], words: list[str]) -> subprocess.Popen[str]:
    """A writer that sits at its table and waits for the word."""
    pipe = subprocess.PIPE
    process = subprocess.Popen(words, env=environment, stdin=pipe, stdout=pipe, text=True)
    assert process.stdout
    process.stdout.readline()
    return process


def _run(environment: dict[str, str], words: list[str]) -> None:
    subprocess.run(words, env=environment, check=True)


@contextmanager
def _server() -> Iterator[dict[str, str]]:
    """The server the tests would start, but one that waits for the disk."""
    from tests.plugins import postgres  # noqa: PLC0415
    from tests.plugins.servers import Server  # noqa: PLC0415

    quick: Any = tuple("fsync=on" if setting == "fsync=off" else setting for setting in postgres.QUICK)
    postgres.QUICK = quick
    server = Server("sim-postgres")
    with tempfile.TemporaryDirectory(prefix="rummy-sim-") as folder:
        broker = {"CELERY_BROKER_URL": "memory://localhost/", "VAR_DIR": folder}
        try:
            yield {**os.environ, **broker, "DATABASE_URL": postgres.start(server)}
        finally:
            server.stop()


if __name__ == "__main__":
    main()
