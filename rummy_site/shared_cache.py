"""The caches on a Valkey or Redis that all processes and machines of a site share (`CACHE_URL`).

While it cannot be reached, each process has what it has without it: a cache of its own. What may lie here, and what
may not: docs/decisions/0101-valkey-may-be-empty.md.
"""

import logging
import time
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

# Nobody waits for it again and again: so long this process does not ask after it was away.
AWAY_SECONDS = 5
log = logging.getLogger(__name__)


class SharedCache(RedisCache):
    """Django's own, with its cache of the process in its place while the server is away."""

    # Of the process: Django makes a cache for each thread.
    asks_again_at = 0.0

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        connecting = dict(params["OPTIONS"])
        most = connecting.pop("MAX_ENTRIES")
        super().__init__(server, {**params, "OPTIONS": connecting})
        self._own = LocMemCache(params["KEY_PREFIX"], {**params, "OPTIONS": {"MAX_ENTRIES": most}})

    def get(self, *arguments: Any, **named: Any) -> Any:
        return self._asked("get", *arguments, **named)

    def add(self, *arguments: Any, **named: Any) -> bool:
        return bool(self._asked("add", *arguments, **named))

    def set(self, *arguments: Any, **named: Any) -> None:
        self._asked("set", *arguments, **named)

    def delete(self, *arguments: Any, **named: Any) -> bool:
        return bool(self._asked("delete", *arguments, **named))

    def has_key(self, *arguments: Any, **named: Any) -> bool:
        return bool(self._asked("has_key", *arguments, **named))

    def incr(self, *arguments: Any, **named: Any) -> int:
        return int(self._asked("incr", *arguments, **named))

    def is_there(self) -> bool:
        """Whether the server takes something now: one that is full answers, and takes nothing."""
        try:
            super().set("is_there", 1)
        except RedisError:
            return False
        return True

    def _asked(self, method: str, *arguments: Any, **named: Any) -> Any:
        if time.monotonic() >= SharedCache.asks_again_at:
            try:
                return getattr(super(), method)(*arguments, **named)
            except RedisError as error:
                log.warning("the shared cache is away: %s", error)
                SharedCache.asks_again_at = time.monotonic() + AWAY_SECONDS
        return getattr(self._own, method)(*arguments, **named)
