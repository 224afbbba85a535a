"""Paper: documents as facts, tables and lines to sign on, in the words of whoever writes them, and the PDF of them.

Rules: docs/how-to/paper.md. Everything is plain text and stays plain text. A document knows nothing of typefaces, page
sizes and PDF, nor of rummy, clubs and money. What sets it is fetched with the first file: most processes print nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum


class Kind(StrEnum):
    """What stands in a column: text that wraps, text on one line, a number on the right, or room to write."""

    TEXT = "text"
    FIRM = "firm"
    NUMBER = "number"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table."""

    title: str
    kind: Kind = Kind.TEXT


@dataclass(frozen=True, slots=True)
class Row:
    """One row, a cell for each column. A sum stands out."""

    cells: tuple[str, ...]
    is_sum: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under headings that are repeated on every page; `empty` is said where there are none.

    A large one is read on a wall, a small one by whoever looks something up.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str = ""
    empty: str = "Nothing."
    is_large: bool = False
    is_small: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Names with what they are, one below the other."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """A paragraph; a large one is read from across a desk, small ones stand close to each other."""

    text: str
    is_large: bool = False
    is_small: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Signatures:
    """A line for each who signs, with what they are below it."""

    who: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Coded:
    """Facts and words with a QR code beside them, and a line below it that says what it opens."""

    facts: Facts
    address: str
    below: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A box to write in: for how many letters it has room, and which ones stand in it to be circled."""

    title: str
    room: int = 3
    letters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxGroup:
    """Boxes under one heading, or under a name with what it is above it."""

    boxes: tuple[Box, ...]
    title: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Rows of boxes to fill in by hand. A row has a text for each box, mostly none.

    As many rows are printed as the page holds, but `least` in any case. `before` is a first row that is filled in
    already: nothing is circled in it.
    """

    groups: tuple[BoxGroup, ...]
    rows: tuple[tuple[str, ...], ...]
    before: tuple[str, ...] = ()
    least: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """What is called out in a hall: a line before, the names, and what follows them. It stands on one page."""

    before: str
    names: tuple[str, ...]
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NextPage:
    """What follows begins on a page of its own."""


Part = Table | Facts | Words | Signatures | Coded | Grid | Announcement | NextPage


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document: whose it is, what it is called, what it says, and the line at the foot of each page.

    `counts` numbers the pages, in words that hold `{page}` and `{pages}`.
    """

    house: str
    title: str
    parts: tuple[Part, ...]
    foot: str = ""
    counts: str = "{page} of {pages}"
    is_wide: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """Half a page to stand on a table: what it is called in large letters, who sits there, and a QR code.

    `typed` is how to get there without a camera, `steps` what to do.
    """

    house: str
    title: str
    below: str = ""
    names: tuple[str, ...] = ()
    address: str = ""
    steps: tuple[str, ...] = ()
    typed: tuple[str, ...] = ()
    foot: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """A page in a frame, for one winner: `before` the name, `after` it, and who signs."""

    house: str
    title: str
    before: str
    name: str
    after: tuple[str, ...]
    who: tuple[str, ...]
    foot: str = ""


Printed = Document | Card | Certificate


class PageSize(Enum):
    """A sheet of paper, in points."""

    A4 = (595.28, 841.89)
    LETTER = (612.0, 792.0)


def pdf_of(document: Document, size: PageSize = PageSize.A4) -> bytes:
    """The whole file."""
    return pdf_of_all((document,), size)


def pdf_of_all(printed: Sequence[Printed], size: PageSize = PageSize.A4) -> bytes:
    """Several documents, cards and certificates in one file; cards that follow each other share pages."""
    from tournaments.rendering.pdf import pdf  # noqa: PLC0415 (see above)

    return pdf.pdf_of_all(printed, size)
