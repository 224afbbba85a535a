"""The queries of a club's page about its seasons, however many there were."""

from datetime import UTC, date, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.builders.playing import new_club
from tests.builders.seasons import caught_up, played, season
from tournaments.models import Club
from tournaments.seasons.commands import close_season
from tournaments.seasons.queries import season_of_club

pytestmark = pytest.mark.django_db


def finals_read(club: Club, today: date) -> int:
    with CaptureQueriesContext(connection) as asked:
        card = season_of_club(club, today=today)
    assert card is not None
    assert [(each.place, each.name) for each in card.first] == [(1, "Asha"), (2, "Bo")]
    return sum('"final"' in query["sql"] for query in asked.captured_queries)


def test_no_final_table_is_read_but_that_of_the_season_that_is_shown():
    """Planted fault: the final standings of every season were read with the list of seasons."""
    club = new_club()
    first = season(club, name="First")
    played(club, "Asha", "Bo")
    caught_up(club)
    close_season(first, now=datetime(2026, 6, 2, tzinfo=UTC))
    assert finals_read(club, date(2026, 6, 3)) == 1
    season(club, name="Second", starts_on=date(2026, 1, 2))
    caught_up(club)
    assert finals_read(club, date(2026, 5, 1)) == 0
