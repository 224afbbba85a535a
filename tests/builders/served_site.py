"""A really served site, as `manage.py serve` runs it, and phones that talk to it over HTTP."""

import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.builders.club_at_play import Evening, Write, close, deal, opening
from tests.builders.patience import PATIENCE
from tests.builders.processes import called, family, is_alive, parent

ROOT = Path(__file__).resolve().parents[2]
# The supervisor's backoff is not made for a process killed every second; nothing else is changed.
IMPATIENT = """
from rummy_site.operations import serving, supervisor
supervisor.FIRST_DELAY_SECONDS, supervisor.WELL_AFTER_SECONDS = 0.1, 0.5
serving.main()
"""
SERVE = f"""
import sys
from django.core.management import execute_from_command_line
from rummy_site.operations import serving
serving.KEEPER = (sys.executable, "-c", {IMPATIENT!r})
execute_from_command_line(["manage.py", "serve", "--port", sys.argv[1]])
"""


class NoAnswer(Exception):
    """The connection was refused, broke, or stayed silent."""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Site:
    """Web, worker and the supervisor that keeps them."""

    def __init__(self, process: subprocess.Popen[str], port: int, log: Path) -> None:
        self.process = process
        self.port = port
        self.log = log

    def ask(self, method: str, path: str, *, body: Any = None, timeout: float = PATIENCE, **headers: Any) -> Answer:
        """One request on a connection of its own. Raises NoAnswer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        try:
            sent = None if body is None else json.dumps(body)
            connection.request(method, path, sent, {"Content-Type": "application/json", **headers})
            answer = connection.getresponse()
            return Answer(answer.status, {name.lower(): said for name, said in answer.getheaders()}, answer.read())
        except (OSError, http.client.HTTPException) as error:
            raise NoAnswer from error
        finally:
            connection.close()

    def send(self, write: Write, secret: str) -> Answer:
        """A phone's write."""
        headers: dict[str, Any] = {"Idempotency-Key": write.key, "Authorization": f"Bearer {secret}"}
        return self.ask("POST", write.path, body=write.body, **headers)

    def is_open(self) -> bool:
        try:
            return self.ask("GET", "/readyz?worker", timeout=30).status == 200
        except NoAnswer:
            return False

    def until(self, is_so: Callable[[], bool], *, patience: float = PATIENCE) -> None:
        deadline = time.monotonic() + patience
        while not is_so():
            assert time.monotonic() < deadline, self.log.read_text()[-4000:]
            time.sleep(0.1)

    def programs(self) -> dict[str, int]:
        """What may be killed now, by name: the web server, the process in it that answers, and the worker."""
        found: dict[str, int] = {}
        for number in family(self.process.pid):
            try:
                words = called(number)
                boss = parent(number)
            except (FileNotFoundError, ProcessLookupError):
                continue
            if boss == self.process.pid and "celery" in words:
                found["worker"] = number
            elif boss == self.process.pid and "granian" in words:
                found["web"] = number
            elif "spawn_main" in words or ("granian" in words and boss != self.process.pid):
                found["answering"] = number
        return {name: number for name, number in found.items() if is_alive(number)}


@contextmanager
def serving(environment: dict[str, str], folder: Path, *, code: Path = ROOT) -> Iterator[Site]:
    """The site of this code, open for as long as the block lasts; afterwards nothing of it is left."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    log = folder / "serve.log"
    with log.open("w") as file:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVE, str(port)], cwd=code, env=environment, stdout=file, stderr=file, text=True
        )
    try:
        site = Site(process, port, log)
        site.until(site.is_open)
        yield site
    finally:
        everybody = family(process.pid)
        process.send_signal(signal.SIGINT)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        for number in filter(is_alive, everybody):
            os.kill(number, signal.SIGKILL)


@dataclass
class Phone(threading.Thread):
    """Plays table after table until told to stop, and sends each event until it is acknowledged."""

    site: Site
    state: Evening
    chance: random.Random
    acknowledged: dict[str, int] = field(default_factory=dict)
    refusals: list[Answer] = field(default_factory=list)
    deals: int = 6
    pause: float = 0.1

    def __post_init__(self) -> None:
        super().__init__(daemon=True)
        self.stopping = threading.Event()
        self.failure: Exception | None = None

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        try:
            self._play()
        except Exception as error:  # noqa: BLE001 - whatever it is, it has to reach the test
            self.failure = error

    def finish(self, *, patience: float = PATIENCE) -> None:
        """Let the current table be played to its end."""
        self.stopping.set()
        self.join(patience)
        assert not self.is_alive(), self.site.log.read_text()[-4000:]
        if self.failure:
            raise self.failure

    def _play(self) -> None:
        round_number = 0
        while not self.stopping.is_set():
            round_number += 1
            table = self._insist(opening(self.state, round_number)).json["id"]
            for number in range(1, self.deals + 1):
                self._insist(deal(table, number, self.chance))
                time.sleep(self.pause)
            self._insist(close(table, self.deals))

    def _insist(self, write: Write) -> Answer:
        """Send it until it is acknowledged. Only a missing answer and "try again later" are met with a resend."""
        while True:
            try:
                answer = self.site.send(write, self.state.secret)
            except NoAnswer:
                time.sleep(0.1)
                continue
            if answer.status == 201:
                self.acknowledged[write.key] = answer.json["version"]
                return answer
            if answer.status not in (429, 503):
                raise AssertionError(f"{answer.status}: {answer.body[:500]!r} for {write}")
            self.refusals.append(answer)
            time.sleep(min(float(answer.headers.get("retry-after", "1")), 0.3))
