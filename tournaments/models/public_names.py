"""How players are shown to the public: by their full name, shortened, or under a name of their own choice; and by what
two of one name are told apart.

Rules: docs/how-to/publishing.md, "Names". The club says how, a player may choose otherwise. Knows nothing of other
players: those who would look the same are told apart by `tournaments.people.players`. Telephone numbers and addresses
are found in what people type as a name, so that none is ever published.
"""

import re
import unicodedata
import uuid
from collections.abc import Iterator
from enum import StrEnum
from itertools import count, islice
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy

TELLING_DIGITS = 4
# A name of 200 signs with all the digits of an id behind it, in brackets.
MOST_SHOWN, MOST_PUBLIC_NAME = 200, 240
VIRAMA = 9
JOINER = "\u200d"
# Written without blanks: what looks like one word is a whole name.
WITHOUT_BLANKS = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR")


# A mark of `Telling` behind a name: no word of it, so that it is never shortened.
MARKED = re.compile(r"(.*\S) \(([1-9]\d{0,3}|[12]\d{3}-\d{1,3}|[A-Z])\)")


class Names(StrEnum):
    """Which name of a player is read, as its column: the public one on every public page, the real one behind them."""

    PUBLIC = "public_name"
    REAL = "name"


class Naming(models.TextChoices):
    """How somebody is shown to the public."""

    FULL = "full", gettext_lazy("full name")
    FIRST = "first", gettext_lazy("first name and initial, as Asha R.")
    INITIALS = "initials", gettext_lazy("initials, as A. R.")
    PSEUDONYM = "pseudonym", gettext_lazy("a chosen name")


class Telling(models.TextChoices):
    """What stands behind the name of the second player who bears it."""

    LETTERS = "letters", gettext_lazy("characters of an id, as Asha (3f2a)")
    NUMBER = "number", gettext_lazy("a number, as Asha (2)")
    INITIAL = "initial", gettext_lazy("a letter, as Asha (B)")
    YEAR = "year", gettext_lazy("the year added, as Asha (2026)")


def marks_of(telling: str, year: int) -> Iterator[str]:
    """The marks of a club in the order in which they are given. Letters of an id are in no name: they need an id."""
    match telling:
        case Telling.NUMBER:
            yield from map(str, count(2))
        case Telling.INITIAL:
            yield from "BCDEFGHIJKLMNOPQRSTUVWXYZ"
            yield from map(str, count(27))
        case Telling.YEAR:
            yield str(year)
            yield from (f"{year}-{number}" for number in count(2))


def marked_name(name: str, mark: str) -> str:
    """A name with the mark that tells it from another, in as many signs as a name may have."""
    return f"{name[: MOST_SHOWN - len(mark) - 3]} ({mark})"


def shown_name(name: str, naming: str, pseudonym: str = "") -> str:
    """A name as the public reads it. A pseudonym that nobody has typed yet hides the name behind its initials.

    The initials of a hundred words of one letter are longer than the words were, and are cut.
    """
    told = MARKED.fullmatch(name)
    if told and naming in (Naming.FIRST, Naming.INITIALS):
        return marked_name(shown_name(told[1], naming), told[2])
    match naming:
        case Naming.FIRST:
            return _first_and_initial(name)[:MOST_SHOWN]
        case Naming.INITIALS:
            return _initials(name)[:MOST_SHOWN]
        case Naming.PSEUDONYM:
            return (" ".join(pseudonym.split()) or _initials(name))[:MOST_SHOWN]
    return name


class PublicNameField(models.CharField):  # type: ignore[type-arg]  # it takes none at run time
    """Follows the row's name and choice whenever the row is written. What tells two players apart stays behind it."""

    follows_row = True

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:  # noqa: FBT001 - Django's signature
        row: Any = model_instance
        naming = row.naming or row.club.naming
        shown = row.name if row.erased_at else shown_name(row.name, naming, row.pseudonym)
        told = re.fullmatch(rf"{re.escape(shown)} \(([0-9a-f]+)\)", getattr(row, self.attname))
        if told is None or not row.id.hex.startswith(told[1]):
            setattr(row, self.attname, shown)
        return getattr(row, self.attname)


def telling_name(name: str, player_id: uuid.UUID, digits: int = TELLING_DIGITS) -> str:
    """The name of a player who shares it with another: some letters of the id follow it."""
    return f"{name} ({player_id.hex[:digits]})"


def _first_and_initial(name: str) -> str:
    """The first word that is no initial itself, and of the others the last one's initial."""
    words = _words(name)
    if len(words) < 2:
        return _initials(name) if words and _has_no_blanks(words[0]) else " ".join(words) or _initials(name)
    given = next((at for at, word in enumerate(words) if len(_letters(word)) > 1), 0)
    family = [word for at, word in enumerate(words) if at != given][-1]
    return f"{words[given]} {_initial(family)}"


def _initials(name: str) -> str:
    return " ".join(_initial(word) for word in _words(name)) or "–"


def _words(name: str) -> list[str]:
    """The words of a name that have a letter, in the order of speaking: a family name before a comma comes last."""
    family, comma, given = name.partition(",")
    return [word for word in (f"{given} {family}" if comma else name).split() if _letters(word)]


def _initial(word: str) -> str:
    """The first letter as it is read, with its marks; in Indian scripts with the consonants that it is joined to."""
    letter = ""
    for sign in islice(word, word.index(_letters(word)[0]), None):
        is_joined = bool(letter) and (letter[-1] == JOINER or unicodedata.combining(letter[-1]) == VIRAMA)
        if letter and not is_joined and sign != JOINER and not unicodedata.category(sign).startswith("M"):
            break
        letter += sign
    return f"{letter.upper()}."


def _letters(word: str) -> str:
    return "".join(sign for sign in word if unicodedata.category(sign)[0] in "LN")


def _has_no_blanks(word: str) -> bool:
    return unicodedata.name(_letters(word)[0], "").startswith(WITHOUT_BLANKS)


# What is no name: docs/how-to/evening.md, "Enter players". A phone number is seven digits or more with nothing but
# blanks and signs between them, in any script, or five after a plus; so `Player 7`, `Bo 2` and `Asha (1998)` are names,
# and a date with its year is none. An address is anything with an @ inside a word: mail, payment addresses.

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
