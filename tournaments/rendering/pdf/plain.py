"""Text as it can be printed: no control characters, no marks that turn a line round, no halves of a letter.

A name must not rearrange the line it stands on. Nothing in a text is ever read as markup.
"""

from unicodedata import category, normalize

INSTEAD = "\ufffd"
JOINERS = "\u200c\u200d"
SPACES = ("Zs", "Zl", "Zp")


def plain(text: str) -> str:
    """The text on one line, letters and accents put together, with single spaces between its words."""
    printed = normalize("NFC", "".join(map(_printed, text)))
    return " ".join(word for word in printed.split(" ") if word)


def _printed(char: str) -> str:
    kind = category(char)
    if kind in SPACES or char in "\t\n\r\v\f\x85":
        return " " if char not in "\u00a0\u202f" else "\u00a0"
    if kind in ("Cs", "Cn", "Co"):
        return INSTEAD
    return "" if kind in ("Cc", "Cf") and char not in JOINERS else char
