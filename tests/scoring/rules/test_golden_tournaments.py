"""Published cases of tournaments, as far as they are about a table: levels, tied prizes, deals for seats, charges."""

from scoring.money.payouts import divide
from tests.builders.rules import CAST, CLOSED, Evening, buys_in, last_standing, points, show, sit, wrong_show
from tests.builders.western import cases, played


def seated_with(chips: int, value: int, cap: int) -> Evening:
    """A cash table with Asha's chips on it, for a point worth so many of them."""
    return points(value=value, cap=cap, table_stakes=True).told(buys_in("asha", chips))


@cases("tournament", "level")
def test_the_least_chips_of_a_level_pay_its_worst_deal(case):
    wanted, cap = case["expected"], case["options"]["cap"]
    table = seated_with(wanted["min_chips"], wanted["point_value"], cap)
    ended = table.after(wrong_show("asha"), last_standing("bo")).told(CLOSED)
    assert ended.paid() == {"asha": -wanted["worst_deal"], "bo": wanted["worst_deal"]}


@cases("tournament", "qualify_level")
def test_the_least_chips_for_a_level_are_a_full_count_at_its_entry(case):
    least, value = case["expected"]["min_chips"], case["input"]["next_level_entry"]
    table = points(value=value, cap=case["options"]["cap"])
    assert table.refuses(buys_in("asha", least)) == []
    assert table.refuses(buys_in("asha", least - 1)) == [("buy_in_too_small", "asha")]


@cases("tournament", "prizes")
def test_seats_that_share_places_divide_the_prizes_of_these_places(case):
    prizes, wanted = case["options"]["prizes_minor"], case["expected"]["payout_minor"]
    paid: dict[str, int] = {}
    for tied in case["input"]["ranking"]:
        taken, prizes = prizes[: len(tied)], prizes[len(tied) :]
        paid |= divide(sum(taken), tied)
    assert paid == wanted


@cases("tournament", "advance")
def test_a_table_plays_as_many_deals_as_seats_and_sends_its_first_on(case):
    wanted, size = case["expected"], case["options"]["table_size"]
    table = sit("deals", CAST[:size], {}, {})
    assert table.table.setup.options.deals == wanted["deals_this_round"]
    for _ in range(wanted["deals_this_round"]):
        table = table.after(show("asha"), *((seat, {"how": "loss", "count": 9}) for seat in CAST[1:size]))
    sent_on = [seat for seat, place in table.places().items() if place <= case["options"]["qualifiers_per_table"]]
    assert table.table.is_finished
    assert len(sent_on) * case["input"]["tables"] == wanted["next_round_players"]


@cases("rummikub", "game")
def test_who_could_not_meld_pays_a_flat_charge_to_the_winner(case):
    """Rummikub is not played here; the charge is an option of Romme."""
    table = sit("romme", ("A", "B"), {}, {"no_meld_flat": case["options"]["no_meld"]})
    ended = played(table, {"out": case["input"]["winner"], "counts": {"B": 37}, "unmelded": ["B"]})
    assert ended.totals() == case["expected"]["scores"]
