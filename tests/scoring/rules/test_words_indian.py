"""The exact messages of Indian rummy forms: refusals, the story of an event, the arithmetic of a payment."""

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
from tests.builders.wording import because, form, opening_refusals, picture, refusals, story, written

HOUSES = [
    (2, {"first_drop": 41}),
    (2, {"first_drop": 40, "middle_drop": 40, "cap": 40}),
    (2, {"middle_drop": 81}),
    (4, {"packs": 1}),
    (4, {"packs": 1, "printed_jokers": 2}),
    (9, {"packs": 2}),
    (2, {"cap": 39}),
]


def test_a_house_that_does_not_fit_together_is_told_which_numbers(snapshot):
    answers = {
        f"{seats} seats: {written(house)}": opening_refusals("points", seats=seats, options=house, point_value_minor=1)
        for seats, house in HOUSES
    }
    answers["points without a value"] = opening_refusals("points", options={}, point_value_minor=0)
    assert picture(answers) == snapshot


def test_a_scorer_is_asked_for_what_the_house_counts(snapshot):
    answers = {
        "points": form(points()),
        "a pool where hands are counted": form(pool(stock_exhausted="count_now")),
        "deals where a wrong show stops a deal": form(deals(wrong_show_continues=False)),
    }
    assert picture(answers) == snapshot


class TestPool:
    def test_says_why_a_seat_may_not_rejoin_or_has_no_such_event(self, snapshot):
        dear = pool(seats=3, entry=200_000, rejoin_entry_below_minor=200_000, max_rejoins=0).where(asha=80, cy=101)
        again = pool(seats=4, max_rejoins=1).where(cy=101).told(rejoins("cy")).where(cy=101)
        answers = {
            "who is in": refusals(pool(seats=3), rejoins("asha")),
            "at a dear table without rejoins": refusals(dear, rejoins("cy")),
            "for the second time": refusals(again, rejoins("cy")),
            "of two": refusals(pool().where(bo=101), rejoins("bo")),
            "asha buys in": refusals(pool(), buys_in("asha", 5)),
        }
        assert picture(answers) == snapshot

    def test_lets_a_seat_back_once_and_the_others_after_it(self, snapshot):
        crossed = pool(seats=4, splits="none").where(cy=95, dev=95)
        crossed = crossed.after(show("asha"), first_drop("bo"), loses_with("cy", 6), loses_with("dev", 80))
        assert crossed.seat("cy").may_rejoin
        back = crossed.told(rejoins("cy"))
        assert picture({"cy once more": refusals(back, rejoins("cy"))}) == snapshot
        assert [back.seat(seat).may_rejoin for seat in ("asha", "bo", "cy", "dev")] == [False, False, False, True]
        assert back.told(rejoins("dev")).totals() == {"asha": 0, "bo": 20, "cy": 21, "dev": 21}

    def test_says_why_the_pot_may_not_be_split(self, snapshot):
        differ = pool(seats=5, entry=100, split_most_drop_difference=2)
        one_entry = pool(seats=3, entry=100, split_pool_left="one_entry")
        tables = {
            "five in, splits by themselves": pool(seats=5, splits="auto"),
            "four in": pool(seats=5).where(eli=101),
            "nobody out": pool(seats=3),
            "enough in the pot": pool(seats=3, entry=100).where(asha=30, bo=90, cy=101),
            "drops that differ": differ.where(asha=30, bo=70, cy=90, dev=101, eli=101),
            "an empty pot": pool(seats=3, entry=100).where(asha=0, bo=100, cy=101),
            "less than one entry": one_entry.where(asha=30, bo=90, cy=101),
        }
        assert picture((name, refusals(table, SPLIT)) for name, table in tables.items()) == snapshot
        # The drops may differ by as many as allowed, and by any number where only two are left.
        three = pool(seats=5, entry=100, split_most_drop_difference=3)
        assert refusals(three.where(asha=10, bo=50, cy=70, dev=101, eli=101), SPLIT) == []
        two = pool(seats=4, entry=100, split_most_drop_difference=1)
        assert refusals(two.where(asha=30, bo=70, cy=101, dev=101), SPLIT) == []
        nobody_out = pool(splits="manual", split_needs_fewer_than_started=False).where(asha=60, bo=20)
        assert refusals(nobody_out, SPLIT) == []

    def test_says_that_it_is_over_or_what_it_still_needs(self, snapshot):
        won = pool().where(bo=101)
        acts = (deal(3, show("asha")), SPLIT, goes_home("asha"), penalty("bo", 3), CLOSED)
        answers = {raw["kind"]: refusals(won, raw) for raw in acts} | {
            "penalty_given after a split": refusals(pool(seats=3).where(asha=95, bo=95, cy=101), penalty("asha", 3)),
            "asha leaves twice": refusals(pool(seats=3).told(goes_home("asha")), goes_home("asha")),
        }
        answers |= undecided({"a pot": pool(entry=5), "no pot": pool()})
        assert picture(answers) == snapshot

    def test_tells_who_went_out_who_may_come_back_and_who_did(self, snapshot):
        table = pool(seats=4).where(cy=95, dev=95)
        table = table.after(show("asha"), first_drop("bo"), loses_with("cy", 6), loses_with("dev", 80))
        back = table.told(rejoins("cy"))
        tables = {
            "two cross the limit": table,
            "cy rejoins": back,
            "dev rejoins": back.told(rejoins("dev")),
            "bo goes home": table.told(goes_home("bo")),
            "a penalty after it": table.told(goes_home("bo"), penalty("asha", 1)),
            "a split": table.told(SPLIT),
            "a split that comes by itself": pool(seats=3).where(asha=95, bo=95, cy=101),
            "no rejoins": pool(seats=3, max_rejoins=0).where(cy=101),
            "a penalty": pool(seats=3).told(penalty("bo", 7)),
        }
        assert picture((name, story(told)) for name, told in tables.items()) == snapshot

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


def undecided(tables):
    """What tables without a winner say when they are closed, with and without time being called."""
    return {
        f"{name}, {'time called' if end is TIME_CALLED else 'closed'}": refusals(table, end)
        for name, table in tables.items()
        for end in (CLOSED, TIME_CALLED)
    }


class TestDeals:
    def test_says_that_it_is_over_what_it_still_needs_and_who_may_not_leave(self, snapshot):
        extra = tiebreak(show("asha"), loses_with("bo", 4))
        three = deals(seats=3, deals=1)
        won = deals(deals=1).after(show("asha"), loses_with("bo", 4))
        level = deals(deals=1, entry=3).after(show("asha"), loses_with("bo", 35)).told(penalty("asha", 70))
        answers = {
            "an extra deal before a deal": refusals(three, extra),
            "an extra deal, nobody level": refusals(
                three.after(show("asha"), loses_with("bo", 4), loses_with("cy", 4)), extra
            ),
            "a deal after the last": refusals(won, deal(2, show("asha"), loses_with("bo", 4))),
            "leaving after the last": refusals(won, goes_home("asha")),
            "the last one leaves": refusals(deals().told(goes_home("asha")), goes_home("bo")),
            "leaving once more": refusals(deals(seats=3).told(goes_home("asha")), goes_home("asha")),
            "coming back": refusals(deals(), rejoins("asha")),
        }
        answers |= undecided({"no deal": deals(), "two level for a pot": level})
        assert picture(answers) == snapshot

    def test_tells_how_the_chips_moved_and_once_that_a_seat_fell_below_nothing(self, snapshot):
        nothing = deals(deals=1).told(penalty("asha", 80))
        below = nothing.told(penalty("asha", 1))
        tables = {
            "a deal": deals(seats=3, deals=1).after(show("asha"), loses_with("bo", 4), loses_with("cy", 8)),
            "a penalty makes two level": deals(deals=1)
            .after(show("asha"), loses_with("bo", 35))
            .told(penalty("asha", 70)),
            "all chips of two": deals().told(penalty("asha", 160), penalty("bo", 160)),
            "all 80": nothing,
            "1 more": below,
            "3 more": below.told(penalty("asha", 3)),
        }
        assert picture((name, story(table)) for name, table in tables.items()) == snapshot

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


class TestPoints:
    def test_says_who_has_left_and_how_much_a_seat_must_buy_in_for(self, snapshot):
        gone = points().told(goes_home("asha"))
        short = points(seats=3, value=150).told(buys_in("bo", 12_000))
        short = short.after(show("asha"), loses_with("bo", 1), first_drop("cy"))
        answers = {
            "nobody is left to play with": refusals(gone, deal(1, last_standing("bo"))),
            "who has left buys in": refusals(gone, buys_in("asha", 8_000)),
            "too small": refusals(points(value=150), buys_in("asha", 11_999)),
            "short": refusals(short, deal(2, show("asha"), loses_with("bo", 1), first_drop("cy"))),
        }
        assert picture(answers) == snapshot

    def test_tells_how_the_points_moved(self, snapshot):
        table = points(seats=3).after(show("asha"), loses_with("bo", 4), ends("cy", "not_in_deal"))
        assert picture({"a deal": story(table), "a penalty": story(table.told(penalty("asha", 9)))}) == snapshot

    def test_shows_the_arithmetic_of_each_deal(self):
        first = ("deal 1: 7 points of 150 make 1050", "fee 1000 basis points of 1050 is 105")
        second = ("deal 2: 3 points of 150 make 450", "fee 1000 basis points of 450 is 45")
        for settle, wanted in (
            ("per_deal", [("deal:1", first), ("deal:2", second)]),
            ("per_session", [("table", first + second)]),
        ):
            table = points(value=150, fee_bp=1_000, settle=settle).after(show("asha"), loses_with("bo", 7))
            assert because(table.after(show("bo"), loses_with("asha", 3))) == wanted
