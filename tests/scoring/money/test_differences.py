"""Correct entries stay, wrong ones are reversed, missing ones are posted."""

from dataclasses import replace

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


def test_nothing_is_done_where_the_books_are_right():
    found = difference([entry("deal:1", 5)], [entry("deal:1", 5)])
    assert (found.unchanged, found.reverse, found.post) == (("deal:1",), (), ())


def test_only_the_corrected_deal_is_reversed_and_posted_again():
    found = difference([entry("deal:1", 5), entry("deal:2", 8)], [entry("deal:1", 5), entry("deal:2", 9)])
    assert (found.unchanged, found.reverse, found.post) == (("deal:1",), ("deal:2",), (entry("deal:2", 9),))


def test_voided_deal_is_reversed_and_nothing_takes_its_place():
    found = difference([entry("deal:1", 5), entry("deal:2", 8)], [entry("deal:1", 5)])
    assert (found.unchanged, found.reverse, found.post) == (("deal:1",), ("deal:2",), ())


def test_deal_played_since_is_posted_beside_what_stands():
    found = difference([entry("deal:1", 5)], [entry("deal:1", 5), entry("deal:2", 8)])
    assert (found.unchanged, found.reverse, found.post) == (("deal:1",), (), (entry("deal:2", 8),))


def test_entry_that_is_only_worded_otherwise_stays():
    worded = replace(entry("deal:1", 5), because=("said better",))
    assert difference([entry("deal:1", 5)], [worded]).unchanged == ("deal:1",)


def test_entry_whose_postings_stand_in_another_order_stays():
    turned = replace(entry("deal:1", 5), postings=tuple(reversed(entry("deal:1", 5).postings)))
    assert difference([entry("deal:1", 5)], [turned]).unchanged == ("deal:1",)


def test_the_same_amounts_in_another_currency_are_other_money():
    found = difference([entry("deal:1", 5)], [replace(entry("deal:1", 5), currency="EUR")])
    assert found.reverse == ("deal:1",)


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


def test_it_is_reversed_whole_and_both_are_posted_where_one_of_them_is_another():
    found = difference([PAID_IN_ONE], [PAID])
    assert (found.unchanged, found.reverse, found.post) == ((), ("entry",), (PAID,))
