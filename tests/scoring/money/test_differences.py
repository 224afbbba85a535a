"""Correct entries stay, wrong ones are reversed, missing ones are posted."""

from dataclasses import replace

import pytest

from scoring.money import AccountKind, AccountRef, PlannedEntry, PlannedPosting, Purpose, difference


def entry(slot: str, amount: int) -> PlannedEntry:
    return PlannedEntry(
        slot=slot,
        currency="INR",
        postings=(
            PlannedPosting(
                account=AccountRef(kind=AccountKind.PLAYER, owner="asha"),
                amount_minor=-amount,
                purpose=Purpose.CHARGE,
            ),
            PlannedPosting(
                account=AccountRef(kind=AccountKind.PLAYER, owner="bo"), amount_minor=amount, purpose=Purpose.AWARD
            ),
        ),
    )


FIRST, SECOND, OTHER = entry("deal:1", 5), entry("deal:2", 8), entry("deal:2", 9)
EUROS = replace(FIRST, currency="EUR")


@pytest.mark.parametrize(
    ("booked", "planned", "unchanged", "reverse", "post"),
    [
        pytest.param([FIRST], [FIRST], ("deal:1",), (), (), id="the books are right"),
        pytest.param([FIRST, SECOND], [FIRST, OTHER], ("deal:1",), (1,), (OTHER,), id="a corrected deal"),
        pytest.param([FIRST, SECOND], [FIRST], ("deal:1",), (1,), (), id="a voided deal"),
        pytest.param([FIRST], [FIRST, SECOND], ("deal:1",), (), (SECOND,), id="a deal played since"),
        pytest.param([FIRST], [replace(FIRST, because=("said better",))], ("deal:1",), (), (), id="other words"),
        pytest.param([FIRST], [replace(FIRST, postings=FIRST.postings[::-1])], ("deal:1",), (), (), id="other order"),
        pytest.param([FIRST], [EUROS], (), (0,), (EUROS,), id="another currency is other money"),
    ],
)
def test_only_what_is_wrong_is_reversed_and_only_what_is_missing_posted(booked, planned, unchanged, reverse, post):
    found = difference(booked, planned)
    assert (found.unchanged, found.reverse, found.post) == (unchanged, reverse, post)


ASHA = AccountRef(kind=AccountKind.PLAYER, owner="asha")
POOL = AccountRef(kind=AccountKind.PRIZE_POOL, owner="saturday")
PAID_IN_ONE = PlannedEntry(
    slot="entry",
    currency="INR",
    postings=(
        PlannedPosting(account=AccountRef(kind=AccountKind.CASH), amount_minor=-200, purpose=Purpose.CASH),
        PlannedPosting(account=ASHA, amount_minor=200, purpose=Purpose.CASH),
        PlannedPosting(account=ASHA, amount_minor=-200, purpose=Purpose.CHARGE),
        PlannedPosting(account=POOL, amount_minor=200, purpose=Purpose.CHARGE),
    ),
)
PAID = PlannedEntry(slot="paid", currency="INR", postings=PAID_IN_ONE.postings[:2])
CHARGED = PlannedEntry(slot="charged", currency="INR", postings=PAID_IN_ONE.postings[2:])


def test_an_entry_that_an_early_release_posted_in_one_stands_for_the_two_of_today():
    found = difference([PAID_IN_ONE], [PAID, CHARGED])
    assert (found.unchanged, found.reverse, found.post) == (("paid", "charged"), (), ())


def amounts(entry: PlannedEntry) -> list[int]:
    return [each.amount_minor for each in entry.postings]


def paid(*moved: int, because: str = "") -> PlannedEntry:
    """Money that Asha brought to the desk, and below 0 was refunded."""
    postings = (replace(PAID.postings[0], amount_minor=-sum(moved)), replace(PAID.postings[1], amount_minor=sum(moved)))
    return replace(PAID, postings=postings, because=(because,) if because else ())


def test_of_an_entry_in_one_only_the_part_that_is_no_longer_planned_is_posted_back():
    found = difference([PAID_IN_ONE], [PAID])
    assert (found.unchanged, found.reverse) == (("paid",), ())
    assert [(entry.slot, amounts(entry)) for entry in found.post] == [("charged", [200, -200])]


def test_of_a_second_payment_only_the_rest_is_posted():
    found = difference([paid(30), paid(30)], [paid(30, 30, 40)])
    assert (found.unchanged, found.reverse) == ((), ())
    assert found.post == (paid(40, because="Entry fee paid: 40, desk"),)


def test_a_refund_is_posted_and_reverses_no_payment():
    """Also the refund of everything, after which no payment is planned."""
    found = difference([paid(100)], [paid(90)])
    assert (found.reverse, found.post) == ((), (paid(-10, because="Refund: 10, desk"),))
    found = difference([paid(100), paid(-10)], [])
    assert (found.reverse, found.post) == ((), (paid(-90, because="Refund: 90, desk"),))


def test_a_payment_that_never_was_one_is_reversed():
    found = difference([paid(30), paid(70), CHARGED], [paid(70)], undoes_payments=True)
    assert found.reverse == (0, 1)
    assert [(entry.slot, amounts(entry)) for entry in found.post] == [("paid", [-70, 70]), ("charged", [200, -200])]
    found = difference([PAID_IN_ONE], [], undoes_payments=True)
    assert (found.reverse, found.post) == ((0,), ())


def test_payments_that_are_right_stay_where_some_are_undone():
    found = difference([paid(100), CHARGED], [paid(100)], undoes_payments=True)
    assert (found.unchanged, found.reverse, len(found.post)) == (("paid",), (), 1)


def test_a_payment_in_another_currency_is_reversed():
    euros = replace(paid(100), currency="EUR")
    found = difference([paid(100)], [euros])
    assert (found.reverse, [entry.currency for entry in found.post]) == ((0,), ["EUR"])
