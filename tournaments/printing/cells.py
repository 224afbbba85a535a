"""Text in the cells of a spreadsheet: what a name says is shown, and never run as a formula.

Spreadsheets take a cell for a formula by its first character, full-width forms included, and some look past blanks
and invisible marks in front of it. Numbers of ours go out as numbers and are left alone.
"""

import csv
import io
from collections.abc import Iterable, Sequence
from decimal import Decimal

FORMULA_STARTS = frozenset("=+-@\t\r\n|＝＋－＠﹢﹣﹦﹫−")
# Before the separators start at all, a spreadsheet has to know that this is UTF-8.
BYTE_ORDER_MARK = "\ufeff"
MUTE = "'"

Value = str | int | None
# Points of a season may have decimals; no float is ever written.
Exact = Value | Decimal


def inert(text: str) -> str:
    """The text, with an apostrophe in front where a spreadsheet might calculate it; no NUL, which ends a file."""
    kept = text.replace("\x00", "")
    visible = kept.lstrip(_PASSED_OVER)
    starts = kept[:1] + visible[:1]
    return f"{MUTE}{kept}" if any(character in FORMULA_STARTS for character in starts) else kept


def csv_text(rows: Iterable[Sequence[Exact]]) -> str:
    """Rows as CSV for a spreadsheet: a byte order mark, commas, line ends as RFC 4180 has them, text inert."""
    file = io.StringIO()
    file.write(BYTE_ORDER_MARK)
    writer = csv.writer(file, lineterminator="\r\n")
    for row in rows:
        writer.writerow([inert(value) if isinstance(value, str) else value for value in row])
    return file.getvalue()


# Blanks of any width and the invisible marks of bidirectional text.
_PASSED_OVER = (
    " \u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u3000\u200b\u200c\u200d"
    "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
