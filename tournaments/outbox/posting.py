"""Posts to an address that somebody typed, without reaching anything inside the site's own network.

The name is resolved once, every address it has is checked, and the socket is opened to one of exactly these: a name
that changes between look-up and connection leads nowhere else. Redirects are not followed, for what they name was not
checked. An answer is read up to its headers, within a bound of bytes and one deadline for all of it. `http.client`
reads the answer, but opens no connection. Rules: docs/decisions/0083-an-outbox-follows-the-log.md.
"""

import io
import ipaddress
import socket
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.parse import SplitResult, urlsplit

from scoring.messages import Message, say

SECONDS = 10.0
MOST_ANSWER_BYTES = 65_536
HTTP, HTTPS = 80, 443


class AddressRefused(ValueError):
    """Nothing is posted to such an address. `message` says why."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class NoAnswer(OSError):
    """The other side could not be reached, or did not answer in time or in HTTP."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """An HTTP status, and the seconds the other side asks to wait, where it does."""

    status: int
    retry_after: int | None = None

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


def parts_of(url: str, *, allows_inner: bool) -> SplitResult:
    """Split an address that can be posted to. Raises AddressRefused; looks nothing up."""
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
        host.encode("idna" if not host.isascii() else "ascii")
    except ValueError:
        raise AddressRefused(say("Enter an address such as https://example.org/hook")) from None
    if parts.scheme != "https" and not (allows_inner and parts.scheme == "http"):
        raise AddressRefused(say("Enter an address that begins with https://"))
    if not host or port == 0 or not url.isascii() or any(sign <= " " or sign == "\x7f" for sign in url):
        raise AddressRefused(say("Enter an address such as https://example.org/hook"))
    if parts.username is not None or parts.password is not None:
        raise AddressRefused(say("Enter the address without a user name or password"))
    return parts


def post(url: str, body: bytes, headers: Mapping[str, str], *, allows_inner: bool = False) -> Answer:
    """Post a body and return the answer. Raises AddressRefused, or NoAnswer where another try may help."""
    parts = parts_of(url, allows_inner=allows_inner)
    host, is_tls = parts.hostname or "", parts.scheme == "https"
    deadline = time.monotonic() + SECONDS
    addresses = checked_addresses(host, parts.port or (HTTPS if is_tls else HTTP), allows_inner=allows_inner)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [f"POST {target} HTTP/1.1", f"Host: {parts.netloc}", "Connection: close", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {text}" for name, text in headers.items()]
    request = "\r\n".join([*lines, "", ""]).encode("latin-1") + body
    try:
        with _connected(addresses, deadline) as plain, _secured(plain, host if is_tls else "", deadline) as connection:
            connection.settimeout(_left(deadline))
            connection.sendall(request)
            answer = HTTPResponse(_Bounded(connection, deadline), method="POST")  # type: ignore[arg-type]
            answer.begin()
            retry_after = answer.headers.get("Retry-After", "")
            wait = int(retry_after) if retry_after.isdecimal() and len(retry_after) < 6 else None
            return Answer(status=answer.status, retry_after=wait)
    except (OSError, HTTPException) as error:
        raise NoAnswer(f"{type(error).__name__}: {error}") from error


def checked_addresses(host: str, port: int, *, allows_inner: bool) -> list[tuple[Any, ...]]:
    """Look a name up once, and return family and socket address of all its addresses.

    Raises AddressRefused if any of them is inside, NoAnswer if there is none.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise NoAnswer(f"{host}: {error}") from error
    for *_, address in found:
        if not allows_inner and not is_outer(str(address[0])):
            inner = say(
                "{host} is inside this network ({address}). Enter an address on the internet",
                host=host,
                address=str(address[0]),
            )
            raise AddressRefused(inner)
    return [(family, address) for family, *_, address in found]


def is_outer(text: str) -> bool:
    """Whether an IP address is one of the internet's, and not another address in the clothes of one.

    IPv4 mapped into IPv6, 6to4, Teredo and NAT64 carry an inner address past a check of the outer one.
    """
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and (
        address.ipv4_mapped or address.sixtofour or address.teredo or address.is_site_local or address in LOCAL_NAT64
    ):
        return False
    # NAT64's well-known prefix and IPv4-compatible addresses are in the reserved blocks.
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


LOCAL_NAT64 = ipaddress.ip_network("64:ff9b:1::/48")


def _connected(addresses: list[tuple[Any, ...]], deadline: float) -> socket.socket:
    """Connect to the first address that takes the connection."""
    problem: OSError = OSError("no address")
    for family, address in addresses:
        connection = socket.socket(family, socket.SOCK_STREAM)
        try:
            connection.settimeout(_left(deadline))
            connection.connect(address)
        except OSError as error:
            connection.close()
            problem = error
        else:
            return connection
    raise problem


def _secured(connection: socket.socket, host: str, deadline: float) -> socket.socket:
    """With TLS, verified by the name; unchanged without a name."""
    if not host:
        return connection
    connection.settimeout(_left(deadline))
    return ssl.create_default_context().wrap_socket(connection, server_hostname=host)


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError("took too long")
    return left


class _Bounded(io.RawIOBase):
    """The answer as it arrives, up to a deadline and a number of bytes; `HTTPResponse` takes it for a socket."""

    def __init__(self, connection: socket.socket, deadline: float) -> None:
        super().__init__()
        self._connection, self._deadline, self._left = connection, deadline, MOST_ANSWER_BYTES

    def makefile(self, *_: object, **__: object) -> io.BufferedReader:
        """Return the reader that `HTTPResponse` asks a socket for."""
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Read what there is. Each byte counts, and so does each moment, however slowly they come."""
        if self._left <= 0:
            raise OSError("the answer is too long")
        self._connection.settimeout(_left(self._deadline))
        count = self._connection.recv_into(memoryview(buffer)[: self._left])
        self._left -= count
        return count
