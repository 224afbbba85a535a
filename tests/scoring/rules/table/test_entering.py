"""The forms of rum, block rummy, Rummy 500 and Romme: fields, how they are read, and how a stored sheet is shown."""

import pytest

from scoring.rules.table.dealing import Due, due, next_dealer
from tests.builders.rules import TIME_CALLED
from tests.builders.scorer_form import Typed, at, filled, scored, typed_again

PLAIN: dict[str, Typed] = {
    "rum": {"out": "asha", "counts-bo": "12", "counts-cy": "30"},
    "block": {"out": "-", "counts-asha": "6", "counts-bo": "15", "counts-cy": "30"},
    "rummy500": {
        "out": "asha",
        "melded-asha": "60",
        "melded-bo": "35",
        "melded-cy": "0",
        "in_hand-bo": "5",
        "in_hand-cy": "20",
    },
    "romme": {"out": "asha", "counts-bo": "12", "counts-cy": "30"},
}
EVERY = pytest.mark.parametrize("variant", PLAIN)
STOCK_GONE = {"out": "-", "melded-asha": "60", "melded-bo": "0", "in_hand-asha": "4", "in_hand-bo": "5"}


@EVERY
def test_a_deal_is_typed_shown_again_and_a_misread_number_put_right_on_the_form(variant):
    right = scored(at(variant), PLAIN[variant])
    assert right.table.deals == 1
    assert typed_again(right, right.table.timeline[0].event.sheet) == PLAIN[variant]
    field = "in_hand" if variant == "rummy500" else "counts"
    wrong = scored(at(variant), {**PLAIN[variant], f"{field}-cy": "3"})
    assert wrong.totals() != right.totals()
    shown = typed_again(wrong, wrong.table.timeline[0].event.sheet)
    raw, _ = filled(wrong, {**shown, f"{field}-cy": PLAIN[variant][f"{field}-cy"]})
    fixed = wrong.told({"kind": "deal_corrected", "deal": 1, "reason": "misread", **raw})
    assert fixed.totals() == right.totals()
    _, problems = filled(at(variant), {f"{field}-bo": "1o", f"{field}-cy": "12"})
    assert [(problem.code, problem.seat, problem.field) for problem in problems] == [("not_a_number", "bo", field)]


@pytest.mark.parametrize(
    ("variant", "options", "typed", "totals"),
    [
        ("rum", {}, {**PLAIN["rum"], "went_rummy": "1"}, [0, 24, 60]),
        ("rum", {}, {"out": "asha", "counts-bo": "12", "hands-cy": "AS KH 7D"}, [0, 12, 18]),
        ("rummy500", {}, PLAIN["rummy500"], [60, 30, -20]),
        ("rummy500", {"seats": 2}, STOCK_GONE, [56, -5]),
        ("romme", {"no_meld_flat": 100}, {"out": "asha", "counts-bo": "31", "unmelded": ["cy"]}, [131, -31, -100]),
        ("romme", {"scoring": "casino"}, {**PLAIN["romme"], "laid": "95"}, [137, -12, -30]),
        ("romme", {}, {**PLAIN["romme"], "hand_romme": "1"}, [84, -24, -60]),
    ],
)
def test_each_field_counts_and_comes_back_to_the_form(variant, options, typed, totals):
    table = scored(at(variant, **options), typed)
    assert list(table.totals().values()) == totals
    assert typed_again(table, table.table.timeline[0].event.sheet) == typed


@EVERY
def test_a_table_waits_for_deals_until_it_is_closed_and_the_deal_passes_to_the_next_seat(variant):
    table = scored(at(variant), {**PLAIN[variant], "dealer": "bo"})
    assert next_dealer(table.table) == "cy"
    assert due(at(variant).table) is due(table.table) is Due.DEAL
    assert due(table.told(TIME_CALLED).table) is Due.NOTHING


@pytest.mark.parametrize(
    ("variant", "options"),
    [
        ("rum", {"end": "rounds", "rounds": 1}),
        ("block", {"end": "rounds", "rounds": 1, "block_scoring": "lowest_wins_difference"}),
        ("rummy500", {"end": "rounds", "rounds": 1}),
        ("romme", {"rounds": 1}),
    ],
)
def test_a_table_that_has_played_its_deals_waits_for_nothing(variant, options):
    assert due(scored(at(variant, **options), PLAIN[variant]).table) is Due.NOTHING


@pytest.mark.parametrize(
    ("variant", "options"),
    [("rum", {"end": "rounds", "rounds": 2, "tie": "extra_deal"}), ("romme", {"rounds": 2, "tie": "extra_round"})],
)
def test_level_seats_wait_for_an_extra_deal_where_the_house_plays_one(variant, options):
    table = at(variant, seats=2, **options)
    level = scored(table, {"out": "asha", "counts-bo": "9"}, {"out": "bo", "counts-asha": "9"})
    assert due(level.table) is Due.TIEBREAK


def test_a_seat_that_has_left_is_not_asked_for_but_stays_on_the_sheet():
    table = scored(at("rum"), PLAIN["rum"]).told({"kind": "seat_left", "seat": "cy"})
    after = scored(table, {"out": "bo", "counts-asha": "7"})
    assert after.totals() == {"asha": 7, "bo": 12, "cy": 30}
    assert next_dealer(after.table) in ("asha", "bo")
