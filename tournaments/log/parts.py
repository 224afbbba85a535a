"""Long work in parts: each can be done by itself, by any process, and what comes out of it is a value.

`InTurn` does one after the other; `tournaments.management.runs` does several at once, and goes on where it was stopped.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

# How many are done, and of how many.
Progress = Callable[[int, int], object]
# How many of a part are done.
Tell = Callable[[int], object]


class Part(Protocol):
    """Something to do. Frozen, and made of what JSON can hold: it is known again by what it says."""

    @property
    def size(self) -> int:
        """How many facts or streams it is, as progress counts them."""


class Done(Protocol):
    """What came out of a part, made of what JSON can hold."""

    @property
    def facts(self) -> int:
        """How many facts were read."""


P = TypeVar("P", bound=Part)
D = TypeVar("D", bound=Done)
# A function of a module, so that another process finds it.
Work = Callable[[P, Tell], D]


class InTurn:
    """Does part after part in this process."""

    processes = 1

    def __init__(self, progress: Progress | None = None) -> None:
        self.progress = progress or (lambda done, total: None)

    def __call__(self, stage: str, work: Work[P, D], parts: Sequence[P], kind: type[D]) -> Iterator[D]:
        """What comes out of each part, in their order. Each stage has a name, and all of its results are of a kind."""
        total, done = sum(part.size for part in parts), 0

        def tell(within: int) -> None:
            self.progress(min(done + within, total), total)

        for part, result in zip(parts, self.results(stage, work, parts, kind, tell), strict=True):
            done += part.size
            tell(0)
            yield result

    def results(self, stage: str, work: Work[P, D], parts: Sequence[P], kind: type[D], tell: Tell) -> Iterator[D]:
        """The results alone; each part tells of its own how far it has come."""
        return (work(part, tell) for part in parts)
