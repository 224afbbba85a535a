"""What `make test` tries of many things that are alike; `make test-long` tries each of them.

A test that walks through every page, form, column or address takes as long as a hundred others. It is marked `walk`,
and asks here for its part: one in so many, spread evenly, the same in every run.
"""

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

EVERY_ONE = os.environ.get("HYPOTHESIS_PROFILE") == "long"


def some_of(things: Iterable[T], *, one_in: int = 3, part: int = 0) -> list[T]:
    """One of each so many, or all of them in the long run. Tests that walk the same way take a different part each."""
    return list(things) if EVERY_ONE else list(things)[part % one_in :: one_in]
