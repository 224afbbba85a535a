"""Terminal output of commands: progress, exit status, and files written completely or not at all.

Rules: docs/decisions/0026-events-that-read-back.md. A fault and an unreadable event need different actions: the
administrator of the server investigates what was changed; a director excludes what cannot be read, and a copy of it is
worth keeping.
"""

import os
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, TextIO

from django.core.management.base import CommandError

from tournaments.log.auditing import are_faults

WIDTH = 30
EVERY_SECONDS = 0.1
EVERY_SECONDS_IN_A_FILE = 5.0
# Not 1, a fault, and not 2, unusable arguments. A timer takes any of them for a failure, a program can tell them apart.
UNREAD = 3
HOW_TO_LEAVE_OUT = "manage.py leave_out lists them, and leaves them out"


class ProgressLine:
    """Call it with how many are done, and of how many. Silent without a terminal, unless progress was asked for."""

    def __init__(self, what: str, *, stream: TextIO | None = None, is_asked: bool = False) -> None:
        self.stream = stream or sys.stderr
        self.is_terminal = self.stream.isatty()
        self.is_watched = self.is_terminal or is_asked
        self.begin(what)

    def begin(self, what: str) -> None:
        """Set what is counted from now on. `events` is how many were read for it."""
        self.what, self.events = what, 0
        self._shown_at, self._begun_at = 0.0, time.monotonic()

    def __call__(self, done: int, total: int) -> None:
        """Redraw the line, at most ten times a second; without a terminal print a new line every five seconds."""
        now = time.monotonic()
        is_over = done >= total
        seconds = EVERY_SECONDS if self.is_terminal else EVERY_SECONDS_IN_A_FILE
        if not self.is_watched or (now - self._shown_at < seconds and not is_over):
            return
        self._shown_at = now
        share = done / total if total else 1.0
        bar = ("#" * round(WIDTH * share)).ljust(WIDTH, ".")
        rate = f", {self.events / max(now - self._begun_at, EVERY_SECONDS):,.0f} events a second" if self.events else ""
        before, after = ("\r", "\n" if is_over else "") if self.is_terminal else ("", "\n")
        self.stream.write(f"{before}{self.what} [{bar}] {done}/{total}{rate}{after}")
        self.stream.flush()

    def say(self, line: str) -> None:
        """Print a full line, with or without a terminal."""
        self.stream.write(f"{line}\n")


class EventsUnread(CommandError):
    """Raised when the only problem is events that cannot be read."""


def failure(message: str, lines: Sequence[str]) -> CommandError:
    """Return the exception to raise for the lines that a check has printed."""
    return CommandError(message) if are_faults(lines) else EventsUnread(message)


@contextmanager
def written_whole(out: Path) -> Iterator[IO[bytes]]:
    """Open a file for writing. It is written beside its destination first, so that no partial file appears there."""
    with NamedTemporaryFile(dir=out.parent, prefix=f".{out.name}-", delete=False) as file:
        try:
            yield file
            file.flush()
            os.replace(file.name, out)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
