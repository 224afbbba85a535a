"""The forms of rum, block rummy, Rummy 500 and Romme: fields, how they are read, and how a stored sheet is shown."""

import pytest

from scoring.rules.table.dealing import Due, due, next_dealer
from tests.builders.rules import TIME_CALLED, Evening
from tests.builders.scorer_form import (
    Typed,
    at,
    filled,
    read_out,
    scored,
    sheet_of,
    typed_again,
)

NAMES = {"asha": "Asha", "bo": "Bo", "cy": "Cy", "dev": "Dev"}
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


@EVERY
def test_a_deal_typed_on_the_form_is_scored_and_shown_again_as_it_was_typed(variant):
    table = scored(at(variant), PLAIN[variant])
    assert table.table.deals == 1
    assert typed_again(table, table.table.timeline[0].event.sheet) == PLAIN[variant]


@EVERY
def test_a_number_that_was_misread_is_put_right_on_the_form(variant):
    right = scored(at(variant), PLAIN[variant])
    key = "in_hand-cy" if variant == "rummy500" else "counts-cy"
    wrong = scored(at(variant), {**PLAIN[variant], key: "3"})
    assert wrong.totals() != right.totals()
    shown = {**typed_again(wrong, wrong.table.timeline[0].event.sheet), key: PLAIN[variant][key]}
    raw, problems = filled(wrong, shown)
    fixed = wrong.told({"kind": "deal_corrected", "deal": 1, "reason": "misread", **raw})
    assert problems == ()
    assert fixed.totals() == right.totals()


@EVERY
def test_what_is_no_number_is_reported_at_its_seat_and_field(variant):
    key = "in_hand" if variant == "rummy500" else "counts"
    _, problems = filled(at(variant), {f"{key}-bo": "1o", f"{key}-cy": "12"})
    assert [(one.code, one.seat, one.field) for one in problems] == [("not_a_number", "bo", key)]


@EVERY
def test_the_deal_passes_to_the_next_seat_after_the_one_who_is_written_down(variant):
    table = scored(at(variant), {**PLAIN[variant], "dealer": "bo"})
    assert next_dealer(table.table) == "cy"


@EVERY
def test_a_fresh_table_waits_for_a_deal_and_a_closed_one_for_nothing(variant):
    table = scored(at(variant), PLAIN[variant])
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


def test_nobody_going_out_is_said_in_the_words_of_the_sheet():
    sheet = sheet_of(at("block"), PLAIN["block"])
    assert sheet.out is None
    assert read_out(sheet, NAMES) == "Asha held 6, Bo held 15, Cy held 30, nobody went out"


def test_going_rummy_is_a_box_to_tick():
    table = scored(at("rum"), {**PLAIN["rum"], "went_rummy": "1"})
    assert table.totals() == {"asha": 0, "bo": 24, "cy": 60}


def test_cards_are_entered_instead_of_a_number_and_kept():
    table = scored(at("rum"), {"out": "asha", "counts-bo": "12", "hands-cy": "as kh 7d"})
    assert table.totals() == {"asha": 0, "bo": 12, "cy": 18}
    assert table.table.timeline[0].event.sheet.marks()["cy"].loose == "AS KH 7D"


def test_rummy_500_asks_what_was_melded_and_what_is_left():
    table = scored(at("rummy500"), PLAIN["rummy500"])
    assert table.totals() == {"asha": 60, "bo": 30, "cy": -20}
    said = read_out(table.table.timeline[0].event.sheet, NAMES)
    assert said == "Asha went out, melded 60, Bo melded 35, 5 in hand, Cy melded 0, 20 in hand"


def test_rummy_500_is_scored_with_nobody_out_when_the_stock_is_gone():
    typed = {"out": "-", "melded-asha": "60", "melded-bo": "0", "in_hand-asha": "4", "in_hand-bo": "5"}
    assert scored(at("rummy500", seats=2), typed).totals() == {"asha": 56, "bo": -5}


def test_who_has_not_melded_needs_no_count():
    table = scored(at("romme", no_meld_flat=100), {"out": "asha", "counts-bo": "31", "unmelded": ["cy"]})
    assert table.totals() == {"asha": 131, "bo": -31, "cy": -100}
    assert typed_again(table, table.table.timeline[0].event.sheet)["unmelded"] == ["cy"]


def test_casino_scoring_takes_what_the_winner_laid_from_the_form():
    typed = {"out": "asha", "counts-bo": "31", "counts-cy": "20", "laid": "95"}
    assert scored(at("romme", scoring="casino"), typed).total("asha") == 146


def test_a_hand_romme_is_a_box_to_tick():
    assert scored(at("romme"), {**PLAIN["romme"], "hand_romme": "1"}).total("asha") == 84


def test_a_seat_that_has_left_is_not_asked_for_but_stays_on_the_sheet():
    table: Evening = scored(at("rum"), PLAIN["rum"]).told({"kind": "seat_left", "seat": "cy"})
    after = scored(table, {"out": "bo", "counts-asha": "7"})
    assert after.totals() == {"asha": 7, "bo": 12, "cy": 30}
    assert next_dealer(after.table) in ("asha", "bo")
