"""The picture of a podium, 1200 by 630: the club, the tournament, and three players with what they have.

Rules: docs/publishing.md, "Link previews". Colours are those of tokens.css in its light scheme, by their names there.
"""

from io import BytesIO

from tournaments.rendering.social_cards.canvas import SUITS, Canvas, Colour
from tournaments.rendering.social_cards.content import Podium, Step, Tone
from tournaments.rendering.social_cards.letters import fitted

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
    """The picture as PNG."""
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
    """Club and state above, the tournament large, what is played below it."""
    taken = _state(canvas, podium)
    canvas.box((MARGIN, 46), (116, 44), COLOURS["surface"], radius=10)
    for number, suit in enumerate(SUITS):
        colour = COLOURS["red" if suit in ("heart", "diamond") else "ink"]
        canvas.suit(suit, (MARGIN + 11 + number * 25, 58), 20, colour)
    left = MARGIN + 116 + 20
    club, size = fitted(podium.club, WIDTH - left - MARGIN - taken - GAP, (32, 26))
    canvas.text(club, (left, 79), size, COLOURS["on-felt-2"])
    title, size = fitted(podium.title, WIDTH - 2 * MARGIN, (68, 42), is_bold=True)
    canvas.text(title, (MARGIN, 168), size, COLOURS["on-felt"])
    about, size = fitted(podium.about, WIDTH - 2 * MARGIN, (30, 24))
    canvas.text(about, (MARGIN, 222), size, COLOURS["on-felt-2"])


def _state(canvas: Canvas, podium: Podium) -> int:
    """How it stands, in a pill at the end of the first line; the answer is how wide that is."""
    line, size = fitted(podium.state, 420, (26, 20), is_bold=True)
    wide = round(line.width * size)
    ground, ink = TONES[podium.tone]
    begin = WIDTH - MARGIN - wide - 40
    canvas.box((begin, 46), (wide + 40, 44), COLOURS[ground], radius=22)
    canvas.text(line, (begin + 20, 77), size, COLOURS[ink])
    return wide + 40


def _steps(canvas: Canvas, podium: Podium) -> None:
    """Up to three rows, with what the numbers are below the last."""
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
    """A row: the place on a disc, the name, the number at the end."""
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
    """What stands where nobody is ahead of anybody."""
    room = WIDTH - 2 * (MARGIN + PADDING)
    first, size = fitted(notice[0], room, (58, 34), is_bold=True)
    canvas.text(first, (MARGIN + PADDING, CARD_TOP + (158 if notice[1] else 186)), size, COLOURS["ink"])
    second, size = fitted(notice[1], room, (34, 26))
    canvas.text(second, (MARGIN + PADDING, CARD_TOP + 222), size, COLOURS["ink-2"])
