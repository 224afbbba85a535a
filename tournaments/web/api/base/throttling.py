"""How much one address or one writer may ask for. Generous: the phones of a whole venue share one address.

Rules: docs/api.md, "Limits". Counts per minute in the cache of the process; a flood is dampened, not accounted for.
"""

import math
import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from tournaments.client_addresses import client_network

WINDOW_SECONDS = 60


class MinuteThrottle(BaseThrottle):
    """So many requests in each minute of the clock, for whoever `who` names."""

    scope = ""

    def who(self, request: Request) -> str:
        """Whom a request counts for."""
        raise NotImplementedError

    def allow_request(self, request: Request, view: Any) -> bool:
        """Count the request; whether it is still within the limit."""
        minute = int(time.time() // WINDOW_SECONDS)
        key = f"throttle:{self.scope}:{minute}:{self.who(request)}"
        cache.add(key, 0, timeout=2 * WINDOW_SECONDS)
        try:
            count = cache.incr(key)
        except ValueError:
            # Thrown out of a full cache between two lines: then nobody is near a limit.
            return True
        return bool(count <= settings.API_REQUESTS_PER_MINUTE[self.scope])

    def wait(self) -> float:
        """Seconds until the next minute begins."""
        return math.ceil(WINDOW_SECONDS - time.time() % WINDOW_SECONDS)


class AddressThrottle(MinuteThrottle):
    """Everybody behind one address together."""

    scope = "address"

    def who(self, request: Request) -> str:
        """Where the request came from, as far as our own proxies vouch for it."""
        return client_network(request)


class WriterThrottle(MinuteThrottle):
    """One signed-in person or one device."""

    scope = "writer"

    def who(self, request: Request) -> str:
        """The token, or else the person."""
        token: Any = request.auth
        return f"token:{token.id}" if token else f"user:{request.user.pk}"
