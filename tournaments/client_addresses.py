"""Finds the client address of a request, as far as our own proxies vouch for it: rate limits count by it.

Rules: docs/reference/running.md, "Behind a proxy". Any client can send the header. A trusted proxy appends the address
that connected to it; what was in the header before may be forged, and is ignored.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from django.conf import settings

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
# The number of proxies before the site, or their addresses.
Proxies = int | Sequence[Network]

FORWARDED, X_FORWARDED_FOR = "Forwarded", "X-Forwarded-For"
HEADERS = (X_FORWARDED_FOR, FORWARDED)
# One customer gets a /64 and can use another of its addresses for every request.
CUSTOMER_BITS = 64
# More hops than any site has; a header of 64 KB is not read to its beginning.
MOST_HOPS = 32
UNKNOWN = "unknown"
_NAMED = re.compile(r'(?:^|;)\s*for\s*=\s*"?([^";]*)"?', re.IGNORECASE)


def read_proxies(text: str) -> Proxies:
    """Parse `2`, or `10.0.0.5, 192.168.0.0/16`. Raises ValueError for anything else, and for every address there is."""
    if text.strip().isdecimal():
        return int(text)
    networks = tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    if any(network.prefixlen == 0 for network in networks):
        raise ValueError("every client would be one of our proxies")
    return networks


def client_address(request: Any) -> Address | None:
    """Return the address of the client, as far as our own proxies vouch for it; None for an invalid one."""
    return _client(_chain(request.META), settings.PROXIES)


def client_network(request: Any) -> str:
    """Return the key for limits: an IPv4 address, an IPv6 /64, or `unknown` for all clients without an address."""
    address = client_address(request)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, CUSTOMER_BITS), strict=False))
    return str(address or UNKNOWN)


def _chain(meta: Mapping[str, Any]) -> list[Address | None]:
    """Return the address that connected to us, then the one before it, and so on; None for an invalid address."""
    forwarded = _forwarded(meta) if settings.PROXIES else ()
    return [_address(str(meta.get("REMOTE_ADDR", ""))), *map(_address, forwarded)]


def _forwarded(meta: Mapping[str, Any]) -> Iterator[str]:
    """Yield the entries of the one header that our proxies write, the nearest hop first."""
    is_standard = settings.PROXY_HEADER == FORWARDED
    text = str(meta.get("HTTP_FORWARDED" if is_standard else "HTTP_X_FORWARDED_FOR", ""))
    for part in reversed(text.rsplit(",", MOST_HOPS)[-MOST_HOPS:] if text else []):
        named = _NAMED.search(part) if is_standard else None
        yield (named.group(1) if named else "") if is_standard else part


def _client(chain: Sequence[Address | None], proxies: Proxies) -> Address | None:
    """Return the farthest address that was seen by one of our own proxies."""
    if isinstance(proxies, int):
        # Fewer hops than proxies: the request did not pass all of them, so its header may be forged.
        return (chain[proxies] if len(chain) > proxies else None) or chain[0]
    client = chain[0]
    for farther in chain[1:]:
        if farther is None or client is None or not any(client in network for network in proxies):
            break
        client = farther
    return client


def _address(text: str) -> Address | None:
    """Parse `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`; None for `unknown` and invalid text."""
    text = text.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
