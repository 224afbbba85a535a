"""The rate limits of the API; the rates are in the settings, as REST framework names them.

Generous: the phones of a whole venue share one address.
"""

import math
import time
from contextlib import suppress
from typing import Any

from django.conf import settings
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from tournaments.client_addresses import client_network


class CountingThrottle(SimpleRateThrottle):
    """A number of requests in each minute of the clock.

    REST framework's list of times costs ten times as much for a busy address, and threads overwrite each other's.
    """

    num_requests: int
    duration: int

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request; whether it is still within the rate."""
        key = self.get_cache_key(request, view)
        if key is None:
            return True
        # Without CACHE_URL the shares of all processes together are the limit.
        count = self._count(f"{key}_{int(time.time() // self.duration)}")
        return count * settings.API_COUNTING_PROCESSES <= self.num_requests

    def _count(self, key: str) -> int:
        """Count one more in this minute; the number of all."""
        with suppress(ValueError):
            return int(self.cache.incr(key))
        self.cache.add(key, 0, timeout=2 * self.duration)
        with suppress(ValueError):
            return int(self.cache.incr(key))
        # Evicted from a full cache between two lines: then the limit is not reached anyway.
        return 0

    def wait(self) -> float:
        """Seconds until the next minute begins."""
        return math.ceil(self.duration - time.time() % self.duration)


class AddressThrottle(CountingThrottle):
    """All clients behind one address together, from headers only as far as our own proxies wrote them."""

    scope = "address"

    def get_cache_key(self, request: Request, view: Any) -> str:
        """A key for the client's network."""
        return self.cache_format % {"scope": self.scope, "ident": client_network(request)}


class WriterThrottle(CountingThrottle):
    """The writes of one signed-in user or one device."""

    scope = "writer"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        """A key for the token, the card of a seat, or else the user; None for reads."""
        if request.method != "POST":
            return None
        token: Any = request.auth
        writer = f"token:{getattr(token, 'token', token).id}" if token else f"user:{request.user.pk}"
        return self.cache_format % {"scope": self.scope, "ident": writer}
