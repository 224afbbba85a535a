"""Receives requests from granian (RSGI): body first, then a thread, then the answer.

A request that is refused here is answered before its connection is closed, and what is still arriving is read and
discarded for a moment: closed at once, the kernel would cancel the answer with a reset. granian sets no limit for
sending. A connection gets TCP_USER_TIMEOUT from the socket on which it was accepted: when a client has left no room for
what is sent, or has not confirmed it, for so long, the kernel drops the connection.
"""

import asyncio
import contextlib
import gc
import logging
import os
import resource
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from django.conf import settings
from django.core.handlers.wsgi import WSGIRequest
from django.urls import get_resolver
from django.utils.translation import get_language_from_request, override

from rummy_site.middleware.failures import RefusalReason, is_for_machines, refusal
from rummy_site.middleware.lock_waits import RECEIVED, SAFE_METHODS
from rummy_site.middleware.requests import numbered, record_answer
from rummy_site.server.ending import Ending
from rummy_site.server.requests import (
    LARGE_BYTES,
    Answer,
    Bodies,
    Chunks,
    Environ,
    Limits,
    NotTaken,
    Outgoing,
    Proto,
    Scope,
    Site,
    answer_of,
    environ_of,
)
from rummy_site.server.worker_watch import WorkerWatch

LINGER_SECONDS = 2.0
LINGER_BYTES = 8_388_608
ENGLISH = "en-gb"
MOST_CONNECTIONS = 1024
# Besides connections: the database, the log, libraries, files being sent.
OTHER_FILES = 256
SILENCE_SECONDS = 30
# Longer than any page takes while somebody holds a lock.
READERS_WAIT_SECONDS = 5.0
AGAIN_SECONDS = 0.05
TRIES = 100
# From so many connections on, no client keeps more than its share: a phone in the hall could take all of them.
SCARCE, MOST_OF_ONE = 768, 256
COUNTED_EVERY_SECONDS = 1.0
OPEN_FILES = Path("/proc/self/fd")
Done = TypeVar("Done")
Refuse = Callable[[Environ, RefusalReason, int], Answer]
logger = logging.getLogger(__name__)


class TooManyWait(Exception):
    """Too many requests are waiting for a thread already."""


def keep_what_is_loaded() -> None:
    """Load every view, exclude all loaded objects from garbage collection, and turn that on.

    They stay as long as the process does: 175,000 objects were walked in 100 ms, in the middle of a request.
    """
    get_resolver().url_patterns  # noqa: B018 - loads them
    gc.collect()
    gc.freeze()
    gc.enable()


class Pool:
    """A fixed number of threads, with their database connections."""

    def __init__(self, name: str, *, threads: int, most_waiting: int) -> None:
        self._count = threads
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._most = threads + most_waiting
        self._inside = 0

    @property
    def is_busy(self) -> bool:
        """Whether the next one has to wait."""
        return self._inside >= self._count

    async def run(self, deed: Callable[..., Done], *arguments: Any) -> Done:
        """Run a function in a thread, as soon as one is free. Raises TooManyWait."""
        if self._inside >= self._most:
            raise TooManyWait
        self._inside += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, deed, *arguments)
        finally:
            self._inside -= 1


class Pools(NamedTuple):
    """The threads of this process: those that read and those that write have their own, so neither waits for others."""

    readers: Pool
    writers: Pool


class Reception:
    """The application that granian loads."""

    def __init__(self, site: Site, refuse: Refuse, *, limits: Limits, pools: Pools) -> None:
        self._site = site
        self._refuse = refuse
        self._pools = pools
        self._bodies = Bodies(limits)
        self._outgoing = Outgoing(limits.most_out)
        self._ending = Ending()

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Called when granian is about to listen."""
        allow_connections()
        keep_what_is_loaded()
        loop.call_soon(bound_silence)
        if OPEN_FILES.exists():
            self._ending.prepare(loop, listening_files)
        if settings.HAS_MAIL_SERVER:
            WorkerWatch().start()
        # Behind a proxy everybody has its address, and it sets limits of its own.
        if OPEN_FILES.exists() and not settings.PROXIES:
            loop.call_soon(share_connections)

    async def __rsgi__(self, scope: Scope, proto: Proto) -> None:
        """Handle one request."""
        environ = environ_of(scope)
        has_body = environ.get("CONTENT_LENGTH", "0") != "0" or "HTTP_TRANSFER_ENCODING" in environ
        chunks = Chunks(proto) if has_body else None
        try:
            with self._ending, self._bodies.room() as room:
                body = b""
                if chunks is not None:
                    body = await room.read(chunks, path=scope.path, declared=_declared(environ))
                    environ["CONTENT_LENGTH"] = str(len(body))
                environ["wsgi.input"] = BytesIO(body)
                await self._answer(environ, proto)
        except NotTaken as refused:
            status, headers, body = self._refuse(environ, refused.reason, refused.number)
            proto.response_bytes(status, [*headers, ("connection", "close")], body)
            if chunks is not None and not refused.is_gone:
                await _linger(chunks)

    async def _answer(self, environ: Environ, proto: Proto) -> None:
        environ[RECEIVED] = time.monotonic()
        is_reading = environ["REQUEST_METHOD"] in SAFE_METHODS
        pool = self._pools.readers if is_reading else self._pools.writers
        # A form is worked off whether its sender still waits or not: it may be the last try of a closed browser.
        gone = asyncio.ensure_future(proto.client_disconnect()) if is_reading and pool.is_busy else None
        try:
            large = await pool.run(self._answered, environ, proto, gone)
        except TooManyWait:
            raise NotTaken(RefusalReason.TOO_BUSY) from None
        finally:
            if gone is not None:
                gone.cancel()
        if large is None:
            return
        # What was written has to be reported, however many answers wait already.
        if is_reading and not self._outgoing.has_room(len(large.body)):
            raise NotTaken(RefusalReason.TOO_BUSY)
        await self._outgoing.send(proto, large)

    def _answered(self, environ: Environ, proto: Proto, gone: asyncio.Future[None] | None) -> Answer | None:
        """In a thread: the answer is sent from here, without another turn of the loop; a large one is handed back.

        A reader who waited for a thread (`gone` is set) and has hung up gets no answer; one who waited too long is told
        to come again, so that those behind are not late as well.
        """
        if gone is not None and gone.done():
            return None
        if gone is not None and time.monotonic() - environ[RECEIVED] > READERS_WAIT_SECONDS:
            raise NotTaken(RefusalReason.TOO_BUSY)
        answer = answer_of(self._site, environ)
        if self._ending.is_begun:
            answer.headers.append(("connection", "close"))
        if len(answer.body) > LARGE_BYTES:
            return answer
        proto.response_bytes(*answer)
        return None


def _declared(environ: Environ) -> int | None:
    """The length that the client declared; none for a chunked body. The server has refused malformed numbers."""
    length = environ.get("CONTENT_LENGTH")
    return int(length) if length else None


async def _linger(chunks: Chunks) -> None:
    """Read on for a moment, so that the answer arrives before the connection ends."""
    size = 0
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            async for chunk in chunks:
                size += len(chunk)
                if size > LINGER_BYTES:
                    return


def refuse(environ: Environ, reason: RefusalReason, number: int) -> Answer:
    """A problem document, or a small page in the language that the browser asks for."""
    request = WSGIRequest({**environ, "wsgi.input": BytesIO()})
    with override(ENGLISH if is_for_machines(request) else get_language_from_request(request)):
        answer = refusal(request, reason, number=number)
    with numbered(request) as request_id:
        answer.headers["X-Request-ID"] = request_id
        record_answer(request, view="refused", status=answer.status_code)
    return Answer(answer.status_code, list(answer.items()), answer.content)


def allow_connections() -> None:
    """Let this process open as many files as it takes connections; most systems allow more than they give at first."""
    needed_files = MOST_CONNECTIONS + OTHER_FILES
    soft_limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft_limit == resource.RLIM_INFINITY or soft_limit >= needed_files:
        return
    allowed = needed_files if most == resource.RLIM_INFINITY else min(needed_files, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, most))
    if allowed < needed_files:
        logger.warning(
            "this process may open only %s files; %s connections need %s", allowed, MOST_CONNECTIONS, needed_files
        )


def bound_silence(tries: int = TRIES) -> None:
    """Set the timeout on the sockets on which this process listens; granian opens them just after it has started us."""
    if not hasattr(socket, "TCP_USER_TIMEOUT") or not OPEN_FILES.exists():
        logger.warning("this system cannot end connections whose client does not read")
        return
    listening_sockets = [tcp_socket for tcp_socket in _sockets().values() if _is_listening(tcp_socket)]
    for tcp_socket in listening_sockets:
        tcp_socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENCE_SECONDS * 1000)
    if not listening_sockets and tries:
        asyncio.get_running_loop().call_later(AGAIN_SECONDS, bound_silence, tries - 1)


def share_connections() -> None:
    """Every second: where connections are scarce, end those of a client of a private network beyond its share.

    In a hall each phone has an address of its own. A public address may be a venue's, and this machine's own is that of
    programs beside us: neither is limited here.
    """
    asyncio.get_running_loop().call_later(COUNTED_EVERY_SECONDS, share_connections)
    files = [int(entry.name) for entry in OPEN_FILES.iterdir()]
    if len(files) <= SCARCE:
        return
    by_client: dict[str, list[int]] = {}
    for file in files:
        if (client := _client_of(file)) is not None:
            by_client.setdefault(client, []).append(file)
    for client, of_client in by_client.items():
        if len(of_client) > MOST_OF_ONE and (address := ip_address(client)).is_private and not address.is_loopback:
            logger.warning("%s holds %s connections; %s are left to it", client, len(of_client), MOST_OF_ONE)
            for file in of_client[MOST_OF_ONE:]:
                _end(file, client)


def _client_of(file: int) -> str | None:
    """The address of the client behind an open file; None for anything but a connection of one."""
    try:
        client_socket = socket.socket(fileno=file)
    except OSError:
        return None
    try:
        return (
            _plain(client_socket.getpeername()[0])
            if client_socket.family in {socket.AF_INET, socket.AF_INET6}
            else None
        )
    except OSError:
        return None
    finally:
        # The file is the server's: it is looked at, not taken over.
        client_socket.detach()


def _plain(address: str) -> str:
    """An IPv4 address as itself, also where it came to a socket for both; without the network card's name."""
    return address.partition("%")[0].removeprefix("::ffff:")


def _end(file: int, client: str) -> None:
    """End a client's connection. By a number of our own: the server may have given the file to another one since."""
    with contextlib.suppress(OSError), socket.socket(fileno=os.dup(file)) as client_socket:
        if _plain(client_socket.getpeername()[0]) == client:
            client_socket.shutdown(socket.SHUT_RDWR)


def listening_files() -> list[int]:
    """The numbers of the sockets on which this process listens for TCP."""
    return [number for number, tcp_socket in _sockets().items() if _is_listening(tcp_socket)]


def _sockets() -> dict[int, socket.socket]:
    """Every TCP socket of this process by its number, each by a duplicated one that is closed with the object."""
    sockets: dict[int, socket.socket] = {}
    for number in [int(entry.name) for entry in OPEN_FILES.iterdir()]:
        # The list was read through a file that is closed by now: its number may be that of a duplicate.
        if number in [duplicate.fileno() for duplicate in sockets.values()]:
            continue
        try:
            if (OPEN_FILES / str(number)).readlink().name.startswith("socket:"):
                sockets[number] = socket.socket(fileno=os.dup(number))
        except OSError:
            continue
    return {
        number: tcp_socket
        for number, tcp_socket in sockets.items()
        if tcp_socket.family in {socket.AF_INET, socket.AF_INET6}
    }


def _is_listening(one: socket.socket) -> bool:
    return one.type == socket.SOCK_STREAM and bool(one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN))
