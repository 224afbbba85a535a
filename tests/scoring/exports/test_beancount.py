"""A file for beancount has the balances of our books, to the unit, whatever the names of people and currencies."""

import uuid
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from scoring.exports import ROOTS, account_name, brought_forward
from scoring.ledger.readings import Scope, account_balances
from scoring.messages import format_minor
from scoring.money import AccountKind
from tests.builders.export_files import complaints, exported, held_by_beancount, read, transactions
from tests.builders.ledger import CLUB, NEIGHBOUR, NOW, TABLE, deal, moved, settled
from tests.builders.ledger_histories import Evening
from tests.builders.samples import so_many
from tests.builders.state_machines import run_machine

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
NASTY = 'Asha "the \\ card"\n  Assets:Cash  5 INR ; \x00\u202e<b>राव'


def ours(club: uuid.UUID) -> dict[tuple[str, str], Decimal]:
    """Balances of accounts by our books, with the signs of a bookkeeper."""
    return {
        (account_name(each.kind, each.owner), each.currency): Decimal(format_minor(-each.closing_minor, each.currency))
        for each in account_balances(Scope(club=club))
        if each.closing_minor
    }


def test_a_debt_is_a_debit_what_the_club_owes_a_credit_and_cash_an_asset_of_this_club_alone():
    settled(17, deal(1, asha=-60_000, bo=54_000, house=6_000))
    settled(1, moved("table", bo=50_000, cash=-50_000), cause="cash:1")
    settled(1, deal(1, dev=-7, cy=7), club=NEIGHBOUR)
    assert held_by_beancount(exported(CLUB)) == {
        ("Liabilities:Players:Id-asha", "INR"): Decimal("600.00"),
        ("Liabilities:Players:Id-bo", "INR"): Decimal("-1040.00"),
        ("Income:House-Fee", "INR"): Decimal("-60.00"),
        ("Assets:Cash:Desk", "INR"): Decimal("500.00"),
    }
    assert set(ROOTS) == set(AccountKind)
    assert len(set(ROOTS.values())) == len(ROOTS)


@pytest.mark.parametrize(("currency", "shown"), [("INR", "-0.05"), ("JPY", "-5"), ("KWD", "-0.005")])
def test_amounts_have_the_decimals_of_their_currency(currency: str, shown: str):
    settled(1, deal(1, currency=currency, asha=-5, bo=5))
    assert held_by_beancount(exported(CLUB))[("Liabilities:Players:Id-bo", currency)] == Decimal(shown)


def test_an_entry_says_where_it_comes_from():
    settled(17, deal(1, asha=-60_000, bo=60_000))
    [entry] = transactions(exported(CLUB))
    assert (entry.payee, entry.narration) == (TABLE, "as the sheet says")
    assert entry.meta["reference"] == f"{TABLE}@17/deal:1"
    assert (entry.meta["slot"], entry.meta["version"]) == ("deal:1", 17)
    assert [(posting.meta or {})["purpose"] for posting in entry.postings] == ["charge", "award"]


def test_a_reversal_is_tagged_and_shares_a_link_with_what_it_takes_back():
    settled(17, deal(1, asha=-60_000, bo=60_000))
    settled(21, deal(1, asha=-50_000, bo=50_000), at=NOW + DAY)
    first, reversal, right = transactions(exported(CLUB))
    assert (first.tags, reversal.tags, right.tags) == (frozenset(), frozenset({"reversal"}), frozenset())
    assert first.links <= reversal.links
    assert not first.links & right.links
    assert reversal.meta["reverses"] == first.meta["reference"]


def test_entries_stand_on_the_day_of_the_clubs_clock():
    settled(1, deal(1, asha=-5, bo=5), at=datetime(2026, 11, 20, 21, 30, tzinfo=UTC))
    [entry] = transactions(exported(CLUB, zone=ZoneInfo("Asia/Kolkata")))
    assert (entry.date, entry.meta["posted"]) == (date(2026, 11, 21), "2026-11-21T03:00:00+05:30")


def test_a_name_is_only_a_remark_whatever_it_says():
    settled(1, deal(1, asha=-500, bo=500))
    text = exported(CLUB, names={"asha": NASTY, "bo": "אשה ; \u2028 #tag ^link"})
    assert held_by_beancount(text).keys() == {
        ("Liabilities:Players:Id-asha", "INR"),
        ("Liabilities:Players:Id-bo", "INR"),
    }
    opened = {entry.account: entry.meta.get("name") for entry in read(text) if hasattr(entry, "booking")}
    assert opened["Liabilities:Players:Id-asha"] == 'Asha "the \\ card"   Assets:Cash  5 INR ;  <b>राव'
    assert "\u202e" not in text


def test_no_two_owners_share_an_account_whatever_their_ids_look_like():
    owners = ["asha", "Asha", "a sha", "a-sha", "राव", "Id-asha", "Hex-61", "a"]
    assert len({account_name(AccountKind.PLAYER, owner) for owner in owners}) == len(owners)
    settled(1, *(moved(f"deal:{number}", **dict[str, Any]({owner: -1, "b": 1})) for number, owner in enumerate(owners)))
    assert held_by_beancount(exported(CLUB)) == ours(CLUB)


def test_a_period_begins_with_the_balances_brought_forward():
    settled(1, deal(1, asha=-60_000, bo=60_000), cause="table:one")
    settled(1, deal(1, asha=10_000, bo=-10_000), cause="table:two", at=NOW + DAY)
    since = NOW + timedelta(hours=12)
    opening = [brought_forward(each) for each in account_balances(Scope(club=CLUB, since=since))]
    text = exported(CLUB, since=since, first=since.date(), opening=opening)
    assert len(transactions(text)) == 2
    assert held_by_beancount(text) == ours(CLUB)


def test_a_changed_amount_is_found_by_the_reader():
    """Planted faults: an award of 540.00 made 541.00, alone and with the fee adjusted so that the entry balances."""
    settled(1, deal(1, asha=-60_000, bo=54_000, house=6_000))
    text = exported(CLUB)
    unbalanced = text.replace("-540.00 INR", "-541.00 INR")
    assert any("does not balance" in said for said in complaints(unbalanced))
    assert any("Balance failed" in said for said in complaints(unbalanced.replace("-60.00 INR", "-59.00 INR")))


class ExportedEvening(Evening):
    """Any history of settlements, corrections, payments and refunds, read by beancount at the end."""

    def teardown(self) -> None:
        super().teardown()
        assert held_by_beancount(exported(self.club)) == ours(self.club)


@pytest.mark.slow
def test_beancount_holds_what_our_books_hold_after_any_night():
    """Planted faults: a reversal without its sign turned, and an entry left out."""
    run_machine(ExportedEvening, examples=so_many(10, often=200), steps=6)
