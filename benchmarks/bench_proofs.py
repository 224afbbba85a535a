"""What the proof of a long log holds in memory, and how many events a second it goes through, alone and in processes.

The log is made up: nights of 40 tables, one after the other, written with their hashes straight into the tables of a
fresh SQLite file, since a million appends take an hour. The proof is a command in a process of its own: the most that
it held at a time, its processor time with that of its start, and the time on the clock that two processes took.

    python -m benchmarks.bench_proofs [--json] [--events N]
"""

import os
import resource
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from benchmarks.databases import sqlite
from benchmarks.figures import parser_of, report, sized

EVENTS, TABLES, DEALS = sized((200_000, 40, 48), smallest=(200, 4, 8))
AT_MOST = {"verified_mb": 150.0}
MOMENT, MICROSECONDS = "2026-11-20 18:00:00.000000", 1_795_197_600_000_000
SEATS = ("1", "2", "3")
_EVENT = (
    "id, club_id, position, stream_id, version, kind, schema, recipe, body, actor, device, recorded_at, occurred_at,"
    " key, request_digest, note_digest, hash"
)


def main() -> None:
    """Print the figures."""
    parser = parser_of(__doc__)
    parser.add_argument("--events", type=int, default=EVENTS, help="how many events the log holds")
    parser.add_argument("--make", action="store_true", help="only make up the log, in the database of DATABASE_URL")
    given = parser.parse_args()
    if given.make:
        make_log(given.events)
        return
    report(figures(given.events), as_json=given.json, at_most=AT_MOST)


def figures(events: int) -> dict[str, float]:
    """Peak memory and rate of a whole proof, alone and by two processes."""
    with sqlite() as environment:
        for words in (
            ["manage.py", "migrate", "-v0"],
            ["-m", "benchmarks.bench_proofs", "--make", f"--events={events}"],
        ):
            subprocess.run([sys.executable, *words], env=environment, check=True)
        _, alone = _proved(environment)
        by_two, _ = _proved(environment, "--processes", "2")
        seconds = alone.ru_utime + alone.ru_stime
        return {
            "facts": events,
            "verified_mb": alone.ru_maxrss / 1024,
            "facts_per_s": events / seconds,
            "by_two_s": by_two,
        }


def _proved(environment: dict[str, str], *words: str) -> tuple[float, resource.struct_rusage]:
    """Seconds that a proof took, and what it used."""
    start = time.perf_counter()
    command = [sys.executable, "manage.py", "verify_log", "--full", *words]
    proof = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(proof.pid, 0)
    if status:
        raise AssertionError("the made-up log does not verify")
    return time.perf_counter() - start, usage


def make_log(events: int) -> None:
    """A club with a log of so many events, sealed after every night."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")
    import django  # noqa: PLC0415 - settings come from the environment of this process

    django.setup()
    from django.db import connection, transaction  # noqa: PLC0415

    from tournaments import log  # noqa: PLC0415
    from tournaments.models import Club  # noqa: PLC0415

    club = Club.objects.create(name="Long", slug="long")
    insert = f"INSERT INTO tournaments_event ({_EVENT}) VALUES ({', '.join(['%s'] * 17)})"  # noqa: S608 - constants
    position = 0
    while position < events:
        rows, streams = _night(club.id, position)
        position += len(rows)
        with transaction.atomic(), connection.cursor() as cursor:
            if position == len(rows):
                cursor.execute("INSERT INTO tournaments_clubhead (club_id, position) VALUES (%s, 0)", [club.id])
            cursor.executemany(
                "INSERT INTO tournaments_stream (id, club_id, kind, version, head_hash) VALUES (%s, %s, %s, 0, %s)",
                [(stream, club.id, "table", bytes(32)) for stream in streams],
            )
            cursor.executemany(insert, rows)
            cursor.executemany(
                "UPDATE tournaments_stream SET version = %s, head_hash = %s WHERE id = %s",
                [(version, digest, stream) for stream, (version, digest) in streams.items()],
            )
            cursor.execute("UPDATE tournaments_clubhead SET position = %s WHERE club_id = %s", [position, club.id])
        log.seal_club(club.id, datetime.now(UTC))


def _night(club: uuid.UUID, position: int) -> tuple[list[tuple[Any, ...]], dict[uuid.UUID, tuple[int, bytes]]]:
    """The rows of a night at which tables take turns, and where each of them ends."""
    from scoring.events.hashes import content_digest, event_hash, event_id, genesis  # noqa: PLC0415

    streams = [uuid.uuid4() for _ in range(TABLES)]
    heads = {stream: (0, genesis(club.hex.encode(), stream.hex.encode(), b"table")) for stream in streams}
    rows: list[tuple[Any, ...]] = []
    for kind, schema, body in _told():
        for stream in streams:
            position += 1
            version, key = heads[stream][0] + 1, uuid.uuid4()
            said = ("2", club.hex, stream.hex, version, kind, schema, key, bytes(16), "user:17", "phone 3")
            fields = [*said, MOMENT, MOMENT, b"", body]
            content = content_digest([each if isinstance(each, bytes) else str(each).encode() for each in fields])
            digest = event_hash(heads[stream][1], position, content)
            heads[stream] = version, digest
            row = (event_id(position, digest), club, position, stream, version, kind, schema, 2, body, "user:17")
            rows.append((*row, "phone 3", MICROSECONDS, MICROSECONDS, key, bytes(16), b"", digest))
    return rows, heads


def _told() -> Iterator[tuple[str, int, str]]:
    """What is told at each of the tables."""
    from scoring.events import reading, wire  # noqa: PLC0415
    from scoring.rules.variants import opening, variant  # noqa: PLC0415

    stakes = {"currency": "INR", "point_value_minor": 200}
    players = {seat: str(uuid.UUID(int=int(seat))) for seat in SEATS}
    outcomes = {"1": {"how": "show"}, "2": {"how": "loss", "count": 34}, "3": {"how": "first_drop"}}
    deals = [{"kind": "deal_recorded", "deal": deal, "outcomes": outcomes} for deal in range(1, DEALS + 1)]
    told = [reading.read_event(deal, variant("points"), SEATS) for deal in deals]
    for event in (opening("points", options={}, stakes=stakes, seats=players), *told):
        form = wire.encode(event)
        yield form.kind, form.schema, form.body


if __name__ == "__main__":
    main()
