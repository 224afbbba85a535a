"""Prizes: shares of the pool to the last unit, and tied places that pool and divide."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.evening.prizes import pool_of, prize_list, shares
from scoring.rules.problems import Defect


def test_shares_are_given_by_place():
    placed = [("asha", 1), ("bo", 2), ("cy", 3), ("dev", 4)]
    assert prize_list(placed, (5000, 3000, 2000), 100_000) == {"asha": 50_000, "bo": 30_000, "cy": 20_000}


def test_tied_places_add_their_prizes_and_divide_them():
    placed = [("asha", 1), ("bo", 1), ("cy", 1), ("dev", 4)]
    assert prize_list(placed, (2500, 1500, 800, 5200), 100) == {"asha": 16, "bo": 16, "cy": 16, "dev": 52}


def test_two_at_the_top_share_the_first_and_the_second_prize():
    assert prize_list([("asha", 1), ("bo", 1), ("cy", 3)], (7000, 3000), 1_000) == {"asha": 500, "bo": 500}


def test_a_unit_that_cannot_be_divided_goes_to_whoever_sat_down_first():
    assert prize_list([("asha", 1), ("bo", 1), ("cy", 1)], (10_000,), 100) == {"asha": 34, "bo": 33, "cy": 33}


def test_the_largest_remainder_is_rounded_up():
    assert shares(100, (3334, 3333, 3333)) == (34, 33, 33)
    assert shares(10, (1, 1, 5)) == (2, 1, 7)


def test_places_that_nobody_fills_leave_their_shares_to_the_others():
    assert prize_list([("asha", 1), ("bo", 2)], (5000, 3000, 2000), 800) == {"asha": 500, "bo": 300}


def test_a_fee_is_taken_before_anything_is_shared():
    assert pool_of(48 * 30_000, 1_000) == 1_296_000


def test_a_pool_is_not_divided_by_nothing():
    with pytest.raises(Defect):
        shares(100, (0, 0))


@given(
    st.lists(st.integers(min_value=1, max_value=12), min_size=1, max_size=20),
    st.lists(st.integers(min_value=0, max_value=10_000), min_size=1, max_size=10),
    st.integers(min_value=0, max_value=10**12),
)
def test_prizes_are_together_exactly_the_pool(keys, weights, pool):
    order = sorted(keys)
    placed = [(f"p{number}", order.index(key) + 1) for number, key in enumerate(order)]
    won = prize_list(placed, weights, pool)
    assert sum(won.values()) == pool
    level = {place: [won.get(player, 0) for player, at in placed if at == place] for _, place in placed}
    assert all(max(amounts) - min(amounts) <= 1 for amounts in level.values())
