"""Rummy 500: melded less in hand, negative scores, who must go out to win, and what is paid at the end."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.cards import parse_cards
from scoring.rules.variants.western.rummy500.options import rummy500_score
from tests.builders.rules import CAST, Evening, goes_home, penalty, sit
from tests.builders.western import (
    amounts,
    cases,
    codes,
    examples,
    fixed,
    house,
    played,
    sheet,
    told_twice,
    words,
)


def rummy500(*, seats=2, entry=0, value=0, fee_bp=0, **options) -> Evening:
    stakes = {"entry_minor": entry, "point_value_minor": value, "fee_bp": fee_bp}
    return sit("rummy500", CAST[:seats], stakes, options)


def deal(out=None, **seats: tuple[int, int]) -> dict[str, Any]:
    """A deal as `asha=(melded, in hand)`."""
    return {
        "out": out,
        "melded": {seat: melded for seat, (melded, _) in seats.items()},
        "in_hand": {seat: held for seat, (_, held) in seats.items() if seat != out},
    }


def as_sheet(given: dict[str, Any]) -> dict[str, Any]:
    """A published deal: the player without cards went out."""
    held = given["in_hand"]
    out = next((seat for seat, number in held.items() if number == 0), None)
    return {"out": out, "melded": given["melded"], "in_hand": held}


@cases("rummy500", "fold")
def test_a_published_game(case):
    for table in told_twice(sit("rummy500", ("A", "B"), {}, {}), [as_sheet(raw) for raw in case["input"]["deals"]]):
        assert table.totals() == case["expected"]["totals"]


@cases("rummy500", "deal")
def test_a_published_deal(case):
    given = as_sheet(case["input"])
    alone = "B" not in given["melded"]
    if alone:
        given = {"out": "B", "melded": given["melded"] | {"B": 0}, "in_hand": given["in_hand"]}
    for table in told_twice(sit("rummy500", ("A", "B"), {}, {}), [given]):
        assert {seat: table.total(seat) for seat in case["expected"]["score"]} == case["expected"]["score"]


@cases("rummy500", "game_end")
def test_a_published_end(case):
    totals, out = case["input"]["totals"], case["input"]["went_out"]
    start = sit("rummy500", ("A", "B"), {}, {"must_go_out_to_win": True})
    before = {seat: total - 160 for seat, total in totals.items()}
    half = {seat: (total // 2, total - total // 2) for seat, total in before.items()}
    sheets = [
        {"out": None, "melded": {s: h[i] + 5 for s, h in half.items()}, "in_hand": {"A": 5, "B": 5}} for i in (0, 1)
    ]
    other = "A" if out == "B" else "B"
    sheets.append({"out": out, "melded": {out: 160, other: 165}, "in_hand": {other: 5}})
    for table in told_twice(start, sheets):
        assert table.totals() == totals
        assert table.table.is_finished is case["expected"]["ended"]
        assert list(table.winners()) == case["expected"].get("winner", [])


@cases("rummy500", "card_sum")
def test_published_cards(case):
    low = sum(1 for card in case["input"]["cards"] if card == "A low")
    text = " ".join(card if card == "JK" else f"{card.split()[0]}S" for card in case["input"]["cards"])
    options = {name: case["options"][name] for name in ("values", "ace_low") if name in case["options"]}
    table = sit("rummy500", ("A", "B"), {}, options)
    setup = table.table.setup.options
    cards = parse_cards(text, "cards")
    found = rummy500_score(cards, [], values=setup.card_values, low_aces=low, ace_low=setup.ace_low)
    assert found == case["expected"]["points"]


@cases("rummy500", "deal_size")
def test_cards_for_each_player_and_packs(case):
    seats = case["input"]["players"]
    options = sit("rummy500", CAST[:seats], {}, {}).table.setup.options
    assert options.cards_each(seats) == case["expected"]["cards_each"]
    assert options.pack_cards == case["expected"]["pack_cards"]


@examples("rummy500_tables")
def test_a_table_ends_as_the_page_says(row):
    table = sit("rummy500", tuple(amounts(row["scores"])), {}, house(row["house"]))
    for written in row["played"].split(" / "):
        said = {seat: word.split() for seat, word in words(written).items()}
        out = next((seat for seat, word in said.items() if word[-1] == "out"), None)
        numbers = {seat: (int(word[0]), 0 if seat == out else int(word[1])) for seat, word in said.items()}
        table = played(table, deal(out, **numbers))
    assert table.totals() == amounts(row["scores"])
    assert ", ".join(table.winners()) == row["first"]


def test_cards_in_hand_are_counted_with_the_values_of_the_house():
    given = {"out": "asha", "melded": {"asha": 60, "bo": 0}, "hands": {"bo": "AS JK KD 7C"}}
    assert played(rummy500(), given).total("bo") == -47
    assert played(rummy500(values="5/10/15"), given).total("bo") == -45
    assert played(rummy500(ace_in_hand=1, joker_value=20), given).total("bo") == -38


class TestEnd:
    def test_is_shared_where_the_house_says_so(self):
        table = played(rummy500(target=100, tie="share", entry=5), deal(asha=(110, 5), bo=(115, 10)))
        assert (table.winners(), table.paid()) == (("asha", "bo"), {"asha": 5, "bo": 5})

    def test_after_a_number_of_deals_belongs_to_the_highest(self):
        table = played(rummy500(end="rounds", rounds=1), deal("asha", asha=(20, 0), bo=(45, 10)))
        assert table.winners() == ("bo",)

    def test_follows_a_correction(self):
        table = played(rummy500(target=100), deal("asha", asha=(120, 0), bo=(50, 10)))
        assert table.winners() == ("asha",)
        lower = table.told(fixed(1, **deal("asha", asha=(90, 0), bo=(50, 10))))
        assert (lower.table.is_finished, lower.winners()) == (False, ())


def test_no_hand_is_deducted_where_the_stock_ran_out_and_the_house_says_so():
    table = rummy500(stock_exhausted="no_hand_deduction")
    assert played(table, deal(asha=(45, 12), bo=(10, 33))).totals() == {"asha": 45, "bo": 10}
    assert played(table, deal("asha", asha=(45, 0), bo=(10, 33))).totals() == {"asha": 45, "bo": -23}


def test_penalties_take_points_away_and_who_leaves_leaves_the_game_to_the_others():
    assert rummy500().told(penalty("bo", 30)).total("bo") == -30
    table = played(rummy500(seats=3, entry=10), deal("asha", asha=(90, 0), bo=(5, 3), cy=(5, 4)))
    ended = table.told(goes_home("asha"), goes_home("bo"))
    assert (ended.winners(), ended.paid()) == (("cy",), {"cy": 30})


class TestPayingTheDifference:
    def test_goes_to_the_winner(self):
        table = rummy500(seats=3, target=100, value=10, fee_bp=1000, settlement="pay_difference")
        ended = played(table, deal("asha", asha=(120, 0), bo=(50, 10), cy=(0, 25)))
        assert ended.paid() == {"asha": 2025, "bo": -800, "cy": -1450}
        assert ended.fee() == 225

    def test_is_shared_by_level_winners(self):
        table = rummy500(seats=3, target=100, value=1, tie="share", settlement="pay_difference")
        ended = played(table, deal(asha=(110, 5), bo=(115, 10), cy=(5, 1)))
        assert ended.paid() == {"asha": 51, "bo": 50, "cy": -101}


def test_who_floats_may_hold_nothing_when_the_stock_runs_out():
    given = sheet(1, **deal(asha=(45, 0), bo=(10, 33)))
    assert [code for code, *_ in codes(rummy500(), given)] == ["count_is_zero"]
    assert codes(rummy500(floating=True), given) == []


@given(st.lists(st.tuples(st.integers(0, 150), st.integers(1, 60)), min_size=1, max_size=8), st.booleans())
def test_scores_are_what_was_melded_less_what_was_held(deals, must_go_out):
    table, wanted = rummy500(target=2000, must_go_out_to_win=must_go_out), 0
    for melded, held in deals:
        table = played(table, deal("asha", asha=(5, 0), bo=(melded, held)))
        wanted += melded - held
    assert table.totals() == {"asha": 5 * len(deals), "bo": wanted}


@pytest.mark.parametrize(
    ("melded", "house", "refused"),
    [
        ({"asha": 1, "bo": 40}, {}, ["asha"]),
        ({"asha": 2, "bo": 40}, {}, []),
        ({"asha": 2, "bo": 0}, {}, ["asha"]),
        ({"asha": 5, "bo": 5}, {}, ["asha", "bo"]),
        ({"asha": 6, "bo": 0}, {}, []),
        ({"asha": 5, "bo": 0}, {"joker_value": 1}, []),
        ({"asha": 14, "bo": 0}, {"values": "5/10/15"}, ["asha"]),
        ({"asha": 0, "bo": 40}, {}, ["asha"]),
    ],
)
def test_a_number_that_no_cards_make_is_refused_before_it_is_saved(melded, house, refused):
    """No meld is worth less than three twos; one card laid off may be, once somebody has melded."""
    table = rummy500(**house)
    event, problems = table.considered(sheet(1, out="asha", melded=melded, in_hand={"bo": 7}))
    assert problems == []
    assert event is not None
    found = table.table.rules.typing_problems(table.table.setup, event)
    assert [problem.text().split()[0] for problem in found] == refused
    assert {problem.code for problem in found} <= {"out_of_range", "nothing_melded"}
