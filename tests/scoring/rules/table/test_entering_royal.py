"""The form of Rummy Royal: boxes with the chips in them, cards left, the extra hand, and the evening's last deal."""

from scoring.rules.table.dealing import Due, due, next_dealer
from tests.builders.scorer_form import Typed, at, filled, scored, sheet_of, typed_again

PLAIN: Typed = {
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


def test_a_deal_is_typed_and_shown_again_and_a_box_given_to_the_wrong_seat_put_right_on_the_form():
    table = scored(ROYAL, PLAIN)
    assert table.chips() == {"asha": 100 - 9 + 3 + 3 + 4, "bo": 100 - 9 + 3 - 1, "cy": 100 - 9 - 3}
    assert typed_again(table, table.table.timeline[0].event.sheet) == PLAIN
    wrong = scored(ROYAL, {**PLAIN, "boxes.AH": "cy"})
    raw, _ = filled(wrong, {**typed_again(wrong, wrong.table.timeline[0].event.sheet), "boxes.AH": "bo"})
    fixed = wrong.told({"kind": "deal_corrected", "deal": 1, "reason": "misread", **raw})
    assert fixed.chips() == table.chips()


def test_who_plays_king_and_queen_takes_both_together_without_saying_so():
    together = sheet_of(ROYAL, {**PLAIN, "boxes.KH": "cy", "boxes.QH": "cy"}).marks()["cy"].text
    apart = sheet_of(ROYAL, {**PLAIN, "boxes.KH": "cy", "boxes.QH": "bo"}).marks()["cy"].text
    assert "KQ" in together or "Q♥" in together
    assert len(apart) < len(together)


def test_nobody_going_out_pays_the_kitty():
    left = {"cards_left-asha": "2", "cards_left-bo": "1", "cards_left-cy": "3"}
    typed = {"dealer": "asha", "out": "-", "extra_hand": "unsold", **left}
    table = scored(ROYAL, typed)
    assert table.table.game.chips.boxes["kitty"] == 3 + 6
    assert typed_again(table, table.table.timeline[0].event.sheet) == typed


def test_the_last_deal_needs_only_the_five_hearts_and_may_say_who_dealt_as_the_form_proposes_it():
    table = scored(ROYAL, PLAIN)
    ended = scored(table, LAST)
    assert (ended.table.game.chips.on_board, due(ended.table)) == (0, Due.NOTHING)
    sheet = sheet_of(table, {**LAST, "dealer": "bo"})
    assert sheet.is_last
    assert typed_again(ROYAL, sheet) == {**LAST, "dealer": "bo", "out": "-", "extra_hand": "unsold"}


def test_the_deal_passes_to_the_left_and_the_next_one_is_waited_for():
    for table, dealer in ((ROYAL, "asha"), (scored(ROYAL, PLAIN), "bo")):
        assert (next_dealer(table.table), due(table.table)) == (dealer, Due.DEAL)
