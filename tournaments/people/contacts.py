"""Telephone numbers and addresses in what people type as a name: found, so that none is ever published.

Rules: docs/how-to/evening.md, "Enter players". A phone number is seven digits or more with nothing but blanks and signs
between them, in any script, or five after a plus; so `Player 7`, `Bo 2` and `Asha (1998)` are names, and a date with
its year is none. An address is anything with an @ inside a word: mail, payment addresses. Pure.
"""

import re
import unicodedata

LEAST_DIGITS, LEAST_AFTER_PLUS = 7, 5
# What people write between the digits of a number, at most three of them at once.
BETWEEN = r"[\s./()\[\]_+*,:'’·\-‐‑‒–—]{0,3}"
PHONE = re.compile(
    rf"(?:\+\s?\(?\d(?:{BETWEEN}\d){{{LEAST_AFTER_PLUS - 1},}}|\(?\d(?:{BETWEEN}\d){{{LEAST_DIGITS - 1},}})\)?"
)
# Tried at the start of a word alone: a long text without any is read once.
ADDRESS = re.compile(r"(?<![^\s@<>()\[\],;\"])[^\s@<>()\[\],;\"]+@[^\s@<>()\[\],;\"]+")
UNSEEN = "Cf"


def holds_contact(name: str) -> bool:
    """Whether somebody could be called or written to by a name: in any digits, whatever unseen signs stand between."""
    plain = without_unseen(unicodedata.normalize("NFKC", name))
    return bool(PHONE.search(plain) or ADDRESS.search(plain))


def without_unseen(text: str) -> str:
    """The text without marks of direction, joiners and other signs of no width."""
    return "".join(sign for sign in text if unicodedata.category(sign) != UNSEEN)
