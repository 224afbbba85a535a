"""The exact messages of Indian rummy forms: refusals, the story of a fact, the arithmetic of a payment."""

import pytest

from tests.builders.rules import (
    CLOSED,
    SPLIT,
    TIME_CALLED,
    buys_in,
    deal,
    deals,
    ends,
    first_drop,
    goes_home,
    last_standing,
    loses_with,
    penalty,
    points,
    pool,
    rejoins,
    show,
    tiebreak,
)
from tests.builders.wording import because, form, opening_refusals, refusals, story

OUTCOMES = "How it ended (outcomes, outcomes, per_seat, is_required)"
WILD = "Wild joker (wild, card) A rank, or the card turned up"
DEALER = "Dealer (dealer, seat)"


@pytest.mark.parametrize(
    ("seats", "options", "said"),
    [
        (2, {"first_drop": 41}, "first_drop: a first drop (41) cannot cost more than a middle drop (40)"),
        (2, {"first_drop": 40, "middle_drop": 40, "cap": 40}, None),
        (2, {"middle_drop": 81}, "middle_drop: a middle drop (81) cannot cost more than a full count (80)"),
        (4, {"packs": 1}, "packs: 4 seats need 54 cards; 1 pack holds 53"),
        (4, {"packs": 1, "printed_jokers": 2}, None),
        (9, {"packs": 2}, "packs: 9 seats need 119 cards; 2 packs hold 106"),
    ],
)
def test_a_house_that_does_not_fit_together_is_told_which_numbers(seats, options, said):
    wanted = [] if said is None else [f"out_of_range - {said}"]
    assert opening_refusals("points", seats=seats, options=options, point_value_minor=1) == wanted


def test_points_without_a_value_are_refused():
    wanted = ["missing_field - point_value_minor: Points rummy needs the value of a point, more than 0"]
    assert opening_refusals("points", options={}, point_value_minor=0) == wanted
    assert opening_refusals("points", options={}, point_value_minor=1) == []


class TestPool:
    def test_says_why_a_seat_may_not_rejoin(self):
        too_late = "asha can rejoin only after going out by score, before the next deal"
        assert refusals(pool(seats=3), rejoins("asha")) == [f"rejoin_too_late asha seat: {too_late}"]
        dear = pool(seats=3, entry=200_000, rejoin_entry_below_minor=200_000, max_rejoins=0).where(asha=80, cy=101)
        assert refusals(dear, rejoins("cy")) == [
            "rejoin_over_threshold cy seat: cy cannot rejoin: the highest total is 80, above 79",
            "rejoin_used_up cy seat: cy has rejoined 0 times; this table allows 0",
            "rejoin_not_at_this_entry cy seat: cy cannot rejoin: no rejoin from an entry fee of 2000.00 on",
        ]
        assert refusals(pool().where(bo=101), rejoins("bo")) == [
            "rejoin_game_over bo seat: bo cannot rejoin: 1 left in, so the game is over"
        ]

    def test_counts_the_rejoins_of_a_seat(self):
        table = pool(seats=4, max_rejoins=1).where(cy=101).told(rejoins("cy")).where(cy=101)
        assert refusals(table, rejoins("cy")) == ["rejoin_used_up cy seat: cy has rejoined 1 time; this table allows 1"]

    def test_lets_a_seat_back_once_and_the_others_after_it(self):
        crossed = pool(seats=4, splits="none").where(cy=95, dev=95)
        crossed = crossed.after(show("asha"), first_drop("bo"), loses_with("cy", 6), loses_with("dev", 80))
        assert crossed.seat("cy").may_rejoin
        back = crossed.told(rejoins("cy"))
        assert refusals(back, rejoins("cy")) == [
            "rejoin_too_late cy seat: cy can rejoin only after going out by score, before the next deal"
        ]
        assert [back.seat(seat).may_rejoin for seat in ("asha", "bo", "cy", "dev")] == [False, False, False, True]
        assert back.told(rejoins("dev")).totals() == {"asha": 0, "bo": 20, "cy": 21, "dev": 21}

    def test_says_why_the_pot_may_not_be_split(self):
        assert refusals(pool(seats=5, splits="auto"), SPLIT) == [
            "split_not_allowed - -: this table does not split by agreement",
            "split_wrong_number - -: 5 seats are in; a split is for two or three",
            "split_nobody_out - -: all 5 seats are still in; a split needs fewer than started",
        ]
        differ = pool(seats=5, entry=100, split_most_drop_difference=2)
        differ = differ.where(asha=30, bo=70, cy=90, dev=101, eli=101)
        assert refusals(differ, SPLIT) == [
            "split_drops_differ - -: drops left differ by 3; this table splits among three up to 2"
        ]
        assert refusals(pool(seats=3, entry=100).where(asha=0, bo=100, cy=101), SPLIT) == [
            "split_pot_too_small - -: after equalising drops the pot would hold -2.00; a split needs 0.00"
        ]
        one_entry = pool(seats=3, entry=100, split_pool_left="one_entry").where(asha=30, bo=90, cy=101)
        assert refusals(one_entry, SPLIT) == [
            "split_pot_too_small - -: after equalising drops the pot would hold 0.00; a split needs 1.00"
        ]

    def test_splits_where_the_drops_differ_by_as_many_as_allowed_or_only_two_are_left(self):
        three = pool(seats=5, entry=100, split_most_drop_difference=3)
        assert refusals(three.where(asha=10, bo=50, cy=70, dev=101, eli=101), SPLIT) == []
        two = pool(seats=4, entry=100, split_most_drop_difference=1)
        assert refusals(two.where(asha=30, bo=70, cy=101, dev=101), SPLIT) == []
        nobody_out = pool(splits="manual", split_needs_fewer_than_started=False).where(asha=60, bo=20)
        assert refusals(nobody_out, SPLIT) == []

    def test_says_that_it_is_over(self):
        won = pool().where(bo=101)
        over = "table_finished - -: the table was decided in deal 2"
        assert refusals(won, deal(3, show("asha"))) == [over]
        assert refusals(won, SPLIT) == [over]
        assert refusals(won, goes_home("asha")) == [over]
        assert refusals(won, penalty("bo", 3)) == ["seat_is_out bo seat: bo is already out"]
        split = pool(seats=3).where(asha=95, bo=95, cy=101)
        assert refusals(split, penalty("asha", 3)) == ["table_finished - -: the pot is split: a penalty cannot follow"]

    def test_says_what_an_undecided_table_needs(self):
        with_pot = "2 seats are still in: play on, agree on a split, or cancel the table"
        without = "2 seats are still in: play on, call time, or cancel the table"
        no_pot_by_time = f"the table plays for a pot, and time decides none: {with_pot}"
        assert refusals(pool(entry=5), CLOSED) == [f"not_finished - -: {with_pot}"]
        assert refusals(pool(), CLOSED) == [f"not_finished - -: {without}"]
        assert refusals(pool(entry=5), TIME_CALLED) == [f"not_finished - -: {no_pot_by_time}"]
        assert refusals(pool(), TIME_CALLED) == ["nothing_played - -: no deal counts at this table: cancel it instead"]

    def test_has_no_place_for_facts_of_other_games(self):
        assert refusals(pool(), buys_in("asha", 5)) == [
            "not_in_this_variant - kind: bought_in has no place in Pool rummy"
        ]

    def test_tells_who_went_out_who_may_come_back_and_who_did(self):
        table = pool(seats=4).where(cy=95, dev=95)
        table = table.after(show("asha"), first_drop("bo"), loses_with("cy", 6), loses_with("dev", 80))
        assert story(table) == [
            "out: cy: 95 + 6 = 101, out of 101",
            "out: dev: 95 + 80 = 175, out of 101",
            "may_rejoin: cy may rejoin before the next deal",
            "may_rejoin: dev may rejoin before the next deal",
        ]
        back = table.told(rejoins("cy"))
        assert story(back) == ["rejoined: cy rejoined with 21"]
        assert story(back.told(rejoins("dev"))) == ["rejoined: dev rejoined with 21"]
        assert story(table.told(goes_home("bo"))) == ["left: bo left the table"]
        assert story(table.told(goes_home("bo"), penalty("asha", 1))) == []
        assert story(table.told(SPLIT)) == ["split: The pot is split: all seats left agreed"]
        assert story(pool(seats=3, max_rejoins=0).where(cy=101)) == ["out: cy: 21 + 80 = 101, out of 101"]
        assert story(pool(seats=3).told(penalty("bo", 7))) == []

    def test_tells_a_split_that_comes_by_itself(self):
        assert story(pool(seats=3).where(asha=95, bo=95, cy=101)) == [
            "out: cy: 21 + 80 = 101, out of 101",
            "split: The pot is split: nobody left can drop again",
        ]

    def test_shows_the_arithmetic_of_a_split(self):
        table = pool(seats=4, entry=1_000, fee_bp=500).where(cy=101).told(rejoins("cy"))
        table = table.where(asha=40, bo=70, cy=101, dev=101).told(SPLIT)
        lines = (
            "4 entries and 1 rejoins of 1000 make 5000",
            "fee 500 basis points of 5000 is 250",
            "seat asha: 1900 for drops left and 1425 as an equal part",
            "seat bo: 0 for drops left and 1425 as an equal part",
        )
        assert because(table) == [("table", lines)]
        assert table.paid() == {"asha": 3_325, "bo": 1_425}

    def test_asks_how_the_deal_ended_where_hands_are_counted(self):
        how = "choices=played_out:Played out/count_now:Stock ran out, hands counted"
        ended = f"How the deal ended (ended, choice, {how})"
        assert form(pool(stock_exhausted="count_now")) == [OUTCOMES, WILD, ended, DEALER]


class TestDeals:
    def test_says_why_an_extra_deal_is_not_due(self):
        extra = tiebreak(show("asha"), loses_with("bo", 4))
        table = deals(seats=3, deals=1)
        assert refusals(table, extra) == [
            "tiebreak_not_due - -: only 0 of 1 deals played: an extra deal comes after the last"
        ]
        won = table.after(show("asha"), loses_with("bo", 4), loses_with("cy", 4))
        assert refusals(won, extra) == [
            "tiebreak_not_due - -: nobody is tied for first, or ties are not broken by an extra deal here"
        ]

    def test_says_that_it_is_over(self):
        won = deals(deals=1).after(show("asha"), loses_with("bo", 4))
        over = ["table_finished - -: all deals are played; tied seats play a tie-break"]
        assert refusals(won, deal(2, show("asha"), loses_with("bo", 4))) == over
        assert refusals(won, goes_home("asha")) == over

    def test_says_what_an_undecided_table_needs(self):
        assert refusals(deals(), CLOSED) == ["not_finished - -: only 0 of 2 deals played"]
        assert refusals(deals(), TIME_CALLED) == ["nothing_played - -: no deal counts at this table: cancel it instead"]
        level = deals(deals=1, entry=3).after(show("asha"), loses_with("bo", 35)).told(penalty("asha", 70))
        needs = "2 seats are tied for first: an extra deal decides"
        assert refusals(level, CLOSED) == [f"not_finished - -: {needs}"]
        assert refusals(level, TIME_CALLED) == [
            f"not_finished - -: the table plays for a pot, and time decides none: {needs}"
        ]

    def test_says_who_may_not_leave(self):
        assert refusals(deals().told(goes_home("asha")), goes_home("bo")) == [
            "last_seat bo seat: bo is the last one at the table"
        ]
        assert refusals(deals(seats=3).told(goes_home("asha")), goes_home("asha")) == [
            "seat_is_out asha seat: asha has left already"
        ]

    def test_has_no_place_for_facts_of_other_games(self):
        assert refusals(deals(), rejoins("asha")) == [
            "not_in_this_variant - kind: rejoined has no place in Deals rummy"
        ]

    def test_tells_how_the_chips_moved(self):
        table = deals(seats=3, deals=1).after(show("asha"), loses_with("bo", 4), loses_with("cy", 8))
        assert story(table) == [
            "chips: asha: 80 +12 = 92 chips",
            "chips: bo: 80 -4 = 76 chips",
            "chips: cy: 80 -8 = 72 chips",
        ]
        level = deals(deals=1).after(show("asha"), loses_with("bo", 35)).told(penalty("asha", 70))
        assert story(level) == [
            "chips: asha: 115 -70 = 45 chips",
            "extra_deal: 2 seats are tied: they play an extra deal",
        ]
        assert story(deals().told(penalty("asha", 160), penalty("bo", 160))) == ["chips: bo: 160 -160 = 0 chips"]

    def test_tells_once_that_a_seat_fell_below_nothing(self):
        nothing = deals(deals=1).told(penalty("asha", 80))
        assert story(nothing) == ["chips: asha: 80 -80 = 0 chips"]
        below = nothing.told(penalty("asha", 1))
        said = "chips_below_zero: asha is at -1 chips, a negative amount: a director should know"
        assert story(below) == ["chips: asha: 0 -1 = -1 chips", said]
        assert story(below.told(penalty("asha", 3))) == ["chips: asha: -1 -3 = -4 chips"]

    def test_an_extra_deal_that_moves_chips_leaves_the_third_seat_its_own_and_its_place(self):
        table = deals(seats=3, deals=2, tiebreak_moves_chips=True)
        table = table.after(show("asha"), loses_with("bo", 35), loses_with("cy", 20))
        table = table.after(show("bo"), loses_with("asha", 35), loses_with("cy", 20))
        assert table.chips() == {"asha": 180, "bo": 180, "cy": 120}
        ended = table.told(tiebreak(show("bo"), loses_with("asha", 60)))
        assert ended.chips() == {"asha": 120, "bo": 240, "cy": 120}
        assert ended.places() == {"bo": 1, "asha": 2, "cy": 3}

    def test_shows_the_arithmetic_of_the_prizes(self):
        table = deals(seats=3, deals=1, entry=10_000, fee_bp=1_000, second_prize_bp=3_000)
        table = table.after(show("asha"), loses_with("bo", 4), loses_with("cy", 8))
        lines = (
            "3 entries of 10000 make 30000",
            "fee 1000 basis points of 30000 is 3000",
            "second prize 3000 of 10000 of 27000 is 8100",
        )
        assert because(table) == [("table", lines)]

    def test_asks_how_the_deal_ended_where_a_wrong_show_stops_it(self):
        how = "choices=played_out:Played out/void_others:Stopped by a wrong show"
        ended = f"How the deal ended (ended, choice, {how})"
        assert form(deals(wrong_show_continues=False)) == [OUTCOMES, WILD, ended, DEALER]


class TestPoints:
    def test_says_that_nobody_is_left_to_play_with(self):
        assert refusals(points().told(goes_home("asha")), deal(1, last_standing("bo"))) == [
            "too_few_seats - outcomes: only one seat is left at the table: nobody to play with"
        ]

    def test_says_how_much_a_seat_must_buy_in_for(self):
        assert refusals(points(value=150), buys_in("asha", 11_999)) == [
            "buy_in_too_small asha amount_minor: asha buys in for 119.99; the minimum is 120.00"
        ]
        assert refusals(points().told(goes_home("asha")), buys_in("asha", 8_000)) == [
            "seat_is_out asha seat: asha has left already"
        ]

    def test_says_how_much_a_short_seat_holds(self):
        table = points(seats=3, value=150).told(buys_in("bo", 12_000))
        table = table.after(show("asha"), loses_with("bo", 1), first_drop("cy"))
        assert refusals(table, deal(2, show("asha"), loses_with("bo", 1), first_drop("cy"))) == [
            "short_stack bo how: bo holds 118.50, and a full count costs 120.00: buy in or sit out"
        ]

    def test_tells_how_the_points_moved(self):
        table = points(seats=3).after(show("asha"), loses_with("bo", 4), ends("cy", "not_in_deal"))
        assert story(table) == ["net: asha: +0 +4 = +4 points", "net: bo: +0 -4 = -4 points"]
        assert story(table.told(penalty("asha", 9))) == ["net: asha: +4 -9 = -5 points"]

    def test_shows_the_arithmetic_of_each_deal(self):
        first = ("deal 1: 7 points of 150 make 1050", "fee 1000 basis points of 1050 is 105")
        second = ("deal 2: 3 points of 150 make 450", "fee 1000 basis points of 450 is 45")
        for settle, wanted in (
            ("per_deal", [("deal:1", first), ("deal:2", second)]),
            ("per_session", [("table", first + second)]),
        ):
            table = points(value=150, fee_bp=1_000, settle=settle).after(show("asha"), loses_with("bo", 7))
            assert because(table.after(show("bo"), loses_with("asha", 3))) == wanted

    def test_asks_for_outcomes_wild_card_and_dealer(self):
        assert form(points()) == [OUTCOMES, WILD, DEALER]
