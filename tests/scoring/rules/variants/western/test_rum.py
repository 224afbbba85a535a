"""Basic rum: penalties, the winner's points or cash; going rummy, blocked deals, ends and ties."""

from typing import Any

import pytest

from scoring.rules.cards import parse_cards
from scoring.rules.variants.western.rum_options import RumFamilyOptions
from tests.builders.rules import CAST, CLOSED, Evening, goes_home, penalty, sit, voided, withdrawn
from tests.builders.western import (
    cases,
    codes,
    extra,
    fixed,
    played,
    sheet,
    told_twice,
)


def rum(*, seats=3, entry=0, value=0, fee_bp=0, **options) -> Evening:
    stakes = {"entry_minor": entry, "point_value_minor": value, "fee_bp": fee_bp}
    return sit("rum", CAST[:seats], stakes, options)


def goes_out(seat: str, went_rummy: bool = False, **counts: int) -> dict[str, Any]:
    return {"out": seat, "counts": counts} | ({"went_rummy": True} if went_rummy else {})


def published_house(case: dict[str, Any]) -> dict[str, Any]:
    """The options of a published case, by our names."""
    names = {"mode", "target", "rummy_multiplier"} & case["options"].keys()
    ace = {1: "low", 15: "high_or_low"}[case["options"]["ace"]]
    return {name: case["options"][name] for name in names} | {"ace": ace}


def as_sheet(given: dict[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in ("out", "counts", "went_rummy") if name in given}


@cases("rum", "fold")
def test_a_published_game(case):
    wanted, given = case["expected"], case["input"]["deals"]
    for table in told_twice(sit("rum", ("A", "B", "C"), {}, published_house(case)), [as_sheet(deal) for deal in given]):
        assert table.totals() == wanted["totals"]
        assert table.table.is_finished is wanted["ended"]
        assert list(table.winners()) == wanted.get("lowest", [wanted.get("winner")])


@cases("rum", "deal")
def test_a_published_deal(case):
    stakes = {"point_value_minor": case["options"].get("point_value_minor", 0)}
    for table in told_twice(sit("rum", ("A", "B", "C"), stakes, published_house(case)), [as_sheet(case["input"])]):
        if "penalty" in case["expected"]:
            assert table.totals() == case["expected"]["penalty"]
        else:
            assert table.told(CLOSED).paid() == case["expected"]["cash_minor"]


@cases("rum", "card_sum")
def test_a_published_hand(case):
    cards = " ".join(card if card == "JK" else f"{card}S" for card in case["input"]["cards"])
    options = published_house(case) | {"jokers": 1}
    table = sit("rum", ("A", "B"), {}, options).told(sheet(1, out="A", hands={"B": cards}))
    assert table.total("B") == case["expected"]["points"]
    assert table.table.setup.options.card_values.total(parse_cards(cards, "hand")) == case["expected"]["points"]


@cases("rum", "deal_size")
def test_cards_for_each_player(case):
    assert RumFamilyOptions().cards_each(case["input"]["players"]) == case["expected"]["cards_each"]


@pytest.mark.parametrize(("ace", "points"), [("low", 11), ("high_or_low", 25), ("g4a", 21), ("around_the_corner", 25)])
def test_an_ace_in_hand_costs_what_the_house_says(ace, points):
    assert rum(seats=2, ace=ace).told(sheet(1, out="asha", hands={"bo": "AS KH"})).total("bo") == points


class TestTies:
    def test_share_the_pot(self):
        table = rum(entry=101, target=40).told(sheet(1, **goes_out("asha", bo=20, cy=30)))
        table = played(table, goes_out("bo", asha=20, cy=30))
        assert table.winners() == ("asha", "bo")
        assert table.paid() == {"asha": 152, "bo": 151}

    def test_play_an_extra_deal_that_adds_nothing(self):
        table = played(rum(target=40, tie="extra_deal"), goes_out("asha", bo=20, cy=30), goes_out("bo", asha=20, cy=30))
        assert (table.table.is_finished, table.table.in_play) == (False, ("asha", "bo"))
        assert [code for code, *_ in codes(table, sheet(3, **goes_out("bo", asha=1, cy=1)))] == ["table_finished"]
        ended = table.told(extra(out="bo", counts={"asha": 7}))
        assert ended.winners() == ("bo",)
        assert ended.totals() == {"asha": 20, "bo": 20, "cy": 60}


def test_a_penalty_of_the_director_counts_as_points_do_and_may_end_the_game():
    table = played(rum(seats=2), goes_out("asha", bo=60)).told(penalty("bo", 40))
    assert (table.totals(), table.winners()) == ({"asha": 0, "bo": 100}, ("asha",))
    assert rum(mode="winner_scores").told(penalty("bo", 15)).total("bo") == -15


def test_going_rummy_may_take_points_off_or_give_some_where_points_are_good():
    """Planted faults: added instead; given to every deal that is won."""
    table = played(rum(rummy_multiplier=1, rummy_bonus=50), goes_out("asha", True, bo=18, cy=7))
    assert table.totals() == {"asha": -50, "bo": 18, "cy": 7}
    assert played(table, goes_out("asha", bo=1, cy=2)).totals() == {"asha": -50, "bo": 19, "cy": 9}
    scores = played(rum(mode="winner_scores", rummy_bonus=50), goes_out("asha", True, bo=18, cy=7))
    assert (scores.totals(), scores.winners()) == ({"asha": 100, "bo": 0, "cy": 0}, ("asha",))


def test_a_target_may_follow_from_the_seats():
    """Planted faults: the seats themselves counted; a target of its own accepted."""
    for seats, target in ((2, 100), (3, 200), (5, 400)):
        table = rum(seats=seats, target_per_opponent=100).table
        assert table.rules.finish_line(table.setup) == target


class TestCash:
    def test_is_paid_deal_by_deal_and_sums_to_nothing(self):
        table = played(
            rum(mode="cash", value=10, rounds=2), goes_out("asha", bo=18, cy=7), goes_out("cy", asha=4, bo=9)
        )
        assert table.totals() == {"asha": 21, "bo": -27, "cy": 6}
        assert [payout.slot for payout in table.table.payouts()] == ["deal:1", "deal:2"]
        assert table.paid() == {"asha": 210, "bo": -270, "cy": 60}
        assert table.table.is_finished

    def test_gives_the_house_its_part_of_what_is_won(self):
        table = played(rum(mode="cash", value=10, rounds=1, fee_bp=1000), goes_out("asha", True, bo=18, cy=7))
        assert (table.paid(), table.fee()) == ({"asha": 450, "bo": -360, "cy": -140}, 50)

    def test_of_whoever_left_stays_what_it_was_and_puts_them_behind_who_is_level(self):
        table = played(rum(mode="cash", value=10), goes_out("asha", bo=18, cy=7)).told(goes_home("asha"))
        table = played(table, goes_out("bo", cy=3)).told(CLOSED)
        assert (table.paid(), table.winners()) == ({"asha": 250, "bo": -150, "cy": -100}, ("asha",))
        level = played(rum(mode="cash", value=10), goes_out("asha", bo=7, cy=7)).told(goes_home("bo"))
        assert level.places() == {"asha": 1, "cy": 2, "bo": 3}


class TestLeaving:
    def test_a_table_for_a_pot_forfeits_it(self):
        table = played(rum(entry=100), goes_out("asha", bo=40, cy=25)).told(goes_home("asha"))
        assert table.table.in_play == ("bo", "cy")
        table = played(table, goes_out("bo", cy=75))
        assert (table.winners(), table.places()) == (("bo",), {"bo": 1, "cy": 2, "asha": 3})
        assert table.paid() == {"bo": 300}
        alone = rum(seats=2, entry=100).told(goes_home("asha"))
        assert (alone.table.is_finished, alone.winners(), alone.paid()) == (True, ("bo",), {"bo": 200})
        assert codes(alone, goes_home("bo")) == [("last_seat", "bo", "seat")]

    def test_undone_by_a_correction_is_a_contradiction(self):
        table = played(rum(), goes_out("asha", bo=40, cy=25)).told(goes_home("cy"))
        table = played(table, goes_out("asha", bo=9))
        reopened = table.told(withdrawn(3))
        assert reopened.conflicts() == [(4, "missing_count", "cy")]


class TestEnds:
    def test_after_a_fixed_number_of_deals_the_void_ones_left_out(self):
        table = played(rum(seats=2, end="rounds", rounds=2), goes_out("asha", bo=90), goes_out("asha", bo=80))
        assert table.table.is_finished
        open_again = table.told(voided(1))
        assert (open_again.table.is_finished, open_again.totals()) == (False, {"asha": 0, "bo": 80})

    def test_a_closing_that_a_correction_undoes_is_a_contradiction(self):
        table = played(rum(seats=2, entry=100, target=40), goes_out("asha", bo=40)).told(CLOSED)
        undone = table.told(fixed(1, **goes_out("asha", bo=4)))
        assert undone.conflicts() == [(3, "not_finished", None)]
        assert undone.paid() == {}
