"""Which letters take which typeface: Noto Sans for fourteen scripts, shipped with us, and what hangs on which letter.

Licence: tournaments/rendering/pdf/fonts/OFL.txt. A letter of any other script is drawn as an empty box. Knows no library.
"""

from bisect import bisect
from collections.abc import Iterator
from pathlib import Path
from unicodedata import category, combining

from tournaments.rendering.pdf.plain import JOINERS

FOLDER = Path(__file__).parent / "fonts"
LATIN, BOLD = "NotoSans-Regular", "NotoSans-Bold"
VIRAMA = 9
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
    # A digit before a full stop of Devanagari is Latin, and no Latin face has that full stop.
    follows = found == LATIN or (char in DANDAS and before != LATIN)
    return before if leans and before and follows else found


def clusters(word: str) -> Iterator[str]:
    """Letters with everything that hangs on them."""
    held = ""
    for char in word:
        hangs = category(char)[0] == "M" or char in JOINERS
        if held and not hangs and held[-1] not in JOINERS and combining(held[-1]) != VIRAMA:
            yield held
            held = ""
        held += char
    yield held
