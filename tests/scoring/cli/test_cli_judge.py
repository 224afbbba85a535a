"""The judge on the command line, case by case: answers of the contract, and refusals for everything else."""

import json
from typing import Any

from scoring import lines
from tests.builders.wording import picture, written

HAND = "7H 8h 9h TH 2S 3S 4S PJ PJ KS 10H 5D AC"
VALID = {"groups": ["AD 2D 3D 4D", "5S 6S 7S", "9D 9S 9C", "QS QD QC"], "loose": ""}


def hand_line(case: Any) -> dict[str, Any]:
    return lines.answered(lines.hand_line, json.dumps(case))


def show_line(case: Any) -> dict[str, Any]:
    return lines.answered(lines.show_line, json.dumps(case))


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


def test_a_valid_show():
    assert show_line(VALID) == {
        "valid_show": True,
        "kinds": ["pure_sequence", "pure_sequence", "set", "set"],
        "count_if_loser": 0,
        "problems": [],
    }


HANDS: list[dict[str, Any]] = [
    {},
    {"cards": 7},
    {"cards": "7H " * 13},
    {"cards": "PJ " * 13},
    {"cards": HAND + " AS"},
    {"cards": HAND[3:]},
    {"cards": HAND.replace("AC", "AX")},
    {"cards": HAND, "wild": "15"},
    {"cards": HAND, "wild": {"rank": 5}},
    {"cards": HAND, "options": {"speed": 1}},
    {"cards": HAND, "options": {"max_set_size": 3}},
    {"cards": HAND, "options": {"max_set_size": [4]}},
    {"cards": HAND, "options": {"deduct_sets": 1}},
    {"cards": HAND, "options": {"ace": "high"}},
    {"cards": HAND, "options": [1]},
    {"cards": "7H 8H", "wild": "Z", "options": {"cap": -1}},
]
SHOWS: list[dict[str, Any]] = [
    {},
    {"groups": "7H 8H 9H"},
    {"groups": [["7H"], 5]},
    {"groups": ["7H"] * 5000},
    {**VALID, "hand": 13},
    {**VALID, "loose": "7Z"},
]


def refused(answer: dict[str, Any]) -> list[str]:
    assert set(answer) == {"problems"}
    return [f"{problem['code']} {problem['field']}: {problem['detail']}" for problem in answer["problems"]]


def test_a_bad_hand_or_show_is_refused_with_every_reason_at_once(snapshot):
    hands = ((f"hand {number}: {written(case)[:90]}", refused(hand_line(case))) for number, case in enumerate(HANDS))
    shows = ((f"show {number}: {written(case)[:90]}", refused(show_line(case))) for number, case in enumerate(SHOWS))
    assert picture([*hands, *shows]) == snapshot


def test_true_is_not_taken_for_one_after_true_was_read():
    assert "count" in hand_line({"cards": HAND, "options": {"deduct_sets": True}})
    assert codes(hand_line({"cards": HAND, "options": {"deduct_sets": 1}})) == {"wrong_type"}
