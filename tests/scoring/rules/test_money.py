"""The house's part of a gross amount: the fee within its bounds, then the levy, together never more than the amount."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.money.payouts import FeeTerms, house_fee, house_takes
from tests.builders.memo import lines


@given(
    gross=st.integers(0, 500) | st.integers(0, 10**13),
    fee_bp=st.integers(0, 10_000),
    floor=st.integers(0, 60),
    cap=st.none() | st.integers(60, 300),
    levy=st.tuples(st.integers(0, 10_000), st.sampled_from(("gross", "fee"))),
)
def test_fee_and_levy_are_never_more_than_there_is(gross, fee_bp, floor, cap, levy):
    """Planted fault: a levy that is not limited to what the fee has left."""
    levy_bp, base = levy
    taken = house_takes(
        gross, fee_bp, FeeTerms(fee_floor_minor=floor, fee_cap_minor=cap, levy_bp=levy_bp, levy_on=base)
    )
    # Rounded half up, counted in halves of a unit.
    fee = min(max(floor, (2 * gross * fee_bp + 10_000) // 20_000), gross, gross if cap is None else cap)
    left = min(gross - fee, (2 * (gross if base == "gross" else fee) * levy_bp + 10_000) // 20_000)
    assert (taken.gross, taken.fee, taken.levy, taken.net) == (gross, fee, left, gross - fee - left)
    assert taken.house == ({"levy": left} if left else {})


@pytest.mark.parametrize(
    ("gross", "bp", "fee"),
    [(1, 5_000, 1), (1, 4_999, 0), (1, 10_000, 1), (3, 5_000, 2), (10_000, 1, 1), (0, 10_000, 0)],
)
def test_half_a_unit_is_rounded_up(gross: int, bp: int, fee: int) -> None:
    assert house_fee(gross, bp) == fee


@pytest.mark.parametrize(
    ("terms", "said"),
    [
        ({}, ("fee 1000 basis points of 10 is 1",)),
        ({"fee_floor_minor": 2}, ("fee 1000 basis points of 10, at least 2 is 2",)),
        ({"fee_floor_minor": 11}, ("fee 1000 basis points of 10, at least 11, at most 10 is 10",)),
        ({"fee_cap_minor": 1}, ("fee 1000 basis points of 10, at most 1 is 1",)),
        ({"fee_cap_minor": 0}, ("fee 1000 basis points of 10, at most 0 is 0",)),
        (
            {"levy_bp": 9_500, "levy_name": "GST"},
            ("fee 1000 basis points of 10 is 1", "GST: 9500 basis points of 10, at most 9 is 9"),
        ),
        ({"levy_bp": 9_400}, ("fee 1000 basis points of 10 is 1", "levy: 9400 basis points of 10 is 9")),
        (
            {"levy_bp": 10_000, "levy_on": "fee"},
            ("fee 1000 basis points of 10 is 1", "levy: 10000 basis points of 1 is 1"),
        ),
    ],
)
def test_the_lines_say_which_bound_was_met(terms: dict[str, Any], said: tuple[str, ...]) -> None:
    assert lines(house_takes(10, 1_000, FeeTerms(**terms)).because) == said


def test_a_fee_of_all_there_is_has_met_no_bound() -> None:
    assert lines(house_takes(10, 10_000, FeeTerms()).because) == ("fee 10000 basis points of 10 is 10",)
