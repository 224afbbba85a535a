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
from tests.builders.wording import because, form, marks, opening_refusals, refusals, story

SEATS = "at this table; the seats are asha, bo, cy"
ONES = {"bo": 1, "cy": 1}
FOLLOW = "kitty and pot follow from who went out and who dealt"
KNOWN = "10H, JH, QH, KH, AH, KQ, 678, 789, 8910"
NOT_SAID = "the cards go round until all five are out"
UNSOLD = "the extra hand was not sold, so it has no buyer and no price"
DIVIDED = dict(zip(HEARTS, ("asha", "asha", "asha", "bo", "bo"), strict=True))


def dealt(**more: Any) -> dict[str, Any]:
    """A deal that asha dealt and won, with further fields."""
    return {"dealer": "asha", "out": "asha", "cards_left": ONES, **more}


@pytest.mark.parametrize("dearer", ["ante_each", "ante_dealer"])
def test_a_house_without_credit_needs_chips_for_the_dearest_ante(dearer):
    house = {"cannot_pay": "out", dearer: 2}
    assert opening_refusals("rummy_royal", options={**house, "start_chips": 17}) == [
        "out_of_range - start_chips: a seat needs 18 chips for the first ante, and is out when it cannot pay"
    ]
    assert opening_refusals("rummy_royal", options={**house, "start_chips": 18}) == []


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        (
            {},
            [
                "missing_field - dealer: a deal of this game needs the field 'dealer'",
                "missing_field - out: a deal of this game needs the field 'out'",
            ],
        ),
        ({"dealer": "zoe", "out": "asha"}, [f"unknown_seat zoe dealer: there is no seat 'zoe' {SEATS}"]),
        (dealt(dealer=None), ["missing_field - dealer: who dealt is missing: the pot depends on it"]),
        *[
            (
                dealt(boxes=boxes),
                ["wrong_type - boxes: boxes must be an object: each box that was won, with the seat that won it"],
            )
            for boxes in ([1], {str(number): "bo" for number in range(21)})
        ],
        (
            dealt(boxes=dict.fromkeys((*HEARTS, "KQ", "678", "789", "8910"), "bo")),
            [
                "unknown_box - boxes: the sequence box of this table is 678, not 789",
                "unknown_box - boxes: the sequence box of this table is 678, not 8910",
            ],
        ),
        (dealt(boxes={"9h": "bo"}), [f"unknown_box - boxes: '9H' is none of {KNOWN}; {FOLLOW}"]),
        (
            dealt(boxes={"x" * 70: "bo"}),
            [f"unknown_box - boxes: '{'x' * 59}… is none of {KNOWN}; {FOLLOW}"],
        ),
        (dealt(boxes={"AH": ["bo", "cy"]}), ["two_winners cy boxes: cy: AH can only be won by one seat"]),
        (
            dealt(boxes={"KQ": "bo", "QH": "bo", "KH": "cy"}),
            [
                (
                    "king_and_queen_apart bo boxes: "
                    "bo has king and queen together, but not both of their boxes in this deal"
                )
            ],
        ),
        (dealt(boxes={"kq": "bo", "qh": "bo", "kh": "bo", "th": "cy"}), []),
        (dealt(boxes={"KQ": ["zoe"]}), [f"unknown_seat zoe boxes: there is no seat 'zoe' {SEATS}"]),
        (
            dealt(cards_left={"asha": 2, "bo": 0}),
            [
                "winner_has_points asha cards_left: asha went out, so no card is left; the sheet says 2",
                "count_is_zero bo cards_left: bo has no card left, but did not go out",
                "missing_count cy cards_left: cy did not go out, but the cards left are missing",
            ],
        ),
        (dealt(cards_left={"bo": 13, "cy": 13}), []),
        (
            dealt(cards_left={"bo": 14, "cy": 13}),
            ["count_over_cap bo cards_left: bo has 14 cards left; 13 were dealt at most"],
        ),
        (dealt(buyer="bo"), [f"count_not_expected bo price: {UNSOLD}"]),
        (dealt(price=3), [f"count_not_expected - price: {UNSOLD}"]),
        (
            dealt(extra_hand="sold"),
            [
                "missing_field - buyer: the extra hand was sold: to whom?",
                "missing_count - price: the extra hand was sold: for how many chips?",
            ],
        ),
        (
            dealt(extra_hand="sold", buyer="asha", price=1),
            ["not_a_choice asha buyer: asha dealt, and would have taken the extra hand for nothing"],
        ),
        (
            dealt(extra_hand="lent"),
            ["not_a_choice - extra_hand: extra_hand cannot be 'lent'; use one of unsold, dealer, sold"],
        ),
        (dealt(antes={"bo": 10}), []),
        (dealt(antes={"bo": 11}), ["out_of_range bo antes: bo: 11 chips a box; 10 at most"]),
        (
            {"last_hearts": 7},
            [
                (
                    "wrong_type - last_hearts: last_hearts must be an object: "
                    "each of 10H, JH, QH, KH, AH, with the seat it was dealt to"
                )
            ],
        ),
        *[
            (
                {"last_hearts": hearts},
                [f"missing_field - last_hearts: enter who was dealt AH: {NOT_SAID}"],
            )
            for hearts in (DIVIDED | {"AH": None}, {heart: DIVIDED[heart] for heart in HEARTS[:4]})
        ],
        (
            {"last_hearts": DIVIDED | {"9H": "bo"}},
            [f"unknown_box - last_hearts: '9H' is none of 10H, JH, QH, KH, AH; {FOLLOW}"],
        ),
        (
            {"last_hearts": DIVIDED | {"AH": "zoe"}},
            [f"unknown_seat zoe last_hearts: there is no seat 'zoe' {SEATS}"],
        ),
        (
            {"last_hearts": DIVIDED, "out": "asha"},
            [
                (
                    "not_in_last_deal - last_hearts: "
                    "the last deal only divides the board: nobody wins boxes, goes out or pays in it"
                )
            ],
        ),
        ({"last_hearts": DIVIDED, "dealer": "cy"}, []),
    ],
)
def test_a_sheet_is_refused_with_a_sentence_for_each_fault(raw, wanted):
    assert refusals(royal(), sheet(1, **raw)) == wanted


def test_no_more_cards_are_left_than_were_dealt_and_none_of_the_dead_hand():
    most = sheet(1, dealer="asha", out="asha", cards_left={"bo": 18})
    assert refusals(royal(seats=2), most) == []
    assert refusals(royal(seats=2), sheet(1, dealer="asha", out="asha", cards_left={"bo": 19})) == [
        "count_over_cap bo cards_left: bo has 19 cards left; 18 were dealt at most"
    ]
    left = {"asha": 11, "bo": 11, "cy": 10, "dev": 10}
    assert refusals(royal(seats=4), sheet(1, dealer="asha", out=None, cards_left=left)) == []
    assert refusals(royal(seats=4), sheet(1, dealer="asha", out=None, cards_left=left | {"cy": 11})) == [
        "count_over_cap - cards_left: 43 cards are left; with a dead hand of 10 that is more than a pack"
    ]


def test_a_seat_that_has_left_is_named_with_each_field_it_stands_in():
    gone = royal().told(goes_home("cy"))
    one = {"cy": 1}
    raw = {"dealer": "cy", "out": "cy", "boxes": {"AH": "cy"}, "antes": one, "bought": one}
    found = refusals(gone, sheet(1, **raw, cards_left={"asha": 1, "bo": 1, "cy": 1}))
    fields = ("dealer", "out", "boxes", "cards_left", "antes", "bought")
    assert found == [f"seat_is_out cy {field}: cy is out, or does not play this deal" for field in fields]
    assert refusals(gone, sheet(1, **last("asha", "asha", "asha", "cy", "cy"))) == [
        "seat_is_out cy last_hearts: cy is out, and is dealt no card"
    ]
    alone = gone.told(goes_home("bo"))
    assert refusals(alone, sheet(1, dealer="asha", out="asha")) == ["too_few_seats - out: nobody is left to play with"]


def test_a_seat_short_of_chips_is_told_how_many_are_missing():
    table = royal(start_chips=9)
    buy = "buy at least that many, and note them as bought"
    assert refusals(table, sheet(1, **dealt(cards_left={"bo": 1, "cy": 2}))) == [
        f"short_stack bo bought: bo is 1 chip short: {buy}",
        f"short_stack cy bought: cy is 2 chips short: {buy}",
    ]
    assert refusals(table, sheet(1, **dealt(cards_left=ONES, bought=ONES))) == []


class TestActs:
    def test_need_chips_to_pay_a_penalty_with(self):
        assert refusals(royal(start_chips=1), penalty("cy", 1)) == []
        for held, said in ((1, "1 chip"), (3, "3 chips")):
            assert refusals(royal(start_chips=held), penalty("cy", 4)) == [
                f"short_stack cy points: cy holds {said}, and the penalty is 4"
            ]
        assert refusals(royal(start_chips=3, cannot_pay="owe"), penalty("cy", 4)) == []

    def test_buy_whole_chips_at_their_value(self):
        table = royal(value=10)
        assert refusals(table, buys_in("cy", 25)) == [
            (
                "out_of_range cy amount_minor: the amount is not a whole number of chips: too much for 2, "
                "too little for 3"
            )
        ]
        assert table.told(buys_in("cy", 20)).chips() == {"asha": 100, "bo": 100, "cy": 102}
        assert refusals(royal(), buys_in("cy", 20)) == [
            (
                "not_in_this_variant - kind: "
                "chips have no value at this table: note them as bought on the sheet of a deal"
            )
        ]
        assert refusals(table.told(goes_home("cy")), buys_in("cy", 20)) == ["seat_is_out cy seat: cy has left already"]

    def test_are_over_once_the_board_is_dealt_out(self):
        done = played(royal(value=1), dealt(), last("asha", "asha", "asha", "bo", "bo"))
        for raw in (sheet(3, **dealt()), goes_home("asha"), buys_in("asha", 5), penalty("asha", 5)):
            assert refusals(done, raw) == ["table_finished - -: the board was dealt out in deal 2"]
        assert refusals(done, CLOSED) == []

    def test_leave_no_seat_alone_and_none_twice(self):
        gone = royal().told(goes_home("cy"))
        assert refusals(gone, goes_home("cy")) == ["seat_is_out cy seat: cy has left, or is out"]
        assert refusals(gone, penalty("cy", 5)) == ["seat_is_out cy seat: cy has left already"]
        assert refusals(gone.told(goes_home("bo")), goes_home("asha")) == [
            "last_seat asha seat: asha is the last one at the table"
        ]
        assert refusals(royal(), rejoins("asha")) == [
            "not_in_this_variant - kind: rejoined has no place in Rummy Royal"
        ]

    def test_close_no_table_with_chips_on_its_board(self):
        free = royal(ante_each=0, ante_dealer=0)
        nothing = ["nothing_played - -: no deal counts at this table: cancel it instead"]
        assert refusals(free, CLOSED) == nothing
        clean = played(free, dealt())
        assert refusals(clean, CLOSED) == []
        for chips, lie in ((1, "1 chip lies"), (2, "2 chips lie")):
            assert refusals(clean.told(penalty("asha", chips)), CLOSED) == [
                f"not_finished - -: {lie} on the board: play the last deal to divide the board"
            ]


class TestStory:
    def test_tells_the_boxes_and_how_the_chips_moved(self):
        boxes = {"KH": "cy", "QH": "cy", "678": "asha"}
        assert story(played(royal(), deal("asha", "bo", boxes, asha=1, cy=2))) == [
            "box: cy takes K♥",
            "box: cy takes Q♥",
            "box: asha takes 6\u20117\u20118",
            "box: cy takes K\u2011Q♥",
            "chips: asha: 100 -7 = 93 chips",
            "chips: bo: 100 -3 = 97 chips",
            "chips: cy: 100 -2 = 98 chips",
        ]
        done = played(royal(), dealt(), last("asha", "asha", "asha", "bo", "bo"))
        assert story(done) == ["chips: asha: 99 +12 = 111 chips", "chips: bo: 90 +9 = 99 chips"]

    def test_tells_once_who_owes(self):
        table = royal(start_chips=9, cannot_pay="owe")
        nothing = table.told(penalty("bo", 9))
        assert story(nothing) == ["chips: bo: 9 -9 = 0 chips"]
        owes = nothing.told(penalty("bo", 2))
        assert story(owes) == ["chips: bo: 0 -2 = -2 chips", "chips_below_zero: bo owes 2 chips"]
        assert story(owes.told(penalty("bo", 3))) == ["chips: bo: -2 -3 = -5 chips"]

    def test_tells_once_who_cannot_lay_the_next_ante(self):
        table = played(royal(start_chips=17, cannot_pay="out"), dealt(cards_left={"bo": 1, "cy": 2}))
        assert story(table)[-2:] == [
            "out: bo cannot lay the next ante and is out",
            "out: cy cannot lay the next ante and is out",
        ]
        assert table.table.in_play == ("asha",)
        assert story(table.told(penalty("asha", 1))) == ["chips: asha: 17 -1 = 16 chips"]


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


def rows(table: Evening) -> list[str]:
    [panel] = table.table.rules.panels(table.table.setup, table.table.game)
    assert [*map(str, (panel.title, *panel.heading))] == ["The board", "Box", "Chips"]
    return [" ".join(map(str, row)) for row in panel.rows]


class TestBoard:
    def test_shows_each_box_and_where_all_chips_are(self):
        table = played(royal(), dealt(boxes={"AH": "bo"}))
        hearts = ["10♥ 3", "J♥ 3", "Q♥ 3", "K♥ 3", "A♥ 0", "K\u2011Q♥ 3", "6\u20117\u20118 3", "Kitty 0", "Pot 0"]
        assert rows(table) == [*hearts, "On the board 18", "In stacks 282", "Chips bought 300"]

    def test_is_gone_when_it_is_dealt_out(self):
        done = played(royal(), dealt(), last("asha", "asha", "asha", "bo", "bo")).table
        assert done.rules.panels(done.setup, done.game) == ()

    def test_tells_what_the_house_keeps_where_it_keeps_any(self):
        options = RoyalOptions()
        boxes = dict.fromkeys(options.boxes, 0)
        chips = Chips(stacks={"A": 7}, boxes=boxes, issued={"A": 10}, house=3)
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


@pytest.mark.parametrize(
    ("written", "said", "remarks"),
    [
        (
            {"dealer": "A", "out": "A", "boxes": {"AH": ("B",), "678": ("B", "C")}, "cards_left": {"B": 2, "C": 1}},
            {
                "A": "out [out] Went out WIN",
                "B": "held [A♥ 6\u20117\u20118] 2 cards left, took A♥ 6\u20117\u20118",
                "C": "held [6\u20117\u20118] 1 card left, took 6\u20117\u20118",
            },
            (),
        ),
        (
            {"dealer": "A", "boxes": {"KH": ("C",), "QH": ("C",)}, "cards_left": {"A": 2, "C": 1}},
            {
                "A": "held [] 2 cards left",
                "C": "held [K♥ Q♥ K\u2011Q♥] 1 card left, took K♥ Q♥ K\u2011Q♥",
            },
            (),
        ),
        ({"out": "B", "boxes": {"10H": ("B",)}}, {"B": "out [out 10♥] Went out, took 10♥ WIN"}, ()),
        ({"boxes": {"AH": ("C",)}}, {"C": "held [A♥] took A♥"}, ()),
        (
            {"last_hearts": {"10H": "A", "JH": "A", "QH": "A", "KH": "B", "AH": "B"}},
            {"A": "held [10♥ J♥ Q♥] dealt 10♥ J♥ Q♥", "B": "held [K♥ A♥] dealt K♥ A♥"},
            ("the last deal",),
        ),
        (
            {"extra_hand": "sold", "buyer": "B", "price": 7, "bought": {"C": 9}},
            {},
            ("B bought the extra hand for 7", "C bought 9 chips"),
        ),
        ({"extra_hand": "dealer"}, {}, ("the dealer took the extra hand",)),
        ({"extra_hand": "unsold"}, {}, ()),
    ],
)
def test_a_written_sheet_reads_as_it_was_played(written, said, remarks):
    found = RoyalSheet(**written)
    assert (marks(found), tuple(map(str, found.remarks())), found.keeps_dealer) == (said, remarks, False)


def test_a_scorer_sees_what_lies_in_each_box():
    hearts = "is_rare, group=Last deal: who was dealt) All five, and nothing else on the sheet"
    rare = "number, per_seat, is_rare"
    both = " With the queen also king and queen together: 3 chips"
    assert form(played(royal(), dealt(boxes={"AH": "bo"}))) == [
        "Dealer (dealer, seat, is_required)",
        (
            "Went out (out, seat, is_required, mark=out, nobody=Nobody: play stuck) "
            "Kitty 0, pot 0 chips: the dealer who goes out takes both"
        ),
        "Cards left (cards_left, number, per_seat) One chip each",
        *[
            f"{box} (boxes.{box}, seat, group=Boxes won, note={0 if box == 'AH' else 3} chips)"
            f"{both if box == 'KH' else ''}"
            for box in HEARTS
        ],
        "6 7 8 (boxes.678, seat, group=Boxes won, note=3 chips) All three cards of one suit",
        (
            "Extra hand (extra_hand, choice, group=Extra hand, "
            "choices=unsold:Not sold/dealer:Taken by the dealer/sold:Sold)"
        ),
        "Bought by (buyer, seat, group=Extra hand) Not the dealer",
        "Price in chips (price, number, group=Extra hand)",
        f"Chips bought (bought, {rare}) Bought before this deal, beyond the starting chips",
        f"Chips a box (antes, {rare}) If a seat laid more or less than the ante",
        *[f"{heart} (last_hearts.{heart}, seat, {hearts}" for heart in HEARTS],
    ]
    shared = "7 8 9 (boxes.789, seats, group=Boxes won, note=0 chips) All three cards of one suit"
    assert shared in form(royal(sequence="789", sequence_claim="shared"))
