"""Typesets text: which glyphs are used, how wide they are together, and where a line is broken.

Rules: docs/how-to/paper.md. Letters that join or move around each other (Devanagari, Arabic) are placed by HarfBuzz.
Widths are in ems: times the size they are points. Text is made `plain` first. Knows nothing of pages.
"""

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple
from unicodedata import category, combining
from weakref import WeakKeyDictionary

import uharfbuzz
from reportlab.pdfbase.ttfonts import ShapeData, ShapedStr, TTFont

from tournaments.rendering.pdf.faces import BOLD, FOLDER, LATIN, SCRIPTS, face_of
from tournaments.rendering.pdf.text import JOINERS, base_level, levels, plain, visual_runs

VIRAMA = 9


def clusters(word: str) -> Iterator[str]:
    """Split text into letters with their combining marks."""
    cluster = ""
    for char in word:
        hangs = category(char)[0] == "M" or char in JOINERS
        if cluster and not hangs and cluster[-1] not in JOINERS and combining(cluster[-1]) != VIRAMA:
            yield cluster
            cluster = ""
        cluster += char
    yield cluster


# The typefaces of one document, as objects of the PDF library.


def own_face(name: str) -> TTFont:
    """Return a face for one document, by copying a few dictionaries."""
    shared_face = _read(name)
    mine = copy(shared_face)
    mine.state = WeakKeyDictionary()
    mine.face = copy(shared_face.face)
    mine.face.charToGlyph = dict(shared_face.face.charToGlyph)
    mine.face.charWidths = dict(shared_face.face.charWidths)
    mine.face.glyphToChar = {glyph: list(chars) for glyph, chars in shared_face.face.glyphToChar.items()}
    return mine


@cache
def _read(name: str) -> TTFont:
    """Load a shipped face; nothing is ever drawn with it."""
    return TTFont(name, FOLDER / f"{name}.ttf")


# Splits a line of text into stretches of one typeface and one direction, and shapes each with HarfBuzz.

FEATURES = {"kern": True, "liga": True}


class Stretch(NamedTuple):
    """Letters of one face and one direction; reversed ones run from right to left."""

    face: str
    text: str
    is_turned: bool


def stretches(text: str, *, is_bold: bool) -> Iterator[Stretch]:
    """Return the stretches of a line, from left to right as drawn. Only one face has a bold variant."""
    faces: list[str] = []
    for char in text:
        faces.append(face_of(char, faces[-1] if faces else ""))
    depths = levels(text, base_level(text))
    for start, end in visual_runs(depths):
        is_turned = depths[start] % 2 == 1
        face_runs = [list(places) for _, places in groupby(range(start, end), key=faces.__getitem__)]
        for places in reversed(face_runs) if is_turned else face_runs:
            face = BOLD if is_bold and faces[places[0]] == LATIN else faces[places[0]]
            yield Stretch(face, text[places[0] : places[-1] + 1], is_turned)


def shaped(stretch: Stretch, font: uharfbuzz.Font) -> Iterator[tuple[Any, Any]]:
    """Return the glyphs of a stretch with their positions. Nothing is guessed: that would depend on the server."""
    buffer = uharfbuzz.Buffer()
    buffer.add_str(stretch.text)
    buffer.direction = "rtl" if stretch.is_turned else "ltr"
    buffer.script = SCRIPTS.get(stretch.face, "Latn")
    uharfbuzz.shape(font, buffer, FEATURES)
    return zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)


@dataclass(frozen=True, slots=True)
class Run:
    """Letters of one face side by side. `text` is what they say, where it is not the letters themselves."""

    face: str
    letters: str
    width: float
    text: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line from left to right."""

    runs: tuple[Run, ...] = ()

    @property
    def width(self) -> float:
        return sum(run.width for run in self.runs)


class Lettering:
    """The faces of one document, and the glyphs used."""

    def __init__(self) -> None:
        self.faces: dict[str, TTFont] = {}
        self._hb: WeakKeyDictionary[TTFont, uharfbuzz.Font] = WeakKeyDictionary()
        self._lines: dict[tuple[str, bool], Line] = {}

    def line(self, text: str, *, is_bold: bool = False) -> Line:
        """Set a text on one line, however long."""
        key = (text, is_bold)
        if key not in self._lines:
            self._lines[key] = Line(tuple(map(self._run, stretches(plain(text), is_bold=is_bold))))
        return self._lines[key]

    def wrap(self, text: str, width: float, *, is_bold: bool = False) -> list[Line]:
        """Set a text on as many lines as needed; a word wider than a line is broken between letters."""
        full_lines, line, used = [], "", 0.0
        space = self.line("\u00a0", is_bold=is_bold).width
        for piece, glue in self._pieces(plain(text), width, is_bold=is_bold):
            wide = self.line(piece, is_bold=is_bold).width
            more = wide + (space if glue and line else 0)
            if line and used + more > width:
                full_lines.append(line)
                line, used = piece, wide
            else:
                line, used = f"{line}{glue}{piece}" if line else piece, used + more
        return [self.line(line_text, is_bold=is_bold) for line_text in (*full_lines, line)]

    def widest_word(self, text: str, *, is_bold: bool = False) -> float:
        """Return the width that a column needs to break this text only at its spaces."""
        return max((self.line(word, is_bold=is_bold).width for word in plain(text).split(" ")), default=0.0)

    def _pieces(self, text: str, width: float, *, is_bold: bool) -> Iterator[tuple[str, str]]:
        """Yield words with the space before them, and the single letters of a word that is too wide."""
        for word in text.split(" "):
            if self.line(word, is_bold=is_bold).width <= width:
                yield word, " "
            else:
                yield from ((cluster, "" if at else " ") for at, cluster in enumerate(clusters(word)))

    def _run(self, stretch: Stretch) -> Run:
        face, text = stretch.face, stretch.text
        font = self._font(face)
        if face in (LATIN, BOLD) and not stretch.is_turned and not any(map(combining, text)):
            return Run(face, text, sum(font.face.getCharWidth(ord(char)) for char in text) / 1000)
        letters, width = self._shaped(stretch, font)
        return Run(face, letters, width, text)

    def _shaped(self, stretch: Stretch, font: TTFont) -> tuple[str, float]:
        """Return letters as placed by HarfBuzz."""
        shaper = self._shaper(font)
        letters, places = "", []
        for info, at in shaped(stretch, shaper):
            letter = _letter(font, shaper, info.codepoint, at.x_advance)
            wide = font.face.charWidths[ord(letter)]
            places.append(ShapeData(info.cluster, at.x_advance, at.y_advance, at.x_offset, at.y_offset, wide))
            letters += letter
        return ShapedStr(letters, places), sum(place.x_advance for place in places) / 1000

    def _font(self, name: str) -> TTFont:
        if name not in self.faces:
            self.faces[name] = own_face(name)
        return self.faces[name]

    def _shaper(self, font: TTFont) -> uharfbuzz.Font:
        if font not in self._hb:
            self._hb[font] = font.hbFont()
        return self._hb[font]


def _letter(font: TTFont, shaper: uharfbuzz.Font, glyph: int, advance: int) -> str:
    """Return a character that stands for a glyph: its own, or one of Unicode's private ones."""
    own = font.face.glyphToChar.get(glyph)
    return chr(own[0] if own else font.hbAddPrivate(shaper.glyph_to_string(glyph), glyph, advance))
