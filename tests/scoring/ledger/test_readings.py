"""Balances and statements report what was posted, in one query each."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from scoring.ledger import TrialLine, balance, balances, owners, player_statement, trial_balance
from scoring.ledger.readings import Scope, last_posted_at, player_amounts, reversals
from scoring.models import Account
from scoring.money import AccountKind, AccountRef, Purpose
from tests.builders.ledger import CLUB, NEIGHBOUR, NOW, TABLE, deal, settled

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_balances_beside_a_cause_leave_out_what_it_posted(django_assert_num_queries: Callable[..., Any]):
    settled(1, deal(1, asha=-600, bo=600))
    settled(1, deal(1, asha=100, bo=-100), cause="tournament:1")
    asha = AccountRef(kind=AccountKind.PLAYER, owner="asha")
    with django_assert_num_queries(2):
        assert balances(CLUB, "INR", [asha]) == {asha: -500}
        assert balances(CLUB, "INR", [asha], beside=TABLE) == {asha: 100}
    assert balance(CLUB, Account.objects.get(owner="asha").id) == -500
    assert balance(CLUB, Account.objects.create(club=CLUB, kind=AccountKind.CASH, currency="INR").id) == 0


def test_owners_are_all_but_players_and_accounts_of_nobody():
    settled(1, deal(1, asha=-600, house=600))
    for kind, owner in ((AccountKind.SIDE_POT, "high hand"), (AccountKind.CASH, "user:7")):
        Account.objects.create(club=CLUB, kind=kind, owner=owner, currency="INR")
    Account.objects.create(club=NEIGHBOUR, kind=AccountKind.CASH, owner="user:8", currency="INR")
    assert owners(CLUB) == {AccountKind.SIDE_POT: {"high hand"}, AccountKind.CASH: {"user:7"}}


def test_amounts_of_players_are_told_by_what_they_were_for():
    settled(1, deal(1, asha=-600, bo=540, house=60), deal(2, asha=250, bo=-250))
    settled(1, deal(1, asha=7, bo=-7), cause="table:another")
    settled(1, deal(1, asha=7, bo=-7), club=NEIGHBOUR)
    assert player_amounts(Scope(club=CLUB, causes=(TABLE,)), "INR") == {
        "asha": {Purpose.CHARGE: -600, Purpose.AWARD: 250},
        "bo": {Purpose.CHARGE: -250, Purpose.AWARD: 540},
    }
    assert player_amounts(Scope(club=CLUB), "EUR") == {}


def test_what_was_taken_back_of_each_cause_that_was_ever_posted():
    settled(1, deal(1, asha=-600, bo=600), deal(2, asha=250, bo=-250))
    settled(2, deal(1, asha=-500, bo=500))
    settled(1, deal(1, asha=7, bo=-7), cause="table:right")
    assert reversals([CLUB], [TABLE, "table:right", "table:unplayed"]) == {TABLE: 2, "table:right": 0}
    assert reversals([NEIGHBOUR], [TABLE]) == {}


def test_the_last_entry_of_a_club():
    assert last_posted_at(CLUB) is None
    settled(1, deal(1, asha=-600, bo=600))
    settled(1, deal(1, asha=7, bo=-7), club=NEIGHBOUR, at=NOW + timedelta(hours=1))
    assert last_posted_at(CLUB) == NOW


def test_statement_runs_from_line_to_line_and_ends_with_its_newest(django_assert_num_queries: Callable[..., Any]):
    settled(1, deal(1, asha=-600, bo=600), deal(2, asha=250, bo=-250))
    settled(2, deal(1, asha=-600, bo=600), deal(2, asha=300, bo=-300))
    settled(1, deal(1, asha=-7, bo=7), club=NEIGHBOUR)
    lines = player_statement(CLUB, ["asha"])
    assert [(line.amount_minor, line.balance_minor, line.is_reversal) for line in lines] == [
        (-600, -600, False),
        (250, -350, False),
        (-250, -600, True),
        (300, -300, False),
    ]
    assert lines[0].reference == f"{TABLE}@1/deal:1"
    with django_assert_num_queries(1):
        assert player_statement(CLUB, ["asha"], last=3) == lines[-3:]


def test_each_currency_of_a_statement_has_a_balance_of_its_own():
    settled(1, deal(1, asha=-600, bo=600), deal(2, asha=250, bo=-250, currency="EUR"))
    lines = player_statement(CLUB, ["asha"])
    assert {(line.currency, line.balance_minor) for line in lines} == {("INR", -600), ("EUR", 250)}


def test_trial_balance_has_a_line_for_each_kind_of_account():
    settled(1, deal(1, asha=-600, bo=540, house=60))
    assert trial_balance(CLUB) == (
        TrialLine(currency="INR", kind=AccountKind.CLUB_FEE, balance_minor=60),
        TrialLine(currency="INR", kind=AccountKind.PLAYER, balance_minor=-60),
    )


@pytest.mark.django_db(transaction=True)
def test_a_statement_may_be_the_first_thing_that_is_asked_of_the_database():
    settled(1, deal(1, asha=-600, bo=600))
    connection.close()
    assert [line.amount_minor for line in player_statement(CLUB, ["asha"])] == [-600]
