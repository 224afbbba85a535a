"""The typefaces that paper is set in: Noto Sans in twelve scripts, shipped with us, and which letter takes which.

Licence: tournaments/paper/fonts/OFL.txt. A letter of any other script is printed as an empty box. A document gets
copies of its own, because the library gives shaped letters their numbers in the order in which it meets them: shared
faces would make the bytes of a document depend on what was printed before it.
"""

from bisect import bisect
from copy import copy
from functools import cache
from pathlib import Path
from unicodedata import category
from weakref import WeakKeyDictionary

from reportlab.pdfbase.ttfonts import TTFont

FOLDER = Path(__file__).parent / "fonts"
LATIN, BOLD = "NotoSans-Regular", "NotoSans-Bold"
# Where a script begins in Unicode, the face it is set in, and what the shaper calls it.
BLOCKS = (
    (0x0000, LATIN, "Latn"),
    (0x0590, "NotoSansHebrew-Regular", "Hebr"),
    (0x0600, "NotoSansArabic-Regular", "Arab"),
    (0x0700, LATIN, "Latn"),
    (0x0750, "NotoSansArabic-Regular", "Arab"),
    (0x0780, LATIN, "Latn"),
    (0x08A0, "NotoSansArabic-Regular", "Arab"),
    (0x0900, "NotoSansDevanagari-Regular", "Deva"),
    (0x0980, "NotoSansBengali-Regular", "Beng"),
    (0x0A00, "NotoSansGurmukhi-Regular", "Guru"),
    (0x0A80, "NotoSansGujarati-Regular", "Gujr"),
    (0x0B00, "NotoSansOriya-Regular", "Orya"),
    (0x0B80, "NotoSansTamil-Regular", "Taml"),
    (0x0C00, "NotoSansTelugu-Regular", "Telu"),
    (0x0C80, "NotoSansKannada-Regular", "Knda"),
    (0x0D00, "NotoSansMalayalam-Regular", "Mlym"),
    (0x0D80, LATIN, "Latn"),
    (0x1CD0, "NotoSansDevanagari-Regular", "Deva"),
    (0x1D00, LATIN, "Latn"),
    (0xA8E0, "NotoSansDevanagari-Regular", "Deva"),
    (0xA900, LATIN, "Latn"),
    (0xFB1D, "NotoSansHebrew-Regular", "Hebr"),
    (0xFB50, LATIN, "Latn"),
)
STARTS = tuple(start for start, _, _ in BLOCKS)
SCRIPTS = {face: script for _, face, script in BLOCKS}
# Every Indic face has these two full stops of Devanagari's block.
DANDAS = "\u0964\u0965"


def face_of(char: str, before: str) -> str:
    """The face of a letter; marks, joiners, spaces and Indic full stops go with the letter `before` them."""
    leans = category(char) in ("Mn", "Mc", "Me", "Cf") or char in DANDAS or char == " "
    found = BLOCKS[bisect(STARTS, ord(char)) - 1][1]
    return before if leans and before and (found == LATIN or char in DANDAS) else found


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
