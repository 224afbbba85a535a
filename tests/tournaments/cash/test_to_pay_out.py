"""Which closed tournaments still wait for their payouts, and who of them can be paid now."""

from datetime import timedelta

import pytest

from tests.builders.cash_desk import at_the_desk
from tests.builders.cash_limits import brings, sit, with_money
from tests.builders.playing import NOW, new_club, new_tournament
from tournaments.cash.payouts import tournaments_to_pay_out
from tournaments.models import CashBook, Role, Tournament

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


def test_tick_all_leaves_out_who_cannot_be_paid_now():
    """Planted fault: one player at an open table, or with less than the smallest coin, had all payouts refused."""
    club = new_club(keeps_limits=True, smallest_cash={"INR": 100})
    asha, bo, cy = with_money(club, 50_000, ("Asha", "Bo", "Cy"))
    sit(new_tournament(club, entry_minor=30_000), [asha, bo])
    (dev,) = with_money(club, 30, ("Dev",))
    desk = at_the_desk(club, Role.CASHIER, "cash").opens("900")
    page = desk.client.get(desk.url("balances/?tick=all"))
    assert {row["tick"].partition(":")[0] for row in page.context["to_pay_out"]} == {
        str(player.pk) for player in (asha, bo, cy, dev)
    }
    assert page.context["ticked"] == [f"{cy.pk}:50000"]
