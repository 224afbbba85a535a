"""A moment at which whatever is left to the clock and to chance comes out the same, in any run."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from hashlib import sha256
from itertools import count
from random import Random
from types import FrameType
from unittest.mock import patch

import time_machine


@contextmanager
def at_a_moment(moment: datetime) -> Iterator[None]:
    """The clock stands still, chance repeats itself, and new ids count up: rows sorted by them keep their order."""
    second, real = int(moment.timestamp()), os.urandom
    chance, number = Random(second), count(second << 17)

    def some(size: int) -> bytes:
        return chance.randbytes(size)

    def counted(size: int) -> bytes:
        # Lots are drawn by the ids of players. What the queue names by ids hangs on what this process has sent before.
        asking = {frame.f_globals.get("__name__", "").partition(".")[0] for frame in (_frame(2), _frame(3)) if frame}
        if asking & {"celery", "kombu"}:
            return real(size)
        if size != 16:
            return some(size)
        following = next(number).to_bytes(6, "big")
        return following + sha256(following).digest()[:10]

    with time_machine.travel(moment, tick=False), patch("os.urandom", counted), patch("random._urandom", some):
        yield


def _frame(depth: int) -> FrameType | None:
    with suppress(ValueError):
        return sys._getframe(depth + 1)
    return None
