"""How much is tried: `make test` takes a part of what is alike, `make test-all` all of it, `make test-long` far more.

The Makefile says which by TESTS: quick, all or long; without it a run is quick.
"""

import os
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, TypeVar

import pytest
from django.db import connection

T = TypeVar("T")

RUN = os.environ.get("TESTS") or "quick"
# `make test-long` is done within two hours or so; `make test-long TIMES=10` takes the best part of a day.
TIMES = int(os.environ.get("TIMES") or 1)


def some_of(things: Iterable[T], *, one_in: int = 6, part: int = 0) -> list[T]:
    """One in this many, spread evenly; all of them outside `make test`. Tests with another `part` take others."""
    return list(things)[part % one_in :: one_in] if RUN == "quick" else list(things)


def so_many(number: int, *, often: int) -> int:
    """How many random cases a test makes up, by a fixed seed; more in the long run."""
    return often if RUN == "long" else number


def tries(number: int) -> int:
    """How many made-up cases the long run tries of so many that a whole day tries: a tenth, or TIMES tenths.

    On PostgreSQL, where each takes longer, a tenth of these.
    """
    return on_both(number // 10 if connection.vendor == "postgresql" else number) if RUN == "long" else number


def few_or_many(few: int, many: int) -> list[Any]:
    """How often a proof is tried: so few times, and so many under `make test-long`."""
    return [few, pytest.param(many, marks=pytest.mark.slow(long=True))]


def on_both(number: int) -> int:
    """The same share of what has to be tried as often on both databases, as kills."""
    return max(1, number * TIMES // 10)


def each(*cases: Any, quick: Iterable[Any] = ()) -> list[Any]:
    """Cases of a test of which `make test` takes the `quick` ones, or the first where none is named."""
    chosen = list(quick) or list(cases[:1])
    return [pytest.param(case, marks=() if case in chosen else pytest.mark.slow) for case in cases]


def crossed(*axes: Sequence[Any]) -> list[Any]:
    """Every combination as a case of a test. `make test` takes each value once at least.

    For example pages at two widths: each page at one of them.
    """
    fewest = min(map(len, axes))
    return [
        pytest.param(*values, marks=() if sum(at) % fewest == 0 else pytest.mark.slow)
        for at, values in zip(product(*(range(len(axis)) for axis in axes)), product(*axes), strict=True)
    ]
