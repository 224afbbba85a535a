"""A cache of the process that keeps objects as they are.

Django's own pickles what it stores; for a board of 200 players that takes longer than reading what has changed of it.
What is kept here is never changed, only replaced, and never sent: it is what answers are made of.
"""

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.locmem import LocMemCache


class ObjectCache(LocMemCache):
    """Django's own without pickling: bounded, and what was not read for longest goes first."""

    # Django's own, which its types leave out.
    _cache: OrderedDict[str, Any]
    _lock: Lock
    _has_expired: Callable[[str], bool]
    _delete: Callable[[str], bool]
    _set: Callable[[str, Any, Any], None]

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """Return the very object that was stored."""
        key = self.make_and_validate_key(key, version=version)
        with self._lock:
            if self._has_expired(key):
                self._delete(key)
                return default
            self._cache.move_to_end(key, last=False)
            return self._cache[key]

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Keep the object itself."""
        key = self.make_and_validate_key(key, version=version)
        with self._lock:
            self._set(key, value, timeout)

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Keep the object itself, unless there is one."""
        key = self.make_and_validate_key(key, version=version)
        with self._lock:
            if not self._has_expired(key):
                return False
            self._set(key, value, timeout)
            return True
