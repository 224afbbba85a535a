"""Refusals of sheets of the other games are translated into the language of the page."""

from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from scoring.messages import Message, english
from scoring.rules.table.admission import considered
from scoring.rules.variants import PRESETS, opening, table_from
from tests.builders.untranslated import left_in_english

Wire = dict[str, Any]
NAMES = {"1": "Asha", "2": "Bo 7", "3": "Cy", "4": "Dev"}


def refused(preset: str, seats: int, sheet: Wire) -> set[Message]:
    """The refusals of a first deal; `start_chips` of a sheet is an option of its table."""
    rules, chosen = PRESETS[preset]
    options = {**chosen.options, **{name: sheet[name] for name in sheet if name == "start_chips"}}
    players = {str(seat): f"player-{seat}" for seat in range(1, seats + 1)}
    table = table_from(opening(rules.name, options=options, stakes={"point_value_minor": 5}, seats=players))
    raw = {"kind": "deal_recorded", "deal": 1, **{name: sheet[name] for name in sheet if name != "start_chips"}}
    _, problems = considered(table, raw)
    return {problem.message for problem in problems}


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
        ("rummy_royal", 2, {"start_chips": 17, "dealer": "1", "out": "1", "cards_left": {"2": 9}}),
    ],
    ids=str,
)
def test_what_a_sheet_is_refused_for_has_its_form(preset: str, seats: int, sheet: Wire, snapshot: SnapshotAssertion):
    """Planted fault: the name of an ending without its translation."""
    found = refused(preset, seats, sheet)
    assert sorted(english(message, NAMES) for message in found) == snapshot
    assert left_in_english(found, NAMES) == set()
