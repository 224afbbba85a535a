"""A real nginx with the shipped example, as a cache in front of the site: one request to the site for each change."""

import http.client
import random
import socket
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from tests.builders.club_at_play import Evening, deal, new_evening
from tests.builders.nginx import Front, in_front
from tests.builders.patience import PATIENCE
from tests.builders.served_site import Site, serving

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]
LANGUAGES = ("de", "hi;q=0.8, en", "en-GB,en;q=0.5", "fr", "*", "")
ENCODINGS = ("gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8", "identity", "deflate , gzip", "")
COOKIES = ("django_language=hi", "sessionid=abc", "a=b; django_language=de", "_ga=GA1.2.3", "")


@pytest.fixture
def evening() -> Evening:
    return new_evening()


@pytest.fixture
def site(evening: Evening, site_environment: dict[str, str], tmp_path: Path) -> Iterator[Site]:
    with serving({**site_environment, "LOG_LEVEL": "WARNING"}, tmp_path) as site:
        yield site


@pytest.fixture
def front(site: Site, tmp_path: Path) -> Iterator[Front]:
    folder = tmp_path / "nginx"
    ours = {"127.0.0.1:8000": f"127.0.0.1:{site.port}", "/var/lib/nginx/rummy": str(folder / "cache")}
    with in_front("rummy-evening.conf", folder, ours) as front:
        yield front


def _shows_another(front: Front, path: str, seen: set[bytes]) -> bool:
    """Whether the cache has a newer board than those seen so far; it is then added to them."""
    body, before = front.get(path)[1], len(seen)
    seen.add(body)
    return len(seen) > before


def spelt(chance: random.Random) -> dict[str, Any]:
    """The headers of one more browser."""
    said = {"Accept-Language": chance.choice(LANGUAGES), "Accept-Encoding": chance.choice(ENCODINGS)}
    said |= {"Cookie": chance.choice(COOKIES), "User-Agent": f"browser/{chance.random()}"}
    return {name: value for name, value in said.items() if value}


def test_a_web_machine_that_is_switched_off_is_passed_over(site: Site, tmp_path: Path):
    """Planted fault: a proxy that takes silence for an answer, and refuses half of all requests."""
    with socket.create_server(("127.0.0.1", 0), backlog=0) as silent:
        # One connection waits to be taken; the kernel answers no other.
        taken = socket.create_connection(silent.getsockname())
        example, folder = "server 127.0.0.1:8000 max_fails=0;", tmp_path / "nginx"
        both = " ".join(example.replace("8000", str(port)) for port in (silent.getsockname()[1], site.port))
        ours = {example: both, "/var/lib/nginx/rummy": str(folder / "cache")}
        with in_front("rummy-evening.conf", folder, ours) as front:
            for method, status in (("GET", 200), ("POST", 403)):
                with closing(http.client.HTTPConnection("127.0.0.1", front.port, timeout=PATIENCE)) as connection:
                    for _ in range(2):
                        connection.request(method, "/admin/login/")
                        answer = connection.getresponse()
                        answer.read()
                        assert answer.status == status
        taken.close()


@pytest.mark.parametrize("count", [400, pytest.param(10_000, marks=pytest.mark.slow(long=True))])
def test_the_site_answers_once_for_each_change_however_a_question_is_spelt(
    front: Front, site: Site, evening: Evening, count: int
):
    """Planted faults: `Vary: Cookie, Accept-Language` kept by the cache; no lock for simultaneous requests."""
    bare = f"/c/{evening.club.slug}/t/{evening.tournament.slug}/"
    paths = [*(f"/{code}{bare}" for code, _ in settings.LANGUAGES), f"{bare}board.json", f"{bare}embed/"]
    table, chance, began, changes = evening.new_table(), random.Random(count), time.monotonic(), 4
    seen: dict[str, set[bytes]] = {path: set() for path in paths}
    for number in range(1, changes + 1):
        assert site.send(deal(table.id, number, chance), evening.secret).status == 201
        for path in paths:
            site.until(partial(_shows_another, front, path, seen[path]))
        latest = {path: front.get(path)[1] for path in paths}
        for _ in range(count // changes):
            path = chance.choice(paths)
            status, body, said = front.get(path, **spelt(chance))
            assert (status, said["cache-control"]) == (200, "public, no-cache")
            if said.get("content-encoding", "identity") == "identity":
                assert body == latest[path]
    seconds = time.monotonic() - began
    for path in paths:
        asked = front.asked(path)
        # Each board was seen, and after a newer one none of the earlier ones.
        assert len(seen[path]) == changes
        assert changes <= asked["200"] <= changes + 1, (path, asked)
        assert asked["304"] <= seconds + 1, (path, asked)
        assert set(asked) <= {"200", "304"}


def test_moments_of_the_past_take_no_place_and_the_last_board_is_shown_while_the_site_is_away(
    front: Front, site: Site, evening: Evening
):
    """What is for one visitor is kept by nobody either."""
    bare = f"/c/{evening.club.slug}/t/{evening.tournament.slug}/"
    for at in range(40):
        assert front.get(f"{bare}board.json?at={at * 250}")[0] in (200, 400)
    for path in (bare, "/admin/login/", f"/c/nobody/t/{evening.tournament.slug}/board.json"):
        assert front.get(path)[0] in (200, 302, 404)
        front.get(path)
    assert [each for each in (front.folder / "cache").rglob("*") if each.is_file()] == []
    shown = front.get(f"/de{bare}")[1]
    site.process.terminate()
    site.process.wait(PATIENCE)
    time.sleep(1.5)
    for _ in range(3):
        status, body, _ = front.get(f"/de{bare}")
        assert (status, body) == (200, shown)
