"""A test language: whatever is looked up comes back in other letters, so what is left in Latin was never looked up."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations
from string import ascii_lowercase, ascii_uppercase
from unittest.mock import patch

from django.utils.translation import override, trans_real

# It stands in for a language that the site speaks, whose numbers and days are written as they are.
CODE = "hi"
CYRILLIC_CAPITAL, CYRILLIC_SMALL = 0x410, 0x430
LETTERS = {
    **{ord(letter): CYRILLIC_CAPITAL + at for at, letter in enumerate(ascii_uppercase)},
    **{ord(letter): CYRILLIC_SMALL + at for at, letter in enumerate(ascii_lowercase)},
}
# Parts, markup and what stands for one sign: no letters of the sentence.
KEPT = re.compile(r"(\{[^}]*\}|%\(\w+\)[sd]|%[sd%]|<[^>]*>|&\w+;)")
CONTEXT = "\x04"
LATIN = re.compile(r"[A-Za-z]{2,}")


def marked(text: str) -> str:
    """A message in the letters of the test language, its parts untouched."""
    pieces = KEPT.split(text.rpartition(CONTEXT)[2])
    return "".join(piece if at % 2 else piece.translate(LETTERS) for at, piece in enumerate(pieces))


class Marked(NullTranslations):
    """Every message there is, marked."""

    def gettext(self, message: str) -> str:
        return marked(message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return marked(msgid1 if n == 1 else msgid2)

    def to_language(self) -> str:
        return CODE

    def language(self) -> str:
        return CODE


@contextmanager
def test_language() -> Iterator[None]:
    """Pages in `CODE`, and this thread, speak the test language. Nothing that was translated before is kept."""
    known = {**trans_real._translations, CODE: Marked()}  # type: ignore[attr-defined]
    _forget()
    try:
        with patch.object(trans_real, "_translations", known), override(CODE):
            yield
    finally:
        _forget()


def left_in_latin(text: str, names: str = "") -> list[str]:
    """Runs of Latin letters that are no name."""
    return LATIN.findall(re.sub(names, "·", text) if names else text)


def _forget() -> None:
    """Empty what our modules keep of translations."""
    for name, module in list(sys.modules.items()):
        if name.startswith("tournaments."):
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()
