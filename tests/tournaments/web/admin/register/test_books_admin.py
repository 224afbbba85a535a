"""A treasurer reads the books in the admin; no one changes them there, and other clubs do not see them."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from selectolax.lexbor import LexborHTMLParser

from scoring.models import Account, JournalEntry
from tests.builders.ledger import CLUB, NEIGHBOUR, TABLE, deal, settled
from tournaments.web.admin.register import journal

pytestmark = pytest.mark.django_db

ACCOUNTS = "/admin/scoring/account/"
JOURNAL = "/admin/scoring/journalentry/"
VISIBLE_CLUBS = journal.visible_clubs
NAMES = {"asha": "Asha <b>Rao</b>", "bo": "Bo", str(CLUB): "Thursday club", str(NEIGHBOUR): "Friday club"}


@pytest.fixture(autouse=True)
def thursday_club(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dita keeps the books of the Thursday club, whose accounts are named without players."""
    monkeypatch.setattr(journal, "visible_clubs", lambda request: [CLUB])
    monkeypatch.setattr(journal, "names_of", lambda ids: {each: NAMES[each] for each in ids if each in NAMES})
    monkeypatch.setattr(
        journal, "players_called", lambda text: [each for each in NAMES if text.lower() in NAMES[each].lower()]
    )


@pytest.fixture
def dita() -> Client:
    """Dita's browser, signed in."""
    client = Client()
    client.force_login(User.objects.create_user("dita", is_staff=True))
    return client


@pytest.fixture
def evening() -> None:
    settled(17, deal(1, asha=-60000, bo=54000, house=6000), deal(2, asha=-5, bo=5))
    settled(21, deal(1, asha=-60000, bo=54000, house=6000))
    settled(3, deal(1, dev=-777, bo=777), club=NEIGHBOUR, cause="table:next-door")


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def statement_of(owner: str, club: UUID = CLUB) -> str:
    return reverse("admin:scoring_account_change", args=[Account.objects.get(owner=owner, club=club).id])


def entry_page(reference: str) -> str:
    return reverse("admin:scoring_journalentry_change", args=[JournalEntry.objects.get(reference=reference).id])


def test_accounts_are_listed_with_names_and_balances_and_found_by_name(evening: None, dita: Client):
    shown = page(dita, ACCOUNTS)
    assert "Asha &lt;b&gt;Rao&lt;/b&gt;" in shown
    debits = [cell.text(strip=True) for cell in LexborHTMLParser(shown).css("td.field-debit[data-number]")]
    assert "600.00" in debits
    assert "540.00" in shown
    assert "60.00" in shown
    for words, found in (("rao", 1), ("ash", 1), ("nobody", 0)):
        assert page(dita, f"{ACCOUNTS}?q={words}").count("Asha &lt;b&gt;Rao") == found


def test_more_accounts_take_no_more_queries(dita: Client, django_assert_max_num_queries: Callable[..., Any]):
    """Planted fault: a balance queried row by row makes this more than sixty."""
    for number in range(30):
        moved: dict[str, Any] = {f"player{number}": -100, f"friend{number}": 100}
        settled(1, deal(1, **moved), cause=f"table:{number}")
    with django_assert_max_num_queries(8):
        page(dita, ACCOUNTS)


NEWEST_FIRST = ("@17/deal:2~reversed@21", "@17/deal:2", "@17/deal:1")


def test_account_opens_on_its_statement_with_the_newest_line_first(evening: None, dita: Client):
    shown = page(dita, statement_of("asha"))
    lines = [shown.index(f"/{JournalEntry.objects.get(reference=TABLE + end).pk}/") for end in NEWEST_FIRST]
    assert lines == sorted(lines)
    assert "@17" not in shown
    assert "−600.05" in shown
    assert "The player owes the club: <strong>₹600.00</strong>" in shown
    assert "(undone)" in shown


def test_statement_of_many_lines_is_shown_in_pages(dita: Client):
    settled(1, *(deal(number, asha=-100, bo=100) for number in range(1, 131)))
    shown = page(dita, f"{statement_of('asha')}?p=2")
    assert shown.count("/admin/scoring/journalentry/") == 30 + 1, "and the one in the menu"
    assert "page 2 of 2" in shown


def test_entry_is_found_by_its_reference_and_shows_what_each_account_gave_and_got(evening: None, dita: Client):
    found = page(dita, f"{JOURNAL}?q=deal:1")
    assert f"{TABLE}, deal 1" in found
    assert "deal 2" not in found
    shown = page(dita, entry_page(f"{TABLE}@17/deal:1"))
    for expected in ("Asha &lt;b&gt;Rao&lt;/b&gt;", "−600.00", "540.00", "60.00", "as the sheet says"):
        assert expected in shown
    assert "<b>Rao" not in shown


def test_journal_and_accounts_of_a_neighbour_do_not_exist(evening: None, dita: Client):
    assert "next-door" not in page(dita, JOURNAL)
    assert statement_of("dev", NEIGHBOUR) not in page(dita, ACCOUNTS)
    assert dita.get(statement_of("dev", NEIGHBOUR)).status_code == 404
    # Django's admin redirects to its index for an object that does not exist.
    assert dita.get(entry_page("table:next-door@3/deal:1")).status_code == 404


def test_nothing_can_be_written_even_by_a_superuser(evening: None, admin_client: Client):
    before = list(Account.objects.values()), list(JournalEntry.objects.values())
    for model in (Account, JournalEntry):
        row = model._default_manager.filter(club=CLUB)[0].pk
        for deed in ("add", "change", "delete"):
            address = reverse(f"admin:scoring_{model._meta.model_name}_{deed}", args=[] if deed == "add" else [row])
            admin_client.post(address, {"owner": "bo", "memo": "another story", "post": "yes"})
            assert (list(Account.objects.values()), list(JournalEntry.objects.values())) == before, address


def test_who_has_no_role_in_a_club_sees_no_books_and_a_superuser_sees_all(
    evening: None, dita: Client, admin_client: Client, monkeypatch: pytest.MonkeyPatch
):
    """Planted fault: every club's books are shown to any user who may enter the admin."""
    monkeypatch.setattr(journal, "visible_clubs", VISIBLE_CLUBS)
    for address in (ACCOUNTS, JOURNAL):
        assert dita.get(address).status_code == 403
    assert dita.get(statement_of("asha")).status_code == 404
    assert "next-door" in page(admin_client, JOURNAL)
