"""Reads the body of a request: all of it, no more than its door takes, and not for ever.

The bound in time is for the whole body, so that one byte a second buys nothing. What bodies hold together is bounded
too: each may hold a little, and all that is more than that comes out of one allowance.
"""

import asyncio
from collections.abc import AsyncIterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from rummy_site.middleware.failures import Misfit

# What one web process takes at once: how large, how long, how much together. docs/reference/running.md lists these.


MOST_WAITING_WRITERS = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What requests may take: so long each, so many bytes at each door, so many of large ones together, in and out."""

    seconds: int
    most_in: int
    most_out: int
    # By the beginning of the path; the first that fits.
    doors: tuple[tuple[str, int], ...]

    def most(self, path: str) -> int:
        """How large a body may be at this address."""
        return next(size for prefix, size in self.doors if path.startswith(prefix))


LIMITS = Limits(
    seconds=20,
    most_in=67_108_864,
    most_out=67_108_864,
    # Below /api/ what the parser takes (tournaments/web/api/base/bodies.py, not to be asked before the apps are
    # loaded): a deal has some hundred bytes. What the back office takes is a list or a season of paper sheets.
    doors=(("/api/", 262_144), ("/admin/", 4_194_304), ("", 262_144)),
)


SMALL_BYTES = 65_536


class NotTaken(Exception):
    """A request that is not taken, and the number that it was held against. `is_gone`: nobody is left to be told."""

    def __init__(self, misfit: Misfit, *, number: int = 0, is_gone: bool = False) -> None:
        super().__init__(misfit)
        self.misfit = misfit
        self.number = number
        self.is_gone = is_gone


class Chunks:
    """The body as it comes in. Read on after a pause, which granian's own would refuse."""

    def __init__(self, source: AsyncIterable[bytes]) -> None:
        self._source = aiter(source)

    def __aiter__(self) -> "Chunks":
        return self

    async def __anext__(self) -> bytes:
        return await anext(self._source)


class Bodies:
    """All bodies that are being read or answered in this process."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.held = 0

    @contextmanager
    def room(self) -> Iterator["Room"]:
        """Room for one body, given back when its request is answered."""
        room = Room(self)
        try:
            yield room
        finally:
            self.held -= room.taken


class Room:
    """What one body takes of what all may take together."""

    def __init__(self, bodies: Bodies) -> None:
        self.bodies = bodies
        self.taken = 0

    def take(self, size: int) -> None:
        """Hold a body of so many bytes now. Raises NotTaken where all together would be too much."""
        wanted = max(0, size - SMALL_BYTES)
        more = wanted - self.taken
        if self.bodies.held + more > self.bodies.limits.most_in:
            raise NotTaken(Misfit.TOO_BUSY)
        self.bodies.held += more
        self.taken = wanted

    async def read(self, chunks: Chunks, *, path: str, declared: int | None) -> bytes:
        """The whole body. Raises NotTaken: too large, too slow, too much together, or broken off."""
        limits = self.bodies.limits
        most = limits.most(path)
        if declared is not None and declared > most:
            raise too_large(most)
        try:
            async with asyncio.timeout(limits.seconds):
                body = await self._whole(chunks, most)
        except TimeoutError:
            raise NotTaken(Misfit.TOO_SLOW, number=limits.seconds) from None
        if declared is not None and len(body) != declared:
            raise broken_off()
        return body

    async def _whole(self, chunks: Chunks, most: int) -> bytes:
        parts: list[bytes] = []
        size = ends = 0
        async for chunk in chunks:
            # granian says the end with an empty chunk, and a connection that broke with one more before it.
            ends += not chunk
            parts.append(chunk)
            size += len(chunk)
            if size > most:
                raise too_large(most)
            self.take(size)
        if ends > 1:
            raise broken_off()
        return b"".join(parts)


def too_large(most: int) -> NotTaken:
    """More than its door takes."""
    return NotTaken(Misfit.TOO_LARGE, number=most)


def broken_off() -> NotTaken:
    """The sender went away in the middle: what came must not pass for what was meant."""
    return NotTaken(Misfit.MALFORMED, is_gone=True)
