"""A request as granian hands it over (RSGI), as the WSGI application wants it.

The body is not read here.
"""

import sys
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

Environ = dict[str, Any]
_NO_PREFIX = frozenset({"CONTENT_TYPE", "CONTENT_LENGTH"})


class Headers(Protocol):
    """The header lines of a request, by their names in small letters."""

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
    """Everything but `wsgi.input`."""
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
    """Every header once. One with an underscore would pass for its twin with a hyphen: `x_forwarded_for`."""
    for name in headers.keys():  # noqa: SIM118 (no mapping)
        if "_" in name:
            continue
        key = name.upper().replace("-", "_")
        glue = "; " if key == "COOKIE" else ","
        environ[key if key in _NO_PREFIX else f"HTTP_{key}"] = glue.join(headers.get_all(name))


# Answers on their way out. A client that does not read holds no thread, and all such clients only so much memory.


LARGE_BYTES = 262_144
Header = tuple[str, str]
Site = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]


class Answer(NamedTuple):
    """An answer, whole."""

    status: int
    headers: list[Header]
    body: bytes


class Proto(Protocol):
    """The connection as granian hands it over, for one request."""

    def __aiter__(self) -> Any: ...
    def response_bytes(self, status: int, headers: list[Header], body: bytes) -> None: ...
    async def client_disconnect(self) -> None: ...


def answer_of(site: Site, environ: Environ) -> Answer:
    """Ask the WSGI application, and take its answer to the end."""
    begun: dict[str, Any] = {}

    def start_response(status: str, headers: list[Header], exc_info: Any = None) -> None:
        begun.update(status=int(status[:3]), headers=headers)

    parts = site(environ, start_response)
    try:
        # First the body: an application may wait with the status until its first part.
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
        """Whether one more of this size may wait for its client."""
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
