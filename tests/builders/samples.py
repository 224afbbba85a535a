"""Sampling of like cases for `make test`; `make test-long` tries each of them.

A test that goes through every page, form, column or address takes as long as a hundred others. It is marked `walk`,
and gets its sample here: one in so many, spread evenly, the same in every run.
"""

import os
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, TypeVar

import pytest
from django.db import connection

T = TypeVar("T")

EVERY_ONE = os.environ.get("HYPOTHESIS_PROFILE") == "long"
# `make test-long` is done within two hours or so; `make test-long TIMES=10` takes the best part of a day.
TIMES = int(os.environ.get("TIMES") or 1)


def some_of(things: Iterable[T], *, one_in: int = 6, part: int = 0) -> list[T]:
    """One in this many, or all of them in the long run. Tests with different `part` take different samples."""
    return list(things) if EVERY_ONE else list(things)[part % one_in :: one_in]


def so_many(number: int, *, often: int) -> int:
    """How many random cases a test makes up, by a fixed seed; more in the long run."""
    return often if EVERY_ONE else number


def tries(number: int) -> int:
    """How many made-up cases the long run tries of so many that a whole day tries: a tenth, or TIMES tenths.

    On PostgreSQL, where each takes longer, a tenth of these.
    """
    return on_both(number // 10 if connection.vendor == "postgresql" else number) if EVERY_ONE else number


def on_both(number: int) -> int:
    """The same share of what has to be tried as often on both databases, as kills."""
    return max(1, number * TIMES // 10)


def crossed(*axes: Sequence[Any]) -> list[Any]:
    """Every combination as a case of a test. `make test` tries each value once at least; the others are marked `long`.

    For example pages at two widths: each page at one of them.
    """
    fewest = min(map(len, axes))
    return [
        pytest.param(*values, marks=() if sum(at) % fewest == 0 else pytest.mark.long)
        for at, values in zip(product(*(range(len(axis)) for axis in axes)), product(*axes), strict=True)
    ]
