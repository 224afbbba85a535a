"""How much our ledger adds to the database's own work: settle a table through `scoring.ledger`, or insert the rows.

The same entry of seven postings (five losers, the winner, the house fee) each time, one transaction each. The bare
side writes the same rows into the same guarded tables with psycopg or sqlite3 alone; it takes no claim, looks at
nothing that stands and finds no account. Both sides take turns, so that other load on the machine meets both.

    python -m benchmarks.bench_ledger [--json]        on SQLite, and on PostgreSQL where one is to be had
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

ROUNDS = 15
ENTRIES_A_ROUND = 60
SEATS = {str(number): f"player {number}" for number in range(1, 7)}
LOSSES = {"1": 4000, "2": 4000, "3": 2000, "4": 8000, "5": 2000}
FEE = 2000
NOW = datetime(2026, 1, 31, 21, 0, tzinfo=UTC)

ENTRY_COLUMNS = [
    "id",
    "club",
    "reference",
    "cause",
    "slot",
    "version",
    "currency",
    "memo",
    "posting_count",
    "reverses_id",
    "posted_at",
]
POSTING_COLUMNS = ["entry_id", "account_id", "amount_minor", "purpose"]


def main() -> None:
    """Each database in a process of its own, because settings are read once."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--here", action="store_true", help="measure the database of DATABASE_URL")
    wanted = parser.parse_args()
    if wanted.here:
        print(json.dumps(measured()))
        return
    figures = [_in_a_process(address) for address in _addresses()]
    for each in figures:
        print(json.dumps(each) if wanted.json else said(each))


def said(figures: dict[str, Any]) -> str:
    """One line for a person."""
    return (
        f"ledger on {figures['database']}: {figures['ledger_per_second']:.0f} settlements/s, "
        f"bare {figures['bare_per_second']:.0f}/s, ratio {figures['ratio']:.2f}"
    )


def measured() -> dict[str, Any]:
    """Settlements a second through the ledger and bare, and the median ratio of a round."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "rummy_site.settings")
    import django  # noqa: PLC0415 - settings come from the environment of this process

    django.setup()
    from django.core.management import call_command  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    club = uuid.uuid4()
    ledger, bare = _through_the_ledger(club), _bare(club)
    ledger()
    bare()
    rounds = [(_seconds(ledger), _seconds(bare)) for _ in range(ROUNDS)]
    return {
        "database": connection.vendor,
        "ledger_per_second": 1 / statistics.median(ours for ours, _theirs in rounds),
        "bare_per_second": 1 / statistics.median(theirs for _ours, theirs in rounds),
        "ratio": statistics.median(theirs / ours for ours, theirs in rounds),
    }


def _seconds(deed: Callable[[], None]) -> float:
    start = time.perf_counter()
    for _ in range(ENTRIES_A_ROUND):
        deed()
    return (time.perf_counter() - start) / ENTRIES_A_ROUND


def _plan() -> tuple[Any, ...]:
    from scoring.rules.money import Payout  # noqa: PLC0415 - after django.setup, like all of the service
    from scoring.settlement import plan_entries  # noqa: PLC0415

    gross = sum(LOSSES.values())
    payout = Payout(slot="table", charges=LOSSES, awards={"6": gross - FEE}, fee=FEE, because=("as on paper",))
    return plan_entries([payout], players=SEATS, currency="INR")


def _through_the_ledger(club: uuid.UUID) -> Callable[[], None]:
    from scoring.ledger import settle  # noqa: PLC0415

    plan = _plan()

    def settle_a_table() -> None:
        settle(club, f"table:{uuid.uuid4()}", version=31, entries=plan, now=NOW)

    return settle_a_table


def _bare(club: uuid.UUID) -> Callable[[], None]:
    """The same rows by the driver alone, on a connection that is set up like ours."""
    from django.db import connection  # noqa: PLC0415

    from scoring.models import Account  # noqa: PLC0415

    plan = _plan()[0]
    accounts = {
        (row.kind, row.owner): row.id
        for row in (
            Account.objects.get_or_create(club=club, kind=each.account.kind, owner=each.account.owner, currency="INR")[
                0
            ]
            for each in plan.postings
        )
    }
    postings = [
        (accounts[each.account.kind, each.account.owner], each.amount_minor, str(each.purpose))
        for each in plan.postings
    ]
    driver = connection.Database.connect(**_parameters(connection))
    return (_bare_sqlite if connection.vendor == "sqlite" else _bare_postgresql)(driver, club, postings)


def _parameters(connection: Any) -> dict[str, Any]:
    given = connection.get_connection_params()
    if connection.vendor == "sqlite":
        return {"database": given["database"], "timeout": 20, "isolation_level": None}
    return {name: given[name] for name in ("dbname", "user", "password", "host", "port") if given.get(name)}


def _bare_sqlite(driver: Any, club: uuid.UUID, postings: list[tuple[uuid.UUID, int, str]]) -> Callable[[], None]:
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        driver.execute(f"PRAGMA {pragma}")
    into_postings = _insert("scoring_posting", POSTING_COLUMNS, rows=len(postings), mark="?")
    into_entries = _insert("scoring_journalentry", ENTRY_COLUMNS, rows=1, mark="?")

    def insert() -> None:
        entry = uuid.uuid4().hex
        driver.execute("BEGIN IMMEDIATE")
        driver.execute(into_postings, [value for account, *rest in postings for value in (entry, account.hex, *rest)])
        driver.execute(into_entries, _entry(entry, club.hex, str(NOW.replace(tzinfo=None))))
        driver.execute("COMMIT")

    return insert


def _bare_postgresql(driver: Any, club: uuid.UUID, postings: list[tuple[uuid.UUID, int, str]]) -> Callable[[], None]:
    into_postings = _insert("scoring_posting", POSTING_COLUMNS, rows=len(postings), mark="%s")
    into_entries = _insert("scoring_journalentry", ENTRY_COLUMNS, rows=1, mark="%s")

    def insert() -> None:
        entry = uuid.uuid4()
        driver.execute(into_entries, _entry(entry, club, NOW))
        driver.execute(into_postings, [value for row in postings for value in (entry, *row)])
        driver.commit()

    return insert


def _entry(entry: Any, club: Any, posted_at: Any) -> list[Any]:
    cause = f"table:{uuid.uuid4()}"
    return [
        *(entry, club, f"{cause}@31/table", cause, "table", 31),
        *("INR", "as on paper", len(LOSSES) + 2, None, posted_at),
    ]


def _insert(table: str, columns: list[str], *, rows: int, mark: str) -> str:
    row = f"({', '.join([mark] * len(columns))})"
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES {', '.join([row] * rows)}"  # noqa: S608


def _in_a_process(database: Callable[[], Any]) -> dict[str, Any]:
    with database() as address, tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DATABASE_URL": address or f"sqlite:///{folder}/bench.sqlite3", "VAR_DIR": folder}
        command = [sys.executable, "-m", "benchmarks.bench_ledger", "--here"]
        done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def _addresses() -> Iterator[Callable[[], Any]]:
    yield _sqlite
    yield _postgresql


@contextmanager
def _sqlite() -> Iterator[str]:
    yield ""


@contextmanager
def _postgresql() -> Iterator[str]:
    """TEST_DATABASE_URL, or the server the tests would start; with fsync off there, which both sides enjoy."""
    if "TEST_DATABASE_URL" in os.environ:
        yield os.environ["TEST_DATABASE_URL"]
        return
    from tests.plugins.postgres import start  # noqa: PLC0415
    from tests.plugins.servers import Server  # noqa: PLC0415

    server = Server("bench-postgres")
    try:
        yield start(server)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
