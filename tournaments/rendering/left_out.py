"""Builds the lines of a list from its rows. A row that fails is skipped, logged with its id, and counted.

The rule: one unexpected row never breaks the page for all the others, and the page says that it is incomplete. Only for
lists: a page about a single object fails. Knows nothing of what a line is.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import TypeVar

from django.db import DatabaseError
from django.http import HttpRequest

logger = logging.getLogger(__name__)
# The object that a card in a list shows.
ABOUT = ("sheet", "tournament", "season", "player", "club")
Row = TypeVar("Row")
Line = TypeVar("Line")
Key = TypeVar("Key")
_count: ContextVar[int] = ContextVar("rows_left_out", default=0)


def lines_of(rows: Iterable[Row], show: Callable[[Row], Line]) -> list[Line]:
    """Build a line for each row, without those that fail."""
    return [line for _, line in pairs_of(rows, show)]


def pairs_of(rows: Iterable[Row], show: Callable[[Row], Line]) -> Iterator[tuple[Row, Line]]:
    """Yield each row with its line, without those that fail.

    Database errors are raised: nothing can be read after one, so the page would be useless.
    """
    for row in rows:
        try:
            line = show(row)
        except DatabaseError:
            raise
        except Exception:  # any unexpected error: it is logged with its row, counted and reported
            logger.exception("a row cannot be shown: %s", _name(row))
            _count.set(_count.get() + 1)
            continue
        yield row, line


def read_at_once(rows: Sequence[Row], read: Callable[[Sequence[Row]], Mapping[Key, Line]]) -> dict[Key, Line]:
    """Read many rows with one set of queries; row by row only where one of them cannot be read."""
    try:
        return dict(read(rows))
    except DatabaseError:
        raise
    except Exception:  # noqa: BLE001 - the row that it was is logged, counted and reported below
        return {
            key: line for lines_by_key in lines_of(rows, lambda row: read([row])) for key, line in lines_by_key.items()
        }


def count_anew(**_: object) -> None:
    """Reset the count at the start of a response."""
    _count.set(0)


def left_out() -> int:
    """Return how many rows were skipped in this response."""
    return _count.get()


def left_out_context(request: HttpRequest) -> dict[str, Callable[[], int]]:
    """Template context: the number, evaluated where it is printed, after all lines have been built."""
    return {"left_out": left_out}


def _name(row: object) -> str:
    """Return the kind and id of a row, or of a card's object: never its text, which may be a person's name."""
    about = next((part for name in ABOUT if (part := getattr(row, name, None)) is not None), None)
    key = getattr(row, "pk", None) or getattr(row, "id", None) or getattr(about, "pk", "")
    return f"{type(row).__name__} {key}"
