"""Which typeface prints a letter: Noto Sans for eighteen scripts, shipped with us; and which letters no face has.

Rules: docs/how-to/paper.md, "Names". Text is made `plain` first.
"""

from bisect import bisect
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from unicodedata import category

import uharfbuzz

from tournaments.rendering.pdf.text import INSTEAD, plain

FOLDER = Path(__file__).parent / "fonts"
LATIN, BOLD = "NotoSans-Regular", "NotoSans-Bold"

# Where a script begins in Unicode, its typeface, and its name for the shaper.
BLOCKS = (
    (0x0000, LATIN, "Latn"),
    (0x0530, "NotoSansArmenian-Regular", "Armn"),
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
    (0x0D80, "NotoSansSinhala-Regular", "Sinh"),
    (0x0E00, "NotoSansThai-Regular", "Thai"),
    (0x0E80, LATIN, "Latn"),
    (0x10A0, "NotoSansGeorgian-Regular", "Geor"),
    (0x1100, LATIN, "Latn"),
    (0x1C90, "NotoSansGeorgian-Regular", "Geor"),
    (0x1CC0, LATIN, "Latn"),
    (0x1CD0, "NotoSansDevanagari-Regular", "Deva"),
    (0x1D00, LATIN, "Latn"),
    (0x2D00, "NotoSansGeorgian-Regular", "Geor"),
    (0x2D30, LATIN, "Latn"),
    (0xA8E0, "NotoSansDevanagari-Regular", "Deva"),
    (0xA900, LATIN, "Latn"),
    (0xFB13, "NotoSansArmenian-Regular", "Armn"),
    (0xFB18, LATIN, "Latn"),
    (0xFB1D, "NotoSansHebrew-Regular", "Hebr"),
    (0xFB50, LATIN, "Latn"),
)

STARTS = tuple(start for start, _, _ in BLOCKS)
SCRIPTS = {face: script for _, face, script in BLOCKS}
# Every Indic face contains these two full stops of the Devanagari block.
DANDAS = "\u0964\u0965"


def face_of(char: str, before: str) -> str:
    """Return the face of a letter.

    Marks, joiners, spaces and Indic full stops use that of the letter `before` them, where it has them.
    """
    leans = category(char) in ("Mn", "Mc", "Me", "Cf") or char in DANDAS or char == " "
    if leans and before and ord(char) in letters_of(before):
        return before
    return BLOCKS[bisect(STARTS, ord(char)) - 1][1]


@cache
def letters_of(face: str) -> frozenset[int]:
    """Return the characters for which a face has a shape."""
    return frozenset(uharfbuzz.Face(uharfbuzz.Blob((FOLDER / f"{face}.ttf").read_bytes())).unicodes)


def unprintable(texts: Iterable[str]) -> list[str]:
    """Return the texts that have a letter without a shape in its face, as they are printed, in their order."""
    printed = list(dict.fromkeys(map(plain, texts)))
    letters = set("".join(printed))
    shapeless = {char for char in letters if char == INSTEAD or ord(char) not in letters_of(face_of(char, ""))}
    return [text for text in printed if not shapeless.isdisjoint(text)]
