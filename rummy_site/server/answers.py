"""Answers on their way out. A client that does not read holds no thread, and all such clients only so much memory.

granian takes an answer whole and sends it as fast as the client reads. A large one is counted until the client has it:
its connection is closed then, which is how we learn of it.
"""

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

from rummy_site.server.environ import Environ

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
