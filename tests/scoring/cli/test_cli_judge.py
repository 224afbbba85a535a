"""The judge on the command line, case by case: answers of the contract, and refusals for everything else."""

import json

import pytest

from scoring.cli import hand_line, show_line

HAND = "7H 8h 9h TH 2S 3S 4S PJ PJ KS 10H 5D AC"
VALID = {"groups": ["AD 2D 3D 4D", "5S 6S 7S", "9D 9S 9C", "QS QD QC"], "loose": ""}


def codes(answer):
    return {problem["code"] for problem in answer["problems"]}


def test_a_hand_is_answered_with_its_count_and_the_cheapest_arrangement():
    answer = hand_line({"cards": HAND, "wild": None, "options": {}})
    assert answer["count"] == answer["uncapped"] == 10 + 10 + 5
    assert answer["declarable"] is False
    assert [group["kind"] for group in answer["groups"]].count("pure_sequence") == 2
    assert len(answer["loose"]) == 3
    assert "5D" in answer["loose"]
    assert json.loads(json.dumps(answer)) == answer


def test_the_order_of_the_cards_does_not_matter():
    assert hand_line({"cards": HAND})["count"] == hand_line({"cards": HAND.split()[::-1]})["count"]


def test_a_valid_show():
    assert show_line(VALID) == {
        "valid_show": True,
        "kinds": ["pure_sequence", "pure_sequence", "set", "set"],
        "count_if_loser": 0,
        "problems": [],
    }


def test_a_show_of_four_equal_cards_is_ruled_on_and_not_refused():
    answer = show_line({"groups": ["7H 7H 7H 7H"]})
    assert answer["valid_show"] is False
    assert codes(answer) >= {"impossible_card_count", "not_13_cards", "duplicate_suit_in_set"}


@pytest.mark.parametrize("case", [None, 1, "7H", [], [{}], True, 1.5])
def test_a_case_that_is_no_object_is_refused(case):
    for line in (hand_line, show_line):
        assert codes(line(case)) == {"not_an_object"}


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ({}, {"wrong_type"}),
        ({"cards": 7}, {"wrong_type"}),
        ({"cards": "7H " * 13}, {"impossible_card_count"}),
        ({"cards": "PJ " * 13}, {"impossible_card_count"}),
        ({"cards": HAND + " AS"}, {"not_13_cards"}),
        ({"cards": HAND[3:]}, {"not_13_cards"}),
        ({"cards": HAND.replace("AC", "AX")}, {"unknown_card"}),
        ({"cards": HAND, "wild": "15"}, {"impossible_wild"}),
        ({"cards": HAND, "wild": {"rank": 5}}, {"impossible_wild"}),
        ({"cards": HAND, "options": {"speed": 1}}, {"unknown_option"}),
        ({"cards": HAND, "options": {"max_set_size": 3}}, {"out_of_range"}),
        ({"cards": HAND, "options": {"max_set_size": [4]}}, {"wrong_type"}),
        ({"cards": HAND, "options": {"deduct_sets": 1}}, {"wrong_type"}),
        ({"cards": HAND, "options": {"ace": "high"}}, {"not_a_choice"}),
        ({"cards": HAND, "options": [1]}, {"wrong_type"}),
        ({"cards": "7H 8H", "wild": "Z", "options": {"cap": -1}}, {"not_13_cards", "impossible_wild", "out_of_range"}),
    ],
)
def test_a_bad_hand_is_refused_with_every_reason_at_once(case, expected):
    answer = hand_line(case)
    assert set(answer) == {"problems"}
    assert codes(answer) == expected
    assert all(problem["detail"] for problem in answer["problems"])


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ({}, {"wrong_type"}),
        ({"groups": "7H 8H 9H"}, {"wrong_type"}),
        ({"groups": [["7H"], 5]}, {"wrong_type"}),
        ({"groups": ["7H"] * 5000}, {"wrong_type"}),
        ({**VALID, "hand": 13}, {"wrong_type"}),
        ({**VALID, "loose": "7Z"}, {"unknown_card"}),
    ],
)
def test_a_show_that_cannot_be_read_is_refused(case, expected):
    answer = show_line(case)
    assert set(answer) == {"problems"}
    assert codes(answer) == expected


def test_true_is_not_taken_for_one_after_true_was_read():
    assert "count" in hand_line({"cards": HAND, "options": {"deduct_sets": True}})
    assert codes(hand_line({"cards": HAND, "options": {"deduct_sets": 1}})) == {"wrong_type"}
