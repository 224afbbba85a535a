"""Amounts are written exactly, with as many decimals as the currency has."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.messages import format_minor


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


@given(st.integers(-(10**18), 10**18), st.sampled_from([("JPY", 0), ("INR", 2), ("KWD", 3), ("CLF", 4)]))
def test_no_unit_is_lost_in_writing(amount: int, of: tuple[str, int]):
    currency, places = of
    assert Decimal(format_minor(amount, currency)).scaleb(places) == amount
