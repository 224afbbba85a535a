"""A web process that is told to end: what it was asked is answered first, and who connects is left to the next one."""

import os
import socket
import subprocess
import sys

import pytest

from rummy_site.server.ending import stop_listening
from rummy_site.server.reception import listening_files


def test_who_waits_at_a_socket_that_another_process_holds_is_left_to_it():
    """Planted fault: the socket is shut down, and whoever waits there gets a reset."""
    with socket.socket() as held, socket.socket() as visitor:
        held.bind(("127.0.0.1", 0))
        held.listen()
        ours = os.dup(held.fileno())
        visitor.connect(held.getsockname())
        visitor.sendall(b"a deal")
        stop_listening([ours])
        with socket.socket(fileno=ours) as nobodys:
            nobodys.settimeout(0)
            with pytest.raises(BlockingIOError):
                nobodys.accept()
        connection, _ = held.accept()
        with connection:
            assert connection.recv(6) == b"a deal"


def test_only_sockets_that_stay_open_count_as_those_on_which_the_process_listens():
    """Planted fault: a duplicate that the search itself has made is taken for one of them."""
    before = {*listening_files()}
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        held.listen()
        assert {*listening_files()} == {*before, held.fileno()}
    assert {*listening_files()} == before


TOLD_ONCE = """
import asyncio, os, signal, time
from rummy_site.server import ending

ending.QUIET_SECONDS, ending.LOOK_SECONDS = 0.05, 0.01
loop, end, told = asyncio.new_event_loop(), ending.Ending(), []
loop.add_signal_handler(signal.SIGINT, lambda: told.append(time.monotonic()))
end.prepare(loop, list)

async def play():
    with end:
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(0.2)
        assert end.is_begun
        assert told == []
        answered = time.monotonic()
    await asyncio.sleep(0.3)
    return answered

answered = loop.run_until_complete(play())
assert len(told) == 1
assert told[0] > answered
"""


def test_the_server_is_told_when_the_last_request_is_answered():
    """Planted faults: told at once; told twice where the supervisor and granian both signal; never told."""
    subprocess.run([sys.executable, "-c", TOLD_ONCE], check=True)
