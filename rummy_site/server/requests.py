"""Requests as granian hands them over (RSGI), turned into WSGI requests with their whole body; and the answers.

A body is read as a whole, up to the size limit of its address and within a time limit. The time limit is for all of it,
so that sending one byte a second gains nothing. The memory of all bodies is limited too: each may hold a little, and
everything beyond that comes out of one allowance; answers that clients have not read have an allowance of their own.
"""

import asyncio
import sys
from collections.abc import AsyncIterable, Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from rummy_site.middleware.failures import RefusalReason

Environ = dict[str, Any]
Header = tuple[str, str]
Site = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]
_NO_PREFIX = frozenset({"CONTENT_TYPE", "CONTENT_LENGTH"})
# The limits of one web process: size, time, and memory in all. docs/reference/running.md lists these.
MOST_WAITING_WRITERS = 64
# A large answer waits for its client without a thread; a small body takes nothing from the allowance.
LARGE_BYTES = 262_144
SMALL_BYTES = 65_536


class Headers(Protocol):
    """The header lines of a request, by lower-case names."""

    def keys(self) -> list[str]: ...
    def get_all(self, key: str) -> list[str]: ...


class Scope(Protocol):
    """What granian knows of a request before its body."""

    proto: str
    http_version: str
    client: str
    server: str
    scheme: str
    method: str
    path: str
    query_string: str
    authority: str | None

    @property
    def headers(self) -> Headers: ...


def environ_of(scope: Scope) -> Environ:
    """The WSGI environment without `wsgi.input`."""
    server, _, port = scope.server.rpartition(":")
    environ: Environ = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string.encode().decode("latin-1"),
        "SERVER_NAME": server,
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    _add_headers(environ, scope.headers)
    environ.setdefault("HTTP_HOST", scope.authority or "")
    return environ


def _add_headers(environ: Environ, headers: Headers) -> None:
    """Add every header once. One with an underscore would pass for its twin with a hyphen: `x_forwarded_for`."""
    for name in headers.keys():  # noqa: SIM118 (no mapping)
        if "_" in name:
            continue
        key = name.upper().replace("-", "_")
        glue = "; " if key == "COOKIE" else ","
        environ[key if key in _NO_PREFIX else f"HTTP_{key}"] = glue.join(headers.get_all(name))


class Answer(NamedTuple):
    """A complete answer."""

    status: int
    headers: list[Header]
    body: bytes


class Proto(Protocol):
    """The connection as granian hands it over, for one request."""

    def __aiter__(self) -> Any: ...
    def response_bytes(self, status: int, headers: list[Header], body: bytes) -> None: ...
    async def client_disconnect(self) -> None: ...


def answer_of(site: Site, environ: Environ) -> Answer:
    """Call the WSGI application, and read its answer to the end."""
    begun: dict[str, Any] = {}

    def start_response(status: str, headers: list[Header], exc_info: Any = None) -> None:
        begun.update(status=int(status[:3]), headers=headers)

    parts = site(environ, start_response)
    try:
        # The body first: an application may set the status only with its first part.
        body = b"".join(parts)
        return Answer(**begun, body=body)
    finally:
        if hasattr(parts, "close"):
            parts.close()


class Outgoing:
    """The large answers that their clients have not read yet."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.held = 0

    def has_room(self, size: int) -> bool:
        """Whether one more answer of this size may wait for its client."""
        return self.held + size <= self.most

    async def send(self, proto: Proto, answer: Answer) -> None:
        """Send a large answer, and wait until the client has it or is gone."""
        self.held += len(answer.body)
        try:
            headers = [*answer.headers, ("connection", "close")]
            proto.response_bytes(answer.status, headers, answer.body)
            await proto.client_disconnect()
        finally:
            self.held -= len(answer.body)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of requests: time of each, bytes at each address, memory of all large ones together, in and out."""

    seconds: int
    most_in: int
    most_out: int
    # By the beginning of the path; the first match counts.
    doors: tuple[tuple[str, int], ...]

    def most(self, path: str) -> int:
        """The largest body that this address takes."""
        return next(size for prefix, size in self.doors if path.startswith(prefix))


LIMITS = Limits(
    seconds=20,
    most_in=67_108_864,
    most_out=67_108_864,
    # Below /api/ what the parser takes (tournaments/web/api/bodies.py, which cannot be imported before the apps are
    # loaded): a deal has some hundred bytes. The back office takes a list or a season of paper sheets, and the box of a
    # club; a larger one comes in by `manage.py unbox`.
    doors=(
        ("/api/", 262_144),
        ("/admin/tournaments/club/bring-in/", 33_554_432),
        ("/admin/", 4_194_304),
        ("", 262_144),
    ),
)


class NotTaken(Exception):
    """A refused request, and the limit it exceeded. `is_gone`: the client is gone and gets no answer."""

    def __init__(self, reason: RefusalReason, *, number: int = 0, is_gone: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.number = number
        self.is_gone = is_gone


class Chunks:
    """The body as it arrives. It can be read on after a pause, which granian's own would refuse."""

    def __init__(self, source: AsyncIterable[bytes]) -> None:
        self._source = aiter(source)

    def __aiter__(self) -> "Chunks":
        return self

    async def __anext__(self) -> bytes:
        return await anext(self._source)


class Bodies:
    """All bodies that are being read or answered in this process."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.held = 0

    @contextmanager
    def room(self) -> Iterator["Room"]:
        """Memory for one body, released when its request is answered."""
        room = Room(self)
        try:
            yield room
        finally:
            self.held -= room.taken


class Room:
    """The share of one body in the memory that all may take together."""

    def __init__(self, bodies: Bodies) -> None:
        self.bodies = bodies
        self.taken = 0

    def take(self, size: int) -> None:
        """Reserve memory for so many bytes now. Raises NotTaken where all bodies together would be too large."""
        needed_bytes = max(0, size - SMALL_BYTES)
        more = needed_bytes - self.taken
        if self.bodies.held + more > self.bodies.limits.most_in:
            raise NotTaken(RefusalReason.TOO_BUSY)
        self.bodies.held += more
        self.taken = needed_bytes

    async def read(self, chunks: Chunks, *, path: str, declared: int | None) -> bytes:
        """Read the whole body. Raises NotTaken: too large, too slow, too much together, or interrupted."""
        limits = self.bodies.limits
        most = limits.most(path)
        if declared is not None and declared > most:
            raise too_large(most)
        try:
            async with asyncio.timeout(limits.seconds):
                body = await self._whole(chunks, most)
        except TimeoutError:
            raise NotTaken(RefusalReason.TOO_SLOW, number=limits.seconds) from None
        if declared is not None and len(body) != declared:
            raise broken_off()
        return body

    async def _whole(self, chunks: Chunks, most: int) -> bytes:
        parts: list[bytes] = []
        size = ends = 0
        async for chunk in chunks:
            # granian marks the end with an empty chunk, and a broken connection with one more before it.
            ends += not chunk
            parts.append(chunk)
            size += len(chunk)
            if size > most:
                raise too_large(most)
            self.take(size)
        if ends > 1:
            raise broken_off()
        return b"".join(parts)


def too_large(most: int) -> NotTaken:
    """The body is larger than its address takes."""
    return NotTaken(RefusalReason.TOO_LARGE, number=most)


def broken_off() -> NotTaken:
    """The client disconnected in the middle: a partial body must not pass for a whole one."""
    return NotTaken(RefusalReason.MALFORMED, is_gone=True)
