"""What a sheet of paper says: facts, tables, lines to sign on, in the words of whoever writes it.

Rules: docs/paper.md. Everything is plain text and stays plain text. Knows nothing of typefaces, page sizes and PDF,
nor of rummy, clubs and money.
"""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What stands in a column: text that wraps, text on one line, a number on the right, or room to write."""

    TEXT = "text"
    FIRM = "firm"
    NUMBER = "number"
    BLANK = "blank"


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table."""

    title: str
    kind: Kind = Kind.TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row, a cell for each column. A sum stands out."""

    cells: tuple[str, ...]
    is_sum: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under headings that are repeated on every page; `empty` is said where there are none."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str = ""
    empty: str = "Nothing."


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Names with what they are, one below the other."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A paragraph; a large one is read from across a desk."""

    text: str
    is_large: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Signatures:
    """A line for each who signs, with what they are below it."""

    who: tuple[str, ...]


Part = Table | Facts | Words | Signatures


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document: whose it is, what it is called, what it says, and the line at the foot of each page."""

    house: str
    title: str
    parts: tuple[Part, ...]
    foot: str = ""
