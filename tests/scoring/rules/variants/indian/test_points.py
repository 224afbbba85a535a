"""Points rummy as players argue about it."""

import pytest

from scoring.problems import OptionsRejected
from scoring.sheets.snapshots import dump_table, load_table
from tests.builders.memo import lines
from tests.builders.rules import (
    CANCELLED,
    CLOSED,
    buys_in,
    corrected,
    deal,
    ends,
    first_drop,
    goes_home,
    leaves,
    loses_with,
    penalty,
    points,
    show,
    sit,
    voided,
    withdrawn,
)


def test_two_who_take_a_deal_have_a_line_each():
    table = points(seats=3, value=5, stock_exhausted="count_now")
    said = [loses_with(seat, count) for seat, count in {"asha": 7, "bo": 7, "cy": 11}.items()]
    [payout] = table.after(*said, ended="count_now").told(CLOSED).table.payouts()
    assert payout.awards == {"asha": 28, "bo": 27}
    assert lines(payout.because)[-2:] == ("seat asha: 28 as an equal part", "seat bo: 27 as an equal part")


def test_a_house_settles_deal_by_deal_each_with_its_fee_or_once_when_the_session_closes():
    table = points(value=5, fee_bp=1_000)
    for _ in range(2):
        table = table.after(show("asha"), loses_with("bo", 3))
    assert [payout.slot for payout in table.table.dues()] == ["deal:1", "deal:2"]
    assert (table.told(CLOSED).paid(), table.told(CLOSED).fee()) == ({"asha": 26, "bo": -30}, 4)
    table = points(settle="per_session").after(show("asha"), loses_with("bo", 3)).after(first_drop("asha"), show("bo"))
    assert table.table.dues() == ()
    (payout,) = table.told(CLOSED).table.dues()
    assert (payout.slot, payout.charges, payout.awards) == (
        "table",
        {"asha": 2_000, "bo": 300},
        {"asha": 300, "bo": 2_000},
    )


def test_no_money_moves_for_a_void_deal_or_a_cancelled_table_and_neither_has_a_winner():
    table = points().after(show("asha"), loses_with("bo", 30))
    assert table.told(voided(1), CLOSED).paid() == table.told(CANCELLED).paid() == {}
    assert points().told(CLOSED).winners() == table.told(CANCELLED).winners() == ()


def test_nothing_but_corrections_follows_a_closed_table_until_the_closing_is_withdrawn():
    table = points().after(show("asha"), loses_with("bo", 10)).told(CLOSED)
    assert table.refuses(deal(2, show("asha"), loses_with("bo", 10))) == [("table_closed", None)]
    assert table.told(corrected(1, show("asha"), loses_with("bo", 12))).paid() == {"asha": 1_200, "bo": -1_200}
    assert table.told(withdrawn(3)).after(first_drop("asha"), show("bo")).table.deals == 2


def test_most_points_won_less_points_lost_is_first():
    table = points(seats=3).after(show("asha"), loses_with("bo", 10), loses_with("cy", 30))
    ended = table.after(loses_with("asha", 50), show("bo"), ends("cy", "not_in_deal")).told(CLOSED)
    assert ended.places() == {"bo": 1, "asha": 2, "cy": 3}
    assert ended.winners() == ("bo",)


def test_a_penalty_counts_in_the_standings_and_moves_no_money():
    ended = points().after(show("asha"), loses_with("bo", 10)).told(penalty("asha", 50), CLOSED)
    assert ended.places() == {"bo": 1, "asha": 2}
    assert ended.paid() == {"asha": 1_000, "bo": -1_000}


def test_who_left_plays_no_more():
    table = points(seats=3).after(leaves("asha"), show("bo"), loses_with("cy", 2))
    assert table.refuses(deal(2, first_drop("asha"), show("bo"), loses_with("cy", 2))) == [("seat_is_out", "asha")]
    assert table.refuses(goes_home("asha")) == [("seat_is_out", "asha")]


class TestTableStakes:
    def test_least_buy_in_is_a_full_count_and_a_top_up_may_be_smaller(self):
        table = points(value=100)
        assert table.refuses(buys_in("asha", 7_999)) == [("buy_in_too_small", "asha")]
        assert table.told(buys_in("asha", 8_000)).refuses(buys_in("asha", 1)) == []
        assert points(min_buy_in=3).refuses(buys_in("asha", 8_000)) == [("buy_in_too_small", "asha")]

    def test_a_buy_in_is_no_larger_than_the_house_says(self):
        """Planted faults: the maximum asked of the first buy-in alone; a maximum below the minimum."""
        table = points(value=100, max_buy_in=3)
        assert table.refuses(buys_in("asha", 24_001)) == [("buy_in_too_large", "asha")]
        again = table.told(buys_in("asha", 24_000))
        assert again.refuses(buys_in("asha", 24_001)) == [("buy_in_too_large", "asha")]
        assert again.refuses(buys_in("asha", 24_000)) == []
        assert points(max_buy_in=None).table.setup.options == points().table.setup.options
        with pytest.raises(OptionsRejected, match="cannot be below the smallest"):
            points(min_buy_in=4, max_buy_in=3)

    def test_a_seat_buys_in_no_more_often_than_the_house_says(self):
        """Planted faults: the first buy-in not counted; a deal that forgets how often a seat has bought in."""
        table = points(max_buy_ins=2).told(buys_in("asha", 8_000)).after(show("asha"), loses_with("bo", 10))
        assert table.refuses(buys_in("asha", 100)) == []
        again = table.told(buys_in("asha", 100))
        assert again.refuses(buys_in("asha", 100)) == [("too_many_buy_ins", "asha")]
        assert again.refuses(buys_in("bo", 8_000)) == []
        assert again.told(withdrawn(again.table.version)).refuses(buys_in("asha", 100)) == []
        (problem,) = again.considered(buys_in("asha", 100))[1]
        assert problem.text({"asha": "Asha"}) == "Asha has bought in 2 times: no more are allowed at this table"

    def test_what_is_kept_of_a_table_without_a_limit_is_as_it_was(self):
        """Planted fault: buy-ins counted everywhere, so that stored tables differ from their logs."""
        table = points(max_buy_ins=None).told(buys_in("asha", 8_000))
        assert table.table.setup.options == points().table.setup.options
        assert "buy_ins" not in dump_table(table.table)
        limited = points(max_buy_ins=3).told(buys_in("asha", 8_000)).table
        assert load_table(dump_table(limited)) == limited

    def test_a_short_seat_buys_in_or_sits_out(self):
        table = points(seats=3).told(buys_in("bo", 8_000)).after(show("asha"), loses_with("bo", 1), first_drop("cy"))
        played = deal(2, show("asha"), loses_with("bo", 1), first_drop("cy"))
        assert table.refuses(played) == [("short_stack", "bo")]
        assert table.refuses(deal(2, show("asha"), ends("bo", "not_in_deal"), first_drop("cy"))) == []
        assert table.told(buys_in("bo", 100)).refuses(played) == []

    def test_winnings_count_after_the_fee(self):
        table = points(fee_bp=5_000).told(buys_in("asha", 8_000), buys_in("bo", 8_000))
        won = table.after(show("asha"), loses_with("bo", 40)).told(buys_in("bo", 8_000))
        lost = won.after(loses_with("asha", 21), show("bo"))
        assert lost.refuses(deal(3, show("asha"), loses_with("bo", 1))) == [("short_stack", "asha")]

    def test_can_be_left_to_the_players(self):
        table = points(table_stakes=False).told(buys_in("bo", 8_000)).after(show("asha"), loses_with("bo", 80))
        assert table.refuses(deal(2, show("asha"), loses_with("bo", 80))) == []

    def test_a_correction_does_not_undo_a_deal_that_was_played_on_a_short_stack(self):
        table = points().told(buys_in("bo", 8_000)).after(loses_with("asha", 10), show("bo"))
        table = table.after(show("asha"), loses_with("bo", 10))
        fixed = table.told(corrected(1, show("asha"), loses_with("bo", 10)))
        assert fixed.conflicts() == []


def test_seven_seats_play_with_three_packs():
    assert points(seats=6).table.setup.options.packs == 2
    assert points(seats=7).table.setup.options.packs == 3
    assert points(seats=8, packs=2).table.setup.options.packs == 2


def test_only_who_pays_or_is_paid_stands_in_a_payment():
    table = points(seats=3, value=5).after(show("asha"), loses_with("bo", 7), ends("cy", "not_in_deal"))
    [payout] = table.table.payouts()
    assert (payout.charges, payout.awards, payout.house) == ({"bo": 35}, {"asha": 35}, {})
    nothing_left = points(value=5, fee_bp=10_000).after(show("asha"), loses_with("bo", 7))
    [payout] = nothing_left.table.payouts()
    assert (payout.charges, payout.awards, payout.fee) == ({"bo": 35}, {}, 35)


@pytest.mark.parametrize(("levy_bp", "house"), [(0, {}), (2_000, {"levy": 3 + 6})])
def test_a_session_keeps_the_levy_of_each_deal(levy_bp, house):
    stakes = {"point_value_minor": 5, "levy_bp": levy_bp}
    table = sit("points", ("asha", "bo"), stakes, {"settle": "per_session"})
    table = table.after(show("asha"), loses_with("bo", 3)).after(show("bo"), loses_with("asha", 6))
    [payout] = table.table.payouts()
    assert payout.house == house


def test_a_seat_shows_its_points_penalties_and_whether_it_is_in():
    table = points(seats=3).after(show("asha"), loses_with("bo", 7), leaves("cy")).told(penalty("bo", 5))
    assert table.totals() == {"asha": 0, "bo": 12, "cy": 40}
    assert {seat: table.is_out(seat) for seat in ("asha", "bo", "cy")} == {"asha": False, "bo": False, "cy": True}
    after = table.after(show("bo"), loses_with("asha", 2))
    assert after.seat("bo").net_points == -7 - 5 + 2
    assert after.table.in_play == ("asha", "bo")


def test_a_table_of_two_deals_is_finished_after_them_and_a_cancelled_deal_is_played_again():
    """Planted fault: a table of points rummy that nobody closes is never over."""
    table = points(seats=2, deals=2).after(show("asha"), loses_with("bo", 20))
    assert not table.table.is_finished
    ended = table.after(show("bo"), loses_with("asha", 50))
    assert ended.table.is_finished
    assert ended.table.winners() == (ended.table.setup.seats[1],)
    assert ended.refuses(deal(3, show("asha"), loses_with("bo", 10))) == [("table_finished", None)]
    assert not ended.told(voided(2)).table.is_finished
    assert not points(seats=2).after(show("asha"), loses_with("bo", 20)).table.is_finished
