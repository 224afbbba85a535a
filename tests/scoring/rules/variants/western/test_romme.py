"""Romme: collecting, hand romme, the stock that runs out, match points, ends, and payments."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.events.wire import TableOpened
from scoring.problems import OptionsRejected
from scoring.rules.variants import table_from
from tests.builders.rules import CAST, TIME_CALLED, Evening, goes_home, penalty, sit
from tests.builders.western import (
    amounts,
    cases,
    codes,
    counted,
    examples,
    extra,
    fixed,
    house,
    played,
    sheet,
    told_twice,
)


def romme(*, seats=3, entry=0, value=0, fee_bp=0, **options) -> Evening:
    stakes = {"entry_minor": entry, "point_value_minor": value, "fee_bp": fee_bp}
    return sit("romme", CAST[:seats], stakes, options)


def goes_out(seat: str | None, *, hand=False, **counts: int) -> dict[str, Any]:
    return {"out": seat, "counts": counts} | ({"hand_romme": True} if hand else {})


def published_house(case: dict[str, Any]) -> dict[str, Any]:
    """The options of a published case, by our names."""
    given = case["options"]
    names = {"joker": "joker_hand"}
    known = ("joker", "ace_hand", "first_meld_min", "hand_multiplier", "stock_out", "jokers", "short_hand")
    return {names.get(name, name): given[name] for name in known if name in given}


@cases("romme", "round")
def test_a_published_round(case):
    given = {"out": case["input"]["winner"], "counts": case["input"]["hand_counts"]}
    given |= {"hand_romme": True} if case["input"].get("hand_rummy") else {}
    for table in told_twice(sit("romme", ("A", "B", "C", "D"), {}, published_house(case)), [given]):
        assert table.totals() == case["expected"]["scores"]
        assert sum(table.totals().values()) == case["expected"]["sum"]


@cases("romme", "card_sum")
def test_published_cards(case):
    cards = " ".join(card if card == "JK" else f"{card}S" for card in case["input"]["cards"])
    table = played(sit("romme", ("A", "B"), {}, published_house(case)), {"out": "A", "hands": {"B": cards}})
    assert table.total("B") == -case["expected"]["points"]


@cases("romme", "pack_size")
def test_cards_in_play(case):
    assert romme(**published_house(case)).table.setup.options.pack_cards == case["expected"]["cards"]


def test_a_short_hand_has_no_more_jokers_than_one_pack():
    assert romme(short_hand=True, jokers=2).table.setup.options.jokers == 2
    with pytest.raises(OptionsRejected, match="one pack with 3 jokers at most, not 6"):
        romme(short_hand=True, jokers=6)


@cases("romme", "deal_size")
def test_cards_for_each_player(case):
    options = romme(**published_house(case)).table.setup.options
    assert options.cards_each(case["input"]["players"]) == case["expected"]["cards_each"]


@cases("romme", "table_end")
def test_a_published_end(case):
    totals = case["input"]["totals"]
    table = sit("romme", tuple(totals), {}, {"end_minus": 500, "rounds": case["options"]["rounds"]})
    table = played(
        table,
        *({"out": "A", "counts": {"B": count, "C": other}} for count, other in ((200, 50), (200, 50), (90, 14))),
    )
    assert not table.table.is_finished
    ended = played(table, {"out": "A", "counts": {"B": 15, "C": 1}})
    assert ended.totals() == totals
    assert (ended.table.deals, ended.table.is_finished) == (case["input"]["round"], case["expected"]["ended"])
    assert ended.winners() == (case["expected"]["winner"],)


@cases("romme", "match_points")
def test_published_match_points(case):
    given, bands = case["options"], [band["max"] for band in case["options"]["loser_bands"]]
    options = {"scoring": "match_points", "match_win": given["win"], "match_hand_win": given["hand_win_max"]}
    options |= dict(zip(("match_three_up_to", "match_two_up_to", "match_one_up_to"), bands, strict=True))
    for result, points in zip(case["input"]["results"], case["expected"]["points"], strict=True):
        start = sit("romme", ("A", "B"), {}, options)
        match result["outcome"]:
            case "loss":
                table, seat = played(start, {"out": "A", "counts": {"B": result["count"]}}), "B"
            case won:
                table, seat = played(start, {"out": "A", "counts": {"B": 9}, "hand_romme": won == "hand_win"}), "A"
        assert table.total(seat) == points


@examples("romme_rounds")
def test_a_round_scores_what_the_page_says(row):
    table = sit("romme", tuple(amounts(row["scores"])), {}, house(row["house"]))
    given = counted(row["round"]) | ({"laid": int(row["laid"])} if row["laid"] else {})
    if row["unmelded"]:
        given["unmelded"] = row["unmelded"].split(", ")
    assert played(table, given).totals() == amounts(row["scores"])


class TestStockOut:
    def test_equal_lowest_hands_share_what_a_win_brings_or_have_it_each(self):
        level = played(romme(stock_out="lowest_wins"), goes_out(None, asha=4, bo=4, cy=21))
        assert level.totals() == {"asha": 11, "bo": 10, "cy": -21}
        each = romme(scoring="match_points", stock_out="lowest_wins", match_tie="each")
        assert played(each, goes_out(None, asha=12, bo=12, cy=20)).totals() == {"asha": 5, "bo": 5, "cy": 2}

    def test_a_table_opened_before_the_choice_gives_each_of_them_the_match_points(self):
        options = msgspec.to_builtins(romme(scoring="match_points", stock_out="lowest_wins").table.setup.options)
        assert options.pop("match_tie") == "share"
        opened = TableOpened(variant="romme", options=options, stakes={}, seats=tuple((seat, "") for seat in CAST[:2]))
        table = table_from(opened)
        assert msgspec.to_builtins(table.setup.options) == options
        level = played(Evening(table, table), goes_out(None, asha=12, bo=12))
        assert level.totals() == {"asha": 5, "bo": 5}

    def test_moves_no_money(self):
        table = played(romme(rounds=2, value=10, settlement="pay_points"), goes_out(None, asha=9, bo=4, cy=20))
        ended = played(table, goes_out("asha", bo=5, cy=6))
        assert (ended.totals(), ended.paid()) == (
            {"asha": 2, "bo": -9, "cy": -26},
            {"asha": 110, "bo": -50, "cy": -60},
        )


class TestEnd:
    def test_comes_after_the_last_round_and_the_highest_total_wins(self):
        table = played(romme(rounds=2, entry=100), goes_out("asha", bo=30, cy=5), goes_out("bo", asha=10, cy=5))
        assert (table.winners(), table.paid()) == (("asha",), {"asha": 300})

    def test_comes_when_all_but_one_are_out(self):
        table = played(romme(eliminate_minus=50, rounds=9, entry=10), goes_out("bo", asha=20, cy=50))
        assert (table.is_out("cy"), table.table.in_play) == (True, ("asha", "bo"))
        assert codes(table, sheet(2, **goes_out("cy", asha=3, bo=4))) == [("seat_is_out", "cy", "out")]
        ended = played(table, goes_out("asha", bo=119), goes_out("asha", bo=9))
        assert (ended.winners(), ended.places()) == (("asha",), {"asha": 1, "bo": 2, "cy": 3})
        assert ended.seat("bo").out_in_deal == 3


class TestTies:
    def level(self, **options) -> Evening:
        return played(romme(rounds=3, **options), goes_out("asha", bo=9, cy=9), goes_out("bo", asha=27, cy=9),
                      goes_out(None, asha=5, bo=41, cy=1))  # fmt: skip

    def test_share(self):
        assert self.level().totals() == {"asha": -14, "bo": -14, "cy": -19}
        assert self.level(entry=11).paid() == {"asha": 17, "bo": 16}

    def test_play_an_extra_round(self):
        table = self.level(tie="extra_round")
        assert table.table.in_play == ("asha", "bo")
        assert table.told(extra(out="bo", counts={"asha": 3})).winners() == ("bo",)

    def test_go_to_who_has_won_most_rounds(self):
        table = played(romme(rounds=3, tie="most_rounds_won"), goes_out("asha", bo=9, cy=9))
        table = played(table, goes_out("asha", bo=1, cy=1), goes_out("cy", asha=30, bo=29))
        assert table.totals() == {"asha": -10, "bo": -39, "cy": 49}
        assert self.level(tie="most_rounds_won").winners() == ("asha", "bo")


class TestMoney:
    def test_is_paid_round_by_round_beside_the_pot(self):
        table = romme(seats=2, rounds=1, entry=100, value=10, fee_bp=1000, settlement="pay_points")
        ended = played(table, goes_out("asha", hand=True, bo=20))
        assert [payout.slot for payout in ended.table.payouts()] == ["deal:1", "table"]
        assert (ended.paid(), ended.fee()) == ({"asha": 360 + 180, "bo": -400}, 60)

    def test_never_pays_what_the_winner_laid(self):
        table = romme(seats=2, rounds=1, value=10, scoring="casino", settlement="pay_points")
        ended = played(table, {"out": "asha", "counts": {"bo": 20}, "laid": 95})
        assert (ended.totals(), ended.paid()) == ({"asha": 115, "bo": -20}, {"asha": 200, "bo": -200})

    def test_of_whoever_left_stays_paid_but_the_table_is_given_up(self):
        table = played(romme(value=10, entry=5, settlement="pay_points"), goes_out("asha", bo=20, cy=9))
        ended = played(table.told(goes_home("asha")), goes_out("bo", cy=5)).told(TIME_CALLED)
        assert ended.winners() == ("cy",)
        assert ended.paid() == {"asha": 290, "bo": -150, "cy": -140 + 15}


def test_a_hand_romme_may_give_its_winner_points_besides_which_nobody_pays():
    """Planted faults: for every winner; taken from the losers."""
    house = {"scoring": "penalty_only", "hand_multiplier": 1, "hand_bonus": 50}
    table = played(romme(**house), goes_out("asha", hand=True, bo=9, cy=4))
    assert table.totals() == {"asha": 50, "bo": -9, "cy": -4}
    assert played(table, goes_out("asha", bo=9, cy=4)).totals() == {"asha": 50, "bo": -18, "cy": -8}
    paid = romme(value=10, settlement="pay_points", hand_bonus=50, rounds=1)
    paid = played(paid, goes_out("asha", hand=True, bo=9, cy=4))
    assert paid.totals() == {"asha": 26 + 50, "bo": -18, "cy": -8}
    assert paid.paid() == {"asha": 260, "bo": -180, "cy": -80}


def test_a_penalty_may_put_a_seat_out_and_a_correction_bring_it_back():
    table = played(romme(eliminate_minus=50), goes_out("asha", bo=40, cy=4)).told(penalty("bo", 10))
    assert (table.total("bo"), table.is_out("bo")) == (-50, True)
    out = played(romme(eliminate_minus=50, rounds=9), goes_out("asha", bo=50, cy=4))
    back = out.told(fixed(1, **goes_out("asha", bo=49, cy=4)))
    assert (back.is_out("bo"), back.table.in_play) == (False, CAST[:3])


ROUNDS = st.tuples(
    st.sampled_from(CAST[:4]), st.booleans(), st.lists(st.integers(1, 190), min_size=4, max_size=4), st.integers(1, 3)
)


@given(ROUNDS)
def test_a_round_with_a_winner_sums_to_nothing_and_a_doubled_one_is_even(drawn):
    winner, hand, numbers, factor = drawn
    counts = {seat: number for seat, number in zip(CAST, numbers, strict=False) if seat != winner}
    scores = played(romme(seats=4, hand_multiplier=factor), goes_out(winner, hand=hand, **counts)).totals()
    assert sum(scores.values()) == 0
    assert not hand or all(score % factor == 0 for score in scores.values())


@given(st.lists(st.integers(1, 190), min_size=3, max_size=3))
def test_a_round_without_a_winner_sums_to_what_was_held(numbers):
    table = played(romme(), goes_out(None, **dict(zip(CAST, numbers, strict=False))))
    assert sum(table.totals().values()) == -sum(numbers)
