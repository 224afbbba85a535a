"""The exact messages of a table of Rummy Royal: refusals, stories, its board, its form, a written sheet."""

from typing import Any

import pytest

from scoring.messages import say
from scoring.rules.variants.western.rummy_royal.game import (
    Chips,
    RoyalSheet,
    after_last_deal,
    after_play,
    before_play,
    board_panel,
    opened,
)
from scoring.rules.variants.western.rummy_royal.options import HEARTS, RoyalOptions
from tests.builders.memo import lines
from tests.builders.rules import CLOSED, Evening, buys_in, goes_home, penalty, rejoins
from tests.builders.rummy_royal import deal, last, royal
from tests.builders.western import played, sheet
from tests.builders.wording import as_read, because, form, opening_refusals, picture, refusals, story, written

ONES = {"bo": 1, "cy": 1}
DIVIDED = dict(zip(HEARTS, ("asha", "asha", "asha", "bo", "bo"), strict=True))


def dealt(**more: Any) -> dict[str, Any]:
    """A deal that asha dealt and won, with further fields."""
    return {"dealer": "asha", "out": "asha", "cards_left": ONES, **more}


def test_a_house_without_credit_needs_chips_for_the_dearest_ante(snapshot):
    answers = (
        (f"{ante} 2, {chips} chips", opening_refusals("rummy_royal", options={**house, "start_chips": chips}))
        for ante in ("ante_each", "ante_dealer")
        for house in [{"cannot_pay": "out", ante: 2}]
        for chips in (17, 18)
    )
    assert picture(answers) == snapshot


BOARDS: list[dict[str, Any]] = [
    *[{"board": cards} for cards in ("10H XX", "", "10H th", "QH-KH", "QH KH", "10H 678")],
    {"board": "AH", "pot_goes_to": "none", "auction_payee": "pot"},
]


def test_a_board_that_cannot_be_laid_out_is_refused(snapshot):
    assert picture((written(house), opening_refusals("rummy_royal", options=house)) for house in BOARDS) == snapshot


SHEETS: list[dict[str, Any]] = [
    {},
    {"dealer": "zoe", "out": "asha"},
    dealt(dealer=None),
    *[dealt(boxes=boxes) for boxes in ([1], {str(number): "bo" for number in range(21)})],
    dealt(boxes=dict.fromkeys((*HEARTS, "KQ", "678", "789", "8910"), "bo")),
    dealt(boxes={"9h": "bo"}),
    dealt(boxes={"x" * 70: "bo"}),
    dealt(boxes={"AH": ["bo", "cy"]}),
    dealt(boxes={"KQ": "bo", "QH": "bo", "KH": "cy"}),
    dealt(boxes={"kq": "bo", "qh": "bo", "kh": "bo", "th": "cy"}),
    dealt(boxes={"KQ": ["zoe"]}),
    dealt(boxes={"KQ": "bo"}),
    dealt(boxes={"KQ": "bo", "QH": "bo"}),
    dealt(boxes={"KQ": "bo", "QH": "cy", "KH": "cy"}),
    dealt(boxes={"pot": "bo"}),
    dealt(boxes={"AH": "zoe"}),
    dealt(boxes={"AH": None}),
    dealt(kitty=3),
    dealt(out=None, cards_left={"asha": 1, "bo": 2}),
    dealt(out=None, cards_left={"asha": 13, "bo": 13, "cy": 13}),
    dealt(extra_hand="dealer", price=2),
    dealt(cards_left={"asha": 2, "bo": 0}),
    dealt(cards_left={"bo": 13, "cy": 13}),
    dealt(cards_left={"bo": 14, "cy": 13}),
    dealt(buyer="bo"),
    dealt(price=3),
    dealt(extra_hand="sold"),
    dealt(extra_hand="sold", buyer="asha", price=1),
    dealt(extra_hand="lent"),
    dealt(antes={"bo": 10}),
    dealt(antes={"bo": 11}),
    {"last_hearts": 7},
    *[{"last_hearts": hearts} for hearts in (DIVIDED | {"AH": None}, {heart: DIVIDED[heart] for heart in HEARTS[:4]})],
    {"last_hearts": DIVIDED | {"9H": "bo"}},
    {"last_hearts": DIVIDED | {"AH": "zoe"}},
    {"last_hearts": DIVIDED, "out": "asha"},
    {"last_hearts": DIVIDED, "dealer": "cy"},
    {"last_hearts": {"AH": "asha"}},
    {"last_hearts": dict.fromkeys(HEARTS, "zoe")},
]


def test_a_sheet_is_refused_with_a_sentence_for_each_fault(snapshot):
    assert picture((written(raw), refusals(royal(), sheet(1, **raw))) for raw in SHEETS) == snapshot


def test_no_more_cards_are_left_than_were_dealt_and_none_of_the_dead_hand(snapshot):
    cases: list[tuple[int, str | None, dict[str, int]]] = [
        (2, "asha", {"bo": 18}),
        (2, "asha", {"bo": 19}),
        (4, None, {"asha": 11, "bo": 11, "cy": 10, "dev": 10}),
        (4, None, {"asha": 11, "bo": 11, "cy": 11, "dev": 10}),
    ]
    answers = (
        (written(left), refusals(royal(seats=seats), sheet(1, dealer="asha", out=out, cards_left=left)))
        for seats, out, left in cases
    )
    assert picture(answers) == snapshot


def test_a_seat_that_has_left_or_is_short_of_chips_is_named_with_each_field(snapshot):
    gone = royal().told(goes_home("cy"))
    one = {"cy": 1}
    raw = {"dealer": "cy", "out": "cy", "boxes": {"AH": "cy"}, "antes": one, "bought": one}
    short = royal(start_chips=9)
    answers = {
        "a deal": refusals(gone, sheet(1, **raw, cards_left={"asha": 1, "bo": 1, "cy": 1})),
        "the last deal": refusals(gone, sheet(1, **last("asha", "asha", "asha", "cy", "cy"))),
        "one alone is left": refusals(gone.told(goes_home("bo")), sheet(1, dealer="asha", out="asha")),
        "one and two chips short": refusals(short, sheet(1, **dealt(cards_left={"bo": 1, "cy": 2}))),
        "bought": refusals(short, sheet(1, **dealt(cards_left=ONES, bought=ONES))),
    }
    assert picture(answers) == snapshot


def test_an_act_that_cannot_be_is_told_why(snapshot):
    """Penalties need chips, chips are bought whole, no seat leaves alone or twice, no full board is closed."""
    cases = [(1, 1, "buy_more"), (1, 4, "buy_more"), (3, 4, "buy_more"), (3, 4, "owe")]
    answers = {
        f"a penalty of {points} with {chips} chips: {short}": refusals(
            royal(start_chips=chips, cannot_pay=short), penalty("cy", points)
        )
        for chips, points, short in cases
    }
    table, gone = royal(value=10), royal().told(goes_home("cy"))
    free = royal(ante_each=0, ante_dealer=0)
    clean = played(free, dealt())
    done = played(royal(value=1), dealt(), last("asha", "asha", "asha", "bo", "bo"))
    acts = (sheet(3, **dealt()), goes_home("asha"), buys_in("asha", 5), penalty("asha", 5), CLOSED)
    answers |= {
        "half a chip": refusals(table, buys_in("cy", 25)),
        "chips without a value": refusals(royal(), buys_in("cy", 20)),
        "chips for who has left": refusals(table.told(goes_home("cy")), buys_in("cy", 20)),
        "leaving once more": refusals(gone, goes_home("cy")),
        "a penalty after leaving": refusals(gone, penalty("cy", 5)),
        "the last one leaves": refusals(gone.told(goes_home("bo")), goes_home("asha")),
        "coming back": refusals(royal(), rejoins("asha")),
        "closed before a deal": refusals(free, CLOSED),
        "closed with a clean board": refusals(clean, CLOSED),
        **{f"closed with {chips} on it": refusals(clean.told(penalty("asha", chips)), CLOSED) for chips in (1, 2)},
        **{f"{raw['kind']} when all is dealt out": refusals(done, raw) for raw in acts},
    }
    assert picture(answers) == snapshot
    assert table.told(buys_in("cy", 20)).chips() == {"asha": 100, "bo": 100, "cy": 102}


def test_the_story_tells_the_boxes_how_the_chips_moved_and_once_who_owes_or_is_out(snapshot):
    boxes = {"KH": "cy", "QH": "cy", "678": "asha"}
    nothing = royal(start_chips=9, cannot_pay="owe").told(penalty("bo", 9))
    owes = nothing.told(penalty("bo", 2))
    short = played(royal(start_chips=17, cannot_pay="out"), dealt(cards_left={"bo": 1, "cy": 2}))
    tables = {
        "a deal": played(royal(), deal("asha", "bo", boxes, asha=1, cy=2)),
        "the last": played(royal(), dealt(), last("asha", "asha", "asha", "bo", "bo")),
        "all 9 chips": nothing,
        "2 more": owes,
        "3 more": owes.told(penalty("bo", 3)),
        "who cannot lay the next ante": short,
        "a penalty after it": short.told(penalty("asha", 1)),
    }
    assert picture((name, story(table)) for name, table in tables.items()) == snapshot
    assert short.table.in_play == ("asha",)


def test_nobody_is_out_where_nobody_who_stayed_could_lay_the_next_ante():
    table = royal(start_chips=17, cannot_pay="out").told(goes_home("cy"))
    table = played(table, {"dealer": "asha", "out": None, "cards_left": {"asha": 1, "bo": 1}})
    assert table.chips() == {"asha": 7, "bo": 7, "cy": 17}
    assert table.table.in_play == ("asha", "bo")


def test_deals_won_are_those_in_which_a_seat_went_out():
    table = royal()
    assert [view.deals_won for view in table.table.seats().values()] == [0, 0, 0]
    table = played(table, dealt(), dealt(), deal("bo", "cy", asha=1, bo=1), deal("cy", None, asha=1, bo=1, cy=1))
    assert [view.deals_won for view in table.table.seats().values()] == [2, 0, 1]
    assert table.table.deals == table.table.game.deals == 4


def board(table: Evening) -> list[str]:
    [panel] = table.table.rules.panels(table.table.setup, table.table.game)
    return [" ".join(map(str, row)) for row in ([panel.title], panel.heading, *panel.rows)]


def test_the_board_shows_each_box_and_where_all_chips_are_until_it_is_dealt_out(snapshot):
    assert picture({"after a deal": board(played(royal(), dealt(boxes={"AH": "bo"})))}) == snapshot
    done = played(royal(), dealt(), last("asha", "asha", "asha", "bo", "bo")).table
    assert done.rules.panels(done.setup, done.game) == ()
    options = RoyalOptions()
    chips = Chips(stacks={"A": 7}, boxes=dict.fromkeys(options.boxes, 0), issued={"A": 10}, house=3)
    assert (say("With the house"), "3") in board_panel(options, chips).rows
    assert say("With the house") not in [title for title, *_ in board_panel(options, opened(options, "A")).rows]


class TestMoney:
    def test_is_what_the_chips_are_worth_and_the_pot(self):
        table = royal(value=10, entry=5, end_remainder="stay_with_house")
        table = played(table, dealt(boxes={"AH": "bo"}), last("asha", "asha", "asha", "bo", "bo"))
        chips = ("300 chips of 10 make 3000", "the house keeps 3 chips that could not be divided")
        pot = ("3 entries of 5 make 15", "fee 0 basis points of 15 is 0")
        assert because(table) == [("chips", chips), ("table", pot)]
        cashed, _ = table.table.payouts()
        assert (cashed.charges, cashed.awards) == (dict.fromkeys(ONES | {"asha": 1}, 1_000), {
            "asha": 1_080, "bo": 990, "cy": 900
        })  # fmt: skip
        assert (cashed.fee, cashed.is_change) == (30, True)

    def test_is_owed_by_who_is_below_nothing_and_not_given_for_nothing(self):
        table = royal(value=10, start_chips=10, cannot_pay="owe")
        table = played(table, dealt(cards_left={"bo": 1, "cy": 3}), last(*["asha"] * 5))
        [cashed] = table.table.payouts()
        assert table.chips() == {"asha": 32, "bo": 0, "cy": -2}
        assert (cashed.charges, cashed.awards) == ({"asha": 100, "bo": 100, "cy": 120}, {"asha": 320})
        assert lines(cashed.because) == ("30 chips of 10 make 300",)

    def test_at_stake_is_all_that_was_bought_or_is_owed(self):
        def at_stake(table: Evening) -> dict[str, int]:
            return table.table.rules.at_stake(table.table.setup, table.table.game)

        table = royal(value=10, entry=7).told(buys_in("bo", 50))
        assert at_stake(table) == {"asha": 1_007, "bo": 1_057, "cy": 1_007}
        owing = played(royal(value=10, start_chips=10, cannot_pay="owe"), dealt(cards_left={"bo": 1, "cy": 3}))
        assert at_stake(owing) == {"asha": 100, "bo": 100, "cy": 120}


class TestSheetThatACorrectionLeftIncomplete:
    """A deal that no longer fits is folded nevertheless, and must neither make nor lose chips."""

    options = RoyalOptions()

    def start(self) -> Chips:
        return opened(self.options, ("A", "B"))

    @pytest.mark.parametrize(
        "fields",
        [
            {"dealer": "A", "extra_hand": "sold", "price": 5},
            {"buyer": "B", "extra_hand": "sold", "price": 5},
            {"dealer": "A", "buyer": "B", "price": 5},
        ],
    )
    def test_moves_no_price_without_a_sale_a_buyer_and_a_dealer(self, fields):
        chips = before_play(self.options, self.start(), RoyalSheet(out="A", **fields), ("A", "B"))
        assert chips.stacks == {"A": 91, "B": 91}

    def test_leaves_what_a_seat_won_that_does_not_play(self):
        laid = before_play(self.options, self.start(), RoyalSheet(dealer="A"), ("A", "B"))
        played_out = RoyalSheet(dealer="C", out="C", boxes={"AH": ("C",), "KH": ("B",)}, cards_left={"A": 2})
        chips = after_play(self.options, laid, played_out, ("A", "B"))
        assert chips.stacks == {"A": 89, "B": 93}
        assert {box: chips.boxes[box] for box in ("AH", "KH", "kitty", "pot")} == {
            "AH": 2, "KH": 0, "kitty": 4, "pot": 2
        }  # fmt: skip

    def test_owes_nothing_for_cards_that_were_not_counted(self):
        laid = before_play(self.options, self.start(), RoyalSheet(dealer="A"), ("A", "B"))
        assert after_play(self.options, laid, RoyalSheet(dealer="B", out="A"), ("A", "B")).stacks == {"A": 93, "B": 91}

    def test_gives_the_house_what_nobody_who_plays_was_dealt(self):
        laid = before_play(self.options, self.start(), RoyalSheet(dealer="A"), ("A", "B"))
        hearts = {"AH": "C", "KH": "A", "QH": "A", "JH": "B"}
        chips = after_last_deal(self.options, laid, RoyalSheet(last_hearts=hearts), ("A", "B"))
        # 18 chips over five hearts: four each for ace, king and queen, three each for jack and ten.
        assert (chips.stacks, chips.house, chips.on_board) == ({"A": 99, "B": 94}, 7, 0)


WRITTEN: list[dict[str, Any]] = [
    {"dealer": "A", "out": "A", "boxes": {"AH": ("B",), "678": ("B", "C")}, "cards_left": {"B": 2, "C": 1}},
    {"dealer": "A", "boxes": {"KH": ("C",), "QH": ("C",)}, "cards_left": {"A": 2, "C": 1}},
    {"out": "B", "boxes": {"10H": ("B",)}},
    {"boxes": {"AH": ("C",)}},
    {"last_hearts": {"10H": "A", "JH": "A", "QH": "A", "KH": "B", "AH": "B"}},
    {"extra_hand": "sold", "buyer": "B", "price": 7, "bought": {"C": 9}},
    {"extra_hand": "dealer"},
    {"extra_hand": "unsold"},
]


def test_a_written_sheet_reads_as_it_was_played(snapshot):
    assert picture((written(fields), as_read(RoyalSheet(**fields))) for fields in WRITTEN) == snapshot


def test_a_scorer_sees_what_lies_in_each_box(snapshot):
    answers = {
        "after a deal": form(played(royal(), dealt(boxes={"AH": "bo"}))),
        "kitty and pot after a deal that was not the dealer's": form(played(royal(), dealt(dealer="bo"))),
        "a box of 8 9 10": form(royal(sequence="8910")),
        "a shared box of 7 8 9": form(royal(sequence="789", sequence_claim="shared")),
    }
    assert picture(answers) == snapshot
