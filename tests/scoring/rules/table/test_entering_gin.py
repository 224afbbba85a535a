"""The form of gin rummy: a hand, or one for each pair of opponents; fields, how they are read, what is shown again."""

from scoring.messages import Seat, say
from scoring.rules.table.dealing import Due, due, next_dealer
from scoring.sheets.scoresheet import sheet_lines
from tests.builders.rules import TIME_CALLED, Evening
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


def partners(**options: object) -> Evening:
    return at("gin", seats=4, **options)


def notes(table: Evening) -> list[str]:
    """The notes on the latest deal."""
    return [str(note.text) for note in sheet_lines(table.table)[-1].notes]


def test_a_knock_typed_on_the_form_is_scored_and_shown_again_as_it_was_typed():
    table = scored(at("gin", seats=2), KNOCK)
    assert table.total("asha") == 16
    assert typed_again(table, table.table.timeline[0].event.sheet) == KNOCK


def test_a_knocker_with_no_deadwood_has_gin_without_saying_so():
    typed = {"hands.0.knocker": "bo", "hands.0.knocker_deadwood": "0", "hands.0.defender_deadwood": "30"}
    sheet = sheet_of(at("gin", seats=2), typed)
    assert sheet.marks()["bo"].title == "Gin"
    assert sheet.marks()["bo"].is_win


def test_an_undercut_is_said_at_the_seat_that_undercut():
    marks = sheet_of(at("gin", seats=2), {**KNOCK, "hands.0.defender_deadwood": "1"}).marks()
    assert (marks["asha"].is_win, marks["bo"].is_win, marks["bo"].text) == (False, True, "Undercut with 1")


def test_equal_counts_are_marked_as_nobody_s_win_for_the_house_decides():
    marks = sheet_of(at("gin", seats=2), {**KNOCK, "hands.0.defender_deadwood": "4"}).marks()
    assert [mark.is_win for mark in marks.values()] == [False, False]


def test_big_gin_is_scored_with_its_own_bonus():
    typed = {"hands.0.knocker": "asha", "hands.0.ending": "big_gin", "hands.0.defender_deadwood": "18"}
    assert scored(at("gin", seats=2, big_gin_bonus=31), typed).total("asha") == 49


def test_a_hand_doubles_where_a_spade_was_turned_up():
    house = {"oklahoma": True, "spades_double": "points"}
    assert scored(at("gin", seats=2, **house), {**KNOCK, "upcard": "7s"}).total("asha") == 32


def test_a_dead_hand_is_nobody_knocking_and_the_same_seat_deals_again():
    table = scored(at("gin", seats=2), {**DEAD, "dealer": "bo"})
    assert table.totals() == {"asha": 0, "bo": 0}
    assert next_dealer(table.table) == "bo"
    assert notes(table) == ["Nothing is scored; the same dealer deals again"]


def test_after_a_hand_with_a_result_the_other_seat_deals():
    assert next_dealer(scored(at("gin", seats=2), {**KNOCK, "dealer": "bo"}).table) == "asha"


def test_a_dead_hand_that_was_a_knock_after_all_is_corrected_on_the_form():
    table = scored(at("gin", seats=2), DEAD)
    shown = typed_again(table, table.table.timeline[0].event.sheet)
    assert shown["hands.0.knocker"] == "-"
    raw, _ = filled(table, {**shown, **KNOCK})
    fixed = table.told({"kind": "deal_corrected", "deal": 1, "reason": "it was a knock", **raw})
    assert fixed.total("asha") == 16


def test_a_knock_over_the_limit_is_refused_and_can_be_noted():
    raw, _ = filled(at("gin", seats=2), {**KNOCK, "hands.0.knocker_deadwood": "12"})
    assert at("gin", seats=2).refuses({"kind": "deal_recorded", "deal": 1, **raw}) == [("knock_over_limit", "asha")]
    noted = scored(at("gin", seats=2), {**KNOCK, "illegal_knocks": ["bo"]})
    assert noted.seat("bo").wrong_shows == 1
    assert noted.table.timeline[0].event.sheet.remarks() == (say("{seat} knocked over the limit", seat=Seat("bo")),)


def test_partners_say_whom_they_played_and_the_net_is_their_side_s():
    table = scored(partners(), {**pair(0, "asha", "dev", 2, 22), **pair(1, "bo", "cy", 5, 15)})
    assert table.totals() == {"asha": 10, "bo": 0, "cy": 10, "dev": 0}
    marks = table.table.timeline[0].event.sheet.marks()
    assert {seat for seat, mark in marks.items() if mark.is_win} == {"asha", "bo"}


def test_a_hand_of_partners_that_was_left_open_is_reported_with_its_number():
    raw, _ = filled(partners(), pair(1, "bo", "cy", 5, 15))
    _, problems = partners().considered({"kind": "deal_recorded", "deal": 1, **raw})
    assert any(problem.field == "knocker" and problem.text().startswith("hand 1:") for problem in problems)


def test_one_dead_hand_of_partners_is_ignored_and_the_deal_passes_on():
    table = scored(partners(), {**pair(0, "asha", "dev", 2, 22), "hands.1.knocker": "-", "dealer": "asha"})
    assert table.total("asha") == 20
    assert table.table.timeline[0].event.sheet.remarks() == (say("{number} of {of} hands dead", number=1, of=2),)
    assert next_dealer(table.table) == "bo"


def test_where_all_hands_of_partners_are_dead_the_same_seat_deals_again():
    table = scored(partners(), {"hands.0.knocker": "-", "hands.1.knocker": "-", "dealer": "cy"})
    assert next_dealer(table.table) == "cy"


def test_where_partners_come_out_even_nothing_is_scored_and_the_deal_passes_on():
    table = scored(partners(), {**pair(0, "asha", "dev", 2, 22), **pair(1, "bo", "cy", 2, 22), "dealer": "cy"})
    assert table.totals() == dict.fromkeys(("asha", "bo", "cy", "dev"), 0)
    assert notes(table) == ["The sides are equal, and nothing is scored"]
    assert next_dealer(table.table) == "dev"


def test_a_table_of_gin_waits_for_deals_until_its_game_is_won():
    assert due(at("gin", seats=2).table) is Due.DEAL
    assert due(scored(at("gin", seats=2), DEAD).table) is Due.DEAL
    assert due(scored(at("gin", seats=2), KNOCK).told(TIME_CALLED).table) is Due.NOTHING
    won = scored(at("gin", seats=2, target=25), {**KNOCK, "hands.0.defender_deadwood": "40"})
    assert due(won.table) is Due.NOTHING
