"""A test language: every translated message gets other letters, so text left in Latin was not translated."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from gettext import NullTranslations
from string import ascii_lowercase, ascii_uppercase
from unittest.mock import patch

from django.utils.translation import override, trans_real

# It represents a language of the site whose numbers and days are written as in English.
CODE = "hi"
CYRILLIC_CAPITAL, CYRILLIC_SMALL = 0x410, 0x430
LETTERS = {
    **{ord(letter): CYRILLIC_CAPITAL + at for at, letter in enumerate(ascii_uppercase)},
    **{ord(letter): CYRILLIC_SMALL + at for at, letter in enumerate(ascii_lowercase)},
}
# Placeholders, markup and entities: no letters of the message.
KEPT = re.compile(r"(\{[^}]*\}|%\(\w+\)[sd]|%[sd%]|<[^>]*>|&\w+;)")
CONTEXT = "\x04"
LATIN = re.compile(r"[A-Za-z]{2,}")


def marked(text: str) -> str:
    """A message in the letters of the test language, its placeholders unchanged."""
    pieces = KEPT.split(text.rpartition(CONTEXT)[2])
    return "".join(piece if at % 2 else piece.translate(LETTERS) for at, piece in enumerate(pieces))


class Marked(NullTranslations):
    """Every message, marked."""

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
    """Pages in `CODE`, and this thread, use the test language. Cached translations are cleared."""
    known = {**trans_real._translations, CODE: Marked()}  # type: ignore[attr-defined]
    _forget()
    try:
        with patch.object(trans_real, "_translations", known), override(CODE):
            yield
    finally:
        _forget()


def left_in_latin(text: str, names: str = "") -> list[str]:
    """Runs of Latin letters that are not names."""
    return LATIN.findall(re.sub(names, "·", text) if names else text)


def _forget() -> None:
    """Clear our modules' caches of translations."""
    for name, module in list(sys.modules.items()):
        if name.startswith("tournaments."):
            for value in list(vars(module).values()):
                if callable(clear := getattr(value, "cache_clear", None)):
                    clear()
