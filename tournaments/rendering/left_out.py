"""Makes the lines of a list from its rows. A row that cannot be shown is left out, logged with its id, and counted.

The rule: one row that nobody foresaw never takes away the page of all the others, and the page says that it is not
whole. Only for lists of many things: a page about one thing answers for it. Knows nothing of what a line is.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from typing import TypeVar

from django.db import DatabaseError
from django.http import HttpRequest

logger = logging.getLogger(__name__)
# What the card of a list is about.
ABOUT = ("sheet", "tournament", "season", "player", "club")
Row = TypeVar("Row")
Line = TypeVar("Line")
Key = TypeVar("Key")
_count: ContextVar[int] = ContextVar("rows_left_out", default=0)


def lines_of(rows: Iterable[Row], show: Callable[[Row], Line]) -> list[Line]:
    """A line for each row that can be shown."""
    return [line for _, line in pairs_of(rows, show)]


def pairs_of(rows: Iterable[Row], show: Callable[[Row], Line]) -> Iterator[tuple[Row, Line]]:
    """Each row that can be shown, with its line.

    What the database refuses goes on: nothing can be read after it, so nothing would be whole.
    """
    for row in rows:
        try:
            line = show(row)
        except DatabaseError:
            raise
        except Exception:  # whatever nobody foresaw: it is logged with its row, counted and told
            logger.exception("a row cannot be shown: %s", _name(row))
            _count.set(_count.get() + 1)
            continue
        yield row, line


def read_at_once(rows: Sequence[Row], read: Callable[[Sequence[Row]], Mapping[Key, Line]]) -> dict[Key, Line]:
    """What is read of many rows in as many queries as of one; row by row only where one of them cannot be read."""
    try:
        return dict(read(rows))
    except DatabaseError:
        raise
    except Exception:  # noqa: BLE001 - the row that it was is logged, counted and told below
        return {key: line for found in lines_of(rows, lambda row: read([row])) for key, line in found.items()}


def count_anew(**_: object) -> None:
    """Nothing has been left out of this answer so far."""
    _count.set(0)


def left_out() -> int:
    """How many rows were left out of this answer."""
    return _count.get()


def left_out_context(request: HttpRequest) -> dict[str, Callable[[], int]]:
    """For templates: the number, asked for where it is written, when all lines have been made."""
    return {"left_out": left_out}


def _name(row: object) -> str:
    """The row's kind and id, or those of what a card is about: never its text, which may be somebody's name."""
    about = next((part for name in ABOUT if (part := getattr(row, name, None)) is not None), None)
    key = getattr(row, "pk", None) or getattr(row, "id", None) or getattr(about, "pk", "")
    return f"{type(row).__name__} {key}"
