"""The worked cases of published rules, loaded as data; each whole game also with a wrong number corrected later."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.builders.rules import (
    CLOSED,
    SPLIT,
    Evening,
    Wire,
    corrected,
    deal,
    deals,
    ends,
    loses_with,
    penalty,
    pool,
    rejoins,
    show,
    sit,
)

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parents[4] / "data" / "golden_cases.json").read_text())
HOUSE = ("limit", "first_drop", "middle_drop", "cap", "eliminate_at", "auto_split_when", "wrong_show", "deduct_sets")
WORDS = {"valid_show": "show"}


def cases(variant: str, *ops: str) -> Any:
    found = [case for case in CASES if case["variant"] == variant and case["op"] in ops]
    assert found, f"no case of {variant} {ops}"
    return pytest.mark.parametrize("case", found, ids=lambda case: case["id"])


def house(case: dict[str, Any]) -> dict[str, Any]:
    names = (*HOUSE, "max_set_size", "deal_show_half_count", "deals", "chips_per_deal")
    return {name: case["options"][name] for name in names if name in case["options"]}


def seat_table(variant: str, case: dict[str, Any], seats: Any, **stakes: int) -> Evening:
    return sit(variant, tuple(seats), stakes, house(case))


def played(numbers: dict[str, int], winner: str | None = None) -> list[Any]:
    """Bare numbers as outcomes: the winner is the one named, or the first seat with 0."""
    winner = winner or next(seat for seat, number in numbers.items() if number == 0)
    return [show(winner), *(loses_with(seat, number) for seat, number in numbers.items() if seat != winner)]


def told_twice(start: Evening, sheets: list[list[Any]]) -> list[Evening]:
    """The game as it was, and once for each number of each deal misread at first and corrected at the end."""
    right: list[Wire] = [deal(number, *said) for number, said in enumerate(sheets, start=1)]
    evenings = [start.told(*right)]
    for number, said in enumerate(sheets, start=1):
        for place, (seat, outcome) in enumerate(said):
            if outcome["how"] == "loss":
                misread = [*said[:place], loses_with(seat, max(0, outcome["count"] - 7)), *said[place + 1 :]]
                wrong = [*right[: number - 1], deal(number, *misread), *right[number:]]
                evenings.append(start.told(*wrong, corrected(number, *said)))
    assert len(evenings) > 1
    return evenings


@cases("indian13", "deal_points")
def test_points_of_a_deal(case):
    seats = case["input"]["seats"]
    said = [ends(seat, WORDS.get(o["outcome"], o["outcome"]), **_rest(o)) for seat, o in seats.items()]
    ended = seat_table("points", case, seats, point_value_minor=1).after(*said)
    assert ended.totals() == case["expected"]["points"]
    if "winner" in case["expected"]:
        assert ended.seat(case["expected"]["winner"]).deals_won == 1


def _rest(outcome: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in outcome.items() if name != "outcome"}


@cases("pool", "deal_points")
def test_points_of_a_pool_deal(case):
    seats = case["input"]["seats"]
    said = [ends(seat, WORDS.get(o["outcome"], o["outcome"])) for seat, o in seats.items()]
    assert sit("pool", tuple(seats), {}, {"limit": 201}).after(*said).totals() == case["expected"]["points"]


@cases("points", "settle")
def test_settling_a_points_deal(case):
    given, wanted = case["input"], case["expected"]
    winner, losers = given["winner"], given["loser_points"]
    stakes = {"point_value_minor": case["options"]["point_value_minor"], "fee_bp": case["options"]["fee_bp"]}
    start = sit("points", (winner, *losers), stakes, {})
    for ended in told_twice(start, [played({winner: 0, **losers})]):
        closed = ended.told(CLOSED)
        assert closed.paid() == {winner: wanted["winner_net_minor"], **wanted["losses_minor"]}
        assert closed.fee() == wanted["fee_minor"]
        assert sum(losers.values()) == wanted["total_points"]


@cases("deals", "fold")
def test_chips_of_a_deals_game(case):
    sheets = [played(given["points"] | {given["winner"]: 0}, given["winner"]) for given in case["input"]["deals"]]
    options = {name: case["options"][name] for name in ("deals", "chips_per_deal")}
    start = sit("deals", tuple(case["expected"]["chips"]), {}, options)
    assert set(start.chips().values()) == {case["expected"]["start_chips"]}
    for ended in told_twice(start, sheets):
        assert ended.chips() == case["expected"]["chips"]
        if case["expected"].get("tiebreak_deal_needed"):
            assert not ended.table.is_finished
            assert list(ended.table.in_play) == case["expected"]["leaders"]


@cases("deals", "start_chips")
def test_chips_at_the_start(case):
    table = deals(seats=case["options"]["players"], deals=case["options"]["deals"])
    assert set(table.chips().values()) == {case["expected"]["start_chips"]}


@cases("deals", "payout")
def test_prize_of_a_deals_game(case):
    table = sit("deals", ("A", "B"), {"entry_minor": case["options"]["entry_minor"]}, {"deals": 1})
    ended = table.after(*played({"A": 0, "B": 20}))
    wanted = {seat: amount for seat, amount in case["expected"]["payout_minor"].items() if amount}
    assert ended.paid() == wanted


@cases("pool", "fold")
def test_totals_and_eliminations_of_a_pool(case):
    given, wanted = case["input"]["deals"], case["expected"]
    start = sit("pool", tuple(given[0]), {"entry_minor": 100}, house(case))
    for ended in told_twice(start, [played(numbers) for numbers in given]):
        assert ended.totals() == wanted["totals"]
        assert ended.conflicts() == []
        out = {seat: view.out_in_deal for seat, view in ended.table.seats().items() if not view.is_in}
        assert out == wanted["eliminated_in_deal"]
        assert [seat for seat in wanted["totals"] if not ended.is_out(seat)] == wanted["alive"]
        if "winner" in wanted:
            assert ended.winners() == (wanted["winner"],)


@cases("pool", "rank_all_crossed")
def test_ranking_when_everybody_crossed(case):
    totals = case["input"]["totals_after"]
    table = seat_table("pool", case, totals).told(*(penalty(seat, total) for seat, total in totals.items()))
    assert list(table.winners()) == case["expected"]["winners"]
    places = table.places()
    order = [[seat for seat in totals if places[seat] == place] for place in sorted(set(places.values()))]
    assert order == case["expected"]["order"]


@cases("pool", "payout")
def test_prize_of_a_pool(case):
    table = pool(seats=case["options"]["players"], entry=case["options"]["entry_minor"]).where(bo=101, cy=101)
    assert table.paid() == {"asha": case["expected"]["payout_minor"]["A"]}


@cases("pool", "rejoin")
def test_rejoining(case):
    survivors, wanted = case["input"]["survivor_totals"], case["expected"]
    back = case["input"].get("rejoining", ["C"])
    limit = case["options"]["limit"]
    table = seat_table("pool", case, (*survivors, *back))
    table = table.where(**survivors, **dict.fromkeys(back, limit))
    if not wanted.get("allowed", True):
        assert [code for code, _ in table.refuses(rejoins(back[0]))] == ["rejoin_over_threshold"]
        return
    ended = table.told(*(rejoins(seat) for seat in back))
    scores = wanted.get("rejoin_scores") or {back[0]: wanted["rejoin_score"]}
    assert {seat: ended.total(seat) for seat in back} == scores


@cases("pool", "drops_left")
def test_drops_left(case):
    table = pool(limit=case["options"]["limit"]).where(asha=case["input"]["score"])
    assert table.seat("asha").drops_left == case["expected"]["drops_left"]


@cases("pool", "auto_split")
def test_auto_split(case):
    totals, started = case["input"]["totals"], case["input"]["started_with"]
    others = [f"X{number}" for number in range(started - len(totals))]
    table = seat_table("pool", case, (*totals, *others), entry_minor=600)
    table = table.where(**totals, **dict.fromkeys(others, case["options"]["limit"]))
    assert table.table.is_finished is case["expected"]["auto_split"]
    if case["expected"].get("shares") == "equal":
        assert set(table.paid().values()) == {600 * started // len(totals)}


@cases("pool", "manual_split")
def test_manual_split(case):
    table, given = _before_split(case), case["expected"]
    ended = table.told(SPLIT)
    assert ended.paid() == given["payout_minor"]
    if "drops_left" in given:
        assert {seat: table.seat(seat).drops_left for seat in given["drops_left"]} == given["drops_left"]


def _before_split(case: dict[str, Any]) -> Evening:
    """A table in the state of the case: its pot comes from entries (and rejoins) of what a drop is worth."""
    options, given = case["options"], case["input"]
    limit, first = options.get("limit", 101), options.get("first_drop", 20)
    entry = options.get("entry_minor") or options["per_drop_minor"]
    totals = given.get("totals") or {s: limit - 1 - first * n for s, n in given["drops_left"].items()}
    started = given.get("started_with") or given["pool_minor"] // entry
    others = [f"X{number}" for number in range(started - len(totals))]
    stakes = {"entry_minor": entry, "fee_bp": options["fee_bp"]}
    start = sit("pool", (*totals, *others), stakes, {"limit": limit, "splits": "manual"})
    return start.where(**totals, **dict.fromkeys(others, limit))
