"""What the books cost: an entry against bare inserts and django-hordak, settling tables, reading a statement.

The entry has seven postings (five losers, the winner, the house fee), one transaction each time. The bare side writes
the same rows into the same guarded tables with psycopg or sqlite3 alone. All sides take turns, so that other load on
the machine meets each of them; a ratio is the median of the rounds. PostgreSQL runs with fsync off, which all enjoy.

    python -m benchmarks.bench_ledger [--json]        on SQLite, and on PostgreSQL where one is to be had
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
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from benchmarks.databases import DATABASES
from benchmarks.figures import IS_SMALLEST, sized

ROUNDS = sized(11, smallest=1)
ENTRIES_A_ROUND = sized(50, smallest=2)
STATEMENT_LINES = sized(10_000, smallest=20)
READINGS = sized(15, smallest=1)
TABLES, PLAYERS, DEALS = sized((1_000, 40, 3), smallest=(2, 8, 1))
SEATS = {str(number): f"player {number}" for number in range(1, 7)}
LOSSES = {"1": 4000, "2": 4000, "3": 2000, "4": 8000, "5": 2000}
FEE = 2000
NOW = datetime(2026, 1, 31, 21, 0, tzinfo=UTC)
AT_LEAST = {
    "sqlite": {"entry_of_bare": 0.35},
    "postgresql": {"entry_of_bare": 0.35, "entry_of_hordak": 3.0, "tasks_per_second": 100.0, "swept_per_second": 100.0},
}
AT_MOST = {"statement_ms": 50.0}


def main() -> None:
    """Each database in a process of its own, because settings are read once."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--here", action="store_true", help="measure the database of DATABASE_URL")
    wanted = parser.parse_args()
    if wanted.here:
        print(json.dumps(measured()))
        return
    for server in DATABASES.values():
        figures = _in_a_process(server)
        print(json.dumps(figures) if wanted.json else said(figures))


def said(figures: dict[str, Any]) -> str:
    """A line for each figure, beside what was promised."""
    limits = {name: f"at least {least:g}" for name, least in AT_LEAST[figures["database"]].items()}
    limits |= {name: f"at most {most:g}" for name, most in AT_MOST.items()}
    numbers = [(name, value) for name, value in figures.items() if name != "database"]
    lines = [f"  {name:30} {value:14.3f}   {limits.get(name, '')}".rstrip() for name, value in numbers]
    return "\n".join([f"on {figures['database']}", *lines])


def measured() -> dict[str, Any]:
    """Every figure of the database of this process."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")
    os.environ.setdefault("LOG_LEVEL", "ERROR")
    import django  # noqa: PLC0415 - settings come from the environment of this process

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    figures = {"database": connection.vendor, **_entries(), **_statement()}
    return figures if connection.vendor == "sqlite" else {**figures, **_tables()}


def _entries() -> dict[str, float]:
    """Entries a second through the ledger, and as a share of what the others reach."""
    from benchmarks.books_bare import bare  # noqa: PLC0415 - after django.setup, like all of the service

    club = uuid.uuid4()
    sides = {"ledger": _through_the_ledger(club), "bare": bare(club, _plan()[0], NOW)}
    with _hordak() as other:
        rounds = [_round(sides, other) for _ in range(ROUNDS + 1)][1:]
    figures = {f"{side}_per_second": 1 / statistics.median(each[side] for each in rounds) for side in rounds[0]}
    shares = {f"entry_of_{side}": _share(rounds, side) for side in rounds[0] if side != "ledger"}
    return {**figures, **shares}


def _round(sides: dict[str, Callable[[], None]], other: Any) -> dict[str, float]:
    seconds = {name: _seconds(deed) for name, deed in sides.items()}
    return seconds | ({"hordak": other.seconds(ENTRIES_A_ROUND)} if other else {})


def _share(rounds: list[dict[str, float]], side: str) -> float:
    return statistics.median(each[side] / each["ledger"] for each in rounds)


def _seconds(deed: Callable[[], None]) -> float:
    start = time.perf_counter()
    for _ in range(ENTRIES_A_ROUND):
        deed()
    return (time.perf_counter() - start) / ENTRIES_A_ROUND


def _hordak() -> Any:
    """Only PostgreSQL: on SQLite it does not run."""
    from benchmarks.books_hordak import hordak  # noqa: PLC0415

    address = os.environ["DATABASE_URL"]
    is_alone = IS_SMALLEST or address.startswith("sqlite")
    return nullcontext() if is_alone else hordak(address, Path(os.environ["VAR_DIR"]))


def _plan() -> tuple[Any, ...]:
    from scoring.money import plan_entries  # noqa: PLC0415
    from scoring.money.payouts import Payout  # noqa: PLC0415
    from scoring.money.reasons import FeeTaken  # noqa: PLC0415

    gross = sum(LOSSES.values())
    payout = Payout(
        slot="table",
        charges=LOSSES,
        awards={"6": gross - FEE},
        fee=FEE,
        because=(FeeTaken(1_000, gross, None, None, FEE),),
    )
    return plan_entries([payout], players=SEATS, currency="INR")


def _through_the_ledger(club: uuid.UUID) -> Callable[[], None]:
    from scoring.ledger import settle  # noqa: PLC0415

    plan = _plan()

    def settle_a_table() -> None:
        settle(club, f"table:{uuid.uuid4()}", version=31, entries=plan, now=NOW)

    return settle_a_table


def _statement() -> dict[str, float]:
    """The quickest of several readings of a player's whole statement: the slower ones measure the machine."""
    from scoring.ledger import Obligation, player_statement, settle_many  # noqa: PLC0415

    club, plan = uuid.uuid4(), _plan()
    causes = [f"table:{uuid.uuid4()}" for _ in range(STATEMENT_LINES)]
    for first in range(0, STATEMENT_LINES, 1_000):
        wanted = [Obligation(cause=cause, version=31, entries=plan) for cause in causes[first : first + 1_000]]
        settle_many(club, wanted, now=NOW)
    seconds = []
    for _ in range(READINGS):
        start = time.perf_counter()
        lines = player_statement(club, [SEATS["1"]])
        seconds.append(time.perf_counter() - start)
        assert len(lines) == STATEMENT_LINES
    return {"statement_ms": 1_000 * min(seconds)}


def _tables() -> dict[str, float]:
    """Finished tables settled a second by one worker: half from messages, half found by the sweep."""
    from tournaments import tasks  # noqa: PLC0415
    from tournaments.books.commands import tables_to_settle  # noqa: PLC0415

    _finished_tables()
    sent = tables_to_settle(TABLES // 2)
    start = time.perf_counter()
    for table_id in sent:
        tasks.settle_table(str(table_id))
    between = time.perf_counter()
    swept = 0
    while found := tasks.sweep_settlements():
        swept += found
    end = time.perf_counter()
    assert len(sent) + swept == TABLES
    return {"tasks_per_second": len(sent) / (between - start), "swept_per_second": swept / (end - between)}


def _finished_tables() -> None:
    from tests.builders.playing import Playing, context, loses, new_club, new_tournament, show  # noqa: PLC0415
    from tournaments.people.players import add_players  # noqa: PLC0415
    from tournaments.tables.commands.open_tables import SeatedPlayer, TableDraft, open_table  # noqa: PLC0415

    home = new_tournament(new_club(), preset="points", point_value_minor=100)
    players = add_players(home.club, [f"Player {number}" for number in range(PLAYERS)])
    for place in range(TABLES):
        four = [players[(4 * place + seat) % PLAYERS].id for seat in range(4)]
        seats = [SeatedPlayer(number=seat, player=player) for seat, player in enumerate(four, start=1)]
        draft = TableDraft(number=1 + place % 10, round=1 + place // 10, seats=seats)
        table = Playing(row=open_table(home, draft, context=context()))
        for number in range(1, DEALS + 1):
            table.deal(number, show, loses(60), loses(70), loses(80))
        table.close()


def _in_a_process(server: Callable[[], Any]) -> dict[str, Any]:
    with server() as environment:
        command = [sys.executable, "-m", "benchmarks.bench_ledger", "--here"]
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


if __name__ == "__main__":
    main()
