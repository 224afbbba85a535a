"""Reproducible randomness: the same seed gives the same cards, mistakes and late entries on any machine.

Rules: docs/how-to/rehearsal.md, section 2 (seeds). Knows nothing of cards or tables.
"""

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A stream of random numbers. Uses only `random()`: Python guarantees no other method's sequence."""

    def __init__(self, seed: str) -> None:
        self._next = Random(seed).random  # noqa: S311 - to be repeated by anybody, so not secret by intent

    def happens(self, share: float) -> bool:
        """True with this probability."""
        return self._next() < share

    def number(self, least: int, most: int) -> int:
        """A whole number, both ends included."""
        return least + int(self._next() * (most - least + 1))

    def one_of(self, items: Sequence[T]) -> T:
        """One of several."""
        return items[int(self._next() * len(items))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """All of them in another order."""
        keyed = [(self._next(), place) for place in range(len(items))]
        return [items[place] for _, place in sorted(keyed)]

    def some_of(self, items: Sequence[T], share: float) -> list[T]:
        """Each of them with this probability."""
        return [item for item in items if self.happens(share)]
