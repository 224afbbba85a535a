"""Dates, numbers and lists of names as the people of a language write them, by CLDR through Babel; and clubs' clocks.

Points of a season are kept as exact fractions, and printed with two decimals where they are no whole: rules in
docs/how-to/seasons.md, "Standings". Knows nothing of formulas.
"""

from collections.abc import Sequence
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

from scoring.evening.state.played import said

MINUS = "−"
WRITTEN = "0123456789"
# Where a language's own digits begin; a numbering system that is not here is written with 0 to 9.
ZEROS = {"arab": "٠", "arabext": "۰", "beng": "০", "deva": "०", "gujr": "૦", "mymr": "၀", "tibt": "༠", "olck": "᱐"}
# English has been printed without a comma since the first sheet; the others are as CLDR has them.
OUR_DAY, DAY = "EEE d MMM y", "yMMMEd"
OUR_SHORT_DAY, SHORT_DAY = "d MMM", "MMMd"
SHOWN = "%Y-%m-%d %H:%M"


def page_language() -> str:
    """The code of the language that is spoken now."""
    return get_language() or settings.LANGUAGE_CODE


def is_translated() -> bool:
    """Whether something else is spoken than what messages are written in."""
    return page_language() != settings.LANGUAGE_CODE


def in_sentence(title: str) -> str:
    """A title in the middle of a sentence: English takes its capital away, other languages know their own."""
    return title if is_translated() else title.lower()


def number(value: int) -> str:
    """A number with the groups and digits of the language, and a real minus."""
    sign = MINUS if value < 0 else ""
    return f"{sign}{_number(abs(value), page_language())}"


def decimal(text: str) -> str:
    """A number that was written with a point, as the language writes it, and a real minus."""
    mark: str = get_decimal_symbol(_locale(page_language()), numbering_system="default")
    return in_digits(text.replace("-", MINUS).replace(".", mark))


def in_digits(text: str) -> str:
    """The text with its digits as the language writes them."""
    digits = _digits(page_language())
    return text.translate(digits) if digits else text


def day(when: date) -> str:
    """A day of the calendar: Sat 21 Nov 2026."""
    # Two clocks call one moment by different days, and to the cache they would be the same.
    return _dated(when.date() if isinstance(when, datetime) else when, OUR_DAY, DAY, page_language())


def short_day(when: date) -> str:
    """A day without its year, where there is little room: 21 Nov."""
    return _dated(when, OUR_SHORT_DAY, SHORT_DAY, page_language())


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: Asha, Bo and Cy."""
    return format_list(names, locale=_locale(page_language())) if names else ""


@lru_cache(maxsize=2048)
def _number(value: int, language: str) -> str:
    said: str = format_decimal(value, locale=_locale(language), numbering_system="default")
    return said.translate(_digits(language))


@lru_cache(maxsize=1024)
def _dated(when: date, ours: str, skeleton: str, language: str) -> str:
    locale = _locale(language)
    is_ours = language == settings.LANGUAGE_CODE
    said: str = format_date(when, ours, locale=locale) if is_ours else format_skeleton(skeleton, when, locale=locale)
    return said.translate(_digits(language))


@lru_cache(maxsize=32)
def _digits(language: str) -> dict[int, int]:
    """From 0 to 9 to the digits of the language; nothing where these are its digits."""
    zero = ZEROS.get(_locale(language).default_numbering_system)
    return {ord(digit): ord(zero) + value for value, digit in enumerate(WRITTEN)} if zero else {}


@lru_cache(maxsize=32)
def _locale(language: str) -> Locale:
    return Locale.parse(to_locale(language))


def number_text(text: str) -> str:
    """A number that is kept as an exact fraction, as the language writes it."""
    exact = Fraction(text)
    return number(exact.numerator) if exact.denominator == 1 else decimal(said(exact))


# A club's clock, and times as it shows them: one that it skips or shows twice is asked about, never guessed. Rules:
# docs/decisions/0033. A moment with its offset from UTC is never in doubt.


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalTime:
    """What a clock's reading may mean. `is_shown`: the clock shows it at all, if perhaps twice."""

    readings: tuple[datetime, ...]
    is_shown: bool

    @property
    def is_clear(self) -> bool:
        return self.is_shown and len(self.readings) == 1


@lru_cache(maxsize=64)
def zone_of(name: str) -> ZoneInfo:
    """A club's time zone; UTC where its name means nothing on this machine: names come and go with its tables."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return ZoneInfo("UTC")


def local_time(shown: datetime) -> LocalTime:
    """The moments at which the clock of this zone shows this; where it never does, those before and after the gap."""
    moments = sorted({shown.replace(fold=fold).astimezone(UTC) for fold in (0, 1)})
    readings = tuple(moment.astimezone(shown.tzinfo) for moment in moments)
    is_shown = any(one.replace(tzinfo=None, fold=0) == shown.replace(tzinfo=None, fold=0) for one in readings)
    return LocalTime(readings=readings, is_shown=is_shown)


def clock(local: datetime, pattern: str = "%H:%M") -> str:
    """The time on a club's clock; with its offset from UTC in the hour that the clock shows twice."""
    said = in_digits(local.strftime(pattern))
    is_twice = local.replace(fold=1 - local.fold).utcoffset() != local.utcoffset()
    return f"{said} ({offset_of(local)})" if is_twice else said


def offset_of(moment: datetime) -> str:
    """How a clock stands to UTC at a moment: UTC+01:00."""
    return f"UTC{written(moment)[-6:]}"


def written(moment: datetime) -> str:
    """A moment with its offset, as it can be typed wherever a moment is: 2026-10-25T02:30+01:00."""
    return moment.isoformat(timespec="minutes")
