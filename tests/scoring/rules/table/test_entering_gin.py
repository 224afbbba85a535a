"""The form of gin rummy: a hand, or one for each pair of opponents; fields, how they are read, what is shown again."""

import pytest

from scoring.rules.table.dealing import Due, due, next_dealer
from scoring.sheets.scoresheet import sheet_lines
from tests.builders.rules import TIME_CALLED
from tests.builders.scorer_form import Typed, at, filled, scored, sheet_of, typed_again

KNOCK: Typed = {
    "hands.0.knocker": "asha",
    "hands.0.ending": "knock",
    "hands.0.knocker_deadwood": "4",
    "hands.0.defender_deadwood": "20",
}
DEAD: Typed = {"hands.0.knocker": "-"}


def pair(hand: int, knocker: str, defender: str, deadwood: int, held: int) -> Typed:
    """One hand of partners as it is typed."""
    typed = {"knocker": knocker, "defender": defender, "knocker_deadwood": deadwood, "defender_deadwood": held}
    return {f"hands.{hand}.{name}": str(value) for name, value in typed.items()}


FIRST, SECOND = pair(0, "asha", "dev", 2, 22), pair(1, "bo", "cy", 5, 15)


def test_a_knock_is_typed_and_shown_again_and_may_turn_out_of_a_dead_hand():
    table = scored(at("gin", seats=2), KNOCK)
    assert table.total("asha") == 16
    assert typed_again(table, table.table.timeline[0].event.sheet) == KNOCK
    dead = scored(at("gin", seats=2), DEAD)
    notes = [str(note.text) for note in sheet_lines(dead.table)[-1].notes]
    assert notes == ["Nothing is scored; the same dealer deals again"]
    shown = typed_again(dead, dead.table.timeline[0].event.sheet)
    assert shown["hands.0.knocker"] == "-"
    raw, _ = filled(dead, {**shown, **KNOCK})
    fixed = dead.told({"kind": "deal_corrected", "deal": 1, "reason": "it was a knock", **raw})
    assert fixed.total("asha") == 16


def test_a_knocker_with_no_deadwood_has_gin_without_saying_so():
    typed = {"hands.0.knocker": "bo", "hands.0.knocker_deadwood": "0", "hands.0.defender_deadwood": "30"}
    mark = sheet_of(at("gin", seats=2), typed).marks()["bo"]
    assert (mark.title, mark.is_win) == ("Gin", True)


@pytest.mark.parametrize(
    ("seats", "typed", "dealer", "following"),
    [
        (2, KNOCK, "bo", "asha"),
        (2, DEAD, "bo", "bo"),
        (4, {**FIRST, "hands.1.knocker": "-"}, "asha", "bo"),
        (4, {**DEAD, "hands.1.knocker": "-"}, "cy", "cy"),
        (4, {**FIRST, **pair(1, "bo", "cy", 2, 22)}, "cy", "dev"),
    ],
    ids=["a knock", "a dead hand", "one dead hand of partners", "both hands dead", "partners even"],
)
def test_the_same_seat_deals_again_only_where_every_hand_was_dead(seats, typed, dealer, following):
    assert next_dealer(scored(at("gin", seats=seats), {**typed, "dealer": dealer}).table) == following


def test_partners_say_whom_they_played_and_the_net_is_their_side_s():
    table = scored(at("gin", seats=4), {**FIRST, **SECOND})
    assert table.totals() == {"asha": 10, "bo": 0, "cy": 10, "dev": 0}
    marks = table.table.timeline[0].event.sheet.marks()
    assert {seat for seat, mark in marks.items() if mark.is_win} == {"asha", "bo"}


def test_a_table_of_gin_waits_for_deals_until_its_game_is_won():
    assert due(at("gin", seats=2).table) is due(scored(at("gin", seats=2), DEAD).table) is Due.DEAL
    assert due(scored(at("gin", seats=2), KNOCK).told(TIME_CALLED).table) is Due.NOTHING
    won = scored(at("gin", seats=2, target=25), {**KNOCK, "hands.0.defender_deadwood": "40"})
    assert due(won.table) is Due.NOTHING
