"""Days and hours in the admin, in the reader's language and by the club's clock."""

from typing import Any

import pytest
from django.test import Client

from tests.builders.cash_desk import at_the_desk
from tests.builders.page_text import html
from tests.builders.seasons import caught_up, played, season
from tournaments.models import CashBook, Club, ClubReadings, Role

pytestmark = pytest.mark.django_db

EVENING = "2026-03-14T15:00:00Z"
GERMAN: dict[str, Any] = {"headers": {"Accept-Language": "de"}}


@pytest.mark.slow
def test_a_closed_cash_night_says_when_it_was_opened_and_closed(club: Club):
    desk = at_the_desk(club, Role.DIRECTOR, "dita").opens("200")
    CashBook.objects.update(opened_at=EVENING, closed_at=EVENING, is_closed=True)
    assert desk.page("nights/").count("<td>Sat 14 Mar 2026, 20:30</td>") == 2
    for path in ("nights/", f"nights/{CashBook.objects.get().pk}/"):
        assert html(desk.client.get(desk.url(path), **GERMAN)).count("Sa., 14. März 2026, 20:30") == 2


@pytest.mark.slow
def test_a_season_says_when_it_was_worked_out(dita: Client, club: Club):
    played(club, "Asha", "Bo")
    made = season(club)
    caught_up(club)
    ClubReadings.objects.update(computed_at=EVENING)
    page = f"/admin/tournaments/season/{made.pk}/change/"
    assert "Last calculated Sat 14 Mar 2026, 20:30." in html(dita.get(page))
    assert "Sa., 14. März 2026, 20:30" in html(dita.get(page, **GERMAN))
