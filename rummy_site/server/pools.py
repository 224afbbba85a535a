"""Threads for requests: those that read and those that write have their own, so that neither waits for the other.

A write that waits for a lock holds a thread of the writers. How many may wait behind them is bounded.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

Done = TypeVar("Done")


class TooManyWait(Exception):
    """As many requests wait for a thread as may wait."""


class Pool:
    """Some threads that stay, with their database connections."""

    def __init__(self, name: str, *, threads: int, most_waiting: int) -> None:
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix=name)
        self._most = threads + most_waiting
        self._inside = 0

    async def run(self, deed: Callable[..., Done], *arguments: Any) -> Done:
        """The deed in a thread, as soon as one is free. Raises TooManyWait."""
        if self._inside >= self._most:
            raise TooManyWait
        self._inside += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, deed, *arguments)
        finally:
            self._inside -= 1


class Pools(NamedTuple):
    """The threads of this process."""

    readers: Pool
    writers: Pool
