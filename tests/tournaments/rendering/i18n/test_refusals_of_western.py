"""Refusals of sheets of the other games are translated into the language of the page."""

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from scoring.messages import Message, english
from scoring.problems import OptionsRejected
from scoring.rules.table.admission import considered
from scoring.rules.table.table import Table
from scoring.rules.variants import PRESETS, opening, table_from
from tests.builders.untranslated import left_in_english

Wire = dict[str, Any]
NAMES = {"1": "Asha", "2": "Bo 7", "3": "Cy", "4": "Dev"}


def opened(preset: str, seats: int, **options: object) -> Table:
    rules, chosen = PRESETS[preset]
    players = {str(seat): f"player-{seat}" for seat in range(1, seats + 1)}
    stakes = {"point_value_minor": 5}
    return table_from(opening(rules.name, options={**chosen.options, **options}, stakes=stakes, seats=players))


def refused(table: Table, wire: Wire) -> set[Message]:
    """The refusals of an event."""
    _, problems = considered(table, wire)
    return {problem.message for problem in problems}


def deal(**sheet: object) -> Wire:
    return {"kind": "deal_recorded", "deal": 1, **sheet}


TWO_HANDS = [{"knocker": "1", "knocker_deadwood": 2, "defender_deadwood": 120}, {"knocker": None, "extra_boxes": -4}]


@pytest.mark.parametrize(
    ("preset", "seats", "sheet"),
    [
        ("rum", 3, {"out": "1", "counts": {"1": 3, "2": 0}}),
        ("rum", 3, {"out": "1", "counts": {"2": "x", "3": -4}}),
        ("rum", 3, {"out": "1", "counts": {"2": "x"}}),
        ("rum", 2, {"out": None, "went_rummy": True}),
        ("rum", 2, {"deal_with": 3}),
        ("rummy500", 2, {"out": "1", "in_hand": {"1": 5}}),
        ("rummy500", 2, {"out": None, "melded": {"1": 900, "2": 0}, "in_hand": {"1": 5, "2": 5}}),
        ("palace_casino", 2, {"out": "1", "laid": 2, "counts": {"2": 9}}),
        ("gin", 2, {"knocker": "1", "knocker_deadwood": 12}),
        ("gin", 2, {"knocker": None, "ending": "knock"}),
        ("gin_partnership", 4, {"hands": TWO_HANDS}),
        ("gin_partnership", 4, {"hands": TWO_HANDS[:1]}),
        ("gin_oklahoma_spades", 2, {"knocker": "1", "knocker_deadwood": 2, "upcard": "7"}),
        (
            "rummy_royal",
            3,
            {"dealer": "1", "out": "1", "cards_left": {"2": 50, "3": 0}, "boxes": {"KQ": "2", "789": "2"}},
        ),
        (
            "rummy_royal",
            2,
            {"dealer": "1", "out": "1", "cards_left": {"2": 101}, "extra_hand": "sold", "antes": {"2": 11}},
        ),
        ("rummy_royal", 2, {"last_hearts": {"2H": "1", "AH": "2"}}),
    ],
    ids=str,
)
def test_what_a_sheet_is_refused_for_has_its_form(preset: str, seats: int, sheet: Wire, snapshot: SnapshotAssertion):
    """Planted fault: the name of an ending without its translation."""
    found = refused(opened(preset, seats), deal(**sheet))
    assert sorted(english(message, NAMES) for message in found) == snapshot
    assert left_in_english(found, NAMES) == set()


@pytest.mark.parametrize("preset", ["rum", "gin", "romme_51", "rummy500", "block"])
def test_a_table_closed_before_its_end_has_its_form(preset: str):
    found = refused(opened(preset, 2), {"kind": "table_closed"})
    assert found
    assert left_in_english(found) == set()


def test_seats_short_of_chips_are_told_apart_by_their_number():
    table = opened("rummy_royal", 2, start_chips=17)
    sheet = {"dealer": "1", "out": "1", "cards_left": {"2": 9}}
    found = refused(table, deal(**sheet))
    assert left_in_english(found) == set()
    assert any("1 chip short" in english(message) for message in found)


@pytest.mark.parametrize(
    ("name", "options", "seats"),
    [
        ("rum", {"mode": "cash", "end": "target"}, 2),
        ("block", {"mode": "winner_scores", "block_scoring": "all_penalty"}, 2),
        ("rummy500", {"packs": 1, "settlement": "pay_difference"}, 8),
        ("romme", {"settlement": "pay_points", "scoring": "match_points", "match_two_up_to": 90}, 2),
        ("gin", {"partnership": True, "spades_double": "points"}, 2),
        ("rummy_royal", {"cannot_pay": "out", "start_chips": 1}, 3),
    ],
)
def test_what_options_are_refused_for_has_its_form(name: str, options: Wire, seats: int):
    players = {str(seat): f"player-{seat}" for seat in range(1, seats + 1)}
    with pytest.raises(OptionsRejected) as refusal:
        opening(name, options=options, stakes={}, seats=players)
    assert left_in_english(problem.message for problem in refusal.value.problems) == set()
