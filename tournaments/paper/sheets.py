"""Sheets of paper that are filled from the top: what stands where, and when the next one begins.

Rules: docs/paper.md. Points from the lower left corner, as printers count. Knows nothing of what is written.
"""

from dataclasses import dataclass

from tournaments.paper.lettering import Lettering, Line
from tournaments.paper.sizes import PageSize

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
    """A level line."""

    x: float
    y: float
    width: float
    thickness: float


class Sheets:
    """Pages, of which the last one is being filled."""

    def __init__(self, size: PageSize, lettering: Lettering) -> None:
        self.lettering = lettering
        self.left, self.bottom = MARGIN, MARGIN + FOOT
        self.width = size.value[0] - 2 * MARGIN
        self.top = size.value[1] - MARGIN
        self.pages: list[list[Letters | Rule]] = [[]]
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

    def paragraph(self, text: str, *, size: float, is_bold: bool = False) -> None:
        """A text over as many lines and pages as it takes."""
        for line in self.lettering.wrap(text, self.width / size, is_bold=is_bold):
            self.need(size * LEADING)
            self.letters(line, size=size, down=size * 1.05)
            self.skip(size * LEADING)
