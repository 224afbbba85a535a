"""How the public sees players: full name, shortened name or pseudonym, and how players who share a name are told apart.

Rules: docs/how-to/publishing.md, "Names". The club sets a default, a player may choose otherwise. Knows nothing of
other players: those who would look the same are told apart by `tournaments.people.players`. Telephone numbers and
addresses are found in what people type as a name, so that none is ever published.
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
# A name of 200 characters with all the digits of an id after it, in brackets.
MOST_SHOWN, MOST_PUBLIC_NAME = 200, 240
VIRAMA = 9
JOINER = "\u200d"
# Scripts written without blanks: what looks like one word is a whole name.
WITHOUT_BLANKS = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "LAO", "KHMER", "MYANMAR")


# A mark of `NameSuffix` after a name: not one of its words, so that it is never shortened.
MARKED = re.compile(r"(.*\S) \(([1-9]\d{0,3}|[12]\d{3}-\d{1,3}|[A-Z])\)")


class Names(StrEnum):
    """Which name of a player is shown, as its column: public on every public page, real to users of the club."""

    PUBLIC = "public_name"
    REAL = "name"


class Naming(models.TextChoices):
    """How a player is shown to the public."""

    FULL = "full", gettext_lazy("full name")
    FIRST = "first", gettext_lazy("first name and initial, as Asha R.")
    INITIALS = "initials", gettext_lazy("initials, as A. R.")
    PSEUDONYM = "pseudonym", gettext_lazy("a chosen name")


class NameSuffix(models.TextChoices):
    """What is appended to the name of the second player who has it."""

    LETTERS = "letters", gettext_lazy("characters of an id, as Asha (3f2a)")
    NUMBER = "number", gettext_lazy("a number, as Asha (2)")
    INITIAL = "initial", gettext_lazy("a letter, as Asha (B)")
    YEAR = "year", gettext_lazy("the year added, as Asha (2026)")


def marks_of(telling: str, year: int) -> Iterator[str]:
    """Yield the marks of a club in the order in which they are given. Not for letters of an id: they need an id."""
    match telling:
        case NameSuffix.NUMBER:
            yield from map(str, count(2))
        case NameSuffix.INITIAL:
            yield from "BCDEFGHIJKLMNOPQRSTUVWXYZ"
            yield from map(str, count(27))
        case NameSuffix.YEAR:
            yield str(year)
            yield from (f"{year}-{number}" for number in count(2))


def marked_name(name: str, mark: str) -> str:
    """Append a mark to a name, within the longest length of a name."""
    return f"{name[: MOST_SHOWN - len(mark) - 3]} ({mark})"


def shown_name(name: str, naming: str, pseudonym: str = "") -> str:
    """Return a name as the public reads it. A pseudonym that is still empty is shown as the initials of the name.

    The initials of a hundred words of one letter are longer than the words themselves, and are cut.
    """
    marked = MARKED.fullmatch(name)
    if marked and naming in (Naming.FIRST, Naming.INITIALS):
        return marked_name(shown_name(marked[1], naming), marked[2])
    match naming:
        case Naming.FIRST:
            return _first_and_initial(name)[:MOST_SHOWN]
        case Naming.INITIALS:
            return _initials(name)[:MOST_SHOWN]
        case Naming.PSEUDONYM:
            chosen = " ".join(pseudonym.split())[:MOST_SHOWN]
            return chosen or shown_name(name, Naming.INITIALS)
    return name


class PublicNameField(models.CharField):  # type: ignore[type-arg]  # it takes none at run time
    """Updated from the row's name and choice on every save. A mark that tells two players apart is kept after it."""

    follows_row = True

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:  # noqa: FBT001 - Django's signature
        row: Any = model_instance
        naming = row.naming or row.club.naming
        public_name = row.name if row.erased_at else shown_name(row.name, naming, row.pseudonym)
        stored_name = getattr(row, self.attname)
        digits = stored_name.removeprefix(f"{public_name} (").removesuffix(")")
        if not (digits and row.id.hex.startswith(digits) and stored_name == f"{public_name} ({digits})"):
            setattr(row, self.attname, public_name)
        return getattr(row, self.attname)


def telling_name(name: str, player_id: uuid.UUID, digits: int = TELLING_DIGITS) -> str:
    """Return the name of a player who shares it with another, followed by some letters of the id."""
    return f"{name} ({player_id.hex[:digits]})"


def _first_and_initial(name: str) -> str:
    """Return the first word that is not an initial, and the initial of the last of the other words."""
    words = _words(name)
    if len(words) < 2:
        return _initials(name) if words and _has_no_blanks(words[0]) else " ".join(words) or _initials(name)
    given_index = next((at for at, word in enumerate(words) if len(_letters(word)) > 1), 0)
    family = [word for at, word in enumerate(words) if at != given_index][-1]
    return f"{words[given_index]} {_initial(family)}"


def _initials(name: str) -> str:
    return " ".join(_initial(word) for word in _words(name)) or "–"


def _words(name: str) -> list[str]:
    """Return the words of a name that contain a letter, in speaking order: a family name before a comma comes last."""
    family, comma, given_name = name.partition(",")
    return [word for word in (f"{given_name} {family}" if comma else name).split() if _letters(word)]


def _initial(word: str) -> str:
    """Return the first letter as it is read, with its marks; in Indian scripts with the consonants joined to it."""
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


# What is not a name: docs/how-to/evening.md, "Enter players". A phone number is seven digits or more with nothing but
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
    """Whether a name contains a phone number or an address, in any digits, even with invisible characters in it."""
    plain = without_unseen(unicodedata.normalize("NFKC", name))
    return bool(PHONE.search(plain) or ADDRESS.search(plain))


def without_unseen(text: str) -> str:
    """Remove direction marks, joiners and other zero-width characters."""
    return "".join(sign for sign in text if unicodedata.category(sign) != UNSEEN)
