"""The exact messages of a gin table: refusals, the story of a hand, its games side by side, a written sheet."""

from typing import Any

import pytest

from scoring.rules.table.variant import PanelCell
from scoring.rules.variants.western.gin.game import GinHand, GinSheet, HandResult, SideResult, hand_result, side_result
from scoring.rules.variants.western.gin.options import GinOptions
from tests.builders.gin import DEAD, gin, goes_gin, knocks
from tests.builders.rules import CAST, CLOSED, TIME_CALLED, Evening, goes_home
from tests.builders.western import played, sheet
from tests.builders.wording import cells, form, opening_refusals, picture, refusals, story, written

EVEN = {"hands": [knocks("asha", 2, 22, defender="bo"), knocks("dev", 1, 21, defender="cy")]}


HOUSES: list[tuple[int, dict[str, Any]]] = [
    (2, {"partnership": True, "spades_double": "points"}),
    (4, {"partnership": False}),
    (3, {}),
    (2, {"knock_max": 11, "target": 24}),
]


def test_a_house_that_does_not_fit_together_is_told_why(snapshot):
    answers = (
        (f"{seats} seats: {written(house)}", opening_refusals("gin", seats=seats, options=house))
        for seats, house in HOUSES
    )
    assert picture(answers) == snapshot


FOR_TWO: list[dict[str, Any]] = [
    {"knocker": "asha"},
    knocks("asha", 11, 20),
    knocks("asha", 0, 20, ending="knock"),
    knocks("asha", 3, 20, ending="gin"),
    knocks("asha", 0, 20, ending="big_gin"),
    knocks("asha", 3, 20, ending="show"),
    knocks("asha", 3, 100),
    knocks("asha", 3, 101),
    {"knocker": None, "ending": "big_gin"},
    {"knocker": None, "defender_deadwood": 5},
    {"ending": "dead", "knocker": "asha"},
    {"ending": "dead", "knocker_deadwood": 1},
    {"ending": "dead", "extra_boxes": 1},
    {"ending": "dead", "knocker": "zoe"},
    knocks("asha", 3, 20, upcard="1Z"),
    knocks("asha", 3, 20, extra_boxes=50),
    knocks("asha", 3, 20, extra_boxes=51),
    {"hands": 7},
    {"hands": []},
    {"hands": [7] * 4},
    {"hands": [7]},
    {"hands": [{"knocker": "asha", "defender": "zoe"}]},
    {},
    {"knocker": "zoe"},
    {"knocker": None, "ending": "gin"},
    knocks("asha", -3, "x"),
    knocks("asha", 3, 20, illegal_knocks=["zoe"]),
    knocks("asha", 3, 20, wild="5H"),
]


def test_a_sheet_for_two_is_refused_with_a_sentence_for_each_fault(snapshot):
    assert picture((written(raw), refusals(gin(), sheet(1, **raw))) for raw in FOR_TWO) == snapshot


FOR_PARTNERS: list[dict[str, Any]] = [
    {"hands": [7, {"knocker": "zoe"}]},
    {"hands": [7, knocks("asha", 2, 22, defender="bo")]},
    {"hands": [{"ending": "dead"}]},
    {"hands": [knocks("asha", 2, 22, defender="bo")]},
    {"hands": [knocks("asha", 2, 22), {"ending": "dead"}]},
    {"hands": [], "knocker": "asha"},
    {"hands": 7},
    knocks("asha", 2, 22, defender="cy"),
    {"hands": [knocks("bo", 2, 22, defender="dev"), knocks("cy", 2, 22, defender="asha")]},
    {"hands": [knocks("asha", 2, 22, defender="bo"), knocks("cy", 2, 22, defender="bo")]},
    {
        "hands": [
            {"knocker": "asha", "knocker_deadwood": 3},
            {"knocker": "bo", "knocker_deadwood": 3, "defender": "cy", "defender_deadwood": 101},
        ]
    },
    {
        "hands": [
            {"knocker": "asha", "knocker_deadwood": 3, "defender_deadwood": 101},
            {"knocker": "bo", "knocker_deadwood": 3, "defender": "cy"},
        ]
    },
]


def test_a_sheet_for_partners_is_refused_with_a_sentence_for_each_fault(snapshot):
    answers = ((written(raw), refusals(gin(seats=4), sheet(1, **raw))) for raw in FOR_PARTNERS)
    assert picture(answers) == snapshot


def test_a_sheet_with_a_hand_that_cannot_be_read_is_none_and_six_partners_play_three_hands_and_no_fourth(snapshot):
    event, _ = gin(seats=4).considered(sheet(1, hands=[7, knocks("asha", 2, 22, defender="bo")]))
    assert event is None
    answers = {f"{hands} hands": refusals(gin(seats=6), sheet(1, hands=[DEAD] * hands)) for hands in (3, 4)}
    assert picture(answers) == snapshot


def test_oklahoma_says_what_the_card_turned_up_is_needed_for(snapshot):
    table, partners = gin(oklahoma=True, spades_double="points"), gin(seats=4, oklahoma=True)
    answers = {
        "no card": refusals(table, sheet(1, **knocks("asha", 3, 20))),
        "a rank without a suit": refusals(table, sheet(1, **knocks("asha", 3, 20, upcard="5"))),
        "a dead hand": refusals(table, sheet(1, hands=[DEAD])),
        "a dead hand beside a knock": refusals(partners, sheet(1, hands=[DEAD, knocks("asha", 3, 20, defender="bo")])),
    }
    assert picture(answers) == snapshot


def test_an_undecided_table_says_how_far_it_is(snapshot):
    answers = {f"closed after {deals} deals": refusals(played(gin(), *[DEAD] * deals), CLOSED) for deals in (0, 1, 2)}
    answers |= {
        "time called at once": refusals(gin(), TIME_CALLED),
        "a deal after the last": refusals(played(gin(), DEAD, goes_gin("asha", 75)), sheet(3, **DEAD)),
        "a player leaves": refusals(gin(), goes_home("asha")),
    }
    assert picture(answers) == snapshot


def test_the_story_of_a_hand_is_who_won_how_much_and_of_the_last_what_the_game_comes_to(snapshot):
    extra, first = gin(gin_extra_boxes=1), played(gin(games=2), goes_gin("bo", 75))
    ahead = {"hands": [knocks("asha", 2, 22, defender="bo"), knocks("dev", 1, 20, defender="cy")]}
    tables = {
        "a knock": played(gin(), knocks("asha", 3, 20)),
        "a dead hand": played(gin(), DEAD),
        "gin where it has an extra box": played(extra, goes_gin("asha", 20)),
        "a knock where gin has an extra box": played(extra, knocks("asha", 3, 20)),
        "a knock in two games": played(gin(games=2), knocks("asha", 3, 20)),
        "partners, one ahead": played(gin(seats=4), ahead),
        "partners, even": played(gin(seats=4), EVEN),
        "the last hand after a hand of the other": played(gin(), knocks("asha", 3, 20), goes_gin("bo", 75)),
        "the last hand, a shutout": played(gin(), goes_gin("bo", 75)),
        "closed": played(gin(), goes_gin("bo", 75)).told(CLOSED),
        "the first of two games side by side": first,
        "the second": played(first, knocks("bo", 1, 3), goes_gin("asha", 75)),
        "time called after the first": first.told(TIME_CALLED),
    }
    assert picture((name, story(table)) for name, table in tables.items()) == snapshot


def panel(table: Evening) -> list[str]:
    """The title, and each row as one line."""
    rules, setup = table.table.rules, table.table.setup
    [found] = rules.panels(setup, table.table.game)
    return [str(found.title), *(" | ".join(map(_cell, row)) for row in found.rows)]


def _cell(cell: PanelCell) -> str:
    return " and ".join(seat.label for seat in cell) if isinstance(cell, tuple) else str(cell)


def test_the_panel_has_a_row_for_each_side_of_each_game_once_a_deal_was_played(snapshot):
    assert gin().table.rules.panels(gin().table.setup, gin().table.game) == ()
    three_a_side = {"hands": [knocks("asha", 3, 4, defender="bo"), DEAD, DEAD]}
    answers = {
        "a dead hand": panel(played(gin(), DEAD)),
        "two games side by side": panel(played(gin(games=2), goes_gin("bo", 75), knocks("asha", 3, 20))),
        "the smallest lead": panel(played(gin(box_bonus=0), knocks("asha", 3, 4))),
        "three partners a side": panel(played(gin(seats=6), three_a_side)),
    }
    assert picture(answers) == snapshot


WRITTEN_HANDS: list[dict[str, Any]] = [
    {"knocker": None, "ending": "dead"},
    {"knocker": None},
    {"knocker": "A", "ending": "dead"},
    {"knocker": "A", "defender": "B", "knocker_deadwood": 3, "defender_deadwood": 20},
    {"knocker": "A", "defender": "B", "knocker_deadwood": 3, "defender_deadwood": 3},
    {"knocker": "A", "defender": "B", "knocker_deadwood": 3, "defender_deadwood": 2},
    {"knocker": "A", "defender": "B", "knocker_deadwood": 3},
    {"knocker": "A", "knocker_deadwood": 3},
    {"knocker": "A", "defender": "B", "defender_deadwood": 1},
    {"knocker": "A", "defender": "B", "ending": "gin", "knocker_deadwood": 3, "defender_deadwood": 2},
    {"knocker": "A", "defender": "B", "ending": "big_gin", "defender_deadwood": 0},
]


def test_a_written_hand_reads_as_it_was_played(snapshot):
    assert picture((written(hand), cells(GinHand(**hand))) for hand in WRITTEN_HANDS) == snapshot


@pytest.mark.parametrize(
    ("fields", "remarks", "same_dealer"),
    [
        ({"hands": (GinHand(knocker=None, ending="dead"),)}, ("the hand was dead",), True),
        ({"hands": (GinHand(knocker=None, ending="dead"),) * 2}, ("2 of 2 hands dead",), True),
        (
            {"hands": (GinHand(knocker=None, ending="dead"), GinHand(knocker="A")), "upcard": "5H"},
            ("1 of 2 hands dead", "upcard 5H"),
            False,
        ),
        (
            {"hands": (GinHand(knocker="A"),), "illegal_knocks": ("B", "C")},
            ("B knocked over the limit", "C knocked over the limit"),
            False,
        ),
        ({"hands": (GinHand(knocker="A"),)}, (), False),
    ],
)
def test_a_written_sheet_says_what_else_happened(fields, remarks, same_dealer):
    written = GinSheet(**fields)
    assert (tuple(map(str, written.remarks())), written.keeps_dealer) == (remarks, same_dealer)


@pytest.mark.parametrize(
    ("options", "hand", "upcard", "wanted"),
    [
        ({}, {"defender": None, "defender_deadwood": 20}, None, None),
        ({}, {"knocker": None, "ending": "gin"}, None, None),
        ({}, {"ending": "dead"}, None, None),
        # A stored knock without a number counts as one with nothing left.
        ({}, {"defender_deadwood": 20}, None, ("A", 20, 1)),
        ({"big_gin_bonus": 31}, {"ending": "gin", "defender_deadwood": 7}, None, ("A", 32, 1)),
        ({"big_gin_bonus": 31}, {"ending": "big_gin", "defender_deadwood": 7}, None, ("A", 38, 1)),
        ({}, {"ending": "big_gin", "defender_deadwood": 7}, None, ("A", 32, 1)),
        (
            {"oklahoma": True, "spades_double": "points_and_boxes", "gin_extra_boxes": 2},
            {"ending": "gin", "defender_deadwood": 7, "extra_boxes": 1},
            "9S",
            ("A", 64, 8),
        ),
        (
            {"oklahoma": True, "spades_double": "points", "gin_extra_boxes": 2},
            {"ending": "gin", "defender_deadwood": 7, "extra_boxes": 1},
            "9S",
            ("A", 64, 4),
        ),
    ],
)
def test_a_hand_is_worth(options, hand, upcard, wanted):
    found = hand_result(GinOptions(**options), GinHand(**{"knocker": "A", "defender": "B", **hand}), upcard)
    assert found == (None if wanted is None else HandResult(*wanted))


@pytest.mark.parametrize(("doubles", "upcard", "boxes"), [("points", "9S", 1), ("points_and_boxes", "9H", 1)])
def test_partners_have_one_box_where_no_spade_doubles_boxes(doubles, upcard, boxes):
    hands = [goes_hand("asha", "bo"), goes_hand("cy", "dev")]
    options = GinOptions(oklahoma=True, spades_double=doubles, partnership=True)
    factor = 2 if upcard == "9S" else 1
    found = side_result(options, CAST[:4], GinSheet(hands=tuple(hands), upcard=upcard))
    assert found == SideResult(0, factor * 60, boxes)


def goes_hand(seat: str, against: str) -> GinHand:
    return GinHand(knocker=seat, defender=against, ending="gin", defender_deadwood=5)


def test_a_scorer_is_asked_for_a_hand_of_two_seats_and_of_partners_against_whom(snapshot):
    oklahoma: list[dict[str, Any]] = [
        {"oklahoma": True, "ace_means_gin": False, "knock_max": 9},
        {"oklahoma": True, "seats": 4, "big_gin_bonus": 31, "spades_double": "points"},
    ]
    houses: tuple[dict[str, Any], ...] = ({}, {"knock_max": 5, "big_gin_bonus": 31}, {"seats": 6}, *oklahoma)
    assert picture((written(house), form(gin(**house))) for house in houses) == snapshot


def at_stake(table: Evening) -> dict[str, Any]:
    return table.table.rules.at_stake(table.table.setup, table.table.game)


def test_the_entry_a_full_count_and_what_a_side_is_behind_is_at_stake():
    assert at_stake(gin(entry=5, value=2)) == {"asha": 165, "bo": 165}
    assert at_stake(played(gin(entry=5, value=2), knocks("asha", 3, 20))) == {"asha": 165, "bo": 5 + 2 * (80 + 42)}
    assert at_stake(played(gin(value=2), knocks("bo", 3, 20))) == {"asha": 2 * (80 + 42), "bo": 160}
    assert at_stake(played(gin(seats=4, value=1), EVEN)) == dict.fromkeys(CAST[:4], 80)
