"""Amounts are printed in the locale's format, by Babel and to the last unit."""

import re
from decimal import Decimal
from typing import Any

import pytest
from babel import Locale
from babel.numbers import format_currency, get_currency_symbol
from hypothesis import given
from hypothesis import strategies as st

from scoring.messages import format_minor
from scoring.money.formatting import (
    DEFAULT_LOCALE,
    LOCALES,
    currency_problems,
    grouped_minor,
    is_money,
    money,
    percent,
    place_names,
    typed_minor,
)

ISOLATE, END_ISOLATE, RIGHT_TO_LEFT = "\u2068", "\u2069", "\u200f"
PLACES = {"JPY": 0, "INR": 2, "KWD": 3, "CLF": 4}


@pytest.mark.parametrize(
    ("amount", "currency", "written"),
    [
        (264000, "INR", "2640.00"),
        (5, "INR", "0.05"),
        (0, "EUR", "0.00"),
        (-150, "EUR", "-1.50"),
        (-5, "EUR", "-0.05"),
        (264000, "JPY", "264000"),
        (0, "JPY", "0"),
        (-7, "JPY", "-7"),
        (1234, "KWD", "1.234"),
        (10**15, "INR", "10000000000000.00"),
    ],
)
def test_amount_is_written_with_the_decimals_of_its_currency(amount: int, currency: str, written: str):
    assert format_minor(amount, currency) == written


@given(st.integers(-(10**18), 10**18), st.sampled_from(list(PLACES)))
def test_no_unit_is_lost_in_writing(amount: int, currency: str):
    assert Decimal(format_minor(amount, currency)).scaleb(PLACES[currency]) == amount


@pytest.mark.parametrize(
    ("amount", "currency", "locale", "said"),
    [
        (12345600, "INR", "en_IN", "₹1,23,456.00"),
        (12345600, "INR", "hi_IN", "₹1,23,456.00"),
        (-2000, "INR", "en_IN", "−₹20.00"),
        (10**15, "INR", "en_IN", "₹1,00,00,00,00,00,000.00"),
        (0, "GBP", "en_GB", "£0.00"),
        (5, "CHF", "en_IN", "CHF\u00a00.05"),
        (123456789, "EUR", "de_DE", "1.234.567,89\u00a0€"),
        (-5, "EUR", "de_DE", "−0,05\u00a0€"),
        (1234567, "CHF", "de_CH", "CHF\u00a012’345.67"),
        (1234567, "EUR", "fr_FR", "12\u202f345,67\u00a0€"),
        (1234567, "JPY", "ja_JP", "￥1,234,567"),
        (1234567, "IQD", "en_GB", "IQD\u00a01,234.567"),
        (1234567, "CLF", "es_CL", "CLF\u00a0123,4567"),
        (1234567, "BHD", "ar_BH", f"{ISOLATE}{RIGHT_TO_LEFT}1,234.567\u00a0د.ب.{RIGHT_TO_LEFT}{END_ISOLATE}"),
    ],
)
def test_an_amount_is_written_as_in_its_place(amount: int, currency: str, locale: str, said: str):
    assert money(amount, currency, locale) == said


@pytest.mark.slow
@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("currency", PLACES)
def test_digits_and_marks_are_those_that_babel_writes(locale: str, currency: str):
    """Only the blank between letters and digits is ours, which CLDR asks for and Babel leaves out."""
    places = PLACES[currency]
    for amount in (0, 1, 999, 123456, -1234567, 10**15):
        exact = Decimal(amount).scaleb(-places)
        pattern = Locale.parse(locale).currency_formats["standard"].pattern
        pattern = re.sub(r"0\.00", "0" + ("." + "0" * places if places else ""), pattern)
        options: dict[str, Any] = {"currency_digits": False, "numbering_system": "latn"}
        theirs = format_currency(exact, currency, pattern, locale=locale, **options)
        bare = re.sub("[\u2068\u2069\u00a0]", "", money(amount, currency, locale)).replace("−", "-")
        assert bare == theirs.replace("\u00a0", ""), (locale, amount)


@given(st.integers(-(10**15), 10**15), st.sampled_from(list(PLACES)), st.sampled_from(list(LOCALES)))
def test_no_unit_is_lost_in_print(amount: int, currency: str, locale: str):
    said = money(amount, currency, locale)
    symbol = get_currency_symbol(currency, locale)
    assert int(re.sub(r"\D", "", said)) == abs(amount)
    assert ("−" in said) == (amount < 0)
    assert symbol in said
    assert "\u00a4" not in said


@given(st.integers(0, 10**15), st.sampled_from(list(PLACES)), st.sampled_from(list(LOCALES)))
def test_a_field_holds_the_amount_without_groups_or_sign(amount: int, currency: str, locale: str):
    typed = typed_minor(amount, currency, locale)
    assert re.fullmatch(r"\d+([.,]\d+)?", typed)
    assert typed.replace(",", ".") == format_minor(amount, currency)


def test_an_amount_from_right_to_left_leaves_the_line_around_it_alone():
    for locale in ("ar_AE", "ar_EG", "he_IL", "fa_IR", "ur_PK"):
        said = money(-150, "INR", locale)
        assert (said[0], said[-1]) == (ISOLATE, END_ISOLATE)


def test_a_column_has_no_sign_of_its_currency_and_an_unknown_place_is_written_as_the_default():
    assert grouped_minor(-12345600, "INR", "hi_IN") == "−1,23,456.00"
    assert money(12345600, "INR", "xx_YY") == money(12345600, "INR", DEFAULT_LOCALE)


@pytest.mark.parametrize(
    ("points", "locale", "said"),
    [
        (1000, "en_IN", "10%"),
        (1250, "en_IN", "12.5%"),
        (1, "en_IN", "0.01%"),
        (905, "de_DE", "9,05\u00a0%"),
        (10_000, "tr_TR", "%100"),
    ],
)
def test_basis_points_are_percent(points: int, locale: str, said: str):
    assert percent(points, locale) == said


def test_every_place_on_offer_is_one_that_babel_knows_under_that_name():
    for locale in LOCALES:
        found = Locale.parse(locale)
        language, _, country = place_names()[locale].partition(" (")
        assert str(found) == locale or found.script
        assert str(found.english_name).startswith(language)
        assert country.removesuffix(")") in str(found.english_name)


def test_a_currency_that_exists_or_existed_is_one_and_another_code_is_named():
    assert all(map(is_money, [*PLACES, "EUR", "BHD", "XAF", "DEM"]))
    for currency in ("ABC", "INX", "XXX", "XTS", "XAU", "inr", ""):
        (problem,) = currency_problems(currency)
        assert (problem.code, problem.field) == ("unknown_currency", "currency")
        assert repr(currency)[1:-1] in problem.text()
