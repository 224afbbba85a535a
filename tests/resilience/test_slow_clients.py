"""Promise 20 on a served site: clients that send half a request, or do not read, keep no reader waiting."""

import random
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from rummy_site.management.commands.serve import HEADER_SECONDS
from rummy_site.server.reception import LINGER_SECONDS
from rummy_site.server.requests import LIMITS
from tests.builders.board_times import board_paths, board_time, shown_within
from tests.builders.club_at_play import Evening, deal, new_evening
from tests.builders.every_address import BROKEN, SITES_OWN, of_the_api, public
from tests.builders.served_site import Site, serving
from tests.builders.slow_clients import slow_clients, slowest, unreading_clients
from tests.builders.two_clubs import objects_of

# A waiting client holds a thread and a connection of the web server, not the database.
pytestmark = pytest.mark.django_db(transaction=True)
# A machine that is busy with other tests starts a thread or a timer late, and a client takes a step each second.
GRACE_SECONDS = 10
# Who waits for a slow client waits until it is ended.
SHOWN_WITHIN = shown_within(LIMITS.seconds / 2)
LARGE = "/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"


@pytest.fixture
def evening() -> Evening:
    return new_evening()


@pytest.fixture
def site(evening: Evening, site_environment: dict[str, str], tmp_path: Path) -> Iterator[Site]:
    with serving({**site_environment, "LOG_LEVEL": "WARNING"}, tmp_path) as site:
        for path in board_paths(evening):
            assert site.ask("GET", path).status == 200
        yield site


def test_beside_clients_that_send_half_or_read_nothing_everybody_else_is_answered(site: Site, evening: Evening):
    """More of each than there are threads; readers and a writer are answered before the first of them is ended.

    Planted faults it catches: the body read in the thread that answers; a thread that waits until the client has taken
    its answer.
    """
    paths = board_paths(evening)
    write = deal(evening.new_table().id, 1, random.Random(1))
    with slow_clients(site.port, 64) as clients, unreading_clients(site.port, [LARGE, paths[0]], 64):
        assert site.send(write, evening.secret).status == 201
        assert [site.ask("GET", path).status for path in paths] == [200, 200, 200]
        assert any(client.ended_after is None for client in clients if "form" in client.kind)


@pytest.mark.parametrize(
    "count", [pytest.param(64, marks=pytest.mark.slow), pytest.param(600, marks=pytest.mark.slow(long=True))]
)
def test_half_sent_requests_keep_nobody_waiting_and_are_ended(site: Site, evening: Evening, count: int):
    """Planted faults it catches: the body read in the thread that answers; a limit for each pause instead of the
    whole body; no limit for a connection that says nothing; writers and readers in one pool.
    """
    table, longest = evening.new_table(), 0.0
    with slow_clients(site.port, count) as clients:
        write = deal(table.id, 1, random.Random(1))
        assert site.send(write, evening.secret).status == 201
        patience = max(HEADER_SECONDS, LIMITS.seconds + LINGER_SECONDS) + GRACE_SECONDS
        deadline = time.monotonic() + patience
        while any(client.ended_after is None for client in clients) and time.monotonic() < deadline:
            longest = max(longest, board_time(site, evening))
            time.sleep(0.3)
    assert longest < SHOWN_WITHIN
    assert [client.kind for client in clients if client.ended_after is None] == []
    forms = [client.answer for client in clients if "form" in client.kind]
    assert {answer.partition(b"\r\n")[0] for answer in forms} == {b"HTTP/1.1 408 Request Timeout"}


@pytest.mark.parametrize(
    "count", [pytest.param(64, marks=pytest.mark.slow), pytest.param(300, marks=pytest.mark.slow(long=True))]
)
def test_clients_that_do_not_read_keep_nobody_waiting(site: Site, evening: Evening, count: int):
    """Planted fault it catches: a thread that waits until the client has taken its answer."""
    with unreading_clients(site.port, [LARGE, board_paths(evening)[0]], count):
        time.sleep(2)
        end = time.monotonic() + 5
        # Each of them has a page rendered at any time, and a reader takes turns with all of them.
        share = SHOWN_WITHIN * count / 64
        assert slowest(lambda: board_time(site, evening), until=lambda: time.monotonic() > end) < 2 * share
        assert board_time(site, evening) < share


@pytest.mark.slow
def test_a_body_that_is_too_large_is_answered_before_the_connection_ends(site: Site, evening: Evening):
    """The client sends all of it before it listens; the answer is there, and says how much is taken.

    Planted fault it catches: the connection closed with unread data, so that a reset discards the answer.
    """
    write = deal(evening.new_table().id, 1, random.Random(1))
    write.body["event"]["note"] = "x" * 5_000_000
    answer = site.send(write, evening.secret)
    assert (answer.status, answer.json["code"]) == (413, "too_large")
    assert "262144" in answer.json["detail"]
    assert answer.headers["connection"] == "close"


@pytest.mark.slow
def test_three_hundred_who_ask_for_the_dearest_address_and_hang_up_keep_nobody_waiting(site: Site, evening: Evening):
    """Of all public addresses of a tournament, by what each costs the second time.

    Planted faults it catches: a picture drawn, or the description of the API made, for each request; requests worked
    off although their clients have hung up.
    """
    evening.new_table()
    costs, around = {}, objects_of(evening.club, evening.tournament, random.Random(1))
    for path in [*SITES_OWN, *public(around), *of_the_api(around)]:
        site.ask("GET", path)
        began = time.monotonic()
        assert site.ask("GET", path).status < BROKEN, path
        costs[path] = time.monotonic() - began
    dearest = max(costs, key=costs.__getitem__)
    for _ in range(300):
        with socket.create_connection(("127.0.0.1", site.port)) as connection:
            connection.sendall(f"GET {dearest} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    assert board_time(site, evening) < SHOWN_WITHIN / 2, dearest
