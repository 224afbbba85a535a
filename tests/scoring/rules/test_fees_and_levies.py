"""The fee between its bounds and the levy beside it, to the unit and as text; and JSON that keeps every digit."""

from typing import Any

import pytest

from scoring.json_text import JsonRejected, refuse_repeats, without_repeats
from scoring.money.payouts import MOST_SUM, Stakes, beyond_limit, divide, house_takes, read_stakes
from scoring.money.reasons import part_reasons
from scoring.problems import OptionsRejected
from tests.builders.memo import lines
from tests.builders.wording import picture, written

TERMS: list[tuple[int, int, dict[str, Any], tuple[int, int]]] = [
    (10_000, 1_000, {}, (1_000, 0)),
    (10_000, 1_000, {"fee_floor_minor": 1_500}, (1_500, 0)),
    (10_000, 1_000, {"fee_cap_minor": 800}, (800, 0)),
    (10_000, 1_000, {"fee_cap_minor": 2_000}, (1_000, 0)),
    (10_000, 1_000, {"fee_cap_minor": 0}, (0, 0)),
    (300, 1_000, {"fee_floor_minor": 500}, (300, 0)),
    (500, 0, {"fee_floor_minor": 500}, (500, 0)),
    (10_000, 1_000, {"levy_bp": 2_000, "levy_name": "GST"}, (1_000, 2_000)),
    (10_000, 1_000, {"levy_bp": 2_000, "levy_on": "fee"}, (1_000, 200)),
    (10_000, 9_000, {"levy_bp": 2_000}, (9_000, 1_000)),
    (10_000, 8_000, {"levy_bp": 2_000}, (8_000, 2_000)),
    (5, 1_000, {}, (1, 0)),
    (4, 1_000, {}, (0, 0)),
]


def test_the_house_takes_its_fee_within_its_bounds_and_then_the_levy(snapshot):
    answers = []
    for gross, fee_bp, terms, taken in TERMS:
        takes = house_takes(gross, fee_bp, Stakes(**terms))
        assert (takes.fee, takes.levy) == taken
        assert takes.net == gross - sum(taken)
        assert takes.house == ({"levy": taken[1]} if taken[1] else {})
        answers.append((f"{fee_bp} of {gross}: {written(terms)}", lines(takes.because)))
    assert picture(answers) == snapshot


def test_a_fee_cannot_be_at_least_more_than_it_is_at_most():
    assert read_stakes({"fee_floor_minor": 5, "fee_cap_minor": 5}).fee_cap_minor == 5
    with pytest.raises(OptionsRejected) as refused:
        read_stakes({"fee_floor_minor": 6, "fee_cap_minor": 5})
    assert [(problem.code, problem.field, problem.text()) for problem in refused.value.problems] == [
        ("out_of_range", "fee_cap_minor", "the minimum house fee is higher than the maximum")
    ]


def test_a_sum_is_kept_up_to_its_limit_on_either_side():
    assert beyond_limit({"entry": MOST_SUM, "debt": -MOST_SUM}) == []
    found = beyond_limit({"entry": MOST_SUM + 1, "debt": -MOST_SUM - 1, "tip": 1}, currency="JPY", seat="bo")
    assert [(problem.code, problem.seat, problem.field, problem.text()) for problem in found] == [
        ("out_of_range", "bo", name, f"{name} comes to {number} JPY: the maximum is {MOST_SUM} JPY")
        for name, number in (("entry", MOST_SUM + 1), ("debt", -MOST_SUM - 1))
    ]


def test_of_an_amount_divided_the_first_heirs_get_what_is_left_over():
    parts = divide(11, ["asha", "bo", "cy"])
    assert parts == {"asha": 4, "bo": 4, "cy": 3}
    assert str(part_reasons(parts)[2]) == "seat cy: 3 as an equal part"
    assert lines(part_reasons({"asha": 4, "bo": 4})) == ("seat asha: 4 as an equal part", "seat bo: 4 as an equal part")
    assert part_reasons({"asha": 11}) == ()


def test_an_object_names_each_field_once():
    assert without_repeats([("a", 1), ("b", 1)]) == {"a": 1, "b": 1}
    refuse_repeats('{"a": {"b": 1}, "b": 1%s}' % ("0" * 5_000))
    for text in ('{"a": 1, "b": 2, "c": 3, "b": 2}', '[{"c": {"x": 1, "b": 1, "b": 2}}]'):
        with pytest.raises(JsonRejected) as refused:
            refuse_repeats(text)
        assert [(problem.code, problem.field, problem.text()) for problem in refused.value.problems] == [
            ("repeated_field", "b", "an object names the field 'b' twice")
        ]
