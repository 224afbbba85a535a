"""What a table pays becomes an entry that balances."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.money import AccountKind, AccountRef, PlannedEntry, PlannedPosting, Purpose, plan_entries
from scoring.money.payouts import Payout, divide, house_fee
from scoring.money.reasons import ChipsKept
from scoring.problems import Defect

CAST = {"1": "asha", "2": "bo", "3": "cy", "4": "dev"}


def planned(*payouts: Payout) -> tuple[PlannedEntry, ...]:
    return plan_entries(payouts, players=CAST, currency="INR")


def posted(entry: PlannedEntry) -> list[tuple[str, int, Purpose]]:
    return [(each.account.owner or each.account.kind, each.amount_minor, each.purpose) for each in entry.postings]


@st.composite
def payouts(draw: st.DrawFn, slot: str = "table") -> Payout:
    """Any payout that balances: some seats pay, the house takes its part, some seats share the rest."""
    charges = draw(st.dictionaries(st.sampled_from(sorted(CAST)), st.integers(0, 10**9)))
    gross = sum(charges.values())
    fee = house_fee(gross, draw(st.integers(0, 10_000)))
    heirs = draw(st.lists(st.sampled_from(sorted(CAST)), min_size=1, unique=True))
    return Payout(slot=slot, charges=charges, awards=divide(gross - fee, heirs), fee=fee)


def test_losers_of_a_points_deal_pay_the_winner_and_the_house():
    deal = Payout(slot="deal:1", charges={"1": 4000, "2": 2000}, awards={"3": 5400}, fee=600, because=(ChipsKept(2),))
    (entry,) = planned(deal)
    assert posted(entry) == [
        ("asha", -4000, Purpose.CHARGE),
        ("bo", -2000, Purpose.CHARGE),
        ("cy", 5400, Purpose.AWARD),
        (AccountKind.CLUB_FEE, 600, Purpose.FEE),
    ]
    assert (entry.slot, entry.currency, entry.because) == ("deal:1", "INR", (str(ChipsKept(2)),))


def test_winner_of_a_pool_sees_both_the_entry_paid_and_the_prize():
    pool = Payout(slot="table", charges={"1": 100, "2": 100}, awards={"1": 200})
    assert posted(planned(pool)[0]) == [
        ("asha", -100, Purpose.CHARGE),
        ("bo", -100, Purpose.CHARGE),
        ("asha", 200, Purpose.AWARD),
    ]


def test_levy_guarantee_and_side_pots_have_accounts_of_their_own():
    house = {"side_pot:High hand": -30, "levy": 20, "guarantee": -50}
    pool = Payout(slot="pool", charges={"1": 200}, awards={"2": 240}, fee=20, house=house)
    assert planned(pool)[0].postings[-3:] == (
        PlannedPosting(account=AccountRef(kind=AccountKind.GUARANTEE), amount_minor=-50, purpose=Purpose.TOP_UP),
        PlannedPosting(account=AccountRef(kind=AccountKind.LEVY), amount_minor=20, purpose=Purpose.LEVY),
        PlannedPosting(
            account=AccountRef(kind=AccountKind.SIDE_POT, owner="High hand"), amount_minor=-30, purpose=Purpose.SIDE_POT
        ),
    )


def test_deal_in_which_nobody_owes_anything_gives_no_entry():
    assert planned(Payout(slot="deal:1", charges={"1": 0}, awards={"2": 0})) == ()


def test_the_order_in_which_seats_are_named_makes_no_difference():
    one = Payout(slot="table", charges={"1": 5, "2": 7}, awards={"3": 12})
    other = Payout(slot="table", charges={"2": 7, "1": 5}, awards={"3": 12})
    assert planned(one) == planned(other)


@given(payouts())
def test_every_entry_balances_and_pays_each_seat_what_the_payout_says(payout: Payout):
    for entry in planned(payout):
        assert entry.is_balanced
        for seat, player in CAST.items():
            account = AccountRef(kind=AccountKind.PLAYER, owner=player)
            net = sum(each.amount_minor for each in entry.postings if each.account == account)
            assert net == payout.awards.get(seat, 0) - payout.charges.get(seat, 0)


@pytest.mark.parametrize(
    ("payout", "said"),
    [
        (Payout(slot="table", charges={"1": 100}, awards={"2": 99}), "takes 100 and gives 99"),
        (Payout(slot="table", charges={"9": 100}, awards={"2": 100}), "seats without a player: 9"),
        (Payout(slot="table", charges={"1": -5}, awards={"2": -5}), "negative"),
        (Payout(slot="table", charges={"1": 5}, awards={"2": 10}, fee=-5), "negative"),
        (Payout(slot="table", charges={"1": 5}, awards={"2": 5}, house={"levy": 1}), "and 1 for other accounts"),
    ],
)
def test_payout_that_cannot_be_right_is_never_planned(payout: Payout, said: str):
    with pytest.raises(Defect, match=said):
        planned(payout)


def test_every_amount_of_one_unit_has_its_posting():
    """Planted fault: a fee, a levy or a charge of one unit that no account receives."""
    (entry,) = planned(Payout(slot="table", charges={"1": 1, "2": 2}, awards={"3": 1}, fee=1, house={"levy": 1}))
    assert posted(entry) == [
        ("asha", -1, Purpose.CHARGE),
        ("bo", -2, Purpose.CHARGE),
        ("cy", 1, Purpose.AWARD),
        (AccountKind.CLUB_FEE, 1, Purpose.FEE),
        (AccountKind.LEVY, 1, Purpose.LEVY),
    ]


def test_accounts_that_no_payout_moves_are_named_and_those_that_one_moves_are_not():
    house = {"levy": 1, "bank": 1, "side_pot:Jackpot": 1, "till": 1}
    with pytest.raises(Defect) as refused:
        planned(Payout(slot="table", charges={"1": 4}, awards={}, house=house))
    assert str(refused.value) == "table names accounts that no payout moves: bank, till"


def test_only_slots_that_come_twice_are_named():
    deals = [Payout(slot=f"deal:{number}", charges={"1": 5}, awards={"2": 5}) for number in (3, 1, 2, 3, 1)]
    with pytest.raises(Defect) as refused:
        planned(*deals)
    assert str(refused.value) == "two payouts for deal:1, deal:3"
