"""The order of an evening is remembered, and never that of another moment."""

import pytest

from scoring.evening.standings import StagePlaces
from tests.tournaments.web.admin.evening import club_called
from tests.tournaments.web.admin.night import HEATS, Night, a_night, play_out
from tournaments.projections import boards
from tournaments.projections.boards import MOST_KNOWN, final_order, order_of, seats_played

pytestmark = pytest.mark.django_db


def order_now(night: Night) -> tuple[StagePlaces, ...]:
    return order_of(night.tournament, night.evening, seats_played(night.tournament, night.evening))


def test_an_order_is_worked_out_once_for_the_same_and_anew_for_anything_else():
    """Planted: what was remembered by the tournament alone stayed after a deal."""
    night = a_night(club_called("Rummy Circle", "circle"), HEATS)
    night.enter("Asha", "Bo", "Cy", "Dev")
    first, _ = night.seat()
    before = order_now(night)
    assert order_now(night) is before
    play_out(first)
    after = order_now(night)
    assert after != before
    places = final_order(night.tournament, night.evening, seats_played(night.tournament, night.evening))
    assert [place for _, place in places] == [row.place for found in after for row in found.rows]


def test_no_more_orders_are_remembered_than_tournaments_are_on(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(boards, "_known", {})
    club = club_called("Rummy Circle", "circle")
    for number in range(MOST_KNOWN + 1):
        order_now(a_night(club, HEATS, name=f"Night {number}"))
    assert len(boards._known) == 1
