"""Amounts, percentages and numbers as the club's people type them, read exactly: minor units, basis points, decimals.

What may be read in two ways is not read: the club's place decides which mark is decimal, and groups must be whole.
"""

import re
import unicodedata
from decimal import Decimal
from functools import lru_cache

from babel.numbers import get_currency_symbol
from django.core.exceptions import ValidationError

from scoring.messages import decimals, say
from scoring.money.formatting import Marks, Notation, grouped_minor, known_locale, marks_of, typed_percent
from scoring.problems import shown
from tournaments.rendering.i18n.translating import translate

BP_DECIMALS = 2
MOST_DECIMALS = 9
MOST_DIGITS = 15
SAMPLE = "123456"
# What people write for a currency besides its code and its sign.
OTHER_WORDS = {"INR": ("Rs.", "Rs"), "PKR": ("Rs.", "Rs"), "LKR": ("Rs.", "Rs"), "NPR": ("Rs.", "Rs")}
ARABIC_DECIMAL, ARABIC_GROUP = "\u066b", "\u066c"
# Invisible format characters, such as direction marks: amounts are printed with them, and copies contain them.
UNSEEN = "Cf"


def read_amount(text: str, notation: Notation) -> int:
    """`1,23,456.50` of INR is 12345650. Raises ValidationError for anything else, or one finer than the minor unit."""
    currency, locale = notation
    places = decimals(currency)
    bare = _without_sign(_plain(text), currency, known_locale(locale))
    minor = _read(bare, known_locale(locale), places)
    if minor is not None:
        return minor
    sample = grouped_minor(int(SAMPLE + "5".ljust(places, "0")) if places else int(SAMPLE), currency, locale)
    detail = say(
        "{text} is not an amount of {currency} with at most {places} decimals; write it like {sample}",
        text=shown(text),
        currency=currency,
        places=places,
        sample=sample,
    )
    raise ValidationError(translate(detail), code="not_an_amount")


def read_percent(text: str, locale: str) -> int:
    """`12.5` percent is 1250 basis points. Raises ValidationError for anything else."""
    bare = _plain(text).removeprefix("%").removesuffix("%").strip()
    points = _read(bare, known_locale(locale), BP_DECIMALS)
    if points is not None:
        return points
    sample = typed_percent(1250, locale)
    detail = say(
        "{text} is not a percentage with at most {places} decimals; write it like {sample}",
        text=shown(text),
        places=BP_DECIMALS,
        sample=sample,
    )
    raise ValidationError(translate(detail), code="not_a_number")


def read_decimal(text: str, locale: str) -> Decimal | None:
    """`-1,234.5` as a number with at most nine decimals; None for anything else."""
    bare = _plain(text)
    is_negative = bare.startswith(("-", "\N{MINUS SIGN}"))
    whole = _read(bare[1:].strip() if is_negative else bare, known_locale(locale), MOST_DECIMALS)
    if whole is None:
        return None
    return Decimal(-whole if is_negative else whole).scaleb(-MOST_DECIMALS)


def _plain(text: str) -> str:
    """The text with plain digits and blanks, without invisible format characters."""
    flat = unicodedata.normalize("NFKC", text)
    visible_characters = (character for character in flat if unicodedata.category(character) != UNSEEN)
    return "".join(
        str(unicodedata.decimal(character)) if character.isdecimal() else character for character in visible_characters
    ).strip()


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
    """Casefolded currency codes and signs that may be beside an amount, the longest first."""
    option_value = {currency, *(get_currency_symbol(currency, place) for place in (locale, "en"))}
    plain = {_plain(word).casefold() for word in (*option_value, *OTHER_WORDS.get(currency, ()))}
    return tuple(sorted(plain - {""}, key=lambda word: (-len(word), word)))


def _read(text: str, locale: str, places: int) -> int | None:
    match = _shape(locale).fullmatch(text)
    fraction = (match["fraction"] or "") if match else ""
    if match is None or len(fraction) > places:
        return None
    whole = re.sub(r"\D", "", match["whole"])
    return int(whole + fraction.ljust(places, "0")) if len(whole) <= MOST_DIGITS else None


@lru_cache(maxsize=128)
def _shape(locale: str) -> re.Pattern[str]:
    """A pattern for amounts: ungrouped digits, or whole groups with the same mark between; then perhaps a fraction."""
    marks = marks_of(locale)
    grouped = "|".join(_groups(mark, marks) for mark in _group_marks(marks))
    return re.compile(
        rf"(?P<whole>[0-9]+|{grouped})(?:[{re.escape(marks.decimal)}{ARABIC_DECIMAL}](?P<fraction>[0-9]+))?"
    )


def _groups(mark: str, marks: Marks) -> str:
    """A pattern for groups of three, which everyone reads, and for the locale's own. A leading zero is not grouped."""
    threes = rf"[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+"
    if marks.further == marks.first:
        return threes
    return rf"{threes}|[1-9][0-9]?(?:{mark}[0-9]{{{marks.further}}})*{mark}[0-9]{{{marks.first}}}"


def _group_marks(marks: Marks) -> tuple[str, ...]:
    """The locale's own group mark in each of its forms, and a blank, which has no other use."""
    own = {"'": "['’]", "’": "['’]", ARABIC_GROUP: ARABIC_GROUP}.get(marks.group, re.escape(marks.group))
    return (" ", ARABIC_GROUP) if marks.group.isspace() else (own, " ", ARABIC_GROUP)
