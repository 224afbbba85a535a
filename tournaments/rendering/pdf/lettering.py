"""Sets text: which letters stand side by side, how wide they are together, and where a line is broken.

Rules: docs/paper.md. Letters that join or move around each other (Devanagari, Arabic) are placed by HarfBuzz. Widths
are in ems: times the size they are points. Text is made `plain` first. Knows nothing of pages.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from unicodedata import combining
from weakref import WeakKeyDictionary

import uharfbuzz
from reportlab.pdfbase.ttfonts import ShapeData, ShapedStr, TTFont

from tournaments.rendering.pdf.faces import own_face
from tournaments.rendering.pdf.plain import plain
from tournaments.rendering.pdf.scripts import BOLD, LATIN, clusters
from tournaments.rendering.pdf.stretches import Stretch, shaped, stretches


@dataclass(frozen=True, slots=True)
class Run:
    """Letters of one face side by side. `said` is what they say, where the letters do not say it themselves."""

    face: str
    letters: str
    width: float
    said: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """One line from left to right."""

    runs: tuple[Run, ...] = ()

    @property
    def width(self) -> float:
        return sum(run.width for run in self.runs)


class Lettering:
    """The faces of one document, and what was set in them."""

    def __init__(self) -> None:
        self.faces: dict[str, TTFont] = {}
        self._hb: WeakKeyDictionary[TTFont, uharfbuzz.Font] = WeakKeyDictionary()
        self._lines: dict[tuple[str, bool], Line] = {}

    def line(self, text: str, *, is_bold: bool = False) -> Line:
        """A text on one line, however long."""
        key = (text, is_bold)
        if key not in self._lines:
            self._lines[key] = Line(tuple(map(self._run, stretches(plain(text), is_bold=is_bold))))
        return self._lines[key]

    def wrap(self, text: str, width: float, *, is_bold: bool = False) -> list[Line]:
        """A text on as many lines as it takes; a word that is wider than a line is broken between letters."""
        found, held, used = [], "", 0.0
        space = self.line("\u00a0", is_bold=is_bold).width
        for piece, glue in self._pieces(plain(text), width, is_bold=is_bold):
            wide = self.line(piece, is_bold=is_bold).width
            more = wide + (space if glue and held else 0)
            if held and used + more > width:
                found.append(held)
                held, used = piece, wide
            else:
                held, used = f"{held}{glue}{piece}" if held else piece, used + more
        return [self.line(each, is_bold=is_bold) for each in (*found, held)]

    def widest_word(self, text: str, *, is_bold: bool = False) -> float:
        """How wide a column must be for this text to break at its spaces only."""
        return max((self.line(word, is_bold=is_bold).width for word in plain(text).split(" ")), default=0.0)

    def _pieces(self, text: str, width: float, *, is_bold: bool) -> Iterator[tuple[str, str]]:
        """Words with the space before them, and the letters of a word that is too wide, without."""
        for word in text.split(" "):
            if self.line(word, is_bold=is_bold).width <= width:
                yield word, " "
            else:
                yield from ((cluster, "" if at else " ") for at, cluster in enumerate(clusters(word)))

    def _run(self, stretch: Stretch) -> Run:
        face, said = stretch.face, stretch.said
        font = self._font(face)
        if face in (LATIN, BOLD) and not stretch.is_turned and not any(map(combining, said)):
            return Run(face, said, sum(font.face.getCharWidth(ord(char)) for char in said) / 1000)
        letters, width = self._shaped(stretch, font)
        return Run(face, letters, width, said)

    def _shaped(self, stretch: Stretch, font: TTFont) -> tuple[str, float]:
        """Letters as HarfBuzz places them."""
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
    """A character that stands for a glyph: its own, or one of Unicode's private ones."""
    own = font.face.glyphToChar.get(glyph)
    return chr(own[0] if own else font.hbAddPrivate(shaper.glyph_to_string(glyph), glyph, advance))
