"""Amounts and percentages as the club's people type them, read exactly into whole minor units and basis points.

Rules: docs/books.md, "Amounts". What is printed can be typed, with or without sign and grouping. A mark that could
mean two things is refused, never guessed: `12,50` in a club that writes 12.50 may be a slip for either.
"""

import re
import unicodedata
from functools import lru_cache

from babel.numbers import get_currency_symbol
from django.utils.translation import gettext

from scoring.money.amounts import decimals
from scoring.money.formatting import Marks, Notation, grouped_minor, marks_of, typed_percent
from scoring.money.locales import known_locale
from scoring.problems import Problem, shown

BP_DECIMALS = 2
MOST_DIGITS = 15
SAMPLE = "123456"
# What people write for a currency besides its code and its sign.
OTHER_WORDS = {"INR": ("Rs.", "Rs"), "PKR": ("Rs.", "Rs"), "LKR": ("Rs.", "Rs"), "NPR": ("Rs.", "Rs")}
ARABIC_DECIMAL, ARABIC_GROUP = "\u066b", "\u066c"
# Marks of direction and their kin: they are printed around amounts and come back with what is copied.
UNSEEN = "Cf"


def read_amount(text: str, notation: Notation, field: str, problems: list[Problem]) -> int:
    """`1,23,456.50` of INR is 12345650. What is no amount, or finer than the minor unit, is added to `problems`."""
    currency, locale = notation
    places = decimals(currency)
    bare = _without_sign(_plain(text), currency, known_locale(locale))
    minor = _read(bare, known_locale(locale), places)
    if minor is not None:
        return minor
    sample = grouped_minor(int(SAMPLE + "5".ljust(places, "0")) if places else int(SAMPLE), currency, locale)
    detail = gettext(
        "{text} is not an amount of {currency} with at most {places} decimals; write it like {sample}"
    ).format(text=shown(text), currency=currency, places=places, sample=sample)
    problems.append(Problem(code="not_an_amount", field=field, detail=detail))
    return 0


def read_percent(text: str, locale: str, field: str, problems: list[Problem]) -> int:
    """`12.5` percent is 1250 basis points."""
    bare = _plain(text).removeprefix("%").removesuffix("%").strip()
    points = _read(bare, known_locale(locale), BP_DECIMALS)
    if points is not None:
        return points
    sample = typed_percent(1250, locale)
    detail = gettext("{text} is not a percentage with at most {places} decimals; write it like {sample}").format(
        text=shown(text), places=BP_DECIMALS, sample=sample
    )
    problems.append(Problem(code="not_a_number", field=field, detail=detail))
    return 0


def _plain(text: str) -> str:
    """The same in plain digits and blanks, without marks that nobody sees."""
    flat = unicodedata.normalize("NFKC", text)
    seen = (one for one in flat if unicodedata.category(one) != UNSEEN)
    return "".join(str(unicodedata.decimal(one)) if one.isdecimal() else one for one in seen).strip()


def _without_sign(text: str, currency: str, locale: str) -> str:
    for word in _words(currency, locale):
        folded = text.casefold()
        if folded.startswith(word):
            return text[len(word) :].strip()
        if folded.endswith(word):
            return text[: -len(word)].strip()
    return text


@lru_cache(maxsize=512)
def _words(currency: str, locale: str) -> tuple[str, ...]:
    """What may stand beside an amount, the longest first."""
    said = {currency, *(get_currency_symbol(currency, place) for place in (locale, "en"))}
    plain = {_plain(word).casefold() for word in (*said, *OTHER_WORDS.get(currency, ()))}
    return tuple(sorted(plain - {""}, key=lambda word: (-len(word), word)))


def _read(text: str, locale: str, places: int) -> int | None:
    found = _shape(locale).fullmatch(text)
    fraction = (found["fraction"] or "") if found else ""
    if found is None or len(fraction) > places:
        return None
    whole = re.sub(r"\D", "", found["whole"])
    return int(whole + fraction.ljust(places, "0")) if len(whole) <= MOST_DIGITS else None


@lru_cache(maxsize=128)
def _shape(locale: str) -> re.Pattern[str]:
    """Digits in one piece, or in whole groups between marks that are all the same; then perhaps a fraction."""
    marks = marks_of(locale)
    grouped = "|".join(_groups(mark, marks) for mark in _group_marks(marks))
    return re.compile(
        rf"(?P<whole>[0-9]+|{grouped})(?:[{re.escape(marks.decimal)}{ARABIC_DECIMAL}](?P<fraction>[0-9]+))?"
    )


def _groups(mark: str, marks: Marks) -> str:
    """Groups of three, which everybody reads, and the place's own. Nought point something is no group."""
    threes = rf"[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+"
    if marks.further == marks.first:
        return threes
    return rf"{threes}|[1-9][0-9]?(?:{mark}[0-9]{{{marks.further}}})*{mark}[0-9]{{{marks.first}}}"


def _group_marks(marks: Marks) -> tuple[str, ...]:
    """The place's own mark in each of its forms, and a blank, which nobody uses for anything else."""
    own = {"'": "['’]", "’": "['’]", ARABIC_GROUP: ARABIC_GROUP}.get(marks.group, re.escape(marks.group))
    return (" ", ARABIC_GROUP) if marks.group.isspace() else (own, " ", ARABIC_GROUP)
