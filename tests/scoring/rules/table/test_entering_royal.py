"""The form of Rummy Royal: boxes with the chips in them, cards left, the extra hand, and the evening's last deal."""

from typing import Any

import pytest

from scoring.rules.table.dealing import Due, due, next_dealer
from scoring.rules.variants.western.rummy_royal.game import Chips
from tests.builders.rules import Evening
from tests.builders.scorer_form import (
    Typed,
    at,
    filled,
    read_out,
    scored,
    sheet_of,
    typed_again,
)

NAMES = {"asha": "Asha", "bo": "Bo", "cy": "Cy"}
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


def royal(**options: Any) -> Evening:
    return at("rummy_royal", **options)


def chips_of_all(table: Evening) -> int:
    """Every chip there is: with the seats, on the board and with the house."""
    chips: Chips = table.table.game.chips
    return sum(chips.stacks.values()) + chips.on_board + chips.house


def test_a_deal_typed_on_the_form_is_scored_and_shown_again_as_it_was_typed():
    table = scored(royal(), PLAIN)
    assert table.chips() == {"asha": 100 - 9 + 3 + 3 + 4, "bo": 100 - 9 + 3 - 1, "cy": 100 - 9 - 3}
    assert typed_again(table, table.table.timeline[0].event.sheet) == PLAIN


def test_who_plays_king_and_queen_takes_both_together_without_saying_so():
    sheet = sheet_of(royal(), {**PLAIN, "boxes.KH": "cy", "boxes.QH": "cy"})
    assert "KQ" in sheet.marks()["cy"].text or "Q♥" in sheet.marks()["cy"].text
    apart = sheet_of(royal(), {**PLAIN, "boxes.KH": "cy", "boxes.QH": "bo"})
    assert len(apart.marks()["cy"].text) < len(sheet.marks()["cy"].text)


def test_the_sequence_box_has_several_winners_where_the_house_shares_it():
    table = scored(royal(sequence_claim="shared"), {**PLAIN, "boxes.678": ["bo", "cy"]})
    assert table.table.game.chips.boxes["678"] == 1


def test_nobody_going_out_pays_the_kitty():
    left = {"cards_left-asha": "2", "cards_left-bo": "1", "cards_left-cy": "3"}
    typed = {"dealer": "asha", "out": "-", "extra_hand": "unsold", **left}
    table = scored(royal(), typed)
    assert table.table.game.chips.boxes["kitty"] == 3 + 6
    assert typed_again(table, table.table.timeline[0].event.sheet) == typed


def test_a_hand_that_the_dealer_took_is_reported():
    sheet = sheet_of(royal(), {**PLAIN, "extra_hand": "dealer"})
    assert read_out(sheet, NAMES).endswith("the dealer took the extra hand")


def test_a_sold_hand_is_reported_with_buyer_and_price():
    typed = {**PLAIN, "extra_hand": "sold", "buyer": "cy", "price": "4"}
    sheet = sheet_of(royal(), typed)
    assert read_out(sheet, NAMES).endswith("Cy bought the extra hand for 4")
    assert typed_again(royal(), sheet) == typed


@pytest.mark.parametrize("kept", [{"bought-bo": "20"}, {"antes-cy": "0"}, {"extra_hand": "dealer"}])
def test_what_moved_besides_comes_back_to_the_form(kept):
    assert typed_again(royal(), sheet_of(royal(), {**PLAIN, **kept})) == {**PLAIN, **kept}


def test_no_deal_makes_or_loses_a_chip():
    table = scored(royal(), PLAIN, {**PLAIN, "bought-bo": "20", "extra_hand": "sold", "buyer": "cy", "price": "4"})
    assert chips_of_all(table) == 320
    assert chips_of_all(scored(table, LAST)) == 320


def test_the_last_deal_needs_only_who_was_dealt_the_five_hearts():
    table = scored(royal(), PLAIN, LAST)
    assert table.table.game.chips.on_board == 0
    assert due(table.table) is Due.NOTHING
    assert read_out(table.table.timeline[-1].event.sheet, NAMES).endswith("the last deal")


def test_the_last_deal_may_say_who_dealt_as_the_form_proposes_it():
    sheet = sheet_of(scored(royal(), PLAIN), {**LAST, "dealer": "bo"})
    assert sheet.is_last
    assert typed_again(royal(), sheet) == {**LAST, "dealer": "bo", "out": "-", "extra_hand": "unsold"}


def test_a_heart_that_was_dealt_to_nobody_is_reported():
    raw, _ = filled(royal(), {key: seat for key, seat in LAST.items() if not key.endswith("AH")})
    assert [code for code, _ in scored(royal(), PLAIN).refuses({"kind": "deal_recorded", "deal": 2, **raw})] == [
        "missing_field"
    ]


def test_the_deal_passes_to_the_left():
    assert next_dealer(royal().table) == "asha"
    assert next_dealer(scored(royal(), PLAIN).table) == "bo"


def test_a_table_of_rummy_royal_waits_for_deals_until_the_board_is_dealt_out():
    assert due(royal().table) is Due.DEAL
    assert due(scored(royal(), PLAIN).table) is Due.DEAL


def test_a_box_that_was_given_to_the_wrong_seat_is_put_right_on_the_form():
    table = scored(royal(), {**PLAIN, "boxes.AH": "cy"})
    raw, _ = filled(table, {**typed_again(table, table.table.timeline[0].event.sheet), "boxes.AH": "bo"})
    fixed = table.told({"kind": "deal_corrected", "deal": 1, "reason": "misread", **raw})
    assert fixed.chips() == scored(royal(), PLAIN).chips()
