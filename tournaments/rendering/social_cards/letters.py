"""Letters as coverage: HarfBuzz places them and draws their outlines, in whatever script, from the left or the right.

Widths are in ems, as on paper. The faces are those of the paper; scripts without a bold one are made bolder.
Nothing is taken from the machine: neither its fonts nor its libraries of text.
"""

from dataclasses import dataclass
from functools import cache

import uharfbuzz
from PIL import Image

from tournaments.rendering.pdf.lettering import BOLD, FOLDER, Stretch, clusters, shaped, stretches
from tournaments.rendering.pdf.text import plain

BOLDER = 0.022
CUT = "…"


@dataclass(frozen=True, slots=True)
class Glyph:
    """One shape of one face, and where it stands on its line, in ems."""

    face: str
    number: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    """Shapes side by side; `is_bold` where they are drawn in the heavier weight."""

    glyphs: tuple[Glyph, ...]
    width: float
    is_bold: bool


@dataclass(frozen=True, slots=True)
class Ink:
    """A line at a size: what it covers, and how far that lies from where the line begins on its ground line."""

    mask: Image.Image
    left: int
    top: int


def line_of(text: str, *, is_bold: bool = False) -> Line:
    """A text on one line, however long."""
    glyphs: list[Glyph] = []
    pen = 0.0
    for stretch in stretches(plain(text), is_bold=is_bold):
        pen = _placed(glyphs, stretch, _font(stretch.face, is_bold=is_bold), pen)
    return Line(tuple(glyphs), pen, is_bold)


def fitted(text: str, width: float, sizes: tuple[int, int], *, is_bold: bool = False) -> tuple[Line, int]:
    """A text and the size in which it fits: the larger one if it can, then smaller, then cut with an ellipsis."""
    largest, smallest = sizes
    line = line_of(text, is_bold=is_bold)
    if line.width * largest <= width:
        return line, largest
    size = int(width / line.width)
    if size >= smallest:
        return line, size
    return _cut(text, width / smallest, is_bold=is_bold), smallest


def ink_of(line: Line, size: int) -> Ink | None:
    """What a line covers at a size; nothing where it is blank."""
    drawing = uharfbuzz.RasterDraw()
    for glyph in line.glyphs:
        font = _font(glyph.face, is_bold=line.is_bold)
        scale = size / font.face.upem
        drawing.transform = (scale, 0, 0, scale, glyph.x * size, glyph.y * size)
        drawing.draw_glyph(font, glyph.number)
    image = drawing.render()
    if image is None or not image.extents or not image.extents.width or not image.extents.height:
        return None
    at = image.extents
    # Rows come from the bottom up.
    mask = Image.frombytes("L", (at.width, at.height), image.buffer, "raw", "L", at.stride, -1)
    return Ink(mask, at.x_origin, -(at.y_origin + at.height))


def _placed(glyphs: list[Glyph], stretch: Stretch, font: uharfbuzz.Font, pen: float) -> float:
    """Add a stretch to a line; the answer is where the next one begins."""
    em = font.face.upem
    for info, at in shaped(stretch, font):
        glyphs.append(Glyph(stretch.face, info.codepoint, pen + at.x_offset / em, at.y_offset / em))
        pen += at.x_advance / em
    return pen


def _cut(text: str, width: float, *, is_bold: bool) -> Line:
    """As many whole letters as fit with an ellipsis behind them."""
    pieces = list(clusters(plain(text)))
    fits, fails = 0, len(pieces)
    while fails - fits > 1:
        middle = (fits + fails) // 2
        shown = "".join(pieces[:middle]).rstrip() + CUT
        if line_of(shown, is_bold=is_bold).width <= width:
            fits = middle
        else:
            fails = middle
    return line_of("".join(pieces[:fits]).rstrip() + CUT, is_bold=is_bold)


@cache
def _font(face: str, *, is_bold: bool) -> uharfbuzz.Font:
    """A face as it was shipped, made bolder where that is asked for and no bold one is shipped. Never changed later."""
    font = uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob((FOLDER / f"{face}.ttf").read_bytes())))
    if is_bold and face != BOLD:
        font.synthetic_bold = (BOLDER, BOLDER, False)
    return font
