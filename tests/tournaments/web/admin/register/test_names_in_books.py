"""Lines of the books name their account: which side pot, whose till, which tournament's prize pool."""

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from copy import deepcopy
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from scoring.ledger import settle
from scoring.money import AccountKind, AccountRef, PlannedEntry, PlannedPosting, Purpose
from tests.builders.admin_tables import NOW
from tests.builders.paper import Printed, printed_night
from tournaments.books.queries import BookScope, names_of
from tournaments.models import Club
from tournaments.printing.books import journal_document, trial_balance_document

pytestmark = pytest.mark.django_db
WHOSE = ("Side pot: Bonanza", "Prize pool: Saturday", "Cash: cora")


@pytest.fixture(scope="module")
def printed_once(recorded: Callable[..., AbstractContextManager[Printed]]) -> Iterator[tuple[Club, Printed]]:
    with recorded(printed_night) as printed:
        User.objects.filter(username="cora").update(first_name="", last_name="")
        yield printed.desk.club, printed


@pytest.fixture
def club(printed_once: tuple[Club, Printed]) -> Club:
    return deepcopy(printed_once[0])


@pytest.fixture
def printed(printed_once: tuple[Club, Printed]) -> Printed:
    return deepcopy(printed_once[1])


def in_cash(club: Club, owner: str = "") -> None:
    """5.00 in a cashier's till, or in the desk's own account."""
    amounts = {AccountRef(kind=AccountKind.CASH, owner=owner): -500, AccountRef(kind=AccountKind.BANK): 500}
    postings = [
        PlannedPosting(account=one, amount_minor=amount, purpose=Purpose.CASH) for one, amount in amounts.items()
    ]
    entry = PlannedEntry(slot="deed", currency="INR", postings=tuple(postings))
    settle(club.pk, "cash:by-hand", version=1, entries=[entry], now=NOW)


def test_the_trial_balance_names_every_account_and_sums_up_every_kind(printed: Printed, club: Club):
    """Planted fault: `Side pot` twice and `Cash` twice, indistinguishable."""
    in_cash(club)
    parts: Any = trial_balance_document(BookScope(club=club)).parts
    _, kinds, _, accounts = parts
    by_kind, named = ([row.cells[0] for row in table.rows] for table in (kinds, accounts))
    assert {*WHOSE, "Cash: the desk"} <= set(named)
    assert len(set(named)) == len(named)
    assert {"Side pot", "Prize pool", "Cash"} <= set(by_kind)


@pytest.mark.slow
def test_the_journal_names_every_account(printed: Printed, club: Club):
    table: Any = journal_document(BookScope(club=club)).parts[1]
    assert set(WHOSE) <= {row.cells[2] for row in table.rows}


def test_a_spreadsheet_has_the_names_beside_the_accounts(printed: Printed, club: Club):
    answer = printed.desk.client.get(f"/admin/tournaments/club/{club.pk}/books/balances/")
    rows = csv.DictReader(io.StringIO(answer.getvalue().decode().removeprefix("\ufeff")))
    named = {row["account"].rsplit(":", 1)[0]: row["name"] for row in rows}
    assert named["Liabilities:Side-Pots"] == "Bonanza"
    assert (named["Liabilities:Prize-Pool"], named["Assets:Cash"]) == ("Saturday", "cora")


@pytest.mark.slow
def test_the_treasurers_lists_name_them_too(printed: Printed, club: Club):
    listed = printed.desk.client.get(reverse("admin:scoring_account_changelist")).content.decode()
    assert [whose for whose in WHOSE if whose.lower() not in listed.lower()] == []


def test_more_tills_and_pots_take_no_more_queries(printed: Printed, club: Club, django_assert_num_queries):
    with django_assert_num_queries(4):
        names_of(club)


def test_a_till_of_nobody_who_signs_in_keeps_its_word(club: Club):
    in_cash(club, "user:sam")
    assert names_of(club)["user:sam"] == "user:sam"
