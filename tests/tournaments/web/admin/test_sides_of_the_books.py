"""The books read alike everywhere: held is a debit, owed a credit, and no minus sign has to be interpreted."""

from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from scoring import ledger
from scoring.cash import account_at, account_of_player
from scoring.models import Account
from scoring.money import AccountKind, PlannedEntry, PlannedPosting, Purpose
from tests.builders.admin_tables import NOW
from tests.builders.cash_desk import CashDesk, at_the_desk
from tests.builders.page_text import text_of
from tests.builders.pdf_text import pages
from tournaments.models import Club, Role
from tournaments.people.players import add_players
from tournaments.printing.books import SIGNS

pytestmark = pytest.mark.django_db


@pytest.fixture
def dita(club: Club) -> CashDesk:
    """The bank holds 7,172.00: 2,000.00 of the owners, and 6,000.00 of Asha; Bo owes 828.00."""
    asha, bo = add_players(club, ("Asha", "Bo"))
    amounts = {
        account_at("bank"): -717_200,
        account_at("owner"): 200_000,
        account_of_player(str(asha.pk)): 600_000,
        account_of_player(str(bo.pk)): -82_800,
    }
    entry = PlannedEntry(
        slot="deed",
        currency="INR",
        postings=tuple(
            PlannedPosting(account=account, amount_minor=amount, purpose=Purpose.CASH)
            for account, amount in amounts.items()
        ),
    )
    ledger.settle(club.pk, "cash:by-hand", version=1, entries=[entry], now=NOW)
    return at_the_desk(club, Role.DIRECTOR, "dita")


def balances(page: str) -> dict[str, tuple[str, str]]:
    """The debit and the credit of each line after the period."""
    found = {}
    for row in LexborHTMLParser(page).css("tbody tr"):
        title, *cells = (cell.text(strip=True) for cell in row.css("th, td"))
        found[title] = (cells[-2], cells[-1])
    return found


def test_the_trial_balance_has_two_sides_and_two_lines_for_players(dita: CashDesk):
    """Planted fault: one line for players, in which what they owe hides what they are owed."""
    page = dita.client.get(f"/admin/tournaments/club/{dita.club.pk}/books/").content.decode()
    assert balances(page) == {
        "Bank": ("7,172.00", ""),
        "Owner": ("", "2,000.00"),
        "Players' balances": ("", "6,000.00"),
        "Players who owe": ("828.00", ""),
        "Sum": ("8,000.00", "8,000.00"),
    }
    assert "−" not in page.partition("<table>")[2].partition("</table>")[0]


def test_the_printed_trial_balance_has_the_same(dita: CashDesk):
    answer: Any = dita.client.get(f"/admin/tournaments/club/{dita.club.pk}/books/balances/?kind=pdf")
    paper = " ".join(pages(b"".join(answer.streaming_content)))
    lines = ("Players' balances 6,000.00 6,000.00", "Players who owe 828.00 828.00", "Bank 7,172.00 7,172.00")
    assert [line for line in lines if line not in paper] == []
    assert "Sum 8,000.00 8,000.00 8,000.00 8,000.00" in paper


def test_the_cash_book_says_what_the_owners_put_in(dita: CashDesk):
    page = dita.page("night/")
    assert "Bank</dt><dd>₹7,172.00" in page
    assert "Put in by the owners</dt><dd>₹2,000.00" in page


def test_accounts_and_entries_are_written_as_the_club_writes_amounts(dita: CashDesk):
    """Planted fault: `-7172.00`, without groups and with a hyphen."""
    Club.objects.update(locale="de_DE")
    listed = text_of(dita.client.get("/admin/scoring/account/"))
    assert "7.172,00" in listed
    assert "-7" not in listed
    bank = Account.objects.get(kind=AccountKind.BANK)
    statement = text_of(dita.client.get(f"/admin/scoring/account/{bank.pk}/change/"))
    assert "−7.172,00" in statement
    assert "-7" not in statement


@pytest.mark.parametrize(
    ("kind", "meaning"),
    [
        (AccountKind.BANK, "The balance is −₹7,172.00. Balance below 0: money that the club holds."),
        (AccountKind.OWNER, "The balance is ₹2,000.00. Balance above 0: put in by the owners."),
    ],
)
def test_a_statement_of_the_clubs_own_account_says_what_its_signs_mean(dita: CashDesk, kind: AccountKind, meaning: str):
    """Planted fault: one explanation for all, by which the money of the owners is owed and the rest is held."""
    account = Account.objects.get(kind=kind)
    statement = " ".join(text_of(dita.client.get(f"/admin/scoring/account/{account.pk}/change/")).split())
    assert meaning in statement.replace(" .", ".")
    assert "Above 0 is credit, below 0 debit." in statement
    assert "player" not in statement.partition("The balance is")[2].partition("When")[0]


def test_every_kind_of_account_says_what_its_signs_mean():
    assert set(SIGNS) == set(AccountKind)
    assert [kind for kind, signs in SIGNS.items() if "player" in signs] == [AccountKind.PLAYER]
