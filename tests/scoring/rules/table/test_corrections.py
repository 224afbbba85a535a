"""Corrections, cancelled deals and undone events: the wrong deal leaves no trace, and conflicts are reported."""

import pytest

from scoring.rules.table.admission import considered
from scoring.rules.table.table import Status, fold
from tests.builders.rules import (
    CANCELLED,
    CLOSED,
    SPLIT,
    corrected,
    deal,
    deals,
    first_drop,
    goes_home,
    loses_with,
    penalty,
    points,
    pool,
    rejoins,
    show,
    tiebreak,
    voided,
    withdrawn,
)


def test_a_correction_that_brings_a_seat_back_in_contradicts_the_deals_played_without_it():
    table = pool(seats=3).where(bo=70).after(show("asha"), loses_with("bo", 40), first_drop("cy"))
    table = table.after(show("asha"), loses_with("cy", 5))
    fixed = table.told(corrected(2, show("asha"), loses_with("bo", 4), first_drop("cy")))
    assert fixed.conflicts() == [(4, "missing_seat", "bo")]
    assert fixed.totals() == {"asha": 0, "bo": 74, "cy": 25}
    settled = fixed.told(corrected(3, show("asha"), loses_with("cy", 5), ("bo", {"how": "not_in_deal"})))
    assert settled.conflicts() == []


def test_a_correction_that_puts_a_seat_out_contradicts_the_deals_it_played_since():
    table = pool(seats=3).where(bo=70).after(show("asha"), loses_with("bo", 4), first_drop("cy"))
    table = table.after(show("bo"), loses_with("asha", 9), loses_with("cy", 5))
    fixed = table.told(corrected(2, show("asha"), loses_with("bo", 40), first_drop("cy")))
    assert (4, "seat_is_out", "bo") in fixed.conflicts()
    assert fixed.is_out("bo")
    assert fixed.told(voided(3)).conflicts() == []


def test_a_player_who_rejoined_but_was_never_out_is_a_contradiction_over_which_nothing_closes():
    table = pool(seats=3).where(bo=70).after(show("asha"), loses_with("bo", 40), first_drop("cy")).told(rejoins("bo"))
    fixed = table.told(corrected(2, show("asha"), loses_with("bo", 4), first_drop("cy")))
    contradiction = [(4, "rejoin_too_late", "bo")]
    assert (table.total("bo"), fixed.total("bo"), fixed.conflicts()) == (21, 74, contradiction)
    assert fixed.told(withdrawn(4)).conflicts() == []
    assert "open_conflict" in [code for code, _ in fixed.where(bo=101, cy=101).refuses(CLOSED)]
    # A table that is given up has nothing left to resolve until it goes on.
    given_up = fixed.told(CANCELLED)
    assert given_up.conflicts() == []
    assert given_up.told(withdrawn(given_up.table.version)).conflicts() == contradiction


def test_a_rejoin_follows_a_correction_that_moves_the_highest_survivor():
    table = pool(seats=3).where(asha=50, bo=70).after(show("cy"), loses_with("bo", 40), first_drop("asha"))
    table = table.told(rejoins("bo"))
    fixed = table.told(corrected(3, show("cy"), loses_with("bo", 40), loses_with("asha", 3)))
    assert fixed.total("bo") == 54
    assert fixed.conflicts() == []


def test_a_split_on_other_totals_is_flagged_and_nothing_is_paid_until_a_director_decides():
    table = pool(seats=3, entry=100).where(asha=30, bo=40, cy=101).told(SPLIT)
    fixed = table.told(corrected(1, show("bo"), loses_with("asha", 20), ("cy", {"how": "not_in_deal"})))
    assert [code for _, code, _ in fixed.conflicts()] == ["split_on_other_totals"]
    assert (fixed.winners(), fixed.paid(), fixed.table.is_finished) == ((), {}, False)
    again = fixed.told(withdrawn(table.table.version), SPLIT)
    assert again.conflicts() == []
    assert sum(again.paid().values()) == 300
    right = corrected(1, show("bo"), loses_with("asha", 30), ("cy", {"how": "not_in_deal"}))
    assert fixed.told(right).paid() == table.paid()


def test_a_split_after_a_correction_keeps_the_totals_that_were_corrected_also_where_all_is_read_at_once():
    table = pool(seats=3, entry=100).where(asha=30, bo=40, cy=101)
    agreed = table.told(
        corrected(1, show("bo"), loses_with("asha", 20), ("cy", {"how": "not_in_deal"})),
        SPLIT,
    )
    read, events = agreed.start, []
    for raw in agreed.events:
        event, _ = considered(read, raw)
        assert event is not None
        events.append((read.version + 1, event))
        read = fold(read, events[-1:])
    assert fold(agreed.start, events).timeline == read.timeline == agreed.table.timeline
    assert agreed.table.timeline[-1].event.totals["asha"] == 20


def test_a_closed_table_that_a_correction_leaves_undecided_must_be_reopened():
    table = pool(entry=100).where(bo=80).after(show("asha"), loses_with("bo", 40)).told(CLOSED)
    fixed = table.told(corrected(2, show("asha"), loses_with("bo", 4)))
    assert fixed.conflicts() == [(4, "not_finished", None)]
    assert (fixed.table.is_finished, fixed.winners(), fixed.paid()) == (False, (), {})
    going_on = fixed.told(withdrawn(4)).after(show("asha"), loses_with("bo", 40))
    assert going_on.winners() == ("asha",)


def test_a_correction_fits_the_seats_that_were_in_when_its_deal_was_played():
    table = pool(seats=3).where(bo=70).after(show("asha"), loses_with("bo", 40), first_drop("cy"))
    table = table.after(show("asha"), loses_with("cy", 5))
    assert table.refuses(corrected(3, show("asha"), loses_with("bo", 5), loses_with("cy", 5))) == [
        ("seat_is_out", "bo")
    ]
    assert table.refuses(corrected(2, show("asha"), loses_with("bo", 5), loses_with("cy", 5))) == []


def test_a_corrected_deal_stays_where_it_stood():
    table = pool(seats=3).where(asha=20).after(show("asha"), first_drop("bo"), first_drop("cy"))
    fixed = table.told(corrected(1, show("asha"), loses_with("bo", 9), loses_with("cy", 8)))
    assert [(entry.version, entry.event.deal, entry.corrected_at) for entry in fixed.table.timeline] == [
        (2, 1, 4),
        (3, 2, 0),
    ]


class TestVoids:
    def test_use_up_no_deal_of_a_fixed_number_and_give_their_number_free_again(self):
        table = deals().after(show("asha"), loses_with("bo", 9)).told(voided(1))
        assert (table.chips(), table.table.deals, table.table.next_deal) == ({"asha": 160, "bo": 160}, 0, 2)
        for number, refused in ((1, []), (2, []), (3, [("deal_number_jumps", None)])):
            assert table.refuses(deal(number, show("bo"), loses_with("asha", 9))) == refused
        assert [table.refuses(voided(number)) for number in (1, 2)] == [
            [("deal_is_void", None)],
            [("no_such_deal", None)],
        ]
        assert table.told(corrected(1, show("bo"), loses_with("asha", 9))).chips() == {"asha": 151, "bo": 169}
        assert table.after(show("asha"), loses_with("bo", 9)).after(show("asha"), loses_with("bo", 9)).table.is_finished

    def test_of_a_number_played_twice_mean_the_latest(self):
        table = (
            points()
            .after(show("asha"), loses_with("bo", 9))
            .told(voided(1), deal(1, show("bo"), loses_with("asha", 5)))
        )
        assert table.told(voided(1)).table.deals == 0
        assert [payout.slot for payout in table.table.payouts()] == ["deal:1"]


class TestWithdrawals:
    @pytest.mark.parametrize(
        "act",
        [rejoins("cy"), SPLIT, goes_home("asha"), penalty("asha", 5), CANCELLED],
        ids=["rejoin", "split", "leaving", "penalty", "cancelling"],
    )
    def test_take_an_act_out_as_if_it_had_never_been(self, act):
        table = pool(seats=3).where(asha=20, bo=30, cy=101)
        back = table.told(act, withdrawn(table.table.version + 1))
        assert back.table.game == table.table.game
        assert back.table.status is Status.OPEN

    def test_take_out_a_tie_break(self):
        table = deals().after(show("asha"), loses_with("bo", 9)).after(show("bo"), loses_with("asha", 9))
        back = table.told(tiebreak(show("bo"), loses_with("asha", 3)), withdrawn(4))
        assert back.table.in_play == ("asha", "bo")

    def test_are_not_for_deals_nor_for_what_is_not_there(self):
        table = points().after(show("asha"), loses_with("bo", 9))
        assert table.refuses(withdrawn(2)) == [("nothing_to_withdraw", None)]
        assert table.refuses(withdrawn(9)) == [("nothing_to_withdraw", None)]
        once = table.told(penalty("asha", 5), withdrawn(3))
        assert once.refuses(withdrawn(3)) == [("nothing_to_withdraw", None)]


class TestRefusedChanges:
    def test_need_a_reason(self):
        table = points().after(show("asha"), loses_with("bo", 9))
        for raw in (corrected(1, show("asha"), loses_with("bo", 8)), voided(1), penalty("bo", 1), CANCELLED):
            bare = {name: value for name, value in raw.items() if name != "reason"}
            assert table.refuses(bare) == [("missing_field", None)]
            assert table.refuses({**raw, "reason": " \u0000 \n"}) == [("wrong_type", None)]
            assert table.refuses({**raw, "reason": "x" * 501}) == [("wrong_type", None)]

    def test_need_a_deal_that_was_recorded_and_a_sheet_that_fits_where_it_stood(self):
        table = pool(seats=3).where(asha=101)
        assert table.refuses(corrected(9, show("asha"), loses_with("bo", 8))) == [
            ("no_such_deal", None),
        ]
        assert table.refuses(corrected(2, show("bo"), loses_with("asha", 8))) == [("missing_seat", "cy")]
