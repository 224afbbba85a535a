"""No client of a private network takes all connections of a hall's site."""

import asyncio
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from unittest import mock

import pytest

from rummy_site.server import reception

PHONE, OTHER, PROGRAM, VENUE = "192.168.1.66", "192.168.1.7", "127.0.0.1", "8.8.4.4"


@pytest.fixture
def connected() -> Iterator[dict[str, list[socket.socket]]]:
    """Open connections of four clients; the addresses are those that each connection is said to come from."""
    found: dict[str, list[socket.socket]] = {}
    with ExitStack() as stack:
        server = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        owners: dict[int, str] = {}
        for client, count in ((PHONE, 12), (OTHER, 4), (PROGRAM, 12), (VENUE, 12)):
            for _ in range(count):
                found.setdefault(client, []).append(stack.enter_context(socket.create_connection(server.getsockname())))
                accepted = stack.enter_context(server.accept()[0])
                owners[accepted.getpeername()[1]] = client

        class Peer(socket.socket):
            def getpeername(self) -> tuple[str, int]:
                _, port = super().getpeername()
                return owners.get(port, "127.0.0.1"), port

        stack.enter_context(mock.patch.object(socket, "socket", Peer))
        yield found


def open_of(connections: list[socket.socket]) -> int:
    """How many of a client's connections the server has not ended."""
    count = 0
    for one in connections:
        one.settimeout(0.01)
        try:
            count += one.recv(1) != b""
        except TimeoutError:
            count += 1
    return count


def share() -> None:
    """Once, in a loop of its own: a test of pages before this one may have left a loop running in this thread."""

    async def once() -> None:
        reception.share_connections()

    with ThreadPoolExecutor() as thread:
        thread.submit(asyncio.run, once()).result()


def test_where_connections_are_scarce_a_phone_keeps_its_share_and_everybody_else_all(
    connected: dict[str, list[socket.socket]], monkeypatch: pytest.MonkeyPatch
):
    """1,100 connections of one phone took the site away from a hall."""
    monkeypatch.setattr(reception, "MOST_OF_ONE", 5)
    share()
    assert [open_of(found) for found in connected.values()] == [12, 4, 12, 12], "there are enough"
    monkeypatch.setattr(reception, "SCARCE", 20)
    share()
    # Programs of this machine, and an address that a whole venue may share, are not limited.
    assert {client: open_of(found) for client, found in connected.items()} == {
        PHONE: 5,
        OTHER: 4,
        PROGRAM: 12,
        VENUE: 12,
    }
