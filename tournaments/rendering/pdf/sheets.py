"""Pages that are filled from the top, and the blocks set on them: facts, lines to sign on, codes, announcements.

Rules: docs/how-to/paper.md. Points from the lower left corner, as in PDF. Knows nothing of tables and grids.
"""

from dataclasses import dataclass

import segno

from tournaments.rendering.pdf import Announcement, Coded, Facts, PageSize, Signatures
from tournaments.rendering.pdf.lettering import Lettering, Line

MARGIN = 48.0
LEADING = 1.45
HEAD = 24.0
FOOT = 26.0
NAME, LARGE, BODY, SMALL = 26.0, 15.0, 10.0, 8.0
BETWEEN = 14.0
SIGNING_HEIGHT = 46.0
CODE = 104.0
# The white border that a reader needs around a code, in squares.
QUIET = 4


@dataclass(frozen=True, slots=True)
class Letters:
    """A line of text at a position; y is its baseline."""

    line: Line
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class Rule:
    """A horizontal line, or with a height a vertical one."""

    x: float
    y: float
    width: float
    thickness: float
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class Squares:
    """A pattern of black squares, `runs` being row, column and how many are adjacent; y is its upper edge."""

    runs: tuple[tuple[int, int, int], ...]
    x: float
    y: float
    side: float


Ink = Letters | Rule | Squares


class Sheets:
    """Pages, of which the last one is being filled. Wide ones are in landscape."""

    def __init__(self, size: PageSize, lettering: Lettering, *, is_wide: bool = False) -> None:
        self.lettering = lettering
        self.paper = (size.value[1], size.value[0]) if is_wide else size.value
        self.left, self.bottom = MARGIN, MARGIN + FOOT
        self.width = self.paper[0] - 2 * MARGIN
        self.top = self.paper[1] - MARGIN
        self.pages: list[list[Ink]] = [[]]
        self.y = self.top

    @property
    def room(self) -> float:
        """The height left on this page."""
        return self.y - self.bottom

    @property
    def height(self) -> float:
        """The height of an empty page."""
        return self.top - HEAD - self.bottom

    def turn(self) -> None:
        """Begin the next page, below the line with the document's name."""
        self.pages.append([])
        self.y = self.top - HEAD

    def need(self, height: float) -> None:
        """Begin the next page unless this height is left, or no page could offer it."""
        if self.room < min(height, self.height):
            self.turn()

    def skip(self, height: float) -> None:
        """Leave some white space."""
        self.y -= height

    def letters(self, line: Line, *, x: float = 0.0, size: float, down: float = 0.0) -> None:
        """Set a line `x` from the left edge, with its baseline `down` below the filled part of the page."""
        self.pages[-1].append(Letters(line, self.left + x, self.y - down, size))

    def rule(self, *, x: float = 0.0, width: float | None = None, thickness: float = 0.5) -> None:
        """Draw a line across, at the end of the filled part."""
        self.pages[-1].append(Rule(self.left + x, self.y, self.width if width is None else width, thickness))

    def upright(self, *, x: float, height: float, thickness: float = 0.5) -> None:
        """Draw a vertical line down from the end of the filled part."""
        self.pages[-1].append(Rule(self.left + x, self.y - height, 0.0, thickness, height))

    def squares(self, runs: tuple[tuple[int, int, int], ...], *, x: float, side: float) -> None:
        """Draw a pattern from the end of the filled part."""
        self.pages[-1].append(Squares(runs, self.left + x, self.y, side))

    def paragraph(self, text: str, *, size: float, is_bold: bool = False) -> None:
        """Set a text over as many lines and pages as needed."""
        for line in self.lettering.wrap(text, self.width / size, is_bold=is_bold):
            self.need(size * LEADING)
            self.letters(line, size=size, down=size * 1.05)
            self.skip(size * LEADING)


@dataclass(frozen=True, slots=True)
class Code:
    """Black squares as row, column and how many are adjacent, on a field of so many squares a side."""

    runs: tuple[tuple[int, int, int], ...]
    squares: int


def code_of(address: str) -> Code:
    """Return the QR code of an address, with its white border."""
    matrix = segno.make(address, error="m", micro=False).matrix
    runs = tuple(
        (row + QUIET, start + QUIET, length) for row, line in enumerate(matrix) for start, length in _black(bytes(line))
    )
    return Code(runs, len(matrix) + 2 * QUIET)


def _black(line: bytes) -> list[tuple[int, int]]:
    """Yield where black begins in a line, and its length."""
    runs: list[tuple[int, int]] = []
    for place, is_black in enumerate(line):
        if not is_black:
            continue
        if runs and sum(runs[-1]) == place:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((place, 1))
    return runs


def set_facts(sheets: Sheets, facts: Facts, *, width: float | None = None) -> None:
    """Set names on the left, as wide as the widest of them but never more than a third."""
    across = sheets.width if width is None else width
    names = [sheets.lettering.line(name).width for name, _ in facts.pairs]
    name_width = min(max(names, default=0.0) * BODY + BETWEEN, across / 3)
    for name, value in facts.pairs:
        labels = sheets.lettering.wrap(name, (name_width - BETWEEN) / BODY + 0.001)
        values = sheets.lettering.wrap(value, (across - name_width) / BODY, is_bold=True)
        for at in range(max(len(labels), len(values))):
            sheets.need(BODY * LEADING)
            for lines, x in ((labels, 0.0), (values, name_width)):
                if at < len(lines):
                    sheets.letters(lines[at], x=x, size=BODY, down=BODY * 1.05)
            sheets.skip(BODY * LEADING)


def set_signatures(sheets: Sheets, signatures: Signatures) -> None:
    """Set lines side by side, all on one page."""
    width = (sheets.width - BETWEEN * (len(signatures.who) - 1)) / len(signatures.who)
    below = [sheets.lettering.wrap(who, width / SMALL) for who in signatures.who]
    height = max(map(len, below)) * SMALL * LEADING
    sheets.need(SIGNING_HEIGHT + height)
    sheets.skip(SIGNING_HEIGHT)
    for place, lines in enumerate(below):
        x = place * (width + BETWEEN)
        sheets.rule(x=x, width=width)
        for number, line in enumerate(lines):
            sheets.letters(line, x=x, size=SMALL, down=SMALL * (1.3 + number * LEADING))
    sheets.skip(height)


def set_coded(sheets: Sheets, coded: Coded) -> None:
    """Set the code on the right, facts and words beside it."""
    below = sheets.lettering.wrap(coded.below, CODE / SMALL)
    height = CODE + len(below) * SMALL * LEADING
    sheets.need(height)
    start, page = sheets.y, len(sheets.pages)
    x = sheets.width - CODE
    set_code(sheets, coded.address, x=x, width=CODE)
    for number, line in enumerate(below):
        middle = x + (CODE - line.width * SMALL) / 2
        sheets.letters(line, x=middle, size=SMALL, down=CODE + SMALL * (0.9 + number * LEADING))
    text_width = sheets.width - CODE - BETWEEN
    set_facts(sheets, coded.facts, width=text_width)
    for words in coded.words:
        sheets.skip(SMALL / 3)
        _lines(sheets, sheets.lettering.wrap(words, text_width / SMALL), SMALL)
    if len(sheets.pages) == page:
        sheets.y = min(sheets.y, start - height)


def set_code(sheets: Sheets, address: str, *, x: float, width: float) -> None:
    """Draw a code at the end of the filled part, without moving that end."""
    code = code_of(address)
    sheets.squares(code.runs, x=x, side=width / code.squares)


def set_announcement(sheets: Sheets, announcement: Announcement) -> None:
    """Set large letters, readable while standing, on a single page if they fit on one."""
    blocks = [(sheets.lettering.wrap(announcement.before, sheets.width / LARGE), LARGE)]
    blocks += [(sheets.lettering.wrap(name, sheets.width / NAME, is_bold=True), NAME) for name in announcement.names]
    blocks += [(sheets.lettering.wrap(text, sheets.width / LARGE), LARGE) for text in announcement.after]
    sheets.need(sum(len(lines) * size * LEADING for lines, size in blocks) + BETWEEN)
    for lines, size in blocks:
        _lines(sheets, lines, size)
    sheets.skip(BETWEEN / 2)
    sheets.need(1.0)
    sheets.rule(thickness=0.25)
    sheets.skip(BETWEEN / 2)


def _lines(sheets: Sheets, lines: list[Line], size: float) -> None:
    for line in lines:
        sheets.need(size * LEADING)
        sheets.letters(line, size=size, down=size * 1.05)
        sheets.skip(size * LEADING)
