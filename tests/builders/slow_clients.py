"""Clients that never finish: connections that send part of a request, or take nothing of what they asked for."""

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

HOST = b"Host: localhost\r\n"
# With this cookie the site looks into a form before it refuses it.
FORM = (
    b"POST /admin/login/ HTTP/1.1\r\n" + HOST + b"Cookie: csrftoken=" + b"a" * 32 + b"\r\n"
    b"Content-Type: application/x-www-form-urlencoded\r\n"
)
# What each sends at once, and every second after that.
KINDS: dict[str, tuple[bytes, bytes]] = {
    "says nothing": (b"", b""),
    "half a header": (b"POST /admin/login/ HTTP/1.1\r\n" + HOST + b"X-Slow: ", b""),
    "a header byte by byte": (b"POST /admin/login/ HTTP/1.1\r\n" + HOST + b"X-Slow: ", b"x"),
    "half a form": (FORM + b"Content-Length: 1000\r\n\r\nusername=", b""),
    "a form byte by byte": (FORM + b"Content-Length: 1000\r\n\r\nusername=", b"x"),
    "half a form in chunks": (FORM + b"Transfer-Encoding: chunked\r\n\r\n9\r\nusername=\r\n", b""),
}


@dataclass
class SlowClient:
    """One connection, and its result."""

    kind: str
    connection: socket.socket
    began: float = field(default_factory=time.monotonic)
    answer: bytes = b""
    ended_after: float | None = None

    def step(self) -> None:
        """Send the next byte where there is one, and read what came."""
        try:
            self.connection.sendall(KINDS[self.kind][1])
            while chunk := self.connection.recv(65_536):
                self.answer += chunk
        except BlockingIOError:
            return
        except OSError:
            pass
        self.ended_after = time.monotonic() - self.began


@contextmanager
def slow_clients(port: int, count: int) -> Iterator[list[SlowClient]]:
    """This many, of every kind by turns, as long as the block lasts or the site lets them."""
    clients = [_begun(port, list(KINDS)[number % len(KINDS)]) for number in range(count)]
    stopping = threading.Event()

    def go_on() -> None:
        while not stopping.wait(1):
            for client in clients:
                if client.ended_after is None:
                    client.step()

    thread = threading.Thread(target=go_on, daemon=True)
    thread.start()
    try:
        yield clients
    finally:
        stopping.set()
        thread.join()
        for client in clients:
            client.connection.close()


@contextmanager
def unreading_clients(port: int, paths: list[str], count: int) -> Iterator[list[socket.socket]]:
    """This many that ask again and again and read nothing."""
    connections = [_unreading(port, paths[number % len(paths)]) for number in range(count)]
    try:
        yield connections
    finally:
        for one in connections:
            one.close()


def slowest(ask: Callable[[], object], *, until: Callable[[], bool]) -> float:
    """The longest time that one request took, asked again and again."""
    longest = 0.0
    while not until():
        began = time.monotonic()
        ask()
        longest = max(longest, time.monotonic() - began)
        time.sleep(0.05)
    return longest


def _begun(port: int, kind: str) -> SlowClient:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(KINDS[kind][0])
    connection.setblocking(False)
    return SlowClient(kind, connection)


def _unreading(port: int, path: str) -> socket.socket:
    connection = socket.socket()
    # Set before the connection is made, so that the other side learns how small the window is.
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
    connection.connect(("127.0.0.1", port))
    connection.setblocking(False)
    question = b"GET " + path.encode() + b" HTTP/1.1\r\n" + HOST + b"\r\n"
    try:
        connection.sendall(question * 200)
    except BlockingIOError:
        return connection
    return connection
