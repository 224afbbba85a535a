"""A player's entry in the books: where the money is, whose it is, and what of it is the prize pool's."""

import pytest

from scoring.money import AccountKind, AccountRef, PlannedEntry, Purpose
from scoring.money.payouts import Payout
from scoring.problems import Defect
from scoring.tournament.state import Entrant
from scoring.tournament.state.fees import ACCOUNT, balance_change, entry_plan, pool_account, prize_plan


def planned(charge: int = 0, **paid: int) -> dict[str, PlannedEntry]:
    """Asha's entry; `paid` by place, `_` for the desk and two underlines for the colon of a till."""
    places = {name.replace("__", ":"): amount for name, amount in paid.items() if name != "_"}
    entrant = Entrant(player="asha", paid_minor=sum(paid.values()), paid_elsewhere=places)
    entries = entry_plan(entrant, charge_minor=charge, tournament="thursday", currency="EUR")
    assert all(entry.currency == "EUR" and entry.is_balanced for entry in entries)
    return {entry.slot: entry for entry in entries}


def posted(entry: PlannedEntry) -> list[tuple[str, int, Purpose]]:
    return [(f"{e.account.kind}:{e.account.owner}", e.amount_minor, e.purpose) for e in entry.postings]


def test_what_is_brought_lies_where_it_was_taken_and_is_the_player_s() -> None:
    paid = planned(_=100, bank=20, till__sam=3)["paid"]
    assert posted(paid) == [
        ("cash:", -100, Purpose.CASH),
        ("bank:", -20, Purpose.CASH),
        ("cash:sam", -3, Purpose.CASH),
        ("player:asha", 123, Purpose.CASH),
    ]


def test_what_the_account_pays_lies_in_the_club_already_and_moves_nothing() -> None:
    """Planted fault: money of the account is booked as brought to a place of that name."""
    assert planned(**{ACCOUNT: 500}) == {}
    both = planned(600, **{ACCOUNT: 500, "bank": 100})
    assert posted(both["paid"]) == [("bank:", -100, Purpose.CASH), ("player:asha", 100, Purpose.CASH)]
    assert posted(both["charged"]) == [
        ("player:asha", -600, Purpose.CHARGE),
        ("prize_pool:thursday", 600, Purpose.CHARGE),
    ]
    assert balance_change(tuple(both.values()), "asha") == -500
    assert balance_change(tuple(both.values()), "bo") == 0


def test_what_was_given_back_at_another_place_nets_to_nothing() -> None:
    paid = planned(_=1, bank=-1)["paid"]
    assert posted(paid) == [("cash:", -1, Purpose.CASH), ("bank:", 1, Purpose.CASH)]


@pytest.mark.parametrize("paid", [{"_": 1}, {}])
def test_a_charge_of_one_unit_is_the_pool_s(paid: dict[str, int]) -> None:
    entry = planned(1, **paid)["charged"]
    assert posted(entry) == [("player:asha", -1, Purpose.CHARGE), ("prize_pool:thursday", 1, Purpose.CHARGE)]


def test_nothing_paid_and_nothing_charged_is_no_entry() -> None:
    assert planned() == {}


def test_no_money_can_be_where_there_is_no_place() -> None:
    with pytest.raises(Defect, match="no money can be at 'levy'"):
        planned(levy=5)


def test_prizes_come_from_the_pool_and_not_from_those_who_paid_in() -> None:
    payout = Payout(slot="prizes", charges={"asha": 100, "bo": 60}, awards={"bo": 159}, fee=1)
    (entry,) = prize_plan([payout], players={"asha": "asha", "bo": "bo"}, tournament="thursday", currency="EUR")
    assert posted(entry) == [
        ("prize_pool:thursday", -160, Purpose.CHARGE),
        ("player:bo", 159, Purpose.AWARD),
        ("club_fee:", 1, Purpose.FEE),
    ]
    assert entry.is_balanced


def test_prizes_that_only_the_club_gives_touch_no_pool() -> None:
    payout = Payout(slot="prizes", charges={}, awards={"bo": 50}, house={"guarantee": -50})
    (entry,) = prize_plan([payout], players={"bo": "bo"}, tournament="thursday", currency="EUR")
    assert posted(entry) == [("player:bo", 50, Purpose.AWARD), ("guarantee:", -50, Purpose.TOP_UP)]


def test_a_pool_is_one_tournament_s() -> None:
    assert pool_account("thursday") == AccountRef(kind=AccountKind.PRIZE_POOL, owner="thursday")
