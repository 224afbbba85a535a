"""Balances and statements say what was posted, in one query each."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection

from scoring.ledger import TrialLine, balance, player_statement, trial_balance
from scoring.models import Account
from scoring.money import AccountKind
from tests.scoring.ledger.books import CLUB, NEIGHBOUR, TABLE, deal, settled

pytestmark = pytest.mark.django_db


def test_balance_is_the_sum_of_what_was_posted():
    settled(1, deal(1, asha=-600, bo=600), deal(2, asha=250, bo=-250))
    assert balance(Account.objects.get(owner="asha").id) == -350


def test_account_on_which_nothing_was_posted_holds_nothing():
    account = Account.objects.create(club=CLUB, kind=AccountKind.CASH, currency="INR")
    assert balance(account.id) == 0


def test_statement_runs_from_line_to_line():
    settled(1, deal(1, asha=-600, bo=600), deal(2, asha=250, bo=-250))
    settled(2, deal(1, asha=-600, bo=600), deal(2, asha=300, bo=-300))
    lines = player_statement(CLUB, "asha")
    assert [(line.amount_minor, line.balance_minor) for line in lines] == [
        (-600, -600),
        (250, -350),
        (-250, -600),
        (300, -300),
    ]
    assert [line.is_reversal for line in lines] == [False, False, True, False]
    assert lines[0].reference == f"{TABLE}@1/deal:1"


def test_the_newest_lines_of_a_statement_count_what_came_before():
    settled(1, deal(1, asha=-600, bo=600), deal(2, asha=250, bo=-250))
    (line,) = player_statement(CLUB, "asha", last=1)
    assert (line.amount_minor, line.balance_minor) == (250, -350)


def test_the_newest_lines_are_those_the_whole_statement_ends_with(django_assert_num_queries: Callable[..., Any]):
    settled(1, deal(1, asha=-600, bo=600), deal(2, asha=250, bo=-250))
    settled(2, deal(1, asha=-600, bo=600), deal(2, asha=300, bo=-300))
    with django_assert_num_queries(1):
        lines = player_statement(CLUB, "asha", last=3)
    assert lines == player_statement(CLUB, "asha")[-3:]


def test_each_currency_of_a_statement_has_a_balance_of_its_own():
    settled(1, deal(1, asha=-600, bo=600), deal(2, asha=250, bo=-250, currency="EUR"))
    lines = player_statement(CLUB, "asha")
    assert {(line.currency, line.balance_minor) for line in lines} == {("INR", -600), ("EUR", 250)}


def test_statement_shows_nothing_of_a_neighbouring_club():
    settled(1, deal(1, asha=-600, bo=600))
    settled(1, deal(1, asha=-7, bo=7), club=NEIGHBOUR)
    assert [line.amount_minor for line in player_statement(CLUB, "asha")] == [-600]


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
    assert [line.amount_minor for line in player_statement(CLUB, "asha")] == [-600]
