"""How fast a club goes out in a box and comes in again, on both databases, and how much memory that takes.

The club is made up on SQLite: tournaments of 40 tables, opened by the commands, whose deals are written straight to the
log, settled and sealed. It goes out of SQLite into PostgreSQL, and out of that into another SQLite file. Each way is a
command in a process of its own: its time on the clock, its processor time with that of its start (of PostgreSQL's own
processes nothing), and the most memory that it held, which a club of a fifth of the events must come near.

    python -m benchmarks.bench_box [--json] [--events N]
"""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from benchmarks.databases import DATABASES, postgresql, sqlite
from benchmarks.figures import parser_of, report, sized

EVENTS, TABLES, DEALS = sized((100_000, 40, 24), smallest=(60, 2, 3))
# The small club has a part of the events of the large one.
PARTS = 5
PLAYERS_PER_TABLE = 4
WAYS = [f"{database}_{way}" for database in DATABASES for way in ("out", "in")]
AT_LEAST = {f"{way}_per_s": 5_000.0 for way in WAYS}
AT_MOST = {f"{way}_mb_more": 40.0 for way in WAYS}


def main() -> None:
    """Print the figures."""
    parser = parser_of(__doc__)
    parser.add_argument("--events", type=int, default=EVENTS, help="how many events the log of the club has")
    parser.add_argument("--make", action="store_true", help="only make up the club, in the database of DATABASE_URL")
    options = parser.parse_args()
    if options.make:
        make_club(options.events)
        return
    report(figures(options.events), as_json=options.json, at_most=AT_MOST, at_least=AT_LEAST)


def figures(events: int) -> dict[str, float]:
    """Events a second by the clock and by processor time of each way, and memory in MB for a large and a small club."""
    with sqlite() as first, postgresql() as grown, sqlite() as last:
        # One key for all three, so that no code has to be typed.
        key = {"SECRET_KEY": "of one installation, long enough for a benchmark to be taken in"}
        installations = [environment | key for environment in (first, grown, last)]
        for environment in installations:
            _run([sys.executable, "manage.py", "migrate", "-v0"], environment)
        small_ways, ways = _moved(events // PARTS, *installations), _moved(events, *installations)
    found: dict[str, float] = {"events": events}
    for name, way in ways.items():
        found |= {
            f"{name}_per_s": events / way["seconds"],
            f"{name}_per_cpu_s": events / way["cpu_seconds"],
            f"{name}_mb": way["mb"],
            f"{name}_mb_more": way["mb"] - small_ways[name]["mb"],
        }
    return found


def _moved(
    events: int, first: dict[str, str], grown: dict[str, str], last: dict[str, str]
) -> dict[str, dict[str, float]]:
    """What each way of a club took and held, by its name."""
    slug, boxes = f"long-{events}", Path(first["VAR_DIR"])
    box, second_box = boxes / f"{slug}.rummybox", boxes / f"{slug}-again.rummybox"
    _run([sys.executable, "-m", "benchmarks.bench_box", "--make", f"--events={events}"], first)
    return {
        "sqlite_out": _run([sys.executable, "manage.py", "box", slug, str(box)], first),
        "postgresql_in": _run([sys.executable, "manage.py", "unbox", str(box)], grown),
        "postgresql_out": _run([sys.executable, "manage.py", "box", slug, str(second_box)], grown),
        "sqlite_in": _run([sys.executable, "manage.py", "unbox", str(second_box)], last),
    }


def _run(words: list[str], environment: dict[str, str]) -> dict[str, float]:
    start = time.perf_counter()
    process = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise AssertionError(f"failed: {' '.join(words)}")
    return {
        "seconds": time.perf_counter() - start,
        "cpu_seconds": usage.ru_utime + usage.ru_stime,
        "mb": usage.ru_maxrss / 1024,
    }


def make_club(events: int) -> None:
    """A club with a log of about so many events: closed tables of points rummy, settled."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")
    import django  # noqa: PLC0415 - settings come from the environment of this process

    django.setup()
    from django.db import transaction  # noqa: PLC0415
    from django.utils.timezone import now  # noqa: PLC0415

    from tests.builders.playing import new_tournament  # noqa: PLC0415
    from tournaments.books.commands import settle_table, tables_to_settle  # noqa: PLC0415
    from tournaments.integrity.rebuild import rebuild  # noqa: PLC0415
    from tournaments.models import Club  # noqa: PLC0415
    from tournaments.people.players import add_players  # noqa: PLC0415

    club = Club.objects.create(name="Long", slug=f"long-{events}")
    players = add_players(club, [f"Player {number}" for number in range(TABLES * PLAYERS_PER_TABLE)])
    # Opened and closed, and the deals between.
    for _ in range(events // (TABLES * (DEALS + 2)) + 1):
        with transaction.atomic():
            _play(new_tournament(club, "points", point_value_minor=200), players)
    with transaction.atomic():
        rebuild()
    while tables := tables_to_settle():
        with transaction.atomic():
            for table in tables:
                settle_table(table, now=now())


def _play(tournament: Any, players: list[Any]) -> None:
    """Tables that take turns, each with the same deals."""
    from scoring.events import reading, wire  # noqa: PLC0415
    from scoring.rules.variants import variant  # noqa: PLC0415
    from tests.builders.log_writers import nothing, request  # noqa: PLC0415
    from tests.builders.playing import NOW, context, deal, first_drop, loses, middle_drop, show  # noqa: PLC0415
    from tournaments import log  # noqa: PLC0415
    from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table  # noqa: PLC0415

    tables = []
    for table in range(TABLES):
        seated = players[table * PLAYERS_PER_TABLE :][:PLAYERS_PER_TABLE]
        seats = [SeatedPlayer(number=seat, player=player.pk) for seat, player in enumerate(seated, start=1)]
        tables.append(open_table(tournament, TableDraft(number=table + 1, seats=seats), context=context()))
    deals = [deal(number, show, loses(10 + number), first_drop, middle_drop) for number in range(1, DEALS + 1)]
    for version, raw in enumerate([*deals, {"kind": "table_closed"}], start=1):
        form = wire.encode(reading.read_event(raw, variant("points"), ("1", "2", "3", "4")))
        event = log.NewEvent(kind=form.kind, schema=form.schema, body=form.body, occurred_at=NOW, note=form.note)
        for row in tables:
            place = log.StreamVersion(club_id=row.club_id, stream_id=row.pk, expected=version)
            log.append(place, event, request=request(), on_append=nothing)


if __name__ == "__main__":
    main()
