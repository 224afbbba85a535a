"""Print documents made of facts, tables and lines to sign on, and their PDF.

Rules: docs/how-to/paper.md. All text is plain and stays plain. A document knows nothing of typefaces, page sizes and
PDF, nor of rummy, clubs and money. The PDF code is imported with the first file: most processes print nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum


class Kind(StrEnum):
    """The content of a column: text that wraps, text on one line, a number on the right, or room to write."""

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
    """One row, a cell for each column. A sum is emphasised."""

    cells: tuple[str, ...]
    is_sum: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows under headings that are repeated on every page; `empty` is printed where there are no rows.

    A large one is for a wall, a small one for looking something up.
    """

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str = ""
    empty: str = "Nothing."
    is_large: bool = False
    is_small: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Names with their values, one below the other."""

    pairs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """A paragraph; a large one is readable from across a desk, small ones are set close together."""

    text: str
    is_large: bool = False
    is_small: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Signatures:
    """A line for each signature, with a caption below it."""

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
    """A box to write in: room for so many letters, and printed letters to circle."""

    title: str
    room: int = 3
    letters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxGroup:
    """Boxes under one heading, or under a name with its caption above."""

    boxes: tuple[Box, ...]
    title: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Rows of boxes to fill in by hand. A row has a text for each box, mostly empty.

    Rows are printed until the page is full, but at least `least`. `before` is a first row that is already filled in:
    nothing is circled in it.
    """

    groups: tuple[BoxGroup, ...]
    rows: tuple[tuple[str, ...], ...]
    before: tuple[str, ...] = ()
    least: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """An announcement: a line before, the names, and what follows them. It is kept on one page."""

    before: str
    names: tuple[str, ...]
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NextPage:
    """Starts a new page."""


Part = Table | Facts | Paragraph | Signatures | Coded | Grid | Announcement | NextPage


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document: the house, its title, its content, and the line at the foot of each page.

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
    """Half a page to put on a table: the title in large letters, the players, and a QR code.

    `typed` is what to type without a camera, `steps` the instructions.
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
    """A framed page for one winner: `before` and `after` are the texts around the name, `who` signs."""

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
    """Return the PDF of a document."""
    return pdf_of_all((document,), size)


def pdf_of_all(printed: Sequence[Printed], size: PageSize = PageSize.A4) -> bytes:
    """Return one PDF with several documents, cards and certificates; adjacent cards share pages."""
    from tournaments.rendering.pdf import pdf  # noqa: PLC0415 (see above)

    return pdf.pdf_of_all(printed, size)
