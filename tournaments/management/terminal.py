"""What commands do on a terminal: say how far they have come and how they end, and write files whole or not at all.

Rules: docs/decisions/0026-facts-that-read-back.md. A fault and a fact that cannot be read ask for different deeds: what
was changed is looked into by whoever runs the machine, what cannot be read is left out by a director, and a copy of it
is worth keeping.
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
# Not 1, a fault, and not 2, unusable words. A timer takes any of them for a failure, a program can tell them apart.
UNREAD = 3
HOW_TO_LEAVE_OUT = "manage.py leave_out lists them, and leaves them out"


class ProgressLine:
    """Call it with how many are done, and of how many."""

    def __init__(self, what: str, *, stream: TextIO | None = None) -> None:
        self.what = what
        self.stream = stream or sys.stderr
        self.is_watched = self.stream.isatty()
        self._shown_at = 0.0

    def __call__(self, done: int, total: int) -> None:
        """Redraw the line, ten times a second at most."""
        now = time.monotonic()
        is_over = done >= total
        if not self.is_watched or (now - self._shown_at < EVERY_SECONDS and not is_over):
            return
        self._shown_at = now
        share = done / total if total else 1.0
        bar = ("#" * round(WIDTH * share)).ljust(WIDTH, ".")
        self.stream.write(f"\r{self.what} [{bar}] {done}/{total}{chr(10) if is_over else ''}")
        self.stream.flush()


class FactsUnread(CommandError):
    """Everything holds but for facts that cannot be read."""


def failure(said: str, lines: Sequence[str]) -> CommandError:
    """What to raise for the lines that a proof has said."""
    return CommandError(said) if are_faults(lines) else FactsUnread(said)


@contextmanager
def written_whole(out: Path) -> Iterator[IO[bytes]]:
    """A file to write into. It lies beside its place first, so that half a file never stands there."""
    with NamedTemporaryFile(dir=out.parent, prefix=f".{out.name}-", delete=False) as file:
        try:
            yield file
            file.flush()
            os.replace(file.name, out)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise
