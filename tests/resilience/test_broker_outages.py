"""The broker goes and comes back while work waits: all is settled within half a minute, and messages are taken."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from celery import Celery
from django.db import connection, connections

from rummy_site.environment import broker_options
from tests.builders.fresh_database import new_database
from tests.plugins import rabbitmq
from tests.plugins.servers import Server, die_with_parent
from tournaments.projections.stale import SETTLE, _send

ROOT = Path(__file__).resolve().parents[2]
SETTLED_SECONDS = 30.0
# Its consumer tries to connect every 32 s at the longest; the rest allows for a busy machine.
HEARD_SECONDS = 60.0
SHORTEST, LONGEST = 1.0, 60.0
# Half of the lanes have Valkey.
LANES, OUTAGES = 8, 104
KINDS = ("valkey", "rabbitmq")
# More than fit into the sockets between the site and a broker that does not read.
MOST_MESSAGES = 20_000


def lengths(chance: random.Random, count: int) -> list[float]:
    """Seconds from 1 to 60, half of them from 1 to 8."""
    return [SHORTEST * (LONGEST / SHORTEST) ** chance.random() for _ in range(count)]


@contextmanager
def database(folder: Path) -> Iterator[str]:
    """The address of an empty database: a copy of this test's own, for migrating another takes longer."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(folder / "copy.sqlite3")])
        yield f"sqlite:///{folder}/copy.sqlite3"
        return
    # A database that is being copied may have no other connection.
    connections.close_all()
    with new_database("lane", template=connection.settings_dict["NAME"]) as address:
        yield address


@contextmanager
def lane(kind: str, number: int, seed: int, seconds: Sequence[float], folder: Path) -> Iterator[Any]:
    """One lane at work, in a process and a database of its own."""
    own = folder / f"lane{number}"
    own.mkdir()
    with database(own) as address:
        environment = {**os.environ, "DATABASE_URL": address, "VAR_DIR": str(own / "var"), "LOG_LEVEL": "INFO"}
        words = [kind, str(seed), str(own), *map(str, seconds)]
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.builders.broker_lane", *words],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=(own / "lane.log").open("wb"),
            text=True,
            preexec_fn=die_with_parent,  # noqa: PLW1509 (no thread runs yet)
        )
        try:
            yield process
        finally:
            process.terminate()
            process.wait()


def told_by(process: Any, folder: Path) -> list[dict[str, Any]]:
    said = [json.loads(line) for line in process.communicate()[0].splitlines()]
    assert process.returncode == 0, (folder / "lane.log").read_text()[-6000:]
    assert said[-1]["complaints"] == []
    return said[:-1]


def assert_nobody_stalled(told: list[dict[str, Any]]) -> None:
    print(*map(json.dumps, told), sep="\n")
    late = [one for one in told if one["settled"] > SETTLED_SECONDS or one["heard"] > HEARD_SECONDS]
    assert late == []
    # The watchdog would end a stalled worker too; here none should have been ended.
    assert [one for one in told if not one["is_same_worker"]] == []


@pytest.fixture
def _rabbitmq_where_asked(request: pytest.FixtureRequest) -> None:
    is_asked = "[valkey" not in request.node.name
    if is_asked and not rabbitmq.PROGRAM.exists():
        said = "NO RABBITMQ: Debian's package rabbitmq-server is not installed"
        pytest.fail(said) if os.environ.get("REQUIRE_SERVERS") else pytest.skip(said)


# Each broker; both with each database are among the hundred outages.
@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_rabbitmq_where_asked")
@pytest.mark.parametrize(("kind", "seconds"), [("valkey", [2.0, 4.0]), ("rabbitmq", [2.0])])
def test_a_broker_that_goes_and_comes_back_leaves_nothing_unsettled(kind: str, seconds: list[float], tmp_path: Path):
    """Planted faults it catches: a window of eight messages, which failed acknowledgements fill for ever (a worker that
    has stalled and is alive); jobs that are started through the broker.
    """
    # Both with a full backlog and a worker that is held; the broker is killed in one and stopped normally in the other.
    with lane(kind, 0, 94, seconds, tmp_path) as process:
        told = told_by(process, tmp_path / "lane0")
    assert len(told) == len(seconds)
    assert_nobody_stalled(told)


def send_until_refused(caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(MOST_MESSAGES):
        _send(SETTLE, "of some table")
        if caplog.records:
            break


@pytest.mark.slow
@pytest.mark.usefixtures("_rabbitmq_where_asked")
def test_a_rabbitmq_that_blocks_who_sends_keeps_nobody_waiting_for_ever(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
):
    """Out of memory from its start. Planted fault: once its sockets are full, after a thousand messages, every thread
    that writes waits until the broker has room again.
    """
    server = Server("rabbitmq-without-memory")
    no_memory = server.folder / "no-memory.conf"
    no_memory.write_text("vm_memory_high_watermark.absolute = 1MB\n")
    settings_of = rabbitmq._settings
    monkeypatch.setattr(
        rabbitmq, "_settings", lambda *of, **ports: settings_of(*of, **ports) | {"RABBITMQ_CONFIG_FILE": str(no_memory)}
    )
    try:
        address = rabbitmq.start(server)
        blocked = Celery("blocked", set_as_current=False)
        blocked.config_from_object("django.conf:settings", namespace="CELERY")
        blocked.conf.update(broker_url=address, broker_transport_options=broker_options(address, folder=tmp_path))
        monkeypatch.setattr("rummy_site.celery.app", blocked)
        sending = Thread(target=send_until_refused, args=[caplog], daemon=True)
        sending.start()
        sending.join(HEARD_SECONDS)
        assert not sending.is_alive()
    finally:
        server.stop()
    assert "no message could be sent" in caplog.text


@pytest.mark.slow(long=True)
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("_rabbitmq_where_asked")
def test_a_hundred_outages_of_valkey_and_rabbitmq_leave_nothing_unsettled(tmp_path: Path):
    """Of 1 to 60 seconds, over backlogs of up to 40 messages, eight brokers side by side."""
    seed = random.randrange(2**32)
    chance = random.Random(seed)
    with ExitStack() as lanes:
        processes = [
            lanes.enter_context(
                lane(KINDS[number % 2], number, seed + 1_000 * number, lengths(chance, OUTAGES // LANES), tmp_path)
            )
            for number in range(LANES)
        ]
        told = [one for number, each in enumerate(processes) for one in told_by(each, tmp_path / f"lane{number}")]
    assert len(told) == OUTAGES
    assert_nobody_stalled(told)
