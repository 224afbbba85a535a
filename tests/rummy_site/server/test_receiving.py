"""What granian passes on becomes a request of the site: whole, bounded, and always answered."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import pytest

from rummy_site.middleware.failures import RefusalReason
from rummy_site.server import reception as reception_module
from rummy_site.server.reception import Pool, Pools, Reception
from rummy_site.server.requests import LARGE_BYTES, LIMITS, Answer, Limits
from tournaments.web.api.bodies import MOST_BYTES

FEW = Limits(seconds=1, most_in=100_000, most_out=2 * LARGE_BYTES, doors=(("/api/", 1_000), ("", 200_000)))


@dataclass
class Headers:
    lines: dict[str, list[str]]

    def keys(self) -> list[str]:
        return list(self.lines)

    def get_all(self, key: str) -> list[str]:
        return self.lines[key]


@dataclass
class Asked:
    """A request as granian describes it."""

    path: str = "/"
    method: str = "POST"
    lines: dict[str, list[str]] = field(default_factory=dict)
    proto: str = "http"
    http_version: str = "1.1"
    client: str = "10.1.2.3:5555"
    server: str = "127.0.0.1:8000"
    scheme: str = "http"
    query_string: str = ""
    authority: str | None = None

    @property
    def headers(self) -> Headers:
        return Headers(self.lines)


@dataclass
class Connection:
    """What the client sends, and its answer."""

    chunks: Iterable[bytes] = ()
    pause: float = 0.0
    answers: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)
    is_read: asyncio.Event = field(default_factory=asyncio.Event)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self.chunks:
            await asyncio.sleep(self.pause)
            yield chunk
        yield b""

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.answers.append((status, dict(headers), body))

    async def client_disconnect(self) -> None:
        await self.is_read.wait()


def echo(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
    start_response("200 OK", [])
    return [environ["wsgi.input"].read(), str(environ.get("HTTP_X_FORWARDED_FOR")).encode()]


def reception(site: Any = echo, *, writers: int = 1, waiting: int = 0) -> Reception:
    pools = Pools(Pool("reader", threads=2, most_waiting=9), Pool("writer", threads=writers, most_waiting=waiting))

    def refuse(environ: dict[str, Any], reason: RefusalReason, number: int) -> Answer:
        return Answer(400, [], f"{reason} {number}".encode())

    return Reception(site, refuse, limits=FEW, pools=pools)


def run_alone(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run it in a thread of its own: a browser that an earlier test opened keeps an event loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, coroutine).result()


def answered(asked: Asked, connection: Connection) -> tuple[int, dict[str, str], bytes]:
    run_alone(reception().__rsgi__(asked, connection))
    (answer,) = connection.answers
    return answer


@pytest.mark.parametrize("name", ["content-length", "transfer-encoding"])
def test_a_body_arrives_whole_however_it_is_sent(name: str):
    """Planted fault it catches: a chunked body, without a length, read as empty."""
    asked = Asked(lines={name: ["6" if name == "content-length" else "chunked"]})
    assert answered(asked, Connection([b"ab", b"cd", b"ef"])) == (200, {}, b"abcdefNone")


def test_a_header_with_an_underscore_does_not_pass_for_its_twin():
    """Planted fault it catches: `x_forwarded_for` trusted as `X-Forwarded-For`, which a proxy sets."""
    lines = {"x-forwarded-for": ["192.0.2.1"], "x_forwarded_for": ["6.6.6.6"]}
    assert answered(Asked(method="GET", lines=lines), Connection())[2] == b"192.0.2.1"


@pytest.mark.parametrize(
    ("path", "lines", "sent", "said"),
    [
        ("/api/", {"content-length": ["1001"]}, [b"x" * 1_001], b"too_large 1000"),
        ("/api/", {"transfer-encoding": ["chunked"]}, [b"x" * 600] * 2, b"too_large 1000"),
        ("/", {"content-length": ["190000"]}, [b"x" * 190_000], b"unavailable 0"),
        ("/", {"content-length": ["7"]}, [b"abc"], b"malformed 0"),
        ("/", {"transfer-encoding": ["chunked"]}, [b"abc", b""], b"malformed 0"),
    ],
    ids=["declared too large", "too large in chunks", "too much together", "broken off", "broken off in chunks"],
)
def test_a_body_that_does_not_fit_is_answered_and_its_connection_closed(
    path: str, lines: dict[str, list[str]], sent: list[bytes], said: bytes
):
    status, headers, body = answered(Asked(path, lines=lines), Connection(sent))
    assert (status, headers, body) == (400, {"connection": "close"}, said)


def test_a_body_that_comes_byte_by_byte_is_given_up_when_its_time_is_over():
    """Planted fault it catches: a time limit for each pause."""
    connection = Connection([b"x"] * 40, pause=0.05)
    assert answered(Asked(lines={"content-length": ["40"]}), connection)[2] == b"too_slow 1"


def test_writers_that_wait_leave_the_readers_alone_and_those_beyond_are_told():
    """Planted faults it catches: one pool for both; a queue without an end."""
    release = asyncio.Event()
    loops: list[asyncio.AbstractEventLoop] = []

    def site(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        if environ["REQUEST_METHOD"] == "POST":
            asyncio.run_coroutine_threadsafe(release.wait(), loops[0]).result()
        return echo(environ, start_response)

    async def play() -> None:
        door = reception(site, writers=1, waiting=1)
        writers = [Connection() for _ in range(3)]
        tasks = [asyncio.create_task(door.__rsgi__(Asked(), one)) for one in writers]
        reader = Connection()
        await asyncio.wait_for(door.__rsgi__(Asked(method="GET"), reader), 5)
        assert reader.answers[0][0] == 200
        assert [[answer[2] for answer in one.answers] for one in writers] == [[], [], [b"unavailable 0"]]
        release.set()
        await asyncio.wait_for(asyncio.gather(*tasks), 5)
        assert [one.answers[0][0] for one in writers] == [200, 200, 400]

    async def main() -> None:
        loops.append(asyncio.get_running_loop())
        await play()

    run_alone(main())


@pytest.mark.parametrize(
    ("hangs_up", "waited", "told"), [(True, 0.0, []), (False, 9.0, [b"unavailable 0"]), (False, 0.0, [b"None"])]
)
def test_a_reader_who_waited_for_a_thread_is_answered_while_somebody_waits_for_it(
    hangs_up: bool, waited: float, told: list[bytes], monkeypatch: pytest.MonkeyPatch
):
    """Planted faults it catches: work for clients that are gone; a queue of readers in which all are late."""
    monkeypatch.setattr(reception_module, "READERS_WAIT_SECONDS", 5.0 - waited)
    is_free = threading.Event()

    def site(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        if environ["PATH_INFO"] == "/held":
            is_free.wait(5)
        return echo(environ, start_response)

    async def play() -> None:
        door = reception(site)
        holding = [asyncio.create_task(door.__rsgi__(Asked("/held", "GET"), Connection())) for _ in range(2)]
        reader = Connection()
        waiting = asyncio.create_task(door.__rsgi__(Asked(method="GET"), reader))
        await asyncio.sleep(0.05)
        if hangs_up:
            reader.is_read.set()
        await asyncio.sleep(0.05)
        is_free.set()
        await asyncio.gather(*holding, waiting)
        assert [body for _, _, body in reader.answers] == told

    run_alone(play())


def test_large_answers_that_nobody_reads_take_only_so_much_room():
    """The third is refused while two wait for their clients, and fits once one of them has been read.

    Planted fault it catches: the size of an answer counted when it is made and never released.
    """

    def site(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        start_response("200 OK", [])
        return [b"x" * (LARGE_BYTES - 10), b"x" * 10 + b"y"][: 2 if environ["PATH_INFO"] == "/" else 1]

    async def play() -> None:
        door, size = reception(site), LARGE_BYTES + 1
        door._outgoing.most = 2 * size
        clients = [Connection() for _ in range(4)]
        first = [asyncio.create_task(door.__rsgi__(Asked(method="GET"), one)) for one in clients[:2]]
        while not all(one.answers for one in clients[:2]):
            await asyncio.sleep(0.01)
        await door.__rsgi__(Asked(method="GET"), clients[2])
        assert clients[2].answers[0][2] == b"unavailable 0"
        clients[0].is_read.set()
        await first[0]
        clients[3].is_read.set()
        await door.__rsgi__(Asked(method="GET"), clients[3])
        assert (clients[3].answers[0][0], len(clients[3].answers[0][2])) == (200, size)
        assert clients[3].answers[0][1] == {"connection": "close"}
        clients[1].is_read.set()
        await first[1]
        assert door._outgoing.held == 0

    run_alone(play())


def test_every_address_has_a_bound():
    assert LIMITS.most("/api/v1/tables/7/events/") == MOST_BYTES
    assert LIMITS.most("/admin/tournaments/tournament/7/entries/") == 4_194_304
    assert LIMITS.most("/table/") == LIMITS.most("*") == 262_144
