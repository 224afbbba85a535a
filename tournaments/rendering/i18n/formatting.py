"""Dates, numbers and lists of names as the people of a language write them, by CLDR through Babel; and clubs' clocks.

Points of a season are kept as exact fractions, and printed with two decimals where they are not whole numbers: rules in
docs/how-to/seasons.md, "Standings". Knows nothing of formulas.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from fractions import Fraction
from functools import lru_cache
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from babel import Locale
from babel.dates import format_date, format_skeleton
from babel.lists import format_list
from babel.numbers import format_decimal, get_decimal_symbol
from django.conf import settings
from django.utils.translation import get_language, to_locale

from scoring.tournament.state.played import score_text

MINUS = "−"
WRITTEN = "0123456789"
# The first of a language's own digits; a numbering system that is not listed is written with 0 to 9.
ZEROS = {"arab": "٠", "arabext": "۰", "beng": "০", "deva": "०", "gujr": "૦", "mymr": "၀", "tibt": "༠", "olck": "᱐"}
# English has been printed without a comma since the first sheet; the others follow CLDR.
OUR_DAY, DAY = "EEE d MMM y", "yMMMEd"
OUR_SHORT_DAY, SHORT_DAY = "d MMM", "MMMd"
SHOWN = "%Y-%m-%d %H:%M"


def page_language() -> str:
    """Return the code of the active language."""
    return get_language() or settings.LANGUAGE_CODE


def is_translated() -> bool:
    """Whether the active language is another one than the messages are written in."""
    return page_language() != settings.LANGUAGE_CODE


def in_sentence(title: str) -> str:
    """Return a title for the middle of a sentence: English loses its capital, other languages are left unchanged."""
    return title if is_translated() else title.lower()


def number(value: int) -> str:
    """Format a number with the grouping and digits of the language, and a real minus sign."""
    sign = MINUS if value < 0 else ""
    return f"{sign}{_number(abs(value), page_language())}"


def decimal(text: str) -> str:
    """Format a number written with a decimal point in the language, with a real minus sign."""
    mark: str = get_decimal_symbol(_locale(page_language()), numbering_system="default")
    return in_digits(text.replace("-", MINUS).replace(".", mark))


def in_digits(text: str) -> str:
    """Return the text with its digits in the language."""
    digits = _digits(page_language())
    return text.translate(digits) if digits else text


def day(when: date) -> str:
    """Format a calendar day: Sat 21 Nov 2026."""
    # Two clocks show different days at one moment, and to the cache they would be the same.
    return _dated(when.date() if isinstance(when, datetime) else when, OUR_DAY, DAY, page_language())


def short_day(when: date) -> str:
    """Format a day without its year, where there is little room: 21 Nov."""
    return _dated(when, OUR_SHORT_DAY, SHORT_DAY, page_language())


def listed(names: Sequence[str]) -> str:
    """Join names in a sentence: Asha, Bo and Cy."""
    return format_list(names, locale=_locale(page_language())) if names else ""


def place_text(place: int, *, is_tied: bool) -> str:
    """Format a place: a shared one has an equals sign before it, on pages and on paper."""
    return f"={number(place)}" if is_tied else number(place)


@lru_cache(maxsize=2048)
def _number(value: int, language: str) -> str:
    text: str = format_decimal(value, locale=_locale(language), numbering_system="default")
    return text.translate(_digits(language))


@lru_cache(maxsize=1024)
def _dated(when: date, ours: str, skeleton: str, language: str) -> str:
    locale = _locale(language)
    is_ours = language == settings.LANGUAGE_CODE
    text: str = format_date(when, ours, locale=locale) if is_ours else format_skeleton(skeleton, when, locale=locale)
    return text.translate(_digits(language))


@lru_cache(maxsize=32)
def _digits(language: str) -> dict[int, int]:
    """Map 0 to 9 to the digits of the language; empty where it uses 0 to 9."""
    zero = ZEROS.get(_locale(language).default_numbering_system)
    return {ord(digit): ord(zero) + value for value, digit in enumerate(WRITTEN)} if zero else {}


@lru_cache(maxsize=32)
def _locale(language: str) -> Locale:
    return Locale.parse(to_locale(language))


def has_decimals(texts: Iterable[str]) -> bool:
    """Whether a number of a column, exact or rounded, is not whole: all of the column then have two decimals."""
    return any(Fraction(text).denominator != 1 for text in texts if text)


def number_text(text: str, *, decimals: bool = False) -> str:
    """Format a number stored as an exact fraction or rounded: whole, or with two decimals; with them if asked for."""
    exact = Fraction(text)
    if exact.denominator == 1:
        return decimal(f"{exact.numerator}.00") if decimals else number(exact.numerator)
    return decimal(score_text(exact))


# A club's clock, and times as it shows them: a time that it skips or shows twice is never guessed, the user is asked.
# Rules: docs/decisions/0033. A moment with its offset from UTC is never ambiguous.


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalTime:
    """The possible meanings of a local time. `is_shown`: the clock shows it at all, perhaps twice."""

    readings: tuple[datetime, ...]
    is_shown: bool

    @property
    def is_clear(self) -> bool:
        return self.is_shown and len(self.readings) == 1


@lru_cache(maxsize=64)
def zone_of(name: str) -> ZoneInfo:
    """Return a club's time zone; UTC where this machine does not know its name: names come and go with its tables."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def local_time(shown: datetime) -> LocalTime:
    """Return the moments at which the clock shows this time; in a gap, those before and after the gap."""
    moments = sorted({shown.replace(fold=fold).astimezone(UTC) for fold in (0, 1)})
    readings = tuple(moment.astimezone(shown.tzinfo) for moment in moments)
    is_shown = any(reading.replace(tzinfo=None, fold=0) == shown.replace(tzinfo=None, fold=0) for reading in readings)
    return LocalTime(readings=readings, is_shown=is_shown)


def clock(local: datetime, pattern: str = "%H:%M") -> str:
    """Format a time on a club's clock; with its UTC offset in the hour that the clock shows twice."""
    text = in_digits(local.strftime(pattern))
    is_twice = local.replace(fold=1 - local.fold).utcoffset() != local.utcoffset()
    return f"{text} ({offset_of(local)})" if is_twice else text


def offset_of(moment: datetime) -> str:
    """Return the UTC offset at a moment: UTC+01:00."""
    return f"UTC{written(moment)[-6:]}"


def written(moment: datetime) -> str:
    """Return a moment with its offset, as it can be typed in any field for a moment: 2026-10-25T02:30+01:00."""
    return moment.isoformat(timespec="minutes")
