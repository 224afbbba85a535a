"""A worker in a process of its own: takes messages, settles without any, reports that it is well, and ends in order."""

import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import redis

from rummy_site.celery import NEEDED, app
from rummy_site.management.commands.serve import worker as worker_program
from tests.builders.club_at_play import new_evening
from tests.builders.loaded_site import Loaded
from tests.builders.patience import PATIENCE
from tests.builders.playing import Playing, loses, show
from tests.builders.proofs import is_settled
from tests.plugins import rabbitmq, valkey
from tests.plugins.servers import CannotStart, Server
from tournaments.models import WorkerHeartbeat
from tournaments.models.log import Seal

ROOT = Path(__file__).resolve().parents[3]
# The round of seals comes a minute after the start at the earliest.
SOONER_THAN_A_ROUND = 30
NOBODY_THERE = "redis+socket:///nowhere/at-all.sock"


def until(is_so: Callable[[], object], log: Path, *, patience: float = PATIENCE) -> None:
    deadline = time.monotonic() + patience
    while not is_so():
        assert time.monotonic() < deadline, log.read_text()[-4000:]
        time.sleep(0.05)


@contextmanager
def working(environment: dict[str, str], folder: Path) -> Iterator[tuple["subprocess.Popen[bytes]", Path]]:
    """A worker as `serve` starts it, and its log."""
    log, program = folder / "worker.log", worker_program()
    with log.open("wb") as file:
        process = subprocess.Popen(
            program.command,
            cwd=ROOT,
            env={**environment, **program.environment},
            stdout=file,
            stderr=file,
        )
    try:
        yield process, log
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_worker_answers_a_bell_on_this_broker(worker: "subprocess.Popen[str]"):
    evening = new_evening()
    Playing(row=evening.new_table())
    app.send_task("tournaments.tasks.seal_logs")
    deadline = time.monotonic() + SOONER_THAN_A_ROUND
    while not Seal.objects.exists():
        assert time.monotonic() < deadline, "nobody answered"
        time.sleep(0.05)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_without_a_broker_settles_says_so_and_ends_when_it_is_told(
    site_environment: dict[str, str], tmp_path: Path
):
    """Planted faults it catches: jobs that begin with the consumer; jobs that are started through the broker; an end
    that waits for the broker.
    """
    evening = new_evening()
    Playing(row=evening.new_table()).deal(1, show, loses(60), loses(70), loses(80))
    with working({**site_environment, "CELERY_BROKER_URL": NOBODY_THERE}, tmp_path) as (process, log):
        until(lambda: is_settled(evening.club), log)
        until(lambda: WorkerHeartbeat.objects.filter(broker_down_since__isnull=False).exists(), log)
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", ["valkey", "rabbitmq"])
def test_a_worker_whose_broker_has_another_password_settles_and_says_so(
    kind: str, site_environment: dict[str, str], tmp_path: Path
):
    """Planted faults: kombu's own transport, for which a refused login is the end: the worker ends, and is started
    again to the same end; a log that calls it out of reach.
    """
    evening = new_evening()
    Playing(row=evening.new_table()).deal(1, show, loses(60), loses(70), loses(80))
    with (
        broker_that_refuses(kind) as address,
        working({**site_environment, "CELERY_BROKER_URL": address}, tmp_path) as (process, log),
    ):
        until(lambda: is_settled(evening.club), log)
        until(lambda: WorkerHeartbeat.objects.filter(broker_down_since__isnull=False).exists(), log)
        assert "the broker refuses user, password or virtual host of CELERY_BROKER_URL" in log.read_text()
        assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE) == 0


@contextmanager
def broker_that_refuses(kind: str) -> Iterator[str]:
    """The address of a broker that has another password by now."""
    server = Server(kind)
    try:
        if kind == "rabbitmq":
            yield rabbitmq.start(server).replace("guest:guest@", "guest:earlier@")
        else:
            address = valkey.start(server)
            redis.Redis(unix_socket_path=address.partition("://")[2]).config_set("requirepass", "another")
            yield address
    except CannotStart as error:
        pytest.fail(str(error)) if os.environ.get("REQUIRE_SERVERS") else pytest.skip(str(error))
    finally:
        server.stop()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_tells_whoever_watches_that_it_is_there_and_well(site_environment: dict[str, str], tmp_path: Path):
    """As the supervisor listens. Planted faults it catches: no notice while the database is away, which a new process
    would not bring back; one notice only, at the start.
    """
    away = {"DATABASE_URL": f"sqlite:///{tmp_path}/not-there/rummy.sqlite3"}
    for database in (away, {}):
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listener:
            address = f"{folder}/notify"
            listener.bind(address)
            listener.settimeout(PATIENCE)
            with working({**site_environment, **database, "NOTIFY_SOCKET": address}, tmp_path):
                assert [listener.recv(100) for _ in range(2)] == [b"WATCHDOG=1", b"WATCHDOG=1"]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_is_started_before_its_database_waits_for_it(site_environment: dict[str, str], tmp_path: Path):
    """Planted fault it catches: whether the database loses commits checked once, when it does not answer."""
    evening = new_evening()
    Playing(row=evening.new_table()).deal(1, show, loses(60), loses(70), loses(80))
    address = site_environment["DATABASE_URL"]
    name = address.partition("sqlite:///")[2]
    if not name:
        pytest.skip("a file that is moved back plays the database that comes")
    folder = tmp_path / "later"
    with working({**site_environment, "DATABASE_URL": f"sqlite:///{folder}/db"}, tmp_path) as (process, log):
        until(lambda: "the worker waits for it" in log.read_text(), log)
        assert process.poll() is None
        folder.symlink_to(Path(name).parent)
        (Path(name).parent / "db").symlink_to(name)
        until(lambda: is_settled(evening.club), log)


def test_the_periodic_jobs_are_tasks_that_exist():
    app.loader.import_default_modules()
    assert set(app.tasks) >= NEEDED


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("app.tasks.pop('tournaments.tasks.sweep_settlements')", "tournaments.tasks.sweep_settlements"),
        ("database.forgetful_setting = lambda database: 'it forgets'", "it forgets"),
    ],
)
def test_a_worker_that_could_do_harm_does_not_start(
    site_environment: dict[str, str], loaded_site: Loaded, code: str, complaint: str
):
    """The planted faults: a task that could not be loaded, and a database that loses commits."""
    program = (
        "import django; django.setup(); from rummy_site import database; from rummy_site.celery import app\n"
        f"app.loader.import_default_modules(); {code}\n"
        "app.worker_main(['worker', '-P', 'solo', '--without-gossip', '--without-mingle'])"
    )
    done = loaded_site.run(["-c", program], site_environment)
    assert done.returncode != 0
    assert f"worker refused: {'these' if 'pop' in code else 'it'}" in done.stderr
    assert complaint in done.stderr
