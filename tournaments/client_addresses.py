"""Where a request came from, as far as our own proxies vouch for it: what limits count by.

Rules: docs/reference/running.md, "Behind a proxy". Anybody can write a header. What a trusted proxy added to it names
whom that proxy heard from; what stood in it before is the client's own word, and is not read.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from django.conf import settings

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
# How many proxies stand before the site, or which addresses they have.
Proxies = int | Sequence[Network]

FORWARDED, X_FORWARDED_FOR = "Forwarded", "X-Forwarded-For"
HEADERS = (X_FORWARDED_FOR, FORWARDED)
# One customer gets a /64 and can take another address of it for every request.
CUSTOMER_BITS = 64
# More hops than any site has; a header of 64 KB is not read to its beginning.
MOST_HOPS = 32
UNKNOWN = "unknown"
_NAMED = re.compile(r'(?:^|;)\s*for\s*=\s*"?([^";]*)"?', re.IGNORECASE)


def read_proxies(text: str) -> Proxies:
    """`2`, or `10.0.0.5, 192.168.0.0/16`. Raises ValueError for anything else."""
    if text.strip().isdecimal():
        return int(text)
    return tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())


def client_network(request: Any) -> str:
    """What limits count by: an IPv4 address, an IPv6 /64, or `unknown` for all of whom nothing is known."""
    address = _client(_chain(request.META), settings.PROXIES)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((address, CUSTOMER_BITS), strict=False))
    return str(address or UNKNOWN)


def _chain(meta: Mapping[str, Any]) -> list[Address | None]:
    """Who spoke to us, whom they say they heard from, and so on away from us; None for what is no address."""
    forwarded = _forwarded(meta) if settings.PROXIES else ()
    return [_address(str(meta.get("REMOTE_ADDR", ""))), *map(_address, forwarded)]


def _forwarded(meta: Mapping[str, Any]) -> Iterator[str]:
    """What the one header that our proxies write says, the nearest hop first."""
    is_standard = settings.PROXY_HEADER == FORWARDED
    text = str(meta.get("HTTP_FORWARDED" if is_standard else "HTTP_X_FORWARDED_FOR", ""))
    for part in reversed(text.rsplit(",", MOST_HOPS)[-MOST_HOPS:] if text else []):
        named = _NAMED.search(part) if is_standard else None
        yield (named.group(1) if named else "") if is_standard else part


def _client(chain: Sequence[Address | None], proxies: Proxies) -> Address | None:
    """The farthest address that a proxy of ours has seen itself."""
    if isinstance(proxies, int):
        # Fewer hops than proxies: it did not come through all of them, so its header is nobody's word but its own.
        return (chain[proxies] if len(chain) > proxies else None) or chain[0]
    client = chain[0]
    for farther in chain[1:]:
        if farther is None or client is None or not any(client in network for network in proxies):
            break
        client = farther
    return client


def _address(text: str) -> Address | None:
    """`192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`; None for `unknown` and inventions."""
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
