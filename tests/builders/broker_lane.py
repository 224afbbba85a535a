"""One broker, one worker and one database of its own: outage after outage, and the result of each.

Called by test_broker_outages.py as a process of its own, so that many go side by side and no worker settles what
another should have. Prints one JSON object a line, the last of them "done".
"""

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import redis

from tests.builders.processes import family, is_alive, parent, state
from tests.plugins import rabbitmq, valkey
from tests.plugins.servers import Server

# The supervisor of `manage.py serve`, with its worker alone.
SUPERVISED = """
import django
django.setup()
from rummy_site.management.commands.serve import worker
from rummy_site.operations.supervisor import Supervisor
Supervisor([worker()], say=lambda line: print(line, flush=True)).run()
"""
BACKLOGS = (0, 1, 8, 9, 40)
WINDOW = 8
PATIENCE = 180.0
LOOK_SECONDS = 0.02
HOLD_SECONDS = 4.0


class Broker:
    """A server that is stopped and started again."""

    def __init__(self, kind: str) -> None:
        self.server = Server(kind)
        self.address = (rabbitmq if kind == "rabbitmq" else valkey).start(self.server)
        self._command: Any = self._process.args
        self._is_up = self._question(kind)

    @property
    def _process(self) -> subprocess.Popen[bytes]:
        assert self.server.process is not None
        return self.server.process

    def stop(self, how: signal.Signals) -> None:
        self._process.send_signal(how)
        self._process.wait(PATIENCE)

    def start(self) -> None:
        self.server.start(self._command, is_up=self._is_up)

    def unacknowledged(self) -> int:
        """How many messages were taken and not acknowledged. Zero for RabbitMQ, which keeps no such window."""
        if not self.address.startswith("redis"):
            return WINDOW
        with redis.Redis(unix_socket_path=str(self.server.folder / "data" / "valkey.sock")) as client:
            return int(client.hlen("unacked"))

    def _question(self, kind: str) -> Callable[[], bool]:
        if kind == "rabbitmq":
            port = int(self.address.rpartition(":")[2].strip("/"))
            return lambda: rabbitmq.answers(port)
        return lambda: valkey._answers(self.server.folder / "data" / "valkey.sock")


@contextmanager
def supervised(log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """The supervisor and its worker; afterwards nothing of them is left."""
    with log.open("wb") as file:
        process = subprocess.Popen([sys.executable, "-c", SUPERVISED], stdout=file, stderr=file)
    try:
        until(lambda: " ready." in log.read_text(), log)
        yield process
    finally:
        everybody = family(process.pid)
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for number in filter(is_alive, everybody):
            os.kill(number, signal.SIGKILL)


def until(is_so: Callable[[], object], log: Path) -> float:
    """Seconds until a condition is true."""
    began = time.monotonic()
    while not is_so():
        if time.monotonic() - began > PATIENCE:
            raise AssertionError(log.read_text(errors="replace")[-6000:])
        time.sleep(LOOK_SECONDS)
    return time.monotonic() - began


def worker_of(supervisor: int) -> int:
    return next(number for number in family(supervisor) if parent(number) == supervisor)


def main(kind: str, seed: int, lengths: list[float], folder: Path) -> None:
    # On SIGTERM, end the processes that we have started too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    broker = Broker(kind)
    try:
        os.environ.update(CELERY_BROKER_URL=broker.address, DJANGO_SETTINGS_MODULE="rummy_site.settings")
        import django

        django.setup()
        with supervised(folder / "worker.log") as process:
            for number, length in enumerate(lengths):
                told = outage(broker, process.pid, random.Random(seed + number), length, folder / "worker.log")
                print(json.dumps({"broker": kind, "seed": seed + number, **told}), flush=True)
        print(json.dumps({"done": kind, "complaints": complaints()}), flush=True)
    finally:
        broker.server.stop()


def outage(broker: Broker, supervisor: int, chance: random.Random, length: float, log: Path) -> dict[str, Any]:
    """Messages wait, the broker goes, more of them cannot be sent, it comes back: how long until all is settled, and
    until the worker takes messages again.
    """
    from rummy_site.celery import app
    from rummy_site.worker.periodic import messages_waiting

    worker = worker_of(supervisor)
    backlog, is_held = chance.choice(BACKLOGS), chance.random() < 0.6
    hold(worker)
    play(backlog)
    os.kill(worker, signal.SIGCONT)
    if backlog and is_held:
        hold_at_work(broker, worker, backlog)
    broker.stop(chance.choice((signal.SIGTERM, signal.SIGKILL)))
    gone = time.monotonic()
    time.sleep(min(HOLD_SECONDS, length / 2) if is_held else 0)
    os.kill(worker, signal.SIGCONT)
    play(2)
    time.sleep(max(0.0, gone + length - time.monotonic()))
    broker.start()
    settled = until(lambda: not owed(), log)
    app.send_task("tournaments.tasks.sweep_readings")
    heard = settled + until(lambda: not messages_waiting(app), log)
    return {
        "seconds": round(length, 1),
        "backlog": backlog,
        "is_held": is_held,
        "settled": round(settled, 1),
        "heard": round(heard, 1),
        "is_same_worker": worker == worker_of(supervisor),
    }


def stop(worker: int) -> None:
    """Stop it, and wait until it has stopped: a signal takes its time."""
    os.kill(worker, signal.SIGSTOP)
    while state(worker) != "T":
        time.sleep(LOOK_SECONDS / 10)


def hold(worker: int) -> None:
    """Stop the worker at a moment when it holds no write lock of SQLite."""
    from django.conf import settings

    entry = settings.DATABASES["default"]
    while True:
        stop(worker)
        if "sqlite" not in entry["ENGINE"]:
            return
        with closing(sqlite3.connect(entry["NAME"], timeout=0)) as probe:
            try:
                probe.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                os.kill(worker, signal.SIGCONT)
                time.sleep(LOOK_SECONDS)
            else:
                return


def hold_at_work(broker: Broker, worker: int, backlog: int) -> None:
    """Stop the worker when it has taken messages and settled some: the others it will finish without its broker.

    As many as fill a window of eight, for that is what a worker never came back from.
    """
    while owed() > 0:
        os.kill(worker, signal.SIGSTOP)
        if owed() < backlog and broker.unacknowledged() >= min(WINDOW, backlog - 1):
            return
        os.kill(worker, signal.SIGCONT)
        time.sleep(LOOK_SECONDS / 4)
    os.kill(worker, signal.SIGSTOP)


def play(tables: int) -> None:
    """This many tables with a deal each: points are paid after every deal, so each sends a message."""
    from tests.builders.club_at_play import new_evening
    from tests.builders.playing import Playing, loses, show

    evening = new_evening()
    for _ in range(tables):
        Playing(row=evening.new_table()).deal(1, show, loses(60), loses(70), loses(80))


def owed() -> int:
    from django.db.models import F

    from tournaments.models import Scoresheet

    return Scoresheet.objects.filter(due_version__gt=F("settled_version")).count()


def complaints() -> list[str]:
    from tests.builders import proofs

    return proofs.complaints()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), [float(word) for word in sys.argv[4:]], Path(sys.argv[3]))
