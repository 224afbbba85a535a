"""The typefaces of one document, as the library that writes PDFs holds them.

A document gets copies of its own, because the library gives shaped letters their numbers in the order in which it
meets them: shared faces would make the bytes of a document depend on what was printed before it.
"""

from copy import copy
from functools import cache
from weakref import WeakKeyDictionary

from reportlab.pdfbase.ttfonts import TTFont

from tournaments.rendering.pdf.scripts import FOLDER


def own_face(name: str) -> TTFont:
    """A face for one document, at the cost of copying a few dictionaries."""
    read = _read(name)
    mine = copy(read)
    mine.state = WeakKeyDictionary()
    mine.face = copy(read.face)
    mine.face.charToGlyph = dict(read.face.charToGlyph)
    mine.face.charWidths = dict(read.face.charWidths)
    mine.face.glyphToChar = {glyph: list(chars) for glyph, chars in read.face.glyphToChar.items()}
    return mine


@cache
def _read(name: str) -> TTFont:
    """A face as it was shipped; nothing is ever drawn with it."""
    return TTFont(name, FOLDER / f"{name}.ttf")
