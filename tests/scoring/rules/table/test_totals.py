"""A table that is entered by its totals ends, ranks and pays as if its deals had been entered."""

from typing import Any

import msgspec
import pytest

from scoring.events import wire
from scoring.rules.chance import Chance
from scoring.rules.table.dealing import Due, announce, due, next_deal
from scoring.rules.table.table import Table, fold
from scoring.sheets.scoresheet import sheet_lines
from scoring.sheets.snapshots import dump_table, load_table
from tests.builders.rules import (
    CLOSED,
    SPLIT,
    TIME_CALLED,
    Wire,
    deal,
    deals,
    goes_home,
    loses_with,
    penalty,
    points,
    pool,
    show,
    sit,
    tiebreak,
    voided,
    withdrawn,
)

NO_ORDER: Wire = {}
SEATS = {2: ("a", "b"), 4: ("a", "b", "c", "d")}
# Of each game the houses that differ in how a table ends and what it pays.
PLAYED: tuple[tuple[str, Wire, Wire], ...] = (
    ("pool", {"limit": 101}, {"entry_minor": 30_000, "fee_bp": 1_000}),
    ("pool", {"limit": 201, "eliminate_at": "exceed", "splits": "none"}, {"entry_minor": 100}),
    ("pool", {"limit": 61, "splits": "auto"}, {}),
    ("points", {"settle": "per_session", "deals": 7}, {"point_value_minor": 25}),
    ("deals", {"deals": 3}, {"entry_minor": 10_000, "fee_bp": 500}),
    ("deals", {"deals": 4, "tiebreak": "share", "second_prize_bp": 3_000}, {"entry_minor": 10_001}),
    ("rum", {}, {"entry_minor": 500}),
    ("rum", {"mode": "winner_scores", "end": "target", "target": 100}, {"entry_minor": 500}),
    ("rum", {"end": "rounds", "rounds": 4, "rummy_bonus": 10}, {}),
    ("block", {"block_scoring": "lowest_wins_difference"}, {"entry_minor": 500, "fee_bp": 250}),
    ("rummy500", {}, {"entry_minor": 700}),
    ("rummy500", {"end": "rounds", "rounds": 3, "tie": "share"}, {"entry_minor": 700}),
    ("romme", {}, {"entry_minor": 900}),
    ("romme", {"tie": "extra_round", "rounds": 3}, {"entry_minor": 900}),
)
REFUSED: tuple[tuple[str, Wire, Wire], ...] = (
    ("points", {}, {"point_value_minor": 100}),
    ("points", {"settle": "per_session"}, {"point_value_minor": 100, "fee_bp": 500}),
    ("points", {"settle": "per_session"}, {"point_value_minor": 100, "levy_bp": 500}),
    ("points", {"settle": "per_session"}, {"point_value_minor": 100, "fee_floor_minor": 5}),
    ("deals", {"tiebreak": "most_deals_won"}, {}),
    ("rum", {"mode": "cash", "end": "rounds"}, {"point_value_minor": 100}),
    ("block", {"mode": "cash", "end": "rounds", "block_scoring": "lowest_wins_difference"}, {"point_value_minor": 1}),
    ("rummy500", {"settlement": "pay_difference"}, {"point_value_minor": 100}),
    ("rummy500", {"must_go_out_to_win": True}, {}),
    ("romme", {"settlement": "pay_points"}, {"point_value_minor": 100}),
    ("romme", {"eliminate_minus": 101}, {}),
    ("romme", {"tie": "most_rounds_won"}, {}),
    ("gin", {}, {}),
    ("rummy_royal", {}, {"point_value_minor": 100}),
)


def totals(out: Wire = NO_ORDER, **by_seat: int) -> Wire:
    return {"kind": "totals_recorded", "totals": by_seat, **({"out": out} if out else {})}


def corrected(out: Wire = NO_ORDER, *, reason: str = "misread", **by_seat: int) -> Wire:
    return {**totals(out, **by_seat), "kind": "totals_corrected", "reason": reason}


def played(table: Table, chance: Chance) -> Table:
    """The table after deals that were made up, until it is over or has played sixty of them."""
    while not table.is_finished and table.deals < 60:
        table = table.record(next_deal(table, chance))
    return table


def as_totals(table: Table) -> Wire:
    """What a scorer reads off the last line of a sheet."""
    seats = table.seats()
    raw = {"kind": "totals_recorded", "totals": {seat: getattr(view, table.rules.race) for seat, view in seats.items()}}
    went_out = sorted({view.out_in_deal for view in seats.values() if view.out_in_deal})
    out = {seat: went_out.index(view.out_in_deal) + 1 for seat, view in seats.items() if view.out_in_deal}
    return {**raw, "out": out} if out else raw


def result(table: Table) -> Any:
    """Places, winners and money: all that a club announces."""
    return {
        "finished": table.is_finished,
        "winners": table.winners(),
        "places": {
            seat: (view.place, getattr(view, table.rules.race), view.is_in) for seat, view in table.standings().items()
        },
        "payouts": announce(table).payouts_minor,
        "fee": announce(table).fee_minor,
        "books": table.won_in_books(),
    }


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize(("variant", "options", "stakes"), PLAYED)
@pytest.mark.parametrize("seed", range(3))
def test_totals_end_a_table_as_its_deals_do(variant: str, options: Wire, stakes: Wire, seats: int, seed: int):
    start = sit(variant, SEATS[seats], stakes, options).table
    by_deals = played(start, Chance(f"{seed}"))
    by_totals = start.record(as_totals(by_deals))
    for entry in by_deals.timeline:
        if isinstance(entry.event, wire.TiebreakRecorded):
            by_totals = by_totals.record(entry.event)
    assert result(by_totals) == result(by_deals)
    if by_deals.is_finished:
        assert result(by_totals.record(CLOSED)) == result(by_deals.record(CLOSED))


def codes(table: Table, raw: Wire) -> list[tuple[str, str | None, str | None]]:
    return [(problem.code, problem.seat, problem.field) for problem in table.problems(raw)]


@pytest.mark.parametrize(("variant", "options", "stakes"), REFUSED)
def test_a_table_paid_or_ranked_by_single_deals_refuses_totals_and_says_why(variant: str, options: Wire, stakes: Wire):
    table = sit(variant, ("a", "b"), stakes, options).table
    [problem] = table.problems(totals(a=0, b=0))
    assert problem.code == "totals_not_allowed"
    assert problem.text().endswith("deal by deal")


def test_a_table_whose_deals_a_second_person_confirms_refuses_totals():
    start = pool().start
    table = Table(
        rules=start.rules,
        setup=msgspec.structs.replace(start.setup, confirmation="second_official"),
        players=start.players,
        version=1,
        timeline=(),
        game=start.game,
    )
    assert codes(table, totals(asha=0, bo=120)) == [("totals_not_allowed", None, None)]


def test_all_mistyped_totals_are_reported_at_once_each_at_its_seat():
    raw = {"kind": "totals_recorded", "totals": {"asha": "12", "bo": -4, "zed": 5, "dev": 1_000_000}, "out": {"bo": 0}}
    assert codes(pool(seats=4).table, raw) == [
        ("unknown_seat", "zed", "totals"),
        ("wrong_type", "asha", "totals"),
        ("out_of_range", "dev", "totals"),
        ("out_of_range", "bo", "out"),
        ("missing_seat", "cy", "totals"),
    ]


def test_a_total_below_nought_is_refused_only_where_points_are_counted_up():
    assert codes(pool(seats=2).table, totals(asha=-1, bo=2)) == [("negative_total", "asha", "totals")]
    carried = sit("pool", ("a", "b"), {}, {}).start
    table = Table(
        rules=carried.rules,
        setup=msgspec.structs.replace(carried.setup, carried={"a": 40, "b": 10}),
        players=carried.players,
        version=1,
        timeline=(),
        game=carried.rules.start(msgspec.structs.replace(carried.setup, carried={"a": 40, "b": 10})),
    )
    assert codes(table, totals({"b": 1}, a=39, b=101)) == [("negative_total", "a", "totals")]
    assert not codes(table, totals({"b": 1}, a=40, b=101))
    assert not codes(sit("rummy500", ("a", "b"), {}, {}).table, totals(a=-35, b=505))


def test_points_of_a_session_sum_to_zero_and_chips_to_what_was_handed_out():
    session = points(seats=3, settle="per_session").table
    assert [problem.text() for problem in session.problems(totals(asha=30, bo=-10, cy=-19))] == [
        "the totals add up to +1, not to 0: check each of them"
    ]
    chips = deals(seats=2, deals=2).table
    assert [(problem.code, problem.text()) for problem in chips.problems(totals(asha=200, bo=130))] == [
        ("wrong_sum", "the totals add up to 330, not to 320")
    ]


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (totals(asha=101, bo=40, cy=30, dev=20), [("out_of_order", "asha", "out")]),
        (totals({"asha": 1}, asha=100, bo=40, cy=30, dev=20), [("out_of_order", "asha", "out")]),
        (totals({"asha": 1, "bo": 3}, asha=101, bo=140, cy=30, dev=20), [("out_of_order", None, "out")]),
        (
            totals({"asha": 1, "bo": 2, "cy": 3, "dev": 4}, asha=101, bo=140, cy=130, dev=120),
            [("no_winner", None, "out")],
        ),
        (totals({"asha": 1}, asha=101, bo=40, cy=30, dev=20), [("two_winners", None, "totals")]),
    ],
)
def test_totals_and_order_of_elimination_must_fit_each_other(raw: Wire, expected: list[Any]):
    assert codes(pool(seats=4, entry=100, splits="none").table, raw) == expected


def test_no_order_is_entered_where_nobody_is_eliminated():
    assert codes(deals(seats=2, deals=2).table, totals({"bo": 1}, asha=200, bo=120)) == [("out_of_order", None, "out")]


def test_where_all_went_out_together_the_lowest_total_wins():
    evening = pool(seats=3, entry=300).told(totals({"asha": 1, "bo": 2, "cy": 2}, asha=110, bo=104, cy=130))
    assert evening.winners() == ("bo",)
    assert evening.paid() == {"bo": 900}


def test_players_still_in_split_the_pot_or_without_one_time_is_called():
    raw = totals({"asha": 1, "bo": 2}, asha=101, bo=140, cy=30, dev=20)
    assert pool(seats=4, entry=300).told(raw, SPLIT).winners() == ("cy", "dev")
    assert pool(seats=4).told(raw, TIME_CALLED).winners() == ("cy", "dev")
    auto = pool(seats=4, entry=300).told(totals({"asha": 1, "bo": 2}, asha=101, bo=140, cy=90, dev=85))
    assert auto.winners() == ("cy", "dev")


def test_tied_chips_are_shared_or_played_off_as_the_house_plays():
    level = totals(asha=200, bo=200, cy=80)
    assert deals(seats=3, deals=2, entry=300, tiebreak="share").told(level).paid() == {"asha": 450, "bo": 450}
    open_still = deals(seats=3, deals=2, entry=300).told(level)
    assert due(open_still.table) is Due.TIEBREAK
    assert open_still.told(tiebreak(show("bo"), loses_with("asha", 20))).paid() == {"bo": 900}


def test_a_table_has_deals_or_totals_and_never_both():
    one = deal(1, show("asha"), loses_with("bo", 20))
    dealt = pool(seats=2).told(one)
    assert codes(dealt.table, totals({"bo": 1}, asha=0, bo=120)) == [("has_deals", None, None)]
    by_totals = pool(seats=2).told(totals(asha=0, bo=20))
    assert codes(by_totals.table, one) == [("has_totals", None, None)]
    assert codes(by_totals.table, totals(asha=0, bo=20)) == [("has_totals", None, None)]
    assert due(by_totals.table) is Due.NOTHING
    again = dealt.told(voided(1), totals({"bo": 1}, asha=0, bo=120))
    assert codes(again.table, {**one, "kind": "deal_corrected", "reason": "it counts"}) == [("has_totals", None, None)]


@pytest.mark.parametrize("act", [penalty("asha", 10), goes_home("asha")])
def test_what_totals_contain_is_not_guessed_after_a_penalty_or_a_player_who_left(act: Wire):
    assert codes(pool(seats=3).told(act).table, totals(asha=10, bo=0, cy=20)) == [("totals_not_allowed", None, None)]


def test_a_penalty_after_totals_is_added_to_them():
    evening = points(seats=2, settle="per_session").told(totals(asha=30, bo=-30), penalty("asha", 10))
    assert {seat: view.net_points for seat, view in evening.table.seats().items()} == {"asha": 20, "bo": -30}
    assert evening.told(CLOSED).paid() == {"asha": 3_000, "bo": -3_000}


def test_undone_totals_leave_a_table_that_has_not_begun():
    fresh = pool(seats=2, entry=500)
    evening = fresh.told(totals({"bo": 1}, asha=0, bo=120))
    assert evening.table.has_begun
    assert evening.table.deals == 0
    undone = evening.told(withdrawn(2))
    assert not undone.table.has_begun
    assert result(undone.table) == result(fresh.table)
    undone.told(deal(1, show("asha"), loses_with("bo", 20)))


def test_totals_undone_after_closing_wait_for_the_director():
    evening = pool(seats=2, entry=500).told(totals({"bo": 1}, asha=0, bo=120), CLOSED, withdrawn(2))
    assert evening.conflicts() == [(3, "not_finished", None)]


def test_corrected_totals_replace_the_others_in_their_place_also_after_closing():
    evening = pool(seats=2, entry=500).told(totals({"bo": 1}, asha=0, bo=120), CLOSED)
    assert evening.paid() == {"asha": 1_000}
    righted = evening.told(corrected({"asha": 1}, asha=120, bo=0))
    assert righted.paid() == {"bo": 1_000}
    [line, _] = sheet_lines(righted.table)
    assert (line.version, line.kind, line.corrected_at) == (2, "totals_recorded", 4)
    at_once = pool(seats=2, entry=500).told(totals({"asha": 1}, asha=120, bo=0), CLOSED)
    assert result(righted.table) == result(at_once.table)


def test_a_correction_needs_totals_a_reason_and_totals_that_fit():
    fresh = pool(seats=2)
    assert codes(fresh.table, corrected({"bo": 1}, asha=0, bo=120)) == [("no_totals", None, None)]
    evening = fresh.told(totals({"bo": 1}, asha=0, bo=120))
    bare = {**totals({"bo": 1}, asha=0, bo=120), "kind": "totals_corrected"}
    assert codes(evening.table, bare) == [("missing_field", None, "reason")]
    assert codes(evening.table, corrected(asha=0, bo=120)) == [("out_of_order", "bo", "out")]


def test_a_table_of_totals_is_stored_and_read_again():
    evening = pool(seats=2)
    table = evening.told(totals({"bo": 1}, asha=7, bo=120), corrected({"bo": 1}, asha=8, bo=120)).table
    assert dump_table(load_table(dump_table(table))) == dump_table(table)
    forms = [(version, wire.encode(entry.event)) for version, entry in enumerate(table.timeline, 2)]
    read = [(version, wire.decode(form.kind, form.schema, form.body, table.rules)) for version, form in forms]
    assert fold(evening.start, read).seats() == table.seats()
