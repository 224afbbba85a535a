"""A sheet of pixels: rounded boxes, discs, suits and lines of text, mirrored for those who read from the right."""

from functools import cache

from PIL import Image, ImageDraw

from tournaments.rendering.social_cards.letters import Line, ink_of

Colour = tuple[int, int, int]
# Edges are drawn so many times larger, then made small: that is what makes them smooth.
FINE = 4
SUITS = ("spade", "heart", "club", "diamond")


class Canvas:
    """What is drawn on. `x` is the distance from the side on which reading begins."""

    def __init__(self, size: tuple[int, int], ground: Colour, *, is_mirrored: bool) -> None:
        self.image = Image.new("RGB", size, ground)
        self.is_mirrored = is_mirrored

    def box(self, at: tuple[int, int], size: tuple[int, int], colour: Colour, radius: int = 0) -> None:
        """A box with round corners."""
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
        """One of the four suits in a square."""
        self._stamp(_suit(name, size), at, colour)

    def text(self, line: Line, at: tuple[int, int], size: int, colour: Colour) -> None:
        """A line of text; `at` is where it begins, on its ground line."""
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
    """The upper left corner of a round box."""
    large = Image.new("L", (radius * FINE, radius * FINE), 0)
    ImageDraw.Draw(large).ellipse((0, 0, 2 * radius * FINE - 1, 2 * radius * FINE - 1), fill=255)
    return large.resize((radius, radius), Image.Resampling.BOX)


@cache
def _suit(name: str, size: int) -> Image.Image:
    """A suit in a square, put together from discs and corners; numbers are parts of 100."""
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
