"""Amounts and percentages as they are written in one locale: ₹1,23,456.00, 1.234,56 €, 12,5 %.

Rules: docs/how-to/books.md, "Amounts". Signs, marks and grouping are CLDR's, through Babel; how many decimals a
currency has is ISO 4217's (`DECIMALS` in scoring/messages.py), for CLDR drops some that the books keep. Babel is called
once for each locale and currency, and digits are put between its marks: calling it for each amount took 20 times as
long. Digits are 0 to 9 everywhere, like the scores beside them. No float is involved. Knows nothing of clubs and pages.
"""

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from babel import Locale
from babel.numbers import NumberPattern, format_currency, format_percent, get_territory_currencies, is_currency

from scoring.messages import format_minor, say
from scoring.problems import Problem, shown

# The locales that a club can choose for amounts, and the currencies that exist.

DEFAULT_LOCALE = "en_IN"

LOCALES = (
    *("en_IN", "hi_IN", "bn_IN", "gu_IN", "pa_IN", "ta_IN", "te_IN", "ur_PK", "en_PK", "bn_BD", "ne_NP", "si_LK"),
    *("en_AE", "ar_AE", "ar_BH", "ar_EG", "ar_KW", "ar_TN", "he_IL", "fa_IR", "tr_TR"),
    *("en_GB", "en_IE", "en_US", "en_CA", "fr_CA", "en_AU", "en_NZ", "en_SG", "en_KE"),
    *("de_DE", "de_AT", "de_CH", "fr_FR", "fr_BE", "fr_CH", "it_IT", "es_ES", "es_MX", "es_AR", "es_CL", "pt_PT"),
    *("pt_BR", "nl_NL", "nl_BE", "da_DK", "nb_NO", "sv_SE", "fi_FI", "pl_PL", "cs_CZ", "sk_SK", "hu_HU", "ro_RO"),
    *("el_GR", "uk_UA", "ja_JP", "ko_KR", "zh_CN", "zh_TW", "vi_VN", "th_TH", "id_ID"),
)
# CLDR has two locales for Norwegian, which write amounts alike.
MACRO_LANGUAGES = {"nb_NO": "no"}

# Codes in X belong to no country: metals, units of account, "none", the one for tests. These are shared by several
# countries.
MONEY_IN_X = frozenset({"XAF", "XCD", "XCG", "XOF", "XPF"})


@lru_cache(maxsize=8)
def place_names(language: str = "en") -> dict[str, str]:
    """The locales to choose from, by language and country, in a language that CLDR knows."""
    reader = Locale(language)
    parted = {name: (MACRO_LANGUAGES.get(name) or name.split("_")[0], name.split("_")[1]) for name in LOCALES}
    return {name: f"{reader.languages[tongue]} ({reader.territories[land]})" for name, (tongue, land) in parted.items()}


def known_locale(name: str) -> str:
    """The locale itself; the default where it is not one of the choices."""
    return name if name in LOCALES else DEFAULT_LOCALE


def currency_of_place(locale: str) -> str:
    """The currency that people pay with where amounts are written as in this locale."""
    return get_territory_currencies(locale.split("_")[1])[0]


def is_money(currency: str) -> bool:
    """Whether a code is a currency, current or former: tournaments of those years can still be entered."""
    return is_currency(currency) and (currency[0] != "X" or currency in MONEY_IN_X)


def currency_problems(currency: str) -> list[Problem]:
    """Problems with a code as a tournament's currency. Checked at set-up, never for stored data."""
    if is_money(currency):
        return []
    detail = say("{typed} is not an ISO 4217 currency; use a code such as INR or EUR", typed=shown(currency))
    return [Problem("unknown_currency", detail, field="currency")]


MINUS = "−"
NO_BREAK = "\u00a0"
DIGITS = "latn"
# First strong isolate and its end: right-to-left text leaves the line around it in order.
ISOLATE, END_ISOLATE = "\u2068", "\u2069"


class Notation(NamedTuple):
    """The currency and the locale."""

    currency: str
    locale: str

    def money(self, amount_minor: int) -> str:
        """An amount with its currency."""
        return money(amount_minor, *self)

    def percent(self, basis_points: int) -> str:
        """Basis points as percent."""
        return percent(basis_points, self.locale)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """The separators between the digits: the last group has `first` digits, all before it `further`."""

    decimal: str
    group: str
    first: int
    further: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The text before and after the digits."""

    before: str
    after: str


def money(amount_minor: int, currency: str, locale: str) -> str:
    """An amount with its currency, as it is printed: ₹1,23,456.00, −₹20.00, 12,50 €."""
    frame = _money_frame(currency, known_locale(locale), amount_minor < 0)
    return f"{frame.before}{grouped_minor(abs(amount_minor), currency, locale)}{frame.after}"


def grouped_minor(amount_minor: int, currency: str, locale: str) -> str:
    """The amount alone, for columns whose heading names the currency."""
    marks = marks_of(known_locale(locale))
    sign = MINUS if amount_minor < 0 else ""
    whole, _, fraction = format_minor(abs(amount_minor), currency).partition(".")
    return f"{sign}{_grouped(whole, marks)}{marks.decimal if fraction else ''}{fraction}"


def typed_minor(amount_minor: int, currency: str, locale: str) -> str:
    """The amount for an input field: the locale's decimal mark, nothing else."""
    return format_minor(amount_minor, currency).replace(".", marks_of(known_locale(locale)).decimal)


def percent(basis_points: int, locale: str) -> str:
    """Basis points as percent: 1000 is 10%, 1250 is 12.5%, or 12,5 % where that is the custom."""
    frame = _percent_frame(known_locale(locale))
    return f"{frame.before}{typed_percent(basis_points, locale)}{frame.after}"


def typed_percent(basis_points: int, locale: str) -> str:
    """Basis points as a number of percents, without a sign."""
    whole, rest = divmod(basis_points, 100)
    fraction = f"{rest:02d}".rstrip("0")
    return f"{whole}{marks_of(known_locale(locale)).decimal}{fraction}" if fraction else str(whole)


@lru_cache(maxsize=128)
def marks_of(locale: str) -> Marks:
    """The separators of a locale's amounts."""
    parsed_locale = Locale.parse(locale)
    symbols = parsed_locale.number_symbols[DIGITS]
    first, further = _pattern(parsed_locale).grouping
    return Marks(decimal=symbols["decimal"], group=symbols["group"], first=first, further=further)


@lru_cache(maxsize=512)
def _money_frame(currency: str, locale: str, is_negative: bool) -> Frame:  # noqa: FBT001 - a key of the cache
    parsed_locale = Locale.parse(locale)
    probe = Decimal(-1 if is_negative else 1)
    sample = format_currency(probe, currency, locale=parsed_locale, currency_digits=False, numbering_system=DIGITS)
    before, after = _around_one(sample.replace("-", MINUS))
    # CLDR: letters of a currency do not touch the digits. Babel omits that.
    before += NO_BREAK if before[-1:].isalpha() else ""
    after = (NO_BREAK if after[:1].isalpha() else "") + after
    turns = parsed_locale.text_direction == "rtl" or any(
        unicodedata.bidirectional(character) in ("R", "AL") for character in sample
    )
    return Frame(before=ISOLATE + before, after=after + END_ISOLATE) if turns else Frame(before=before, after=after)


@lru_cache(maxsize=128)
def _percent_frame(locale: str) -> Frame:
    parsed_locale = Locale.parse(locale)
    sample = format_percent(Decimal("0.01"), locale=parsed_locale, numbering_system=DIGITS)
    before, after = _around_one(sample)
    return Frame(before=before, after=after)


def _around_one(sample: str) -> tuple[str, str]:
    """The text before and after the number in `₹1.00`; no currency symbol contains digits."""
    before, _, after = re.split(r"(1(?:\D0+)?)", sample, maxsplit=1)
    return before, after


def _pattern(found: Locale) -> NumberPattern:
    pattern: NumberPattern = found.currency_formats["standard"]
    return pattern


def _grouped(digits: str, marks: Marks) -> str:
    head, parts = digits[: -marks.first], [digits[-marks.first :]]
    while head:
        head, part = head[: -marks.further], head[-marks.further :]
        parts.append(part)
    return marks.group.join(reversed(parts))
