"""Sheets of paper that are filled from the top: what stands where, and when the next one begins.

Rules: docs/how-to/paper.md. Points from the lower left corner, as printers count. Knows nothing of what is written.
"""

from dataclasses import dataclass

from tournaments.rendering.pdf.documents import PageSize
from tournaments.rendering.pdf.lettering import Lettering, Line

MARGIN = 48.0
LEADING = 1.45
HEAD = 24.0
FOOT = 26.0


@dataclass(frozen=True, slots=True)
class Letters:
    """A line of text at a place; y is the line that letters stand on."""

    line: Line
    x: float
    y: float
    size: float


@dataclass(frozen=True, slots=True)
class Rule:
    """A level line, or with a height an upright one."""

    x: float
    y: float
    width: float
    thickness: float
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class Squares:
    """A pattern of black squares, `runs` being row, column and how many stand side by side; y is its upper edge."""

    runs: tuple[tuple[int, int, int], ...]
    x: float
    y: float
    side: float


Ink = Letters | Rule | Squares


class Sheets:
    """Pages, of which the last one is being filled. Wide ones lie on their long side."""

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
        """What is left of this page."""
        return self.y - self.bottom

    @property
    def height(self) -> float:
        """What a fresh page holds."""
        return self.top - HEAD - self.bottom

    def turn(self) -> None:
        """Begin the next page, below the line that names the document."""
        self.pages.append([])
        self.y = self.top - HEAD

    def need(self, height: float) -> None:
        """Begin the next page unless this much is left, or nothing could ever be."""
        if self.room < min(height, self.height):
            self.turn()

    def skip(self, height: float) -> None:
        """Leave some white."""
        self.y -= height

    def letters(self, line: Line, *, x: float = 0.0, size: float, down: float = 0.0) -> None:
        """A line `x` from the left edge, its letters standing `down` below where the page is filled to."""
        self.pages[-1].append(Letters(line, self.left + x, self.y - down, size))

    def rule(self, *, x: float = 0.0, width: float | None = None, thickness: float = 0.5) -> None:
        """A line across, where the page is filled to."""
        self.pages[-1].append(Rule(self.left + x, self.y, self.width if width is None else width, thickness))

    def upright(self, *, x: float, height: float, thickness: float = 0.5) -> None:
        """A line down from where the page is filled to."""
        self.pages[-1].append(Rule(self.left + x, self.y - height, 0.0, thickness, height))

    def squares(self, runs: tuple[tuple[int, int, int], ...], *, x: float, side: float) -> None:
        """A pattern that begins where the page is filled to."""
        self.pages[-1].append(Squares(runs, self.left + x, self.y, side))

    def paragraph(self, text: str, *, size: float, is_bold: bool = False) -> None:
        """A text over as many lines and pages as it takes."""
        for line in self.lettering.wrap(text, self.width / size, is_bold=is_bold):
            self.need(size * LEADING)
            self.letters(line, size=size, down=size * 1.05)
            self.skip(size * LEADING)
