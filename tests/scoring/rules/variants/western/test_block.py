"""Block rummy: a deal without a winner, in every way a house may score it."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.variants.western.rum_form import blocked_worth
from tests.builders.rules import CAST, Evening, sit
from tests.builders.western import amounts, cases, examples, extra, played, told_twice


def block(*, seats=3, entry=0, value=0, **options) -> Evening:
    return sit("block", CAST[:seats], {"entry_minor": entry, "point_value_minor": value}, options)


def blocked(**counts: int) -> dict[str, Any]:
    return {"out": None, "counts": counts}


@cases("block", "deal")
def test_a_published_blocked_deal(case):
    options = {"block_scoring": case["options"]["block_scoring"]}
    wanted, given_sheet = case["expected"]["change"], case["input"]
    assert blocked_worth(options["block_scoring"], given_sheet["counts"]) == wanted
    for table in told_twice(sit("block", ("A", "B", "C"), {}, options), [given_sheet]):
        assert table.totals() == {seat: -change for seat, change in wanted.items()}


@examples("block_deals")
def test_a_blocked_deal_is_worth_what_the_page_says(row):
    assert blocked_worth(row["scoring"], amounts(row["held"])) == amounts(row["worth"])


def test_all_may_reach_the_target_with_nobody_out():
    table = played(block(entry=10, target=25), blocked(asha=25, bo=26, cy=40))
    assert (table.table.is_finished, table.winners()) == (True, ("asha",))
    assert table.seat("asha").deals_won == 0


def test_a_deal_with_a_winner_is_scored_as_in_rum():
    table = played(block(), {"out": "asha", "counts": {"bo": 6, "cy": 9}, "went_rummy": True})
    assert table.totals() == {"asha": 0, "bo": 12, "cy": 18}


def test_only_the_lowest_hand_scores_where_winners_do():
    table = played(block(mode="winner_scores"), blocked(asha=6, bo=15, cy=30))
    assert table.totals() == {"asha": 33, "bo": 0, "cy": 0}
    assert table.seat("asha").deals_won == 1
    other = block(mode="winner_scores", block_scoring="lowest_collects_minus_own")
    assert played(other, blocked(asha=6, bo=15, cy=30)).totals() == {"asha": 39, "bo": 0, "cy": 0}


def test_differences_are_paid_in_cash_and_odd_points_go_to_the_first_seat():
    table = played(block(mode="cash", value=10, rounds=1), blocked(asha=6, bo=6, cy=31))
    assert table.totals() == {"asha": 13, "bo": 12, "cy": -25}
    assert table.paid() == {"asha": 125, "bo": 125, "cy": -250}


@pytest.mark.parametrize("scoring", ["lowest_wins_difference", "lowest_collects_minus_own"])
def test_nobody_wins_anything_where_all_hold_the_same(scoring):
    assert blocked_worth(scoring, {"A": 9, "B": 9}) == {"A": 0, "B": 0}


def test_a_blocked_extra_deal_is_won_by_the_lowest_hand():
    table = played(block(target=25, tie="extra_deal"), blocked(asha=20, bo=20, cy=25))
    ended = table.told(extra(out=None, counts={"asha": 9, "bo": 4}))
    assert ended.winners() == ("bo",)


COUNTS = st.dictionaries(st.sampled_from(CAST), st.integers(1, 100), min_size=2, max_size=6)


@given(COUNTS)
def test_differences_sum_to_nothing(counts):
    worth = blocked_worth("lowest_wins_difference", counts)
    assert sum(worth.values()) == 0
    assert all((points >= 0) == (counts[seat] == min(counts.values())) for seat, points in worth.items())


@given(COUNTS)
def test_collecting_less_the_own_hand_is_never_worth_more_than_the_others_hold(counts):
    worth = blocked_worth("lowest_collects_minus_own", counts)
    assert sum(worth.values()) <= 0
    assert all(points <= 0 for seat, points in worth.items() if counts[seat] > min(counts.values()))
