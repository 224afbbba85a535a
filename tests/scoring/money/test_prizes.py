"""Prizes: shares of the pool to the last unit, and tied places whose prizes are added and divided."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.money.payouts import PAID_SHARES, by_player, paid_places, paid_weights, shares, weights_for
from scoring.problems import Defect


def prize_list(placed, weights, pool_minor):
    """Each player's prize of a pool, as a prize sheet has it paid out."""
    return by_player(placed, shares(pool_minor, weights_for(weights, len(placed))))


@pytest.mark.parametrize(
    ("places", "weights", "pool", "won"),
    [
        ((1, 2, 3, 4), (5000, 3000, 2000), 100_000, {"asha": 50_000, "bo": 30_000, "cy": 20_000}),
        ((1, 1, 1, 4), (2500, 1500, 800, 5200), 100, {"asha": 16, "bo": 16, "cy": 16, "dev": 52}),
        ((1, 1, 3), (5000, 3000, 2000), 100, {"asha": 40, "bo": 40, "cy": 20}),
        # The unit that cannot be divided goes to whoever sat down first.
        ((1, 1, 1), (10_000,), 100, {"asha": 34, "bo": 33, "cy": 33}),
        # Places that nobody fills leave their shares to the others.
        ((1, 2), (5000, 3000, 2000), 800, {"asha": 500, "bo": 300}),
    ],
)
def test_shares_are_given_by_place_and_tied_places_add_theirs_and_divide_them(places, weights, pool, won):
    placed = list(zip(("asha", "bo", "cy", "dev"), places, strict=False))
    assert prize_list(placed, weights, pool) == won


def test_the_largest_remainder_is_rounded_up():
    assert shares(100, (3334, 3333, 3333)) == (34, 33, 33)
    assert shares(10, (1, 1, 5)) == (2, 1, 7)


def test_150_with_75_and_25_ahead_is_91_67_and_41_67_and_16_66():
    """The first two have 75.00 and 25.00 of their own; the other 50.00 is divided among the three."""
    parts = by_player([("asha", 1), ("bo", 1), ("cy", 1)], (5_000,))
    ahead = {"asha": 7_500, "bo": 2_500, "cy": 0}
    assert {player: ahead[player] + part for player, part in parts.items()} == {"asha": 9_167, "bo": 4_167, "cy": 1_666}


def test_what_cannot_be_divided_goes_to_the_first_place_where_the_plan_says_so():
    placed = [("asha", 1), ("bo", 2), ("cy", 2), ("dev", 2)]
    prizes = shares(101, (50, 30, 20), leftover="first_place")
    assert prizes == (51, 30, 20)
    assert by_player(placed, prizes, leftover="first_place") == {"asha": 53, "bo": 16, "cy": 16, "dev": 16}


@pytest.mark.parametrize(("field", "places"), [(1, 1), (5, 1), (6, 2), (10, 3), (48, 12), (500, 125)])
def test_a_quarter_of_the_field_is_rounded_half_up_and_is_at_least_one_place(field, places):
    assert paid_places(field, 2_500) == places


def test_every_row_of_the_table_of_shares_is_whole_and_falls():
    for places, row in enumerate(PAID_SHARES, 1):
        assert (len(row), sum(row), list(row)) == (places, 10_000, sorted(row, reverse=True))
    assert len(PAID_SHARES) == 10
    for places in (11, 15, 16, 30, 31, 500):
        weights = paid_weights(places)
        assert (len(weights), list(weights)) == (places, sorted(weights, reverse=True))


def test_behind_ten_places_the_weights_fall_in_steps_and_however_many_are_paid_each_has_one():
    """Planted fault: with more than 500 paid places no prizes could be calculated."""
    weights = paid_weights(1_000)
    assert [(upto, weights[upto - 1], weights[upto]) for upto in (10, 15, 20, 30)] == [
        (10, 400, 300),
        (15, 300, 250),
        (20, 250, 200),
        (30, 200, 150),
    ]
    assert (len(weights), set(weights[30:])) == (1_000, {150})


def test_a_place_without_a_share_takes_nobody_s_from_them():
    assert weights_for((5_000, 0, 5_000), 3) == (5_000, 0, 5_000)
    assert weights_for((0, 10_000), 1) == (1,)


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
