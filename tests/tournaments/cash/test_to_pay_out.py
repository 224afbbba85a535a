"""Which closed tournaments still wait for their payouts."""

from datetime import timedelta

import pytest

from tests.builders.cash_limits import brings, sit, with_money
from tests.builders.playing import NOW, new_club, new_tournament
from tournaments.cash.payouts import tournaments_to_pay_out
from tournaments.models import CashBook, Tournament

pytestmark = pytest.mark.django_db


def test_a_new_cash_book_does_not_bring_back_a_tournament_that_was_cashed_up():
    """Planted fault: the latest book was asked when it was closed, and an open one never was."""
    club = new_club()
    players = with_money(club, 50_000)
    tournament = new_tournament(club)
    sit(tournament, players)
    Tournament.objects.filter(pk=tournament.pk).update(closed_at=NOW)
    assert tournaments_to_pay_out(club, "INR") == [tournament]
    assert tournaments_to_pay_out(club, "INR", beside=[tournament.pk]) == []
    CashBook.objects.filter(club=club).update(is_closed=True, closed_at=NOW + timedelta(hours=1))
    assert tournaments_to_pay_out(club, "INR") == []
    brings(players[0], 100)
    assert CashBook.objects.filter(club=club, is_closed=False).count() == 1
    assert tournaments_to_pay_out(club, "INR") == []
