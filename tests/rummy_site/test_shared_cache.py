"""`CACHE_URL`: what processes share on a Valkey, and what happens while it is away or when it comes back empty."""

import random
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import redis
import time_machine
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.test import Client, override_settings
from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from rummy_site.environment import cache
from rummy_site.operations.doctor import Level, examine
from rummy_site.settings import CACHES
from rummy_site.shared_cache import AWAY_SECONDS, SharedCache
from tests.builders.club_at_play import new_evening
from tests.builders.proofs import stored_versions
from tests.builders.public_tables import a_club, a_tournament, address, seat
from tests.builders.served_site import Phone, Site, serving
from tests.builders.signed_in import signed_in
from tests.builders.waiting import wait_for_more
from tests.plugins import valkey
from tests.plugins.servers import Server
from tournaments.models import Role, Tournament
from tournaments.web.api.throttling import AddressThrottle
from tournaments.web.public.boards import boards

pytestmark = pytest.mark.django_db
# On a machine that is busy with other tests.
LONGEST_LOOK_SECONDS = 10


@pytest.fixture
def tournament() -> Tournament:
    tournament = a_tournament(a_club())
    seat(tournament).deal("show", 34, 12, "first_drop")
    return tournament


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server("valkey")
    valkey.start(server)
    yield server
    server.stop()


@pytest.fixture
def shared(server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The caches of this process on the server."""
    monkeypatch.setattr(SharedCache, "asks_again_at", 0.0)
    both = {name: cache(name, _address(server), entries=900) for name in ("default", "answers")}
    with override_settings(CACHES={**CACHES, **both}, CACHE_URL=_address(server)):
        yield


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_a_process_sends_what_another_one_made(client: Client, tournament: Tournament, monkeypatch: pytest.MonkeyPatch):
    """A cache of another thread stands for that of another process: neither has anything but the connection."""
    first = client.get(address(tournament))
    del caches["answers"]
    monkeypatch.setattr(boards, "board_context", lambda *_: pytest.fail("made again"))
    again = client.get(address(tournament))
    assert (again.content, again["ETag"]) == (first.content, first["ETag"])


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_processes_count_a_limit_together(monkeypatch: pytest.MonkeyPatch):
    """Planted fault: counts of each process alone, of which two let twice as many pass."""
    monkeypatch.setitem(SimpleRateThrottle.THROTTLE_RATES, "address", "3/min")
    answers = []
    with time_machine.travel(now(), tick=False):
        for _ in range(4):
            answers.append(AddressThrottle().allow_request(Request(HttpRequest()), None))
            del caches["default"]
    assert answers == [True, True, True, False]


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_while_the_cache_is_away_a_process_has_its_own_and_nobody_waits(
    client: Client, tournament: Tournament, server: Server, monkeypatch: pytest.MonkeyPatch
):
    """Planted faults: a failing cache that fails the page; every request makes its answer again, or waits again."""
    first = client.get(address(tournament))
    server.kill()
    began = time.monotonic()
    assert [client.get(address(tournament, view)).status_code for view in ("", "board/", "board.json")] == [200] * 3
    monkeypatch.setattr(boards, "board_context", lambda *_: pytest.fail("made again"))
    assert client.get(address(tournament)).content == first.content
    assert time.monotonic() - began < 5
    assert [finding.level for finding in examine(now=now()) if finding.subject == "cache"] == [Level.WARNING]
    caches["default"].add("tries", 0)
    assert [caches["default"].incr("tries") for _ in range(2)] == [1, 2]


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
def test_a_cache_that_is_full_is_told_and_each_process_has_its_own(server: Server):
    """Planted fault: one that answers and takes nothing is called well."""
    there = redis.Redis(unix_socket_path=f"{server.folder}/data/valkey.sock")
    there.config_set("maxmemory-policy", "noeviction")
    there.config_set("maxmemory", 1)
    assert [finding.level for finding in examine(now=now(), only={"cache"})] == [Level.WARNING]
    caches["default"].set("a", "made here")
    assert caches["default"].get("a") == "made here"


@pytest.mark.parametrize("odd", ["valkey.example", "http://localhost", "locmem://"])
def test_an_address_of_no_such_server_is_refused_by_name(odd: str):
    with pytest.raises(ImproperlyConfigured, match="CACHE_URL"):
        cache("answers", odd, entries=9)


def test_without_an_address_each_process_has_a_bounded_one():
    """Where nothing would end, a name that was erased would stay in the process."""
    own = cache("answers", "", entries=900)
    assert own["BACKEND"].endswith("LocMemCache")
    assert (own["TIMEOUT"], own["OPTIONS"]["MAX_ENTRIES"]) == (600, 900)


@pytest.mark.slow
def test_two_processes_serve_on_while_the_cache_is_killed_and_comes_back_empty(
    server: Server, site_environment: dict[str, str], tmp_path: Path, settings: Any
):
    """Planted faults: sessions in the cache, which end with it, or are still there after their owner signed out while
    it was away; a session's key in what it stores.
    """
    evening = new_evening()
    client = signed_in(evening.club, Role.DIRECTOR)
    User.objects.filter(username="sam").update(is_staff=True)
    session = client.cookies["sessionid"].value
    cookie: dict[str, Any] = {"Cookie": f"sessionid={session}"}
    shared_site = {"CACHE_URL": _address(server), "WEB_WORKERS": "2", "SECRET_KEY": settings.SECRET_KEY}
    with serving({**site_environment, **shared_site, "API_WRITER_PER_MINUTE": "100000"}, tmp_path) as site:
        phones = [Phone(site, evening.beside(), random.Random(number)) for number in range(2)]
        looks = Looks(site, [(evening.board_path, {}), ("/admin/", cookie)])
        for thread in (looks, *phones):
            thread.start()
        wait_for_more(phones)
        server.kill()
        wait_for_more(phones)
        valkey.start_again(server, server.folder / "data")
        time.sleep(AWAY_SECONDS)
        wait_for_more(phones)
        stored = _stored(server)
        for phone in phones:
            phone.finish()
        looks.finish()
        server.kill()
        Session.objects.all().delete()
        valkey.start_again(server, server.folder / "data")
        signed_out = {site.ask("GET", "/admin/", **cookie).status for _ in range(10)}
    assert not any(phone.refusals for phone in phones)
    assert phones[0].acknowledged | phones[1].acknowledged == stored_versions(evening.club)
    assert b"throttle_" in stored
    assert session.encode() not in stored
    assert signed_out == {302}


class Looks(threading.Thread):
    """Somebody who looks at pages again and again, each with its headers: every one is there, within two seconds."""

    def __init__(self, site: Site, pages: Sequence[tuple[str, dict[str, Any]]]) -> None:
        super().__init__(daemon=True)
        self._site, self._pages, self._ending = site, pages, threading.Event()
        self._statuses: Counter[int] = Counter()
        self._longest = 0.0

    def run(self) -> None:
        while not self._ending.wait(0.05):
            for path, headers in self._pages:
                began = time.monotonic()
                self._statuses[self._site.ask("GET", path, **headers).status] += 1
                self._longest = max(self._longest, time.monotonic() - began)

    def finish(self) -> None:
        self._ending.set()
        self.join()
        assert set(self._statuses) == {200}, self._statuses
        assert self._longest < LONGEST_LOOK_SECONDS


def _address(server: Server) -> str:
    return f"unix://{server.folder}/data/valkey.sock"


def _stored(server: Server) -> bytes:
    """Everything that lies there, keys and values."""
    there: Any = redis.Redis(unix_socket_path=f"{server.folder}/data/valkey.sock")
    return b" ".join(part for key in there.scan_iter() for part in (key, there.get(key) or b""))
