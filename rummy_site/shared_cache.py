"""The cache of answers on a Valkey or Redis that several processes share (`CACHE_URL`).

It is no more than a cache: while it cannot be reached, each process makes its answers itself.
"""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

# Nobody waits for it again and again: so long a thread does not ask after it was away.
AWAY_SECONDS = 5
log = logging.getLogger(__name__)


class SharedCache(RedisCache):
    """Django's own, which knows nothing while the server is away."""

    _asks_again_at = 0.0

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return self._asked(lambda: super(SharedCache, self).get(key, default, version), otherwise=default)

    def add(self, key: str, value: Any, *more: Any, **words: Any) -> bool:
        return bool(self._asked(lambda: super(SharedCache, self).add(key, value, *more, **words), otherwise=True))

    def set(self, key: str, value: Any, *more: Any, **words: Any) -> None:
        self._asked(lambda: super(SharedCache, self).set(key, value, *more, **words), otherwise=None)

    def delete(self, key: str, version: int | None = None) -> bool:
        return bool(self._asked(lambda: super(SharedCache, self).delete(key, version), otherwise=False))

    def has_key(self, key: str, version: int | None = None) -> bool:
        return bool(self._asked(lambda: super(SharedCache, self).has_key(key, version), otherwise=False))

    def _asked(self, ask: Callable[[], Any], *, otherwise: Any) -> Any:
        if time.monotonic() < self._asks_again_at:
            return otherwise
        try:
            return ask()
        except RedisError as error:
            log.warning("the shared cache is away: %s", error)
            self._asks_again_at = time.monotonic() + AWAY_SECONDS
            return otherwise
