"""Web processes and workers are replaced one after the other while people read and write, and nobody is refused.

Planted faults these catch: a web process that ends at once on SIGTERM; one that goes on taking connections after it has
been told to end; a proxy that keeps connections open, gives a process up for ten seconds, or repeats what was sent; a
socket that is closed while no web process runs; a worker that forgets a table it was about to settle.
"""

import http.client
import random
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.test import Client

from rummy_site.management.commands.serve import worker
from tests.builders.admin_tables import person, sheet
from tests.builders.club_at_play import Evening, new_evening
from tests.builders.nginx import in_front
from tests.builders.patience import PATIENCE
from tests.builders.proofs import complaints, is_settled, stored_versions
from tests.builders.served_site import ROOT, Phone, Site
from tournaments.models import Role

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
READERS, MANY_READERS, EACH_SECONDS = 8, 12, 0.1
PHONES = 2
CSRF = "c" * 32


class Crowd:
    """Who reads and writes through one port: every request, and every answer that is none or no success."""

    def __init__(self, port: int, evening: Evening, log: Path, *, readers: int = READERS) -> None:
        self._port, self._evening = port, evening
        self._site = Site(None, port, log)  # type: ignore[arg-type]
        self.answers: Counter[int] = Counter()
        self.failures: list[str] = []
        self.slowest = 0.0
        self._is_over = threading.Event()
        self._cookies = self._sign_in()
        slug, tournament = evening.club.slug, evening.tournament.slug
        pages = [
            f"/en-gb/c/{slug}/t/{tournament}/",
            evening.board_path,
            "/en-gb/",
            f"/c/{slug}/t/{tournament}/board.json",
        ]
        pages.append(f"/admin/tournaments/tournament/{evening.tournament.pk}/")
        self.phones = [
            Phone(self._site, evening.beside(), random.Random(number), deals=5, pause=0.2) for number in range(PHONES)
        ]
        self.table = evening.new_table()
        self.deals = 0
        self._threads = [threading.Thread(target=self._read, args=(pages,)) for _ in range(readers)]
        self._threads.append(threading.Thread(target=self._score))

    def start(self) -> None:
        for thread in [*self._threads, *self.phones]:
            thread.start()

    def finish(self) -> None:
        self._is_over.set()
        for thread in self._threads:
            thread.join(PATIENCE)
        for phone in self.phones:
            phone.finish()
            self.failures += [f"phone: {refusal.status}" for refusal in phone.refusals]

    def acknowledged(self) -> int:
        return sum(len(phone.acknowledged) for phone in self.phones)

    def _sign_in(self) -> str:
        """The cookies of a director's browser."""
        browser = Client()
        browser.force_login(person("dita", Role.DIRECTOR, self._evening.club))
        return f"{settings.SESSION_COOKIE_NAME}={browser.cookies[settings.SESSION_COOKIE_NAME].value}; csrftoken={CSRF}"

    def _read(self, paths: list[str]) -> None:
        for path in _again(paths, self._is_over):
            self._ask("GET", path, {200, 301, 302})
            time.sleep(EACH_SECONDS)

    def _score(self) -> None:
        """A scorer on the page of a table."""
        while not self._is_over.is_set():
            form = sheet(
                self.deals + 1, deal=self.deals + 1, key=f"{self.deals:032x}", s1="show", c2="30", c3="20", c4="10"
            )
            path = f"/admin/tournaments/table/{self.table.pk}/score/"
            if self._ask("POST", path, {302}, urlencode({**form, "csrfmiddlewaretoken": CSRF})):
                self.deals += 1
            time.sleep(EACH_SECONDS * 3)

    def _ask(self, method: str, path: str, expected: set[int], body: str | None = None) -> bool:
        headers = {"Cookie": self._cookies, "Authorization": ""} if path.startswith("/admin/") else {}
        headers |= {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        began = time.monotonic()
        try:
            with closing(http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)) as connection:
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.failures.append(f"{method} {path}: {error!r}")
            return False
        self.slowest = max(self.slowest, time.monotonic() - began)
        self.answers[answer.status] += 1
        if answer.status not in expected:
            self.failures.append(f"{method} {path}: {answer.status}")
        return answer.status in expected


def _again(paths: list[str], is_over: threading.Event) -> Iterator[str]:
    chance = random.Random(len(paths))
    while not is_over.is_set():
        yield chance.choice(paths)


class Unit:
    """A process as systemd runs it: SIGTERM, and a new one when it has ended."""

    def __init__(self, start: Callable[[], "subprocess.Popen[str]"], is_up: Callable[[], bool]) -> None:
        self._start, self._is_up = start, is_up
        self.process = start()
        self.wait()

    def wait(self) -> None:
        deadline = time.monotonic() + PATIENCE
        while not self._is_up():
            assert self.process.poll() is None, "it has ended"
            assert time.monotonic() < deadline
            time.sleep(0.1)

    def stop(self) -> float:
        """How many seconds it takes to end."""
        began = time.monotonic()
        self.process.terminate()
        self.process.wait(PATIENCE)
        return time.monotonic() - began

    def restart(self) -> float:
        seconds = self.stop()
        self.process = self._start()
        self.wait()
        return seconds


def is_ready(port: int, path: str = "/readyz") -> bool:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection:
        try:
            connection.request("GET", path)
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False


@contextmanager
def ended(unit: Unit) -> Iterator[Unit]:
    try:
        yield unit
    finally:
        unit.stop()


@pytest.fixture
def environment(site_environment: dict[str, str]) -> dict[str, str]:
    ours = {"API_WRITER_PER_MINUTE": "100000", "LOG_LEVEL": "WARNING", "SECRET_KEY": settings.SECRET_KEY}
    return {**site_environment, **ours}


def started(words: list[str], environment: dict[str, str], log: Path, **more: object) -> "subprocess.Popen[str]":
    with log.open("a") as file:
        return subprocess.Popen(words, cwd=ROOT, env=environment, stdout=file, stderr=file, text=True, **more)  # type: ignore[call-overload,no-any-return]


def listening_socket() -> socket.socket:
    held = socket.socket()
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind(("127.0.0.1", 0))
    held.listen(1024)
    return held


def port_of(held: socket.socket) -> int:
    return int(held.getsockname()[1])


def with_socket(
    held: socket.socket, command: list[str], environment: dict[str, str], log: Path
) -> "subprocess.Popen[str]":
    """A command of manage.py, which gets a socket as systemd gives it."""
    # The shell gets the number of the process that it becomes.
    words = ["bash", "-c", f'export LISTEN_PID=$$ LISTEN_FDS=1; exec 3<&{held.fileno()} "$@"', "bash"]
    return started([*words, sys.executable, "manage.py", *command], environment, log, pass_fds=[held.fileno()])


def is_whole(crowd: Crowd, evening: Evening) -> None:
    """Nobody was refused, and everything is in the log and the books once."""
    assert crowd.failures == [], crowd.answers
    assert crowd.deals
    acknowledged = {key: version for phone in crowd.phones for key, version in phone.acknowledged.items()}
    stored = stored_versions(evening.club)
    assert acknowledged.items() <= stored.items()
    # Beside the phones' events: those of the table with a scorer, and its opening.
    assert len(stored) == len(acknowledged) + crowd.deals + 1
    deadline = time.monotonic() + PATIENCE
    while not is_settled(evening.club):
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert complaints() == []


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("rounds", "pause"),
    [
        (1, 0),
        pytest.param(20, 0, marks=pytest.mark.slow(long=True), id="at once"),
        # Two cores that start programs all the time serve a quarter of what they serve with time between.
        pytest.param(5, 8, marks=pytest.mark.slow(long=True), id="under load"),
    ],
)
def test_nobody_is_refused_while_two_web_processes_and_the_worker_are_restarted_in_turn(
    environment: dict[str, str], tmp_path: Path, rounds: int, pause: int
):
    """Behind nginx as the example configures it, each web process as its units start it."""
    evening, log = new_evening(), tmp_path / "site.log"
    held = {port_of(listening): listening for listening in (listening_socket(), listening_socket())}
    ports = [*held]

    def web(port: int) -> Unit:
        words = ["serve", "--only", "web"]
        return Unit(lambda: with_socket(held[port], words, environment, log), lambda: is_ready(port))

    def is_settling() -> bool:
        return is_ready(ports[0], "/readyz?worker")

    folder = tmp_path / "nginx"
    example = "server 127.0.0.1:8000 max_fails=0;"
    ours = {example: " ".join(example.replace("8000", str(port)) for port in ports)}
    with ExitStack() as running:
        for listening in held.values():
            running.enter_context(listening)
        units = [running.enter_context(ended(web(port))) for port in ports]
        program = worker()
        units.append(
            running.enter_context(
                ended(
                    Unit(lambda: started([*program.command], {**environment, **program.environment}, log), is_settling)
                )
            )
        )
        ours["/var/lib/nginx/rummy"] = str(folder / "cache")
        front = running.enter_context(in_front("rummy-evening.conf", folder, ours))
        crowd = Crowd(front.port, evening, log, readers=MANY_READERS if pause else READERS)
        began, own = time.monotonic(), time.process_time()
        crowd.start()
        seconds = []
        for unit in units * rounds:
            seconds.append(unit.restart())
            time.sleep(pause)
        crowd.finish()
        took, own = time.monotonic() - began, time.process_time() - own
        assert max(seconds[0::3] + seconds[1::3]) < 8, f"{seconds}: a web process did not end by itself"
        is_whole(crowd, evening)
    total = sum(crowd.answers.values()) + crowd.acknowledged()
    print(f"{total} requests, {total / took:.0f} a second by {own / took:.0%} of a processor")
    print(f"{len(seconds)} restarts, slowest {crowd.slowest:.2f} s, {dict(crowd.answers)}")


def test_nobody_is_refused_while_one_machine_restarts_with_a_socket_that_systemd_holds(
    environment: dict[str, str], tmp_path: Path
):
    """Web, worker and supervisor end, and begin anew: who asks meanwhile waits."""
    evening, log = new_evening(), tmp_path / "site.log"
    with listening_socket() as held:
        port = port_of(held)
        unit = Unit(lambda: with_socket(held, ["serve"], environment, log), lambda: is_ready(port, "/readyz?worker"))
        with ended(unit):
            crowd = Crowd(port, evening, log)
            crowd.start()
            time.sleep(1)
            seconds = unit.restart()
            time.sleep(1)
            crowd.finish()
            is_whole(crowd, evening)
    assert seconds < 8, "a web process did not end by itself"
    print(f"{sum(crowd.answers.values()) + crowd.acknowledged()} requests, slowest {crowd.slowest:.2f} s")
