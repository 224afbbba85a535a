"""A hall at its busiest: 40 tables record while 500 phones look at the board of the site as `make demo` serves it.

On SQLite and on PostgreSQL. A table sends a deal each minute, some four times what people can play; a phone asks every
two seconds. First the phones alone, then both: what a deal costs is what the web process used beyond the looks.
`refused` was answered 503 and sent again, `lost` is acknowledged and not in the log, `behind_s` how long after the
last deal the worker had settled everything.

    python -m benchmarks.bench_night_load [--json]
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from benchmarks.databases import DATABASES
from benchmarks.figures import sized
from benchmarks.phones import Seen, Sent, scorer, spectator
from benchmarks.serving import Served, cpu_seconds, served_site, web_process

TABLES, SEATS, PHONES = sized((40, 4, 500), smallest=(2, 4, 4))
LOOK_EVERY_SECONDS, DEAL_EVERY_SECONDS = sized((2.0, 60.0), smallest=(0.2, 1.0))
WARM_SECONDS, LOOK_SECONDS, PLAY_SECONDS = sized((8.0, 15.0, 45.0), smallest=(0.5, 1.0, 3.0))


def main() -> None:
    """Each database in a process of its own, because settings are read once."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="as one JSON object")
    parser.add_argument("--here", action="store_true", help="measure the database of DATABASE_URL")
    wanted = parser.parse_args()
    if wanted.here:
        print(json.dumps(measured()))
        return
    found = {name: figure for database, server in DATABASES.items() for name, figure in _asked(database, server)}
    if wanted.json:
        print(json.dumps(found))
        return
    for name, figure in found.items():
        print(f"{name:32} {figure:12.2f}")


def _asked(database: str, server: Callable[[], Any]) -> list[tuple[str, float]]:
    with server() as environment:
        command = [sys.executable, "-m", "benchmarks.bench_night_load", "--here"]
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return [(f"{database}_{name}", figure) for name, figure in json.loads(done.stdout.splitlines()[-1]).items()]


def measured() -> dict[str, float]:
    """Every figure of the database of this process."""
    os.environ |= {"DJANGO_SETTINGS_MODULE": "rummy_site.settings", "LOG_LEVEL": "ERROR"}
    os.environ |= {"API_WRITER_PER_MINUTE": "100000", "API_ADDRESS_PER_MINUTE": "1000000"}
    import django  # noqa: PLC0415 - settings come from the environment of this process

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    state, tables = _seated()
    with served_site() as site:
        sent = Sent()
        found = asyncio.run(_played(site, state, tables, sent))
        return {**found, "behind_s": _settled_after(), "lost": _lost(state, sent)}


def _seated() -> tuple[Any, list[Any]]:
    """Forty tables of four players each, in one published tournament where each deal is paid."""
    from dataclasses import replace  # noqa: PLC0415

    from tests.builders.club_at_play import new_evening  # noqa: PLC0415
    from tests.builders.playing import context  # noqa: PLC0415
    from tournaments.people.players import add_players  # noqa: PLC0415
    from tournaments.tables.commands.open_tables import TableDraft, open_table  # noqa: PLC0415

    state, tables = new_evening(), []
    players = add_players(state.club, [f"Player {number:03d}" for number in range(TABLES * SEATS)])
    for number in range(TABLES):
        four = replace(state, players=players[number * SEATS : (number + 1) * SEATS])
        tables.append(
            open_table(state.tournament, TableDraft(number=number + 1, seats=four.seats()), context=context())
        )
    return state, tables


async def _played(site: Served, state: Any, tables: list[Any], sent: Sent) -> dict[str, float]:
    """The figures of the web process, and how long whoever asked has waited."""
    from tests.builders.club_at_play import deal  # noqa: PLC0415

    web, seen, chance = web_process(site.pid), Seen(), random.Random(1)
    at = urlsplit(f"{site.address}/en-gb/c/{state.club.slug}/t/{state.tournament.slug}/board/")
    until = time.monotonic() + WARM_SECONDS + LOOK_SECONDS + PLAY_SECONDS
    starts = (number * LOOK_EVERY_SECONDS / PHONES for number in range(PHONES))
    phones = [
        asyncio.create_task(spectator(at, seen, until, every=LOOK_EVERY_SECONDS, after=start)) for start in starts
    ]
    await asyncio.sleep(WARM_SECONDS)
    calm = await _spent(web, seen, LOOK_SECONDS)
    playing = []
    for number, table in enumerate(tables):
        paced = _paced(partial(deal, table.id, chance=chance), until, after=number * DEAL_EVERY_SECONDS / TABLES)
        playing.append(asyncio.create_task(scorer(at, state.secret, paced, sent)))
    busy = await _spent(web, seen, PLAY_SECONDS)
    await asyncio.gather(*phones, *playing)
    per_look = calm["cpu"] / len(calm["looks"])
    return {
        "looks_a_second": len(busy["looks"]) / PLAY_SECONDS,
        "look_ms": per_look * 1000,
        "deals_a_second": len(sent.stored) / PLAY_SECONDS,
        "web_core_percent": busy["cpu"] / PLAY_SECONDS * 100,
        "deal_and_news_ms": (busy["cpu"] - per_look * len(busy["looks"])) / len(sent.stored) * 1000,
        **_quantiles("look", busy["looks"]),
        **_quantiles("deal", sent.seconds),
        "refused": sent.refused,
    }


async def _paced(write: Callable[[int], Any], until: float, *, after: float) -> AsyncIterator[Any]:
    """A table's deals when they are played."""
    due, number = time.monotonic() + after, 1
    while due < until:
        await asyncio.sleep(max(0.0, due - time.monotonic()))
        yield write(number)
        due, number = due + DEAL_EVERY_SECONDS, number + 1


async def _spent(web: int, seen: Seen, seconds: float) -> dict[str, Any]:
    """What the web process used, and how long each look took, in this time."""
    seen.seconds = []
    start, used = time.monotonic(), cpu_seconds(web)
    await asyncio.sleep(seconds - (time.monotonic() - start))
    return {"cpu": cpu_seconds(web) - used, "looks": list(seen.seconds)}


def _quantiles(name: str, seconds: list[float]) -> dict[str, float]:
    parts = statistics.quantiles(seconds, n=100)
    return {f"{name}_p{percent}_ms": parts[percent - 1] * 1000 for percent in (50, 95, 99)}


def _lost(state: Any, sent: Sent) -> float:
    """Deals that were acknowledged and are not in the log once."""
    from tests.builders.proofs import stored_keys  # noqa: PLC0415

    stored = stored_keys(state.club)
    return float(sum(stored.get(key, 0) != 1 for key in sent.stored))


def _settled_after() -> float:
    """Seconds until nothing is owed any more."""
    from tournaments.books.commands import tables_to_settle  # noqa: PLC0415

    start = time.monotonic()
    while tables_to_settle() and time.monotonic() - start < 120:
        time.sleep(0.5)
    return time.monotonic() - start


if __name__ == "__main__":
    main()
