"""How a web process ends: what was asked of it is answered, and what comes next goes to another one.

granian, told to end, closes its socket with whoever waits in it, and connections on which a request may be on its way.
So nothing new is taken first, each answer ends its connection, and granian is told when none is asked for any more.
Measured, and what a proxy does meanwhile: docs/decisions/0098.
"""

import asyncio
import os
import signal
import socket
import time
from collections.abc import Callable, Iterable

# A proxy's idle connections come up one after the other; each is ended with its next answer.
QUIET_SECONDS = 0.3
# A write waits for locks for less than five seconds. Shorter than the time after which the process is killed
# (KILL_AFTER_SECONDS in management/commands/serve.py).
LONGEST_SECONDS = 6.0
LOOK_SECONDS = 0.05


class Ending:
    """Whether this process is ending, and what is left to answer."""

    def __init__(self) -> None:
        self.is_begun = False
        self._inside = 0
        self._asked_at = 0.0

    def __enter__(self) -> None:
        """A request came in."""
        self._inside += 1
        self._asked_at = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self._inside -= 1

    def prepare(self, loop: asyncio.AbstractEventLoop, listening: Callable[[], Iterable[int]]) -> None:
        """End by these steps on SIGTERM. SIGINT stays granian's: by it granian is told at the last.

        `listening` has the numbers of the sockets on which this process listens.
        """
        loop.add_signal_handler(signal.SIGTERM, self._begin, loop, listening)

    def _begin(self, loop: asyncio.AbstractEventLoop, listening: Callable[[], Iterable[int]]) -> None:
        # The supervisor tells every process, and granian its own once more.
        if self.is_begun:
            return
        self.is_begun = True
        self._asked_at = time.monotonic()
        stop_listening(listening())
        self._wait(loop, until=self._asked_at + LONGEST_SECONDS)

    def _wait(self, loop: asyncio.AbstractEventLoop, *, until: float) -> None:
        now = time.monotonic()
        is_quiet = not self._inside and now - self._asked_at > QUIET_SECONDS
        if is_quiet or now > until:
            os.kill(os.getpid(), signal.SIGINT)
        else:
            loop.call_later(LOOK_SECONDS, lambda: self._wait(loop, until=until))


def stop_listening(numbers: Iterable[int]) -> None:
    """Take no more connections. On a socket that others hold as well, those that wait there are left to them.

    granian cannot stop taking connections alone. It finds a socket to which nobody can connect under the number of its
    own.
    """
    with socket.socket(socket.AF_UNIX) as nobodys:
        # Without a name: the kernel makes one up.
        nobodys.bind("")
        nobodys.listen()
        nobodys.settimeout(0)
        for number in numbers:
            os.dup2(nobodys.fileno(), number, inheritable=False)
