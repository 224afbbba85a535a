"""Promise 17 on a served site: the disk fills, database and broker are restarted, while three phones write."""

import os
import random
import resource
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tests.builders.club_at_play import Evening, new_evening
from tests.builders.patience import PATIENCE
from tests.builders.processes import family
from tests.builders.proofs import complaints, is_settled, stored_versions
from tests.builders.served_site import Answer, NoAnswer, Phone, Site, serving
from tests.plugins import postgres, valkey
from tests.plugins.servers import Server

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
PHONES = 3
ENOUGH = 4
TABLES_WITHOUT_BELLS = 10
# Below the present size of every file of the database, so that nothing can be added to any of them.
NO_ROOM_BYTES = 4_096


@pytest.fixture
def evening() -> Evening:
    return new_evening()


@pytest.fixture
def site(evening: Evening, site_environment: dict[str, str], tmp_path: Path) -> Iterator[Site]:
    limits = {"API_WRITER_PER_MINUTE": "100000", "LOG_LEVEL": "WARNING"}
    with serving({**site_environment, **limits}, tmp_path) as site:
        yield site


@pytest.fixture
def phones(site: Site, evening: Evening) -> list[Phone]:
    seed = random.randrange(2**32)
    phones = [Phone(site, evening.beside(), random.Random(seed + number)) for number in range(PHONES)]
    for phone in phones:
        phone.start()
    return phones


def refusals(phones: list[Phone]) -> list[Answer]:
    return [answer for phone in phones for answer in phone.refusals]


def wait_for_more(phones: list[Phone], count: Callable[[list[Phone]], int]) -> None:
    """Wait until there is clearly more of something than now."""
    wanted = count(phones) + ENOUGH
    phones[0].site.until(lambda: count(phones) >= wanted or any(phone.failure for phone in phones))


def acknowledged(phones: list[Phone]) -> int:
    return sum(len(phone.acknowledged) for phone in phones)


def refused(phones: list[Phone]) -> int:
    return len(refusals(phones))


def assert_plainly_told(answers: list[Answer]) -> None:
    """Each refusal is a problem document that says when to come back."""
    assert answers
    assert {answer.status for answer in answers} == {503}
    assert {answer.headers["content-type"] for answer in answers} == {"application/problem+json"}
    assert {answer.json["code"] for answer in answers} == {"unavailable"}
    assert all(int(answer.headers["retry-after"]) > 0 for answer in answers)


def assert_nothing_is_lost(phones: list[Phone], evening: Evening, site: Site) -> None:
    for phone in phones:
        phone.finish()
    site.until(lambda: is_settled(evening.club))
    expected = {key: version for phone in phones for key, version in phone.acknowledged.items()}
    assert stored_versions(evening.club) == expected
    assert complaints() == []


def page_paths(evening: Evening) -> list[str]:
    page = f"/en-gb/c/{evening.club.slug}/t/{evening.tournament.slug}/"
    return [page, f"{page}board/", evening.board_path]


@contextmanager
def no_room(site: Site) -> Iterator[None]:
    """No file of the site may grow: the kernel then raises the error of a disk quota."""
    programs = site.programs()
    before = {number: resource.prlimit(number, resource.RLIMIT_FSIZE) for number in programs.values()}
    for number, (_, hard) in before.items():
        resource.prlimit(number, resource.RLIMIT_FSIZE, (NO_ROOM_BYTES, hard))
    try:
        yield
    finally:
        for number, limits in before.items():
            resource.prlimit(number, resource.RLIMIT_FSIZE, limits)


@pytest.fixture
def _own_files() -> None:
    """Checked first, so that no site is started in vain."""
    if connection.vendor != "sqlite":
        pytest.skip("the files belong to the database server here; test_outages plays its answer")


@pytest.mark.usefixtures("_own_files")
def test_a_disk_that_fills_during_play_is_told_and_everything_goes_on_when_there_is_room(
    phones: list[Phone], evening: Evening, site: Site
):
    """Planted faults it catches: 500 for a disk error; a connection that stays broken after one; a board that needs
    to write.
    """
    wait_for_more(phones, acknowledged)
    with no_room(site):
        wait_for_more(phones, refused)
        assert [site.ask("GET", path).status for path in page_paths(evening)] == [200, 200, 200]
    wait_for_more(phones, acknowledged)
    assert_plainly_told(refusals(phones))
    assert_nothing_is_lost(phones, evening, site)


@contextmanager
def away(server: Server, how: signal.Signals, is_up: Callable[[], bool]) -> Iterator[None]:
    """The server is stopped for the length of the block."""
    assert server.process is not None
    command: Any = server.process.args
    server.process.send_signal(how)
    server.process.wait(PATIENCE)
    try:
        yield
    finally:
        server.start(command, is_up=is_up)


@pytest.fixture
def servers(pytestconfig: pytest.Config) -> tuple[Server, Server]:
    """The PostgreSQL and the Valkey of this run, if the run started them."""
    plugins = [pytestconfig.pluginmanager.get_plugin(f"rummy-{name}") for name in ("postgres", "valkey")]
    found = [plugin._server for plugin in plugins if plugin and plugin._server]
    if len(found) != 2:
        pytest.skip("this run has no database server and broker of its own to restart")
    return found[0], found[1]


@pytest.mark.parametrize(
    "how",
    [
        pytest.param(signal.SIGQUIT, id="crashed"),
        pytest.param(signal.SIGINT, id="restarted", marks=pytest.mark.slow(long=True)),
    ],
)
def test_database_and_broker_that_are_restarted_during_play_lose_nothing(
    servers: tuple[Server, Server], phones: list[Phone], evening: Evening, site: Site, how: signal.Signals
):
    """The database goes and comes back, then the broker, which forgets every message it had.

    Planted faults it catches: 500 for a lost connection; a health check that waits for the database three
    times over; a settlement that only a message would have made.
    """
    database, broker = servers
    wait_for_more(phones, acknowledged)
    connection.close()
    with away(database, how, lambda: postgres._answers(database.folder / "run")):
        wait_for_more(phones, refused)
        page = site.ask("GET", page_paths(evening)[0])
        assert (page.status, page.headers["retry-after"]) == (503, "5")
        assert "Service unavailable" in page.body.decode()
        ready: Any = site.ask("GET", "/readyz")
        assert (ready.status, ready.json["checks"]["database"]["ok"]) == (503, False)
        assert ready.json["checks"]["worker"] == {"ok": False, "problem": "no database"}
    wait_for_more(phones, acknowledged)
    with away(broker, signal.SIGINT, lambda: valkey._answers(broker.folder / "data" / "valkey.sock")):
        for _ in range(TABLES_WITHOUT_BELLS):
            wait_for_more(phones, acknowledged)
    assert_plainly_told(refusals(phones))
    assert_nothing_is_lost(phones, evening, site)


@contextmanager
def hung(server: Server) -> Iterator[None]:
    """No process of the server does anything for the length of the block, as on a machine that is paused."""
    assert server.process is not None
    # It first: a process of a connection may end meanwhile, and then none begins.
    server.process.send_signal(signal.SIGSTOP)
    everybody = family(server.process.pid)
    try:
        _send(everybody, signal.SIGSTOP)
        yield
    finally:
        _send(everybody, signal.SIGCONT)


def _send(processes: list[int], what: signal.Signals) -> None:
    for number in processes:
        with suppress(ProcessLookupError):
            os.kill(number, what)


@pytest.mark.postgres
def test_a_database_that_hangs_is_told_to_all_who_get_no_connection_and_goes_on(
    servers: tuple[Server, Server], evening: Evening, site_environment: dict[str, str], tmp_path: Path
):
    """Who had a connection waits: nobody can say whether what was sent is stored."""
    limits = {"API_WRITER_PER_MINUTE": "100000", "LOG_LEVEL": "WARNING", "DATABASE_POOL_MAX": "2"}
    with serving({**site_environment, **limits}, tmp_path) as site:
        phone = Phone(site, evening.beside(), random.Random(3))
        phone.start()
        wait_for_more([phone], acknowledged)
        connection.close()
        told: list[Answer] = []

        def is_told() -> bool:
            with suppress(NoAnswer):
                told.append(site.ask("GET", evening.board_path, timeout=8))
            return bool(told)

        with hung(servers[0]):
            site.until(is_told)
            assert_plainly_told(told)
            assert site.ask("GET", "/healthz").status == 200
        wait_for_more([phone], acknowledged)
        assert_nothing_is_lost([phone], evening, site)
