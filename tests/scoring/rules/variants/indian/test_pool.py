"""Pool rummy as players argue about it."""

import pytest

from tests.builders.memo import lines
from tests.builders.rules import (
    SPLIT,
    TIME_CALLED,
    deal,
    ends,
    first_drop,
    goes_home,
    last_standing,
    leaves,
    loses_with,
    penalty,
    pool,
    rejoins,
    show,
)


def test_player_on_85_who_takes_a_first_drop_is_out_of_a_101_pool():
    table = pool(limit=101).where(asha=85, bo=80)
    assert table.after(first_drop("asha"), last_standing("bo")).is_out("asha")
    assert not table.after(first_drop("bo"), last_standing("asha")).is_out("bo")
    assert not pool(eliminate_at="exceed").where(asha=61).after(loses_with("asha", 40), show("bo")).is_out("asha")
    assert pool(limit=51, cap=60).table.setup.options.wrong_show == 60


def test_equal_totals_out_in_the_same_deal_share_a_place_and_the_next_is_skipped():
    table = pool(seats=4).where(asha=70, bo=70, cy=75)
    ended = table.after(*(loses_with(seat, 40) for seat in ("asha", "bo", "cy")), show("dev"))
    assert ended.places() == {"dev": 1, "asha": 2, "bo": 2, "cy": 4}


def test_going_out_later_is_better_than_going_out_earlier_with_less():
    table = pool(seats=4, splits="none").where(asha=101, bo=90)
    ended = table.after(loses_with("bo", 40), show("cy"), first_drop("dev"))
    assert ended.places()["bo"] < ended.places()["asha"]


def test_a_void_deal_played_again_later_still_puts_seats_out_later():
    table = pool(seats=4, splits="none").after(show("asha"), *(first_drop(s) for s in ("bo", "cy", "dev")))
    table = table.told({"kind": "deal_voided", "deal": 1, "reason": "wrong pack"})
    table = table.where(bo=80, cy=80).after(loses_with("bo", 40), show("asha"), first_drop("cy"), first_drop("dev"))
    again = deal(1, loses_with("cy", 10), show("asha"), loses_with("dev", 2))
    ended = table.told(again)
    assert ended.is_out("cy")
    assert ended.places()["cy"] < ended.places()["bo"]


class TestRejoining:
    def test_brings_a_seat_back_up_to_the_last_total_that_is_in(self):
        house = pool(seats=3, rejoin_highest=1_000, splits="none")
        assert house.where(asha=99, cy=101).told(rejoins("cy")).total("cy") == 100
        assert house.where(asha=100, cy=101).refuses(rejoins("cy")) == [("rejoin_over_threshold", "cy")]

    def test_is_measured_at_the_highest_who_stayed_and_is_the_same_for_all_after_one_deal(self):
        table = pool(seats=4).where(asha=52, bo=30, cy=101, dev=110)
        table = table.told(rejoins("cy"), goes_home("asha"), rejoins("dev"))
        assert (table.total("cy"), table.total("dev")) == (53, 53)
        high = pool(seats=4).where(asha=85, bo=30, cy=101, dev=20)
        assert high.refuses(rejoins("cy")) == [("rejoin_over_threshold", "cy")]
        assert high.told(goes_home("asha"), rejoins("cy")).total("cy") == 31

    def test_is_too_late_once_the_next_deal_is_played_and_for_who_left(self):
        table = pool(seats=4).where(cy=101).after(show("asha"), first_drop("bo"), first_drop("dev"))
        assert ("rejoin_too_late", "cy") in table.refuses(rejoins("cy"))
        left = pool(seats=3).after(leaves("asha"), show("bo"), loses_with("cy", 5))
        assert left.refuses(rejoins("asha")) == [("rejoin_too_late", "asha")]

    def test_may_happen_as_often_and_as_late_as_the_house_allows(self):
        for most, refused in ((1, [("rejoin_used_up", "cy")]), (None, [])):
            house = {} if most is None else {"max_rejoins": most}
            table = pool(seats=3, **house).where(cy=101).told(rejoins("cy")).where(cy=101)
            assert table.refuses(rejoins("cy")) == refused
        assert pool().where(bo=101).refuses(rejoins("bo")) == [("rejoin_game_over", "bo")]
        assert pool(rejoin_when_one_left=True).where(bo=101).told(rejoins("bo")).table.is_finished is False


class TestAutoSplit:
    @pytest.mark.parametrize(
        ("house", "is_split"),
        [
            ({}, False),
            ({"auto_split_when": "at_least"}, True),
            ({"auto_split_when": "at_least", "auto_split_at": 85}, False),
        ],
    )
    def test_needs_that_nobody_left_can_drop_again_or_at_least_a_total(self, house, is_split):
        assert pool(seats=3, **house).where(asha=80, bo=95, cy=101).table.is_finished is is_split

    def test_needs_fewer_than_started_and_a_house_that_splits_by_itself(self):
        assert not pool().where(asha=95, bo=95).table.is_finished
        assert pool(split_needs_fewer_than_started=False).where(asha=95, bo=95).table.is_finished
        for splits in ("none", "manual"):
            assert not pool(seats=3, splits=splits).where(asha=95, bo=95, cy=101).table.is_finished

    def test_divides_equally_and_gives_the_odd_unit_to_the_better_total(self):
        table = pool(seats=3, entry=33_335).where(asha=95, bo=81, cy=101)
        assert table.paid() == {"asha": 50_002, "bo": 50_003}
        assert table.places() == {"asha": 1, "bo": 1, "cy": 3}

    def test_happens_when_the_only_one_who_could_drop_goes_home_and_never_where_drops_are_free(self):
        assert pool(seats=3).where(asha=85, bo=95).told(goes_home("cy")).winners() == ("asha", "bo")
        free = pool(seats=3, first_drop=0).where(asha=100, bo=100, cy=101)
        assert (free.table.is_finished, free.seat("asha").drops_left) == (False, None)


def test_a_split_that_names_other_totals_than_the_sheet_is_refused():
    table = pool(seats=3).where(asha=30, bo=40, cy=101)
    wrong = {"kind": "split_agreed", "totals": {"asha": 30, "bo": 50, "cy": 101}}
    assert table.refuses(wrong) == [("split_on_other_totals", None)]
    assert table.refuses({"kind": "split_agreed", "totals": {"asha": 30, "bo": 40, "cy": 101}}) == []


def test_who_leaves_between_deals_is_out_and_the_entry_stays():
    ended = pool(entry=100).told(goes_home("asha"))
    assert (ended.winners(), ended.paid()) == (("bo",), {"bo": 200})


def test_a_no_show_takes_a_first_drop_each_deal_until_it_is_out():
    table = pool()
    for _ in range(6):
        table = table.after(ends("asha", "absent"), last_standing("bo"))
    assert table.total("asha") == 120
    assert table.seat("asha").out_in_deal == 6


def test_a_pool_without_survivors_is_won_by_the_lowest_of_those_who_stayed_and_crossed_last():
    """Planted fault: the lowest of those who went out first, although two stayed in longer."""
    level = pool(seats=3, entry=1_001).where(asha=24, bo=38, cy=24)
    level = level.told(penalty("asha", 80), penalty("bo", 80), penalty("cy", 80))
    assert (level.places(), level.paid()) == ({"asha": 1, "cy": 1, "bo": 3}, {"asha": 1_502, "cy": 1_501})
    left = pool(seats=3, splits="none").where(bo=70, cy=90)
    left = left.after(loses_with("bo", 40), show("cy"), loses_with("asha", 2))
    left = left.told(goes_home("asha"), penalty("cy", 15))
    assert left.totals() == {"asha": 2, "bo": 110, "cy": 105}
    assert (left.winners(), left.places()) == (("cy",), {"cy": 1, "asha": 2, "bo": 3})
    first = pool(seats=3, splits="none").where(asha=30, bo=60, cy=101).after(show("asha"), loses_with("bo", 2))
    first = first.told(penalty("bo", 60), penalty("asha", 80))
    assert first.totals() == {"asha": 110, "bo": 122, "cy": 101}
    assert (first.winners(), first.places()) == (("asha",), {"asha": 1, "bo": 2, "cy": 3})


def test_nobody_plays_on_after_the_table_is_decided_but_a_penalty_may_fall_on_the_last_seat():
    decided = pool(seats=3).where(asha=101, bo=101)
    assert decided.table.in_play == ()
    assert decided.refuses(deal(9, show("cy"))) == [("deal_number_jumps", None), ("table_finished", None)]
    assert decided.told(penalty("cy", 30)).total("cy") == 30
    assert decided.refuses(penalty("asha", 30)) == [("seat_is_out", "asha")]
    split = pool(seats=3).where(asha=95, bo=95, cy=101)
    assert split.refuses(penalty("asha", 30)) == [("table_finished", None)]
    near = pool(seats=3).where(asha=90)
    assert not near.told(penalty("asha", 10)).is_out("asha")
    assert near.told(penalty("asha", 11)).seat("asha").may_rejoin


def test_time_closes_a_table_without_a_pot_as_it_stands():
    table = pool(seats=3, entry=0).after(show("asha"), loses_with("bo", 20), loses_with("cy", 30))
    closed = table.told(TIME_CALLED)
    assert [closed.seat(name).total for name in ("asha", "bo", "cy")] == [0, 20, 30]
    assert closed.paid() == {}


def test_winners_stand_level_whatever_they_won_with_and_before_all_who_still_play():
    """A board over many tables compares seats of different tables."""
    with_nothing, with_much = pool().where(bo=101), pool(seats=3, splits="none").where(asha=60, bo=101, cy=101)
    assert with_nothing.seat("asha").rank_key == with_much.seat("asha").rank_key
    split = pool(seats=3).where(asha=95, bo=95, cy=101)
    assert split.seat("bo").rank_key == with_nothing.seat("asha").rank_key
    assert with_much.seat("asha").rank_key < pool().seat("asha").rank_key < with_nothing.seat("bo").rank_key
    three = pool(seats=4, splits="none").where(asha=60, bo=101, cy=101)
    assert with_nothing.seat("asha").rank_key < three.seat("dev").rank_key < three.seat("asha").rank_key
    assert three.seat("asha").rank_key < three.seat("bo").rank_key


def test_who_comes_back_among_seats_at_nothing_has_one_point():
    table = pool(seats=3, splits="none").after(show("asha"), ends("bo", "not_in_deal"), loses_with("cy", 80))
    table = table.after(show("asha"), ends("bo", "not_in_deal"), loses_with("cy", 21))
    assert table.told(rejoins("cy")).total("cy") == 1
    assert table.told(goes_home("bo")).refuses(rejoins("cy")) == [("rejoin_game_over", "cy")]
    one_left = pool(seats=3, splits="none", rejoin_when_one_left=True)
    one_left = one_left.after(show("asha"), ends("bo", "not_in_deal"), loses_with("cy", 80))
    one_left = one_left.after(show("asha"), ends("bo", "not_in_deal"), loses_with("cy", 21)).told(goes_home("bo"))
    assert one_left.told(rejoins("cy")).total("cy") == 1


def test_the_entries_of_who_rejoined_are_in_the_pot_that_is_split():
    table = pool(seats=3, entry=100, split_pool_left="one_entry").where(asha=10, cy=101).told(rejoins("cy"))
    table = table.where(asha=30, bo=90, cy=101)
    assert table.told(SPLIT).paid() == {"asha": 350, "bo": 50}


def test_drops_are_shown_for_seats_that_are_in_and_counted_only_where_they_cost():
    table = pool(seats=3).where(asha=59, bo=61, cy=101)
    assert [table.seat(seat).drops_left for seat in ("asha", "bo", "cy")] == [2, 1, 0]
    assert pool(first_drop=0).table.setup.options.drops_left(50) == 0


def test_a_player_who_takes_the_pot_alone_has_all_of_it_as_an_equal_part():
    [payout] = pool(entry=100).where(bo=101).table.payouts()
    assert lines(payout.because)[-1] == "seat asha: 0 for drops left and 200 as an equal part"
