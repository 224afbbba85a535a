"""A line on the terminal that shows how far a long deed has come; silent where nobody watches."""

import sys
import time
from typing import TextIO

WIDTH = 30
EVERY_SECONDS = 0.1


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
