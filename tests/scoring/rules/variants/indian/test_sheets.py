"""A deal sheet: what each ending costs, and everything that can be wrong with one."""

from typing import Any

from scoring.rules.variants.indian.checks import added, blank
from scoring.rules.variants.indian.outcomes import (
    DealEnd,
    DealOptions,
    DealResult,
    DealSheet,
    Outcome,
    OutcomeKind,
    deal_result,
)
from tests.builders.rules import (
    deal,
    ends,
    first_drop,
    last_standing,
    loses_holding,
    loses_with,
    middle_drop,
    pool,
    show,
    wrong_show,
)
from tests.builders.wording import picture, refusals, written

SHOWN = ("AD 2D 3D 4D", "6S 7S 8S", "KC KD KH", "JC QC KC")
HAND = ("3H 4H 5H", "5C 6C 7C QD", "8D 5C", "2D 2C 2H", "KS")


WRONG_SHEETS: list[list[tuple[str, Any]]] = [
    [show("asha"), show("bo"), first_drop("cy")],
    [first_drop("asha"), first_drop("bo"), middle_drop("cy")],
    [ends("asha", "show", count=12), first_drop("bo"), first_drop("cy")],
    [show("asha"), ends("bo", "first_drop", count=20), first_drop("cy")],
    [show("asha"), loses_with("bo", 131), first_drop("cy")],
    [show("asha"), loses_with("bo", -1), first_drop("cy")],
    [show("asha"), ends("bo", "loss"), first_drop("cy")],
    [show("asha"), first_drop("bo")],
    [show("asha"), first_drop("bo"), first_drop("zoe")],
    [show("asha"), first_drop("bo"), ends("cy", "folded")],
    [show("asha"), first_drop("bo"), ("cy", {})],
    [show("asha"), first_drop("bo"), ("cy", 20)],
    [show("asha"), first_drop("bo"), ends("cy", "loss", count="20")],
    [show("asha"), first_drop("bo"), ends("cy", "loss", count=10**30)],
    [show("asha"), first_drop("bo"), ends("cy", "loss", count=2, points=2)],
    [last_standing("asha"), loses_with("bo", 3), first_drop("cy")],
    [show("asha"), ends("bo", "half_count", count=9), first_drop("cy")],
    [show("asha"), ends("bo", "not_in_deal"), ends("cy", "not_in_deal")],
    [show("asha"), loses_holding("bo", "7H 8H 9H"), first_drop("cy")],
    [show("asha"), loses_holding("bo", "7H 8X 1Z"), first_drop("cy")],
    [show("asha"), loses_holding("bo", *HAND, loose="6S")],
    [show("asha"), ends("bo", "first_drop", groups=[*HAND]), first_drop("cy")],
    [ends("asha", "show", groups=["7H 8H 9H", "4S 5S 6S", "KC KD KH", "2C 3D"], loose="JC QC"), first_drop("bo")],
    [show("asha"), ends("bo", "wrong_show", groups=[*SHOWN]), first_drop("cy")],
    [show("asha"), ends("bo", "wrong_show", groups=[*SHOWN[:3]], loose="QC"), first_drop("cy")],
    [show("asha"), ends("bo", "loss", count=3, groups=[*HAND]), first_drop("cy")],
    [show("asha"), loses_holding("bo", "KS KS KS", "2D 2C 2H", "3D 4D 5D 6D", "9C TC JC"), first_drop("cy")],
]


def test_a_wrong_sheet_names_seat_field_and_number(snapshot):
    answers = ((written(dict(said)), refusals(pool(seats=3), deal(1, *said))) for said in WRONG_SHEETS)
    assert picture(answers) == snapshot


def test_the_cards_of_a_show_and_of_a_wrong_show_are_kept_and_change_no_score():
    table = pool(seats=3).after(
        ends("asha", "show", groups=[*SHOWN]),
        ends("bo", "wrong_show", groups=[*SHOWN[:2], "9C 9D 9H"], loose="JC QC AC"),
        first_drop("cy"),
    )
    assert (table.totals(), table.table.timeline[-1].event.sheet.outcomes["asha"].groups) == (
        {"asha": 0, "bo": 80, "cy": 20},
        SHOWN,
    )


def test_everything_that_is_wrong_is_said_at_once():
    said = deal(
        3, ends("asha", "show", count=12), show("bo"), loses_with("zoe", -4), wild="XX", dealer="zoe", colour="red"
    )
    _, problems = pool(seats=3).considered(said)
    assert {problem.code for problem in problems} == {
        "unknown_field",
        "unknown_seat",
        "impossible_wild",
        "deal_number_jumps",
        "missing_seat",
        "winner_has_points",
        "two_winners",
    }


def test_a_detail_names_the_player_where_the_name_is_known():
    _, problems = pool(seats=2).considered(deal(1, show("asha"), loses_with("bo", -4)))
    assert problems[0].text({"bo": "Bo <b>"}) == "Bo <b> has -4; hand points cannot be negative"
    assert problems[0].as_json() == {
        "code": "negative_count",
        "seat": "bo",
        "field": "count",
        "detail": "bo has -4; hand points cannot be negative",
    }


def test_a_count_over_the_cap_counts_as_the_cap_but_is_no_sheet_to_store():
    table = pool(seats=2)
    at_the_cap, _ = table.considered(deal(1, show("asha"), loses_with("bo", 80)))
    assert at_the_cap is not None
    assert table.table.rules.typing_problems(table.table.setup, at_the_cap) == []
    assert table.refuses(deal(1, show("asha"), loses_with("bo", 130))) == []
    event, problems = table.considered(deal(1, show("asha"), loses_with("bo", 81)))
    assert problems == []
    assert event is not None
    (problem,) = table.table.rules.typing_problems(table.table.setup, event)
    assert (problem.code, problem.seat, problem.field) == ("count_over_cap", "bo", "count")


def test_hands_are_counted_only_where_the_house_does_that_and_won_by_the_lowest():
    said = [loses_with("asha", 30), loses_with("bo", 12), loses_with("cy", 12), first_drop("dev")]
    ended = pool(seats=4, stock_exhausted="count_now").after(*said, ended="count_now")
    assert ended.totals() == {"asha": 30, "bo": 0, "cy": 0, "dev": 20}
    assert [ended.seat(seat).deals_won for seat in ("asha", "bo", "cy")] == [0, 1, 1]
    assert pool(seats=4).refuses(deal(1, *said, ended="count_now")) == [("count_now_not_allowed", None)]


def test_a_wrong_show_may_stop_the_deal_which_costs_those_who_hold_cards_nothing():
    ended = pool(seats=3).after(wrong_show("asha"), ends("bo", "loss"), first_drop("cy"), ended="void_others")
    assert ended.totals() == {"asha": 80, "bo": 0, "cy": 20}
    assert ended.seat("bo").deals_won == 0
    for said, refused in (
        ([first_drop("asha"), ends("bo", "loss")], [("no_wrong_show", None)]),
        ([wrong_show("asha"), first_drop("bo")], [("no_winner", None)]),
        ([wrong_show("asha"), show("bo")], [("winner_not_expected", "bo"), ("no_winner", None)]),
    ):
        assert pool().refuses(deal(1, *said, ended="void_others")) == refused
    counted = deal(1, wrong_show("asha"), show("bo"), loses_with("cy", 12))
    assert pool(seats=3).refuses(counted) == []
    assert pool(seats=3, wrong_show_continues=False).refuses(counted) == [("wrong_show_ends_deal", None)]


class TestResults:
    def test_have_no_points_of_a_seat_that_sits_out(self):
        outcomes = {
            "asha": Outcome(how=OutcomeKind.LAST_STANDING),
            "bo": Outcome(how=OutcomeKind.FIRST_DROP),
            "cy": Outcome(how=OutcomeKind.NOT_IN_DEAL),
        }
        result = deal_result(DealSheet(outcomes=outcomes), DealOptions(), ("asha", "bo", "cy", "dev"))
        assert (result.points, result.winners, result.drops) == ({"asha": 0, "bo": 20}, ("asha",), ("bo",))

    def test_give_counted_hands_to_the_lowest_and_to_nobody_where_none_is_held(self):
        held = {seat: Outcome(how=OutcomeKind.LOSS, count=count) for seat, count in (("asha", 9), ("bo", 4), ("cy", 4))}
        counted = deal_result(DealSheet(outcomes=held, ended=DealEnd.COUNT_NOW), DealOptions(), tuple(held))
        assert (counted.points, counted.winners) == ({"asha": 9, "bo": 0, "cy": 0}, ("bo", "cy"))
        halved = held | {"asha": Outcome(how=OutcomeKind.HALF_COUNT, count=7)}
        counted = deal_result(DealSheet(outcomes=halved, ended=DealEnd.COUNT_NOW), DealOptions(), tuple(held))
        assert (counted.points, counted.winners) == ({"asha": 0, "bo": 0, "cy": 0}, ("asha", "bo", "cy"))
        stopped = {
            "asha": Outcome(how=OutcomeKind.WRONG_SHOW),
            "bo": Outcome(how=OutcomeKind.HALF_COUNT),
            "cy": held["cy"],
        }
        void = deal_result(DealSheet(outcomes=stopped, ended=DealEnd.VOID_OTHERS), DealOptions(), tuple(held))
        assert (void.points, void.winners, void.takers) == ({"asha": 80, "bo": 0, "cy": 0}, (), ("bo", "cy"))
        dropped = {seat: Outcome(how=OutcomeKind.FIRST_DROP) for seat in held}
        nobody = deal_result(DealSheet(outcomes=dropped, ended=DealEnd.COUNT_NOW), DealOptions(), tuple(held))
        assert (set(nobody.points.values()), nobody.winners, nobody.takers) == ({20}, (), ())


def test_hands_written_as_cards_are_counted_as_the_house_counts():
    hand = loses_holding("bo", *HAND)
    for house, total in (({}, 23), ({"count_mode": "optimal"}, 22), ({"deduct_sets": False}, 29)):
        assert pool(**house).after(show("asha"), hand, wild="QS").total("bo") == total
    dear = loses_holding("bo", "KS KH QS QH JS JH", "TS TH 9S 9H 8S 8H 7D")
    assert pool().after(show("asha"), dear).total("bo") == 80
    half = pool(deal_show_half_count=True).after(show("asha"), ("bo", {**dear[1], "had_turn": False}))
    assert half.total("bo") == 40


def test_what_was_sent_is_never_repeated_at_length():
    raw = deal(1, ("asha", {"how": "x" * 100_000}), ("bo", {"y" * 100_000: 1, "how": "show"}), ("z" * 100_000, {}))
    _, problems = pool().considered({**raw, "wild": "w" * 100_000})
    assert len(problems) == 4
    assert all(len(str(problem.as_json())) < 700 for problem in problems)


def test_points_deals_won_wrong_shows_and_drops_add_up_seat_by_seat():
    start = blank(["asha", "bo", "cy"])
    assert (start.deals, start.last_deal) == (0, 0)
    points = {"asha": 0, "bo": 20, "cy": 80}
    dropped = DealResult(points, ("asha",), ("asha",), wrong_shows=("cy",), drops=("bo",))
    plain = DealResult({"asha": 7, "bo": 0}, ("bo",), ("bo",))
    tally = added(added(start, 1, dropped), 4, plain)
    assert (tally.deals, tally.last_deal) == (2, 4)
    assert tally.points == {"asha": 7, "bo": 20, "cy": 80}
    assert tally.won == {"asha": 1, "bo": 1, "cy": 0}
    assert tally.wrong_shows == {"asha": 0, "bo": 0, "cy": 1}
    assert tally.drops == {"asha": 0, "bo": 1, "cy": 0}


def test_a_half_count_is_a_hand_held_at_a_show():
    table = pool(seats=3, deal_show_half_count=True)
    half = ends("bo", "half_count", count=9)
    assert table.refuses(deal(1, show("asha"), half, first_drop("cy"))) == []
    assert table.refuses(deal(1, last_standing("asha"), half, first_drop("cy"))) == [("loss_without_show", "bo")]
    counted = pool(seats=3, deal_show_half_count=True, stock_exhausted="count_now")
    assert counted.refuses(deal(1, first_drop("asha"), half, first_drop("cy"), ended="count_now")) == []
    stops = pool(seats=3, deal_show_half_count=True, wrong_show_continues=False)
    assert stops.refuses(deal(1, show("asha"), half, wrong_show("cy"))) == [("wrong_show_ends_deal", None)]
