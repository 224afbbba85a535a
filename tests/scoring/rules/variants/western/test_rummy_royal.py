"""Rummy Royal: antes, the extra hand, boxes, kitty and pot, the last deal; chips are never made nor lost."""

import dataclasses
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.problems import OptionsRejected
from scoring.rules.table.previews import preview
from scoring.rules.table.table import steps
from scoring.rules.variants import PRESETS
from scoring.rules.variants.western.rummy_royal.game import Chips
from scoring.rules.variants.western.rummy_royal.options import hand_sizes
from tests.builders.rules import CAST, CLOSED, TIME_CALLED, Evening, buys_in, goes_home, penalty, sit, voided
from tests.builders.rummy_royal import deal, last, royal
from tests.builders.western import (
    amounts,
    cases,
    codes,
    examples,
    fixed,
    house,
    played,
    sheet,
    told_twice,
    words,
)

BOARDS: tuple[Any, ...] = (
    {},
    {"pot_goes_to": "poker", "sequence": "8910", "corner_aces": True},
    {"board": "10H QH AH JS KC QH-KH", "sequence": "789"},
    {"board": "AH KC QD JS", "sequence": "none", "pot_goes_to": "none", "has_kitty": False},
    {"board": "PJ AH AH QH KH 10D-2S", "sequence": "any", "pot_goes_to": "poker"},
)


def _last_step(table: Evening) -> tuple[Any, Any, Any, Any]:
    entry, before, after = list(steps(table.table))[-1]
    return table.table.setup, before, entry.event, after


def with_board(table: Evening, boxes: dict[str, int]) -> Evening:
    """The same table with this many chips in each box."""
    chips = table.table.game.chips
    game = msgspec.structs.replace(table.table.game, chips=msgspec.structs.replace(chips, boxes=boxes))
    return dataclasses.replace(table, table=dataclasses.replace(table.table, game=game))


def board(table: Evening) -> dict[str, int]:
    boxes: dict[str, int] = table.table.game.chips.boxes
    return boxes


def all_chips(table: Evening) -> int:
    chips: Chips = table.table.game.chips
    return sum(chips.stacks.values()) + chips.on_board + chips.house


@cases("rummy_royal", "deal")
def test_a_published_deal(case):
    given, wanted = case["input"], case["expected"]
    start = sit("rummy_royal", tuple(given["players"]), {}, {"ante_each": 0, "ante_dealer": 0})
    start = with_board(start, given["compartments_before"])
    before = start.chips()
    boxes = {box: play["player"] for play in given["plays"] for box in play["takes"]}
    raw = {"dealer": given["dealer"], "out": given["out"], "boxes": boxes, "cards_left": given["cards_left"]}
    ended = start.told(sheet(1, **raw))
    assert {seat: chips - before[seat] for seat, chips in ended.chips().items()} == wanted["chip_change"]
    assert board(ended) == wanted["compartments_after"]
    assert all_chips(ended) == all_chips(start)


def test_a_published_deal_told_once_with_a_wrong_number_and_corrected():
    given = deal("A", "A", {"AH": "B", "678": "B"}, B=2)
    for table in told_twice(sit("rummy_royal", ("A", "B"), {}, {"start_chips": 20}), [given]):
        assert table.chips() == {"A": 20 - 9 + 4 + 2, "B": 20 - 9 + 4 - 2}


@cases("rummy_royal", "ante")
def test_a_published_ante(case):
    wanted, options = case["expected"], case["options"]
    seats = CAST[: case["input"]["players"]]
    table = sit("rummy_royal", seats, {}, {name: options[name] for name in ("ante_each", "ante_dealer", "sequence")})
    left: dict[str, Any] = dict.fromkeys(seats, 1)
    ended = played(table, deal(seats[0], None, **left))
    assert sum(board(ended).values()) == wanted["total"] + len(seats)
    assert board(ended)["AH"] == wanted["per_compartment"]
    assert 100 - ended.chips()[seats[1]] == wanted["per_player"] + 1
    assert 100 - ended.chips()[seats[0]] == wanted.get("dealer", wanted["per_player"]) + 1
    assert list(board(ended)) == options["compartments"]


@cases("rummy_royal", "hands_dealt")
def test_published_hands(case):
    sizes = hand_sizes(case["input"]["players"])
    assert (len(sizes), sum(sizes), list(sizes)) == (
        case["expected"]["hands"],
        case["expected"]["cards"],
        case["expected"]["sizes"],
    )


@examples("rummy_royal_deals")
def test_a_deal_moves_the_chips_as_the_page_says(row):
    seats = tuple(amounts(row["changes"]))
    table = sit("rummy_royal", seats, {}, house(row["house"]))
    boxes = {box: seat.split("+") for box, seat in words(row["boxes"]).items()}
    raw = {"dealer": "A", "out": row["out"] or None, "boxes": boxes, "cards_left": amounts(row["left"])}
    if row["sold"]:
        buyer, price = row["sold"].split()
        raw |= {"extra_hand": "sold", "buyer": buyer, "price": int(price)}
    ended = table.told(sheet(1, **raw))
    assert {seat: chips - 100 for seat, chips in ended.chips().items()} == amounts(row["changes"])
    assert ended.table.game.chips.on_board == int(row["board"])


def test_boxes_belong_to_who_plays_their_cards_and_stay_when_these_were_not_played():
    table = played(royal(), deal("asha", "bo", {"QH": "cy", "KH": "cy"}, asha=1, cy=1))
    assert (board(table)["KQ"], table.chips()["cy"]) == (0, 100 - 9 + 9 - 1)
    apart = played(royal(), deal("asha", "bo", {"QH": "cy", "KH": "bo"}, asha=1, cy=1))
    assert board(apart)["KQ"] == 3
    table = played(royal(), deal("asha", "bo", {}, asha=1, cy=1), deal("bo", "cy", {"AH": "asha"}, asha=1, bo=1))
    assert board(table) == dict.fromkeys(("10H", "JH", "QH", "KH", "KQ", "678", "pot"), 6) | {"AH": 0, "kitty": 0}


def test_boxes_that_are_unknown_are_named_with_the_boxes_of_this_board():
    """Planted fault: the boxes of Rummy Royal listed on a board of Michigan."""
    kitty_and_pot = "kitty and pot follow from who went out"
    for box, said in (
        ("10H", "'10H' is none of AH, KC, QD, JS; kitty and pot"),
        ("rose", f"'rose' is not a box: enter a card such as 10H; {kitty_and_pot}"),
    ):
        raw = sheet(1, **deal("asha", "bo", {box: "cy"}, asha=1, cy=1))
        (problem,) = on("michigan_board").considered(raw)[1]
        assert problem.text().startswith(said)


def test_the_extra_hand_is_paid_to_the_dealer_or_into_a_box_and_a_penalty_into_the_kitty():
    raw = {**deal("asha", "asha", bo=1, cy=1), "extra_hand": "sold", "buyer": "bo", "price": 4}
    sold = played(royal(), raw).chips()
    assert (sold["asha"], sold["bo"]) == (100 - 9 + 4 + 3 + 3 + 2, 100 - 9 - 4 - 1)
    assert played(royal(auction_payee="kitty"), raw).chips()["asha"] == 100 - 9 + 4 + 3 + 3 + 2
    pot = played(royal(auction_payee="pot"), {**raw, "out": "cy", "cards_left": {"asha": 1, "bo": 1}})
    assert board(pot)["pot"] == 3 + 4
    table = royal().told(penalty("bo", 7))
    assert (table.chips()["bo"], board(table)["kitty"]) == (93, 7)


def test_money_is_what_chips_were_bought_and_cashed_for_beside_the_pot():
    table = played(royal(seats=2, value=5, entry=100, fee_bp=1000), deal("asha", "asha", {"AH": "bo"}, bo=3))
    ended = played(table, last("asha", "asha", "asha", "bo", "bo"))
    net = {seat: ended.seat(seat).net_points or 0 for seat in CAST[:2]}
    assert sum(net.values()) == 0
    assert ended.paid() == {"asha": 5 * net["asha"] + 180, "bo": 5 * net["bo"]}
    payouts = [(payout.slot, payout.is_balanced) for payout in ended.table.payouts()]
    assert payouts == [("chips", True), ("table", True)]
    # Seats rank by what they won and not by what they bought.
    bought = played(royal(), {**deal("asha", "asha", bo=3, cy=1), "bought": {"bo": 500}})
    assert (bought.chips()["bo"], bought.places()) == (588, {"asha": 1, "cy": 2, "bo": 3})


def test_a_deal_out_of_turn_is_named_before_it_is_saved():
    """Planted faults: the first deal named, which anyone may deal; the same dealer twice not named."""
    table = royal()
    assert dealer_notes(table, "cy") == []
    table = played(table, deal("asha", "bo", asha=1, cy=1))
    assert dealer_notes(table, "bo") == []
    assert dealer_notes(table, "asha") == ["asha deals, but it is the turn of bo"]
    assert dealer_notes(table, "cy") == ["cy deals, but it is the turn of bo"]


def dealer_notes(table: Evening, dealer: str) -> list[str]:
    raw = sheet(table.table.next_deal, **deal(dealer, "bo", asha=1, cy=1))
    return [str(note.text) for note in preview(table.table, raw).notes if "deals, but" in str(note.text)]


class TestShortOfChips:
    def test_a_seat_buys_more_as_an_event(self):
        table = royal(start_chips=9)
        short = deal("asha", "asha", bo=4, cy=1)
        assert codes(table, sheet(1, **short)) == [("short_stack", "bo", "bought"), ("short_stack", "cy", "bought")]
        bought = played(table, {**short, "bought": {"bo": 5, "cy": 1}})
        assert (bought.chips()["bo"], bought.seat("bo").net_points) == (1, -13)

    def test_a_seat_may_owe(self):
        table = played(royal(start_chips=9, cannot_pay="owe", value=10), deal("asha", "asha", bo=4, cy=1))
        assert table.chips() == {"asha": 11, "bo": -4, "cy": -1}
        ended = played(table, last("asha", "asha", "asha", "asha", "bo"))
        assert sum(ended.paid().values()) == 0
        assert ended.paid()["cy"] == -100

    def test_a_seat_pays_what_it_has_and_is_out_until_it_buys_chips(self):
        table = played(royal(start_chips=11, cannot_pay="out", value=5), deal("asha", "asha", bo=4, cy=1))
        assert table.chips() == {"asha": 11 - 9 + 6 + 3, "bo": 0, "cy": 1}
        assert (table.is_out("bo"), table.table.in_play) == (True, ("asha",))
        assert "too_few_seats" in [code for code, *_ in codes(table, sheet(2, **deal("asha", None, asha=1)))]
        assert table.told(buys_in("bo", 45)).table.in_play == ("asha", "bo")
        # A seat that was out before has no part in the board.
        first = deal("asha", "asha", bo=1, cy=10)
        table = played(royal(start_chips=19, cannot_pay="out"), first, deal("asha", None, asha=18, bo=5))
        assert (table.is_out("cy"), table.table.in_play) == (True, ("asha", "bo"))

    def test_a_deal_that_leaves_nobody_with_an_ante_puts_nobody_out_and_the_board_is_divided(self):
        table = played(royal(start_chips=10, cannot_pay="out"), deal("asha", None, asha=5, bo=4, cy=3))
        assert table.table.in_play == ("asha", "bo", "cy")
        ended = played(table, last("asha", "asha", "bo", "cy", "cy"))
        assert ended.chips() == {"asha": 12, "bo": 6, "cy": 12}


def on(preset: str, **options: Any) -> Evening:
    """A table at a published board."""
    return royal(**PRESETS[preset][1].options, **options)


class TestBoards:
    def test_tripoley_gives_the_pot_to_the_best_poker_hand(self):
        """Planted faults: the dealer who goes out takes the pot as well; bets left with their seats."""
        table = played(
            on("tripoley_board"), deal("asha", "asha", bo=2, cy=1) | {"poker": ["bo"], "bets": {"bo": 2, "cy": 2}}
        )
        assert board(table) == dict.fromkeys(("10H", "JH", "QH", "KH", "AH", "KQ", "8910"), 3) | {"kitty": 0, "pot": 0}
        assert table.chips() == {"asha": 100 - 9 + 3 + 3, "bo": 100 - 9 - 2 + 7 - 2, "cy": 100 - 9 - 2 - 1}
        notes = [str(note.text) for note in table.table.rules.story(*_last_step(table))]
        assert "bo takes Pot" in notes

    def test_equal_poker_hands_share_the_pot_which_the_dealer_takes_where_poker_is_not_played(self):
        table = played(on("tripoley_board"), deal("asha", "bo", asha=1, cy=1) | {"poker": ["asha", "cy"]})
        assert (board(table)["pot"], table.chips()["cy"]) == (1, 100 - 9 - 1 + 1)
        raw = deal("asha", "bo", asha=1, cy=1)
        assert codes(royal(), sheet(1, **raw, poker=["bo"])) == [("count_not_expected", None, "poker")]
        assert codes(on("tripoley_board"), sheet(1, **raw, bets={"bo": 1})) == [("missing_field", None, "poker")]

    def test_corner_aces_have_boxes_of_their_own_and_a_card_may_have_two_which_are_won_together(self):
        """Planted fault: one ante for both boxes of a card."""
        table = played(royal(corner_aces=True), deal("asha", "bo", {"AS": "bo", "AH": "cy"}, asha=1, cy=1))
        assert [box for box in board(table) if box.startswith("A")] == ["AH", "AS", "AD", "AC"]
        assert (board(table)["AS"], board(table)["AD"], table.chips()["bo"]) == (0, 3, 100 - 12 + 3 + 3 + 2)
        table = played(royal(board="AH AH 10H", sequence="none"), deal("asha", "bo", {"AH": "cy"}, asha=1, cy=1))
        assert board(table) == {"AH": 0, "10H": 3, "kitty": 0, "pot": 3}
        assert table.chips() == {"asha": 100 - 5 - 1, "bo": 100 - 5 + 3 + 2, "cy": 100 - 5 + 6 - 1}
        with pytest.raises(OptionsRejected, match="each once or twice"):
            royal(board="AH AH AH 10H")

    def test_michigan_rummy_has_other_cards_and_asks_for_king_and_queen_together(self):
        """Planted fault: king and queen of hearts together assumed from the queen alone."""
        table = played(on("michigan_rummy_board"), deal("cy", "bo", {"QH": "bo", "KQ": "bo", "JS": "cy"}, asha=1, cy=1))
        assert list(board(table)) == ["10H", "QH", "AH", "JS", "KC", "KQ", "789", "kitty", "pot"]
        assert board(table) == dict.fromkeys(("10H", "AH", "KC", "789", "pot"), 4) | dict.fromkeys(
            ("QH", "JS", "KQ", "kitty"), 0
        )
        apart = sheet(1, **deal("cy", "bo", {"QH": "asha", "KQ": "bo"}, asha=1, cy=1))
        assert [code for code, *_ in codes(on("michigan_rummy_board"), apart)] == ["king_and_queen_apart"]
        strange = sheet(1, **deal("cy", "bo", {"KH": "bo"}, asha=1, cy=1))
        assert [code for code, *_ in codes(on("michigan_rummy_board"), strange)] == ["unknown_box"]

    def test_michigan_has_four_cards_and_no_kitty(self):
        """Planted fault: cards left of a blocked deal paid into a kitty that does not exist."""
        table = played(on("michigan_board"), deal("asha", "bo", {"JS": "cy"}, asha=2, cy=1))
        assert board(table) == {"AH": 4, "KC": 4, "QD": 4, "JS": 0}
        assert table.chips() == {"asha": 100 - 8 - 2, "bo": 100 - 4 + 3, "cy": 100 - 4 + 4 - 1}
        blocked = played(table, deal("bo", None, asha=2, bo=1, cy=1))
        assert board(blocked)["AH"] == 8 + 4
        assert codes(blocked, sheet(3, last_hearts={"AH": "bo", "KC": "bo", "QD": "bo"})) == [
            ("missing_field", None, "last_hearts")
        ]
        ended = played(
            blocked, {"last_hearts": dict(zip(("JS", "QD", "KC", "AH"), CAST[:4], strict=False)) | {"AH": "bo"}}
        )
        assert ended.table.game.chips.on_board == 0
        assert ended.table.is_finished

    def test_cards_together_are_won_with_their_own_boxes(self):
        """Planted fault: two cards of one seat without their common box accepted."""
        table = royal(board="JS QS AH QS-JS", sequence="none")
        assert list(board(table)) == ["JS", "QS", "AH", "JS-QS", "kitty", "pot"]
        both = {"JS": "bo", "QS": "bo"}
        assert codes(table, sheet(1, **deal("asha", "bo", both, asha=1, cy=1))) == [("missing_field", "bo", "boxes")]
        assert codes(table, sheet(1, **deal("asha", "bo", both | {"QS-JS": "bo"}, asha=1, cy=1))) == []
        apart = both | {"QS": "cy", "JS-QS": "bo"}
        assert [code for code, *_ in codes(table, sheet(1, **deal("asha", "bo", apart, asha=1, cy=1)))] == [
            "king_and_queen_apart"
        ]

    def test_queen_and_king_need_no_box_together(self):
        """Planted faults: such a board refused; a sheet, or its story, that names a box which is not there."""
        table = played(
            royal(board="QH KH AH", sequence="none"), deal("asha", "bo", {"QH": "cy", "KH": "cy"}, asha=1, cy=1)
        )
        assert board(table) == {"QH": 0, "KH": 0, "AH": 3, "kitty": 0, "pot": 3}
        assert table.chips()["cy"] == 100 - 5 + 3 + 3 - 1
        notes = [str(note.text) for note in table.table.rules.story(*_last_step(table))]
        assert notes[:2] == ["cy takes Q♥", "cy takes K♥"]
        assert not any("K\u2011Q" in note for note in notes)
        assert "K\u2011Q" not in str(_last_step(table)[2].sheet.marks()["cy"].title)

    def test_bonanza_has_a_joker_and_a_box_for_any_sequence(self):
        """Planted fault: the joker not in the pack that is dealt."""
        table = on("bonanza")
        assert list(board(table)) == ["PJ", "AS", "KH", "QD", "JC", "JD-QS", "2S-10D", "any", "kitty", "pot"]
        boxes = {"pj": "cy", "JD-QS": "cy", "any": "bo"}
        after = played(table, deal("asha", "bo", boxes, asha=1, cy=1) | {"poker": ["asha"]})
        assert {box: chips for box, chips in board(after).items() if not chips} == dict.fromkeys(
            ("PJ", "JD-QS", "any", "kitty", "pot"), 0
        )
        assert codes(table, sheet(1, **deal("asha", "bo", asha=14, cy=14))) == []
        assert [code for code, *_ in codes(table, sheet(1, **deal("asha", "bo", asha=15, cy=14)))] == ["count_over_cap"]
        with pytest.raises(OptionsRejected, match="is not a card"):
            royal(board="PJ-AH 10H")

    def test_the_board_of_before_is_stored_without_a_word(self):
        """Planted fault: the usual board written into every table, so that stored ones differ from their logs."""
        said = royal(
            board="10H JH QH KH AH QH-KH", corner_aces=False, pot_goes_to="dealer", has_kitty=True, max_buy_ins=None
        )
        assert said.table.setup.options == royal().table.setup.options
        assert not {"board", "corner_aces", "max_buy_ins"} & msgspec.to_builtins(said.table.setup.options).keys()


def test_chips_are_bought_no_more_often_than_the_house_says():
    """Planted fault: chips bought on a sheet not counted."""
    table = played(royal(value=1, max_buy_ins=2), deal("asha", "bo", asha=1, cy=1) | {"bought": {"asha": 5}})
    again = table.told(buys_in("asha", 5))
    assert codes(again, buys_in("asha", 5)) == [("too_many_buy_ins", "asha", "seat")]
    raw = sheet(2, **deal("bo", "bo", asha=1, cy=1), bought={"asha": 5})
    assert codes(again, raw) == [("too_many_buy_ins", "asha", "bought")]


class TestTheLastDeal:
    def state(self, **options: Any) -> Evening:
        return played(royal(seats=4, ante_each=1, **options), deal("asha", "bo", {"AH": "cy"}, asha=2, cy=1, dev=3))

    def test_divides_the_board_over_five_hearts_odd_chips_from_the_ace_down(self):
        table = self.state()
        assert table.table.game.chips.on_board == 28
        ended = played(table, last("asha", "asha", "asha", "bo", "cy"))
        changes = {seat: ended.chips()[seat] - table.chips()[seat] for seat in CAST[:4]}
        assert changes == {"asha": 5 + 5 + 6, "bo": 6, "cy": 6, "dev": 0}
        assert ended.table.is_finished
        assert [code for code, *_ in codes(ended, sheet(3, **deal("cy", "bo", asha=1)))] == ["table_finished"]

    @pytest.mark.parametrize("remainder", ["stay_with_house", "next_session"])
    def test_leaves_odd_chips_with_the_house(self, remainder):
        ended = played(self.state(end_remainder=remainder, value=10), last("asha", "asha", "asha", "bo", "cy"))
        assert (ended.table.game.chips.house, ended.fee()) == (3, 30)
        assert sum(ended.paid().values()) == -30

    def test_must_be_played_before_the_table_closes(self):
        table = self.state()
        assert [code for code, *_ in codes(table, CLOSED)] == ["not_finished"]
        assert [code for code, *_ in codes(table, TIME_CALLED)] == ["not_finished"]
        assert [code for code, *_ in codes(royal(), CLOSED)] == ["nothing_played"]
        ended = played(table, last("asha", "asha", "asha", "bo", "cy"))
        assert ended.told(CLOSED).table.dues() == ()
        assert ended.told(voided(2)).table.game == table.table.game
        # Over an empty board it is not needed.
        empty = played(royal(ante_each=0, ante_dealer=0, value=1), deal("asha", "bo", asha=2, cy=1)).told(CLOSED)
        assert empty.paid() == {"asha": -2, "bo": 3, "cy": -1}

    @pytest.mark.parametrize(
        ("remainder", "parts"), [("descending_from_ace", (10, 9, 9)), ("stay_with_house", (9, 9, 9))]
    )
    def test_is_not_played_where_closing_divides_the_board_equally(self, remainder, parts):
        """Planted faults: odd chips lost; a seat that has left gets a part."""
        table = self.state(board_ends="equally", end_remainder=remainder, value=10).told(goes_home("dev"))
        refused = codes(table, sheet(2, **last("asha", "asha", "asha", "bo", "cy")))
        assert refused == [("not_in_this_variant", None, "last_hearts")]
        ended = table.told(CLOSED)
        assert tuple(ended.chips()[seat] - table.chips()[seat] for seat in CAST[:3]) == parts
        assert ended.chips()["dev"] == table.chips()["dev"]
        assert all_chips(ended) == all_chips(table)
        assert (ended.table.game.chips.on_board, ended.table.game.chips.house) == (0, 28 - sum(parts))
        assert sum(ended.paid().values()) == -10 * (28 - sum(parts))
        fields = {
            field.name for field in ended.table.rules.entry_form(ended.table.setup, table.table.game, is_extra=False)
        }
        assert not any(name.startswith("last_hearts") for name in fields)


def test_a_player_who_leaves_takes_the_chips_along():
    table = played(royal(), deal("asha", "asha", bo=3, cy=1)).told(goes_home("asha"))
    assert table.table.in_play == ("bo", "cy")
    after = played(table, deal("bo", "cy", bo=2))
    assert (after.chips()["asha"], after.seat("asha").is_in) == (table.chips()["asha"], False)
    assert codes(after.told(goes_home("bo")), goes_home("cy")) == [("last_seat", "cy", "seat")]
    assert codes(after, penalty("asha", 1)) == [("seat_is_out", "asha", "seat")]


def test_a_correction_moves_every_chip_that_followed():
    table = royal()
    right = [deal("asha", "bo", {"AH": "cy"}, asha=2, cy=4), deal("bo", None, asha=1, bo=1, cy=1)]
    wrong = played(table, deal("asha", "asha", {"AH": "bo"}, bo=2, cy=4), right[1])
    assert wrong.told(fixed(1, **right[0])).table.game == played(table, *right).table.game


@st.composite
def evenings(draw: st.DrawFn) -> Evening:
    """An evening of deals that could have been played, with as many chips bought as they need."""
    seats = draw(st.integers(2, 6))
    board = draw(st.sampled_from(BOARDS))
    table = royal(
        **board,
        seats=seats,
        value=3,
        start_chips=draw(st.sampled_from([0, 12, 60])),
        ante_each=draw(st.integers(0, 2)),
        ante_dealer=draw(st.integers(0, 3)),
        cannot_pay=draw(st.sampled_from(["buy_more", "owe"])),
        auction_payee="dealer" if "has_kitty" in board else draw(st.sampled_from(["dealer", "kitty", "pot"])),
        sequence_claim=draw(st.sampled_from(["first_to_play", "shared"])),
        end_remainder=draw(st.sampled_from(["descending_from_ace", "stay_with_house", "next_session"])),
        board_ends=draw(st.sampled_from(["last_deal", "equally"])),
    )
    for _ in range(draw(st.integers(1, 5))):
        raw = _drawn_deal(draw, table)
        short = {problem.seat: 60 for problem in table.considered(sheet(table.table.next_deal, **raw))[1]}
        table = played(table, {**raw, "bought": short})
    return table


def _drawn_deal(draw: st.DrawFn, table: Evening) -> dict[str, Any]:
    playing = table.table.in_play
    somebody = st.sampled_from(playing)
    out = draw(st.none() | somebody)
    options = table.table.setup.options
    boxes: dict[str, Any] = draw(st.dictionaries(st.sampled_from([*options.cards, options.sequence]), somebody))
    boxes.pop("none", None)
    if options.sequence_claim == "shared" and options.sequence in boxes:
        boxes[options.sequence] = list(playing)
    left = {seat: draw(st.integers(1, 5)) for seat in playing if seat != out}
    raw = deal(draw(somebody), out, boxes, **left)
    if raw["dealer"] != playing[0] and draw(st.booleans()):
        raw |= {"extra_hand": "sold", "buyer": playing[0], "price": draw(st.integers(1, 9))}
    if options.plays_poker:
        raw |= {
            "poker": draw(st.lists(somebody, min_size=1, unique=True)),
            "bets": {playing[0]: draw(st.integers(0, 4))},
        }
    return raw


@pytest.mark.slow
@given(evenings(), st.lists(st.integers(0, 5), min_size=5, max_size=5))
def test_chips_are_never_made_nor_lost(table, hearts):
    playing = table.table.in_play
    cards = table.table.setup.options.cards
    divided = {card: playing[place % len(playing)] for card, place in zip(cards, hearts, strict=False)}
    is_equal = table.table.setup.options.divides_equally
    ended = table.told(CLOSED) if is_equal else played(table, {"last_hearts": divided})
    for _, _, after in steps(ended.table):
        chips = after.chips
        assert sum(chips.stacks.values()) + chips.on_board + chips.house == sum(chips.issued.values())
        assert min(chips.boxes.values()) >= 0
    assert ended.table.game.chips.on_board == 0
    assert all(payout.is_balanced for payout in ended.table.payouts())
    assert sum(ended.paid().values()) == -ended.fee()
    if table.table.setup.options.cannot_pay == "buy_more":
        assert min(ended.chips().values()) >= 0


@given(st.integers(0, 200), st.integers(0, 4))
def test_the_last_deal_hands_out_the_whole_board_for_every_remainder(each, remainder):
    start = royal(seats=5, ante_each=0, ante_dealer=0)
    boxes = dict.fromkeys(board(start), 0) | {"pot": 5 * each + remainder}
    ended = with_board(start, boxes).told(sheet(1, **last(*CAST[:5])))
    parts = [ended.chips()[seat] - 100 for seat in CAST[:5]]
    assert sum(parts) == 5 * each + remainder
    assert parts[::-1] == [each + (1 if place < remainder else 0) for place in range(5)]
