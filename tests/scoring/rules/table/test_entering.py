"""The forms of Western games: fields, how they are read, how a stored sheet is shown; first by examples, then any."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scoring.events import wire
from scoring.rules.table.dealing import Due, due, next_dealer
from scoring.rules.table.entering import NOBODY, YES, event_from, keys_of, typed_from, whole_number
from scoring.rules.table.fields import SheetField
from scoring.rules.table.table import Table, steps
from scoring.sheets.scoresheet import sheet_lines
from tests.builders.rules import TIME_CALLED
from tests.builders.scorer_form import Typed, at, filled, scored, sheet_of, typed_again
from tests.builders.western_histories import NAMES as WESTERN
from tests.builders.western_histories import western_histories

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


KNOCK: Typed = {
    "hands.0.knocker": "asha",
    "hands.0.ending": "knock",
    "hands.0.knocker_deadwood": "4",
    "hands.0.defender_deadwood": "20",
}
DEAD_HAND: Typed = {"hands.0.knocker": "-"}


def pair(hand: int, knocker: str, defender: str, deadwood: int, held: int) -> Typed:
    """One hand of partners as it is typed."""
    typed = {"knocker": knocker, "defender": defender, "knocker_deadwood": deadwood, "defender_deadwood": held}
    return {f"hands.{hand}.{name}": str(value) for name, value in typed.items()}


FIRST, SECOND = pair(0, "asha", "dev", 2, 22), pair(1, "bo", "cy", 5, 15)


def test_a_knock_is_typed_and_shown_again_and_may_turn_out_of_a_dead_hand():
    table = scored(at("gin", seats=2), KNOCK)
    assert table.total("asha") == 16
    assert typed_again(table, table.table.timeline[0].event.sheet) == KNOCK
    dead = scored(at("gin", seats=2), DEAD_HAND)
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
        (2, DEAD_HAND, "bo", "bo"),
        (4, {**FIRST, "hands.1.knocker": "-"}, "asha", "bo"),
        (4, {**DEAD_HAND, "hands.1.knocker": "-"}, "cy", "cy"),
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
    assert due(at("gin", seats=2).table) is due(scored(at("gin", seats=2), DEAD_HAND).table) is Due.DEAL
    assert due(scored(at("gin", seats=2), KNOCK).told(TIME_CALLED).table) is Due.NOTHING
    won = scored(at("gin", seats=2, target=25), {**KNOCK, "hands.0.defender_deadwood": "40"})
    assert due(won.table) is Due.NOTHING


ROYAL_DEAL: Typed = {
    "dealer": "asha",
    "out": "asha",
    "cards_left-bo": "1",
    "cards_left-cy": "3",
    "boxes.AH": "bo",
    "extra_hand": "unsold",
}
DEALT = {"10H": "asha", "JH": "bo", "QH": "cy", "KH": "asha", "AH": "bo"}
LAST: Typed = {f"last_hearts.{heart}": seat for heart, seat in DEALT.items()}
ROYAL = at("rummy_royal")


def test_a_deal_of_rummy_royal_is_typed_and_shown_again_and_a_box_given_to_the_wrong_seat_put_right_on_the_form():
    table = scored(ROYAL, ROYAL_DEAL)
    assert table.chips() == {"asha": 100 - 9 + 3 + 3 + 4, "bo": 100 - 9 + 3 - 1, "cy": 100 - 9 - 3}
    assert typed_again(table, table.table.timeline[0].event.sheet) == ROYAL_DEAL
    wrong = scored(ROYAL, {**ROYAL_DEAL, "boxes.AH": "cy"})
    raw, _ = filled(wrong, {**typed_again(wrong, wrong.table.timeline[0].event.sheet), "boxes.AH": "bo"})
    fixed = wrong.told({"kind": "deal_corrected", "deal": 1, "reason": "misread", **raw})
    assert fixed.chips() == table.chips()


def test_who_plays_king_and_queen_takes_both_together_without_saying_so():
    together = sheet_of(ROYAL, {**ROYAL_DEAL, "boxes.KH": "cy", "boxes.QH": "cy"}).marks()["cy"].text
    apart = sheet_of(ROYAL, {**ROYAL_DEAL, "boxes.KH": "cy", "boxes.QH": "bo"}).marks()["cy"].text
    assert "KQ" in together or "Q♥" in together
    assert len(apart) < len(together)


def test_nobody_going_out_pays_the_kitty_of_rummy_royal():
    left = {"cards_left-asha": "2", "cards_left-bo": "1", "cards_left-cy": "3"}
    typed = {"dealer": "asha", "out": "-", "extra_hand": "unsold", **left}
    table = scored(ROYAL, typed)
    assert table.table.game.chips.boxes["kitty"] == 3 + 6
    assert typed_again(table, table.table.timeline[0].event.sheet) == typed


def test_the_last_deal_needs_only_the_five_hearts_and_may_say_who_dealt_as_the_form_proposes_it():
    table = scored(ROYAL, ROYAL_DEAL)
    ended = scored(table, LAST)
    assert (ended.table.game.chips.on_board, due(ended.table)) == (0, Due.NOTHING)
    sheet = sheet_of(table, {**LAST, "dealer": "bo"})
    assert sheet.is_last
    assert typed_again(ROYAL, sheet) == {**LAST, "dealer": "bo", "out": "-", "extra_hand": "unsold"}


def test_the_deal_of_rummy_royal_passes_to_the_left_and_the_next_one_is_waited_for():
    for table, dealer in ((ROYAL, "asha"), (scored(ROYAL, ROYAL_DEAL), "bo")):
        assert (next_dealer(table.table), due(table.table)) == (dealer, Due.DEAL)


CARDS = ("7H", "QS", "AD", "10C KH", "2C2D2S")
HOUSES: dict[str, dict[str, Any]] = {
    "gin": {"oklahoma": True, "big_gin_bonus": 31},
    "rummy_royal": {"sequence_claim": "shared"},
    "romme": {"no_meld_flat": 100, "scoring": "casino"},
}
A_SHARE = settings(max_examples=max(12, settings().max_examples // 6))


def values(field: SheetField, seats: tuple[str, ...]) -> st.SearchStrategy[Any]:
    """Values that may be typed into one input."""
    match field.kind:
        case "seat":
            return st.sampled_from([*seats, *([NOBODY] if field.nobody else [])])
        case "seats":
            return st.lists(st.sampled_from(seats), unique=True)
        case "flag":
            return st.just(YES)
        case "number":
            return st.integers(0, 150).map(str)
        case "choice":
            return st.sampled_from([choice.value for choice in field.choices])
        case "card":
            return st.sampled_from(["7H", "qs", "A", "10"])
        case "groups":
            return st.lists(st.sampled_from(CARDS), min_size=1, max_size=3)
    return st.sampled_from(CARDS)


@st.composite
def fillings(draw: st.DrawFn, fields: tuple[SheetField, ...], seats: tuple[str, ...]) -> dict[str, Any]:
    """A form filled in at random. The hearts of a last deal are dealt all or not at all."""
    is_last = draw(st.integers(0, 5)) == 0
    typed: dict[str, Any] = {}
    for field in fields:
        is_heart = field.path[0] == "last_hearts"
        for key in keys_of(field, seats):
            wanted = is_last if is_heart else field.is_required or draw(st.booleans())
            if wanted:
                typed[key] = draw(values(field, seats))
    return typed


def table_of(name: str, data: st.DataObject) -> Table:
    """A table of a game, perhaps with options that add a field."""
    seats = 4 if name == "gin" else data.draw(st.integers(2, 4))
    return at(name, seats=seats, **(HOUSES.get(name, {}) if data.draw(st.booleans()) else {})).table


def asked_of(table: Table, game: Any = None) -> tuple[SheetField, ...]:
    return table.rules.entry_form(table.setup, table.game if game is None else game, is_extra=False)


@pytest.mark.parametrize("name", WESTERN)
@A_SHARE
@given(st.data())
def test_a_sheet_that_was_read_from_a_form_comes_back_to_it_and_reads_the_same(name: str, data: st.DataObject):
    table = table_of(name, data)
    fields, seats = asked_of(table), table.setup.seats
    raw, problems = event_from(fields, data.draw(fillings(fields, seats)), seats)
    sheet, _ = table.rules.read_sheet(raw, seats)
    assume(sheet is not None)
    assert sheet is not None
    again, _ = event_from(fields, typed_from(fields, sheet, seats), seats)
    assert problems == ()
    assert table.rules.read_sheet(again, seats) == (sheet, [])


@pytest.mark.slow
@pytest.mark.parametrize("name", WESTERN)
@A_SHARE
@given(st.data())
def test_every_deal_that_was_played_can_be_shown_on_its_form_and_counts_the_same(name: str, data: st.DataObject):
    table = data.draw(western_histories((name,))).table
    for entry, game, _ in steps(table):
        if not isinstance(entry.event, wire.DealEvent):
            continue
        fields, seats = asked_of(table, game), table.setup.seats
        raw, _ = event_from(fields, typed_from(fields, entry.event.sheet, seats), seats)
        sheet, problems = table.rules.read_sheet(raw, seats)
        event = wire.DealRecorded(deal=1, sheet=sheet)
        as_it_was = wire.DealRecorded(deal=1, sheet=entry.event.sheet)
        assert problems == []
        assert table.rules.apply(table.setup, game, event) == table.rules.apply(table.setup, game, as_it_was)


@pytest.mark.parametrize(("typed", "number"), [("0", 0), ("+12", 12), ("-999999", -999_999)])
def test_a_whole_number_is_read_with_either_sign(typed: str, number: int):
    assert whole_number(typed) == number


@pytest.mark.parametrize("typed", ["", "1234567", "1.5", "many", "--1"])
def test_what_is_none_is_refused_in_one_sentence(typed: str):
    assert str(whole_number(typed)) == f"'{typed}' is not a whole number of at most 6 digits"
