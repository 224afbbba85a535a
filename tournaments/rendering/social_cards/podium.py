"""The picture of a podium, 1200 by 630: the club, the tournament, and three players with their results.

Rules: docs/how-to/publishing.md, "Link previews". Colours are those of tokens.css in its light scheme, by their names
there. Nothing depends on the machine: neither its fonts nor its text libraries.
"""

from dataclasses import dataclass
from functools import cache
from io import BytesIO

import uharfbuzz
from PIL import Image, ImageDraw

from tournaments.rendering.pdf.faces import BOLD, FOLDER
from tournaments.rendering.pdf.lettering import Stretch, clusters, shaped, stretches
from tournaments.rendering.pdf.text import plain
from tournaments.rendering.social_cards import Podium, Step, Tone

# Letters as coverage: HarfBuzz places them and draws their outlines, in whatever script, from the left or the right.
# Widths are in ems, as on paper. The faces are those of the paper; scripts without a bold one are made bolder.

BOLDER = 0.022
CUT = "…"


@dataclass(frozen=True, slots=True)
class Glyph:
    """One glyph of one face, and its position on the line, in ems."""

    face: str
    number: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    """Glyphs side by side; `is_bold` where they are drawn in the heavier weight."""

    glyphs: tuple[Glyph, ...]
    width: float
    is_bold: bool


@dataclass(frozen=True, slots=True)
class Ink:
    """A line at a size: its pixels, and their offset from the start of its baseline."""

    mask: Image.Image
    left: int
    top: int


def line_of(text: str, *, is_bold: bool = False) -> Line:
    """Set a text on one line, however long."""
    glyphs: list[Glyph] = []
    pen = 0.0
    for stretch in stretches(plain(text), is_bold=is_bold):
        pen = _placed(glyphs, stretch, _font(stretch.face, is_bold=is_bold), pen)
    return Line(tuple(glyphs), pen, is_bold)


def fitted(text: str, width: float, sizes: tuple[int, int], *, is_bold: bool = False) -> tuple[Line, int]:
    """Return a text and the size in which it fits: the larger one, else a smaller one, else cut with an ellipsis."""
    largest, smallest = sizes
    line = line_of(text, is_bold=is_bold)
    if line.width * largest <= width:
        return line, largest
    size = int(width / line.width)
    if size >= smallest:
        return line, size
    return _cut(text, width / smallest, is_bold=is_bold), smallest


def ink_of(line: Line, size: int) -> Ink | None:
    """Return the pixels of a line at a size; nothing where it is blank."""
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
    # Rows are ordered from the bottom up.
    mask = Image.frombytes("L", (at.width, at.height), image.buffer, "raw", "L", at.stride, -1)
    return Ink(mask, at.x_origin, -(at.y_origin + at.height))


def _placed(glyphs: list[Glyph], stretch: Stretch, font: uharfbuzz.Font, pen: float) -> float:
    """Add a stretch to a line; returns where the next one begins."""
    em = font.face.upem
    for info, at in shaped(stretch, font):
        glyphs.append(Glyph(stretch.face, info.codepoint, pen + at.x_offset / em, at.y_offset / em))
        pen += at.x_advance / em
    return pen


def _cut(text: str, width: float, *, is_bold: bool) -> Line:
    """Return as many whole letters as fit with an ellipsis after them."""
    pieces = list(clusters(plain(text)))
    fits, fails = 0, len(pieces)
    while fails - fits > 1:
        middle = (fits + fails) // 2
        cut_text = "".join(pieces[:middle]).rstrip() + CUT
        if line_of(cut_text, is_bold=is_bold).width <= width:
            fits = middle
        else:
            fails = middle
    return line_of("".join(pieces[:fits]).rstrip() + CUT, is_bold=is_bold)


@cache
def _font(face: str, *, is_bold: bool) -> uharfbuzz.Font:
    """Load a shipped font, made bolder where requested and no bold one is shipped. Never changed later."""
    font = uharfbuzz.Font(uharfbuzz.Face(uharfbuzz.Blob((FOLDER / f"{face}.ttf").read_bytes())))
    if is_bold and face != BOLD:
        font.synthetic_bold = (BOLDER, BOLDER, False)
    return font


# A pixel canvas: rounded boxes, discs, suits and lines of text, mirrored for right-to-left scripts.

Colour = tuple[int, int, int]
# Shapes are drawn enlarged and then scaled down, which smooths their edges.
FINE = 4
SUITS = ("spade", "heart", "club", "diamond")


class Canvas:
    """The canvas. `x` is the distance from the side on which reading begins."""

    def __init__(self, size: tuple[int, int], ground: Colour, *, is_mirrored: bool) -> None:
        self.image = Image.new("RGB", size, ground)
        self.is_mirrored = is_mirrored

    def box(self, at: tuple[int, int], size: tuple[int, int], colour: Colour, radius: int = 0) -> None:
        """Draw a box with round corners."""
        mask = Image.new("L", size, 255)
        if radius:
            width, height = size
            corner = _quarter(radius)
            turned = corner.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
            mask.paste(corner, (0, 0))
            mask.paste(turned, (width - radius, 0))
            mask.paste(corner.transpose(Image.Transpose.FLIP_TOP_BOTTOM), (0, height - radius))
            mask.paste(turned.transpose(Image.Transpose.FLIP_TOP_BOTTOM), (width - radius, height - radius))
        self._stamp(mask, at, colour)

    def suit(self, name: str, at: tuple[int, int], size: int, colour: Colour) -> None:
        """Draw one of the four suits in a square."""
        self._stamp(_suit(name, size), at, colour)

    def text(self, line: Line, at: tuple[int, int], size: int, colour: Colour) -> None:
        """Draw a line of text; `at` is where it begins, on its baseline."""
        ink = ink_of(line, size)
        if ink is None:
            return
        x, y = at
        begin = self.image.width - x - round(line.width * size) if self.is_mirrored else x
        self.image.paste(colour, (begin + ink.left, y + ink.top), ink.mask)

    def _stamp(self, mask: Image.Image, at: tuple[int, int], colour: Colour) -> None:
        x, y = at
        self.image.paste(colour, (self.image.width - x - mask.width if self.is_mirrored else x, y), mask)


@cache
def _quarter(radius: int) -> Image.Image:
    """Draw the upper left corner of a round box."""
    large = Image.new("L", (radius * FINE, radius * FINE), 0)
    ImageDraw.Draw(large).ellipse((0, 0, 2 * radius * FINE - 1, 2 * radius * FINE - 1), fill=255)
    return large.resize((radius, radius), Image.Resampling.BOX)


@cache
def _suit(name: str, size: int) -> Image.Image:
    """Draw a suit in a square from discs and corners; numbers are hundredths of its size."""
    large = Image.new("L", (size * FINE, size * FINE), 0)
    draw = ImageDraw.Draw(large)
    unit = size * FINE / 100
    for left, top, right, bottom in _DISCS.get(name, ()):
        draw.ellipse((left * unit, top * unit, right * unit, bottom * unit), fill=255)
    for corners in _CORNERS[name]:
        draw.polygon([(x * unit, y * unit) for x, y in corners], fill=255)
    return large.resize((size, size), Image.Resampling.BOX)


_STEM = ((46, 60), (54, 60), (66, 95), (34, 95))

_DISCS = {
    "heart": ((5, 10, 53, 58), (47, 10, 95, 58)),
    "spade": ((6, 40, 52, 84), (48, 40, 94, 84)),
    "club": ((28, 5, 72, 49), (5, 40, 49, 84), (51, 40, 95, 84)),
}

_CORNERS = {
    "heart": (((10, 48), (50, 30), (90, 48), (50, 95)),),
    "spade": (((50, 4), (88, 50), (60, 66), (40, 66), (12, 50)), _STEM),
    "club": (((44, 40), (56, 40), (60, 62), (40, 62)), _STEM),
    "diamond": (((50, 3), (88, 50), (50, 97), (12, 50)),),
}

WIDTH, HEIGHT = 1200, 630
MARGIN, PADDING, GAP = 64, 36, 28
CARD_TOP, CARD_BOTTOM = 258, 586
ROW, DISC = 92, 60

COLOURS: dict[str, Colour] = {
    "felt": (0x0F, 0x4A, 0x31),
    "felt-2": (0x0B, 0x38, 0x26),
    "on-felt": (0xF4, 0xF8, 0xF2),
    "on-felt-2": (0xBC, 0xD6, 0xC6),
    "surface": (0xFF, 0xFE, 0xFB),
    "surface-3": (0xE7, 0xE2, 0xD5),
    "line": (0xDD, 0xD7, 0xC8),
    "ink": (0x1B, 0x21, 0x1D),
    "ink-2": (0x4B, 0x53, 0x4D),
    "ink-3": (0x64, 0x6A, 0x62),
    "red": (0xA8, 0x23, 0x2E),
    "red-soft": (0xF9, 0xE5, 0xE4),
    "gold": (0x7A, 0x52, 0x00),
    "gold-soft": (0xFB, 0xEF, 0xCF),
    "accent-ink": (0x0F, 0x52, 0x35),
    "accent-soft": (0xE0, 0xEE, 0xE4),
}

TONES = {
    Tone.PLAIN: ("surface-3", "ink-2"),
    Tone.LIVE: ("accent-soft", "accent-ink"),
    Tone.DONE: ("gold-soft", "gold"),
    Tone.WARN: ("red-soft", "red"),
}

MEDALS = {1: ("gold-soft", "gold"), 2: ("surface-3", "ink-2"), 3: ("red-soft", "red")}


def podium_picture(podium: Podium) -> bytes:
    """Return the picture as PNG."""
    canvas = Canvas((WIDTH, HEIGHT), COLOURS["felt"], is_mirrored=podium.is_mirrored)
    canvas.box((0, HEIGHT - MARGIN - 70), (WIDTH, MARGIN + 70), COLOURS["felt-2"])
    _head(canvas, podium)
    canvas.box((MARGIN, CARD_TOP), (WIDTH - 2 * MARGIN, CARD_BOTTOM - CARD_TOP), COLOURS["surface"], radius=22)
    if podium.steps:
        _steps(canvas, podium)
    else:
        _notice(canvas, podium.notice)
    file = BytesIO()
    canvas.image.save(file, "PNG", compress_level=6)
    return file.getvalue()


def _head(canvas: Canvas, podium: Podium) -> None:
    """Draw club and state at the top, the tournament in large letters, and the game below it."""
    state_width = _state(canvas, podium)
    canvas.box((MARGIN, 46), (116, 44), COLOURS["surface"], radius=10)
    for number, suit in enumerate(SUITS):
        colour = COLOURS["red" if suit in ("heart", "diamond") else "ink"]
        canvas.suit(suit, (MARGIN + 11 + number * 25, 58), 20, colour)
    left = MARGIN + 116 + 20
    club, size = fitted(podium.club, WIDTH - left - MARGIN - state_width - GAP, (32, 26))
    canvas.text(club, (left, 79), size, COLOURS["on-felt-2"])
    title, size = fitted(podium.title, WIDTH - 2 * MARGIN, (68, 42), is_bold=True)
    canvas.text(title, (MARGIN, 168), size, COLOURS["on-felt"])
    about, size = fitted(podium.about, WIDTH - 2 * MARGIN, (30, 24))
    canvas.text(about, (MARGIN, 222), size, COLOURS["on-felt-2"])


def _state(canvas: Canvas, podium: Podium) -> int:
    """Draw the state in a pill at the end of the first line; returns its width."""
    line, size = fitted(podium.state, 420, (26, 20), is_bold=True)
    wide = round(line.width * size)
    ground, ink = TONES[podium.tone]
    begin = WIDTH - MARGIN - wide - 40
    canvas.box((begin, 46), (wide + 40, 44), COLOURS[ground], radius=22)
    canvas.text(line, (begin + 20, 77), size, COLOURS[ink])
    return wide + 40


def _steps(canvas: Canvas, podium: Podium) -> None:
    """Draw up to three rows, and what the numbers are below the last."""
    top = CARD_TOP + 8
    for number, step in enumerate(podium.steps):
        if number:
            wide = WIDTH - 2 * (MARGIN + PADDING)
            canvas.box((MARGIN + PADDING, top), (wide, 2), COLOURS["line"])
        _step(canvas, step, top)
        top += ROW
    below = CARD_BOTTOM - 16
    room = (WIDTH - 2 * (MARGIN + PADDING) - GAP) / 2
    more, size = fitted(podium.more, room, (22, 18))
    canvas.text(more, (MARGIN + PADDING + DISC + GAP, below), size, COLOURS["ink-2"])
    heading, size = fitted(podium.heading, room, (22, 18))
    wide = round(heading.width * size)
    canvas.text(heading, (WIDTH - MARGIN - PADDING - wide, below), size, COLOURS["ink-3"])


def _step(canvas: Canvas, step: Step, top: int) -> None:
    """Draw a row: the place on a disc, the name, the number at the end."""
    ground, ink = MEDALS.get(step.rank, ("surface-3", "ink-2"))
    left, middle = MARGIN + PADDING, top + ROW // 2
    canvas.box((left, middle - DISC // 2), (DISC, DISC), COLOURS[ground], radius=DISC // 2)
    place, size = fitted(step.place, DISC - 14, (32, 14), is_bold=True)
    canvas.text(place, (left + (DISC - round(place.width * size)) // 2, middle + size * 36 // 100), size, COLOURS[ink])
    number, size = fitted(step.number, 300, (46, 24), is_bold=True)
    wide = round(number.width * size)
    end = WIDTH - MARGIN - PADDING - wide
    canvas.text(number, (end, middle + size * 36 // 100), size, COLOURS["ink"])
    begin = left + DISC + GAP
    name, size = fitted(step.name, end - GAP - begin, (46, 32), is_bold=step.rank == 1)
    canvas.text(name, (begin, middle + size * 36 // 100), size, COLOURS["ink"])


def _notice(canvas: Canvas, notice: tuple[str, str]) -> None:
    """Draw the text for a tournament without a podium."""
    room = WIDTH - 2 * (MARGIN + PADDING)
    first, size = fitted(notice[0], room, (58, 34), is_bold=True)
    canvas.text(first, (MARGIN + PADDING, CARD_TOP + (158 if notice[1] else 186)), size, COLOURS["ink"])
    second, size = fitted(notice[1], room, (34, 26))
    canvas.text(second, (MARGIN + PADDING, CARD_TOP + 222), size, COLOURS["ink-2"])
