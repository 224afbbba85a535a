"""Amounts are read in the club's format, and ambiguous ones are refused."""

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given
from hypothesis import strategies as st

from scoring.money.formatting import LOCALES, Notation, grouped_minor, money, percent, typed_minor, typed_percent
from scoring.rules.variants import VARIANTS
from tournaments.rendering.i18n.typed_amounts import read_amount, read_percent
from tournaments.web.admin.base.fields import read_texts

CURRENCIES = ("JPY", "INR", "KWD", "CLF")


def read(text: str, currency: str = "INR", locale: str = "en_IN") -> int | str:
    """The amount in minor units, or the code of the problem."""
    try:
        return read_amount(text, Notation(currency, locale))
    except ValidationError as refused:
        return str(refused.code)


@given(st.integers(0, 10**15 - 1), st.sampled_from(CURRENCIES), st.sampled_from(list(LOCALES)))
def test_what_is_printed_can_be_typed(amount: int, currency: str, locale: str):
    for write in (money, grouped_minor, typed_minor):
        assert read(write(amount, currency, locale), currency, locale) == amount


@given(st.integers(0, 10_000), st.sampled_from(list(LOCALES)))
def test_a_percentage_that_is_printed_can_be_typed(points: int, locale: str):
    for write in (percent, typed_percent):
        assert read_percent(write(points, locale), locale) == points


def test_an_amount_is_read_as_its_place_writes_it():
    written = (
        ("1,23,456.50", "INR", "en_IN", 12345650),
        ("123,456.5", "INR", "en_IN", 12345650),
        ("1 23 456.50", "INR", "hi_IN", 12345650),
        ("₹ 1,23,456.50", "INR", "en_IN", 12345650),
        ("Rs. 300", "INR", "en_IN", 30000),
        ("300 inr", "INR", "en_IN", 30000),
        ("३००.५", "INR", "hi_IN", 30050),
        ("1.234,56", "EUR", "de_DE", 123456),
        ("1 234,56 €", "EUR", "de_DE", 123456),
        ("1 234,56", "EUR", "fr_FR", 123456),
        ("1'234.50", "CHF", "de_CH", 123450),
        ("٣٠٠٫٥", "EGP", "ar_EG", 30050),
        ("１，２３４", "JPY", "ja_JP", 1234),
        ("￥1,234", "JPY", "ja_JP", 1234),
        ("1.234", "KWD", "en_IN", 1234),
        ("1,234", "KWD", "en_IN", 1234000),
        ("0", "INR", "en_IN", 0),
    )
    assert [case for case in written if read(*case[:3]) != case[3]] == []


def test_what_is_no_amount_or_might_be_two_is_refused_with_how_it_would_be_right():
    rupees = (
        "12,50",
        "0,500",
        "1,2345",
        "1,23,45.00",
        "1,234 567",
        "1.234.56",
        "12.345",
        "-5",
        "−5",
        "+5",
        "(5)",
        "₹",
        "",
        "1e3",
        "½",
        "€5",
        "1" * 16,
    )
    others = (
        ("12.50", "EUR", "de_DE"),
        ("1.23.456", "EUR", "de_DE"),
        ("1.234", "EUR", "fr_FR"),
        ("1,234.56", "EUR", "de_DE"),
        ("12.5", "JPY", "ja_JP"),
        ("12.3456", "KWD", "en_IN"),
    )
    wrong = (*((text, "INR", "en_IN") for text in rupees), *others)
    assert [case for case in wrong if read(*case) != "not_an_amount"] == []
    with pytest.raises(ValidationError) as refused:
        read_amount("12,50", Notation("INR", "en_IN"))
    assert "12,50" in refused.value.message
    assert "at most 2 decimals; write it like 1,23,456.50" in refused.value.message


@pytest.mark.parametrize("typed", ["--5", "-", "5-", "-٣", "१०१", "²", "9" * 20])
def test_a_house_rule_is_a_number_as_typed_or_text_for_the_rules_to_refuse(typed: str):
    """Fault: every minus in front is dropped before the text is taken for a number."""
    limit = read_texts(VARIANTS["pool"], {"limit": typed}, Notation("INR", "en_IN"))["limit"]
    assert limit == {"-٣": -3, "१०१": 101}.get(typed, typed)
