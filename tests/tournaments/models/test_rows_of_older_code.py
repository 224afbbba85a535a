"""Rows of older code do not stop an upgrade: values outside their bounds are set to the nearest one.

Planted fault that this catches: `RunPython(bring_within)` taken out; a club with a night in 9999 cannot upgrade.
"""

from datetime import UTC, date, datetime
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from tests.builders.admin_tables import NOW, Evening, evening_at
from tests.builders.older_rows import MIGRATION, as_it_was
from tests.builders.playing import new_club
from tournaments.models import Player, Season, Table, Tournament
from tournaments.models.bounds import FIRST_MOMENT, LAST_DAY, LAST_MOMENT
from tournaments.seasons.commands import SeasonDraft, create_season

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def upgrade() -> None:
    MIGRATION.bring_within(apps, SimpleNamespace(connection=connection))


@pytest.fixture
def evening() -> Evening:
    return evening_at(new_club())


@pytest.mark.parametrize(("year", "end"), [(9999, LAST_MOMENT), (1, FIRST_MOMENT)])
def test_what_is_outside_its_bounds_comes_to_the_nearest_one(evening: Evening, year: int, end: datetime):
    create_season(evening.club, SeasonDraft(name="Late", starts_on=NOW.date(), ends_on=NOW.date()))
    # PostgreSQL never took a name that was too long.
    takes_long_names = connection.vendor == "sqlite"
    with as_it_was():
        Tournament.objects.update(starts_at=datetime(year, 12, 31, tzinfo=UTC))
        Season.objects.update(starts_on=date(9998, 1, 1), ends_on=date(9999, 12, 31))
        if takes_long_names:
            Table.objects.update(name="x" * 300)
            Player.objects.update(name_key="y" * 3_600)
        upgrade()
    assert Tournament.objects.get().starts_at == end
    season = Season.objects.get()
    assert (season.starts_on, season.ends_on) == (LAST_DAY, LAST_DAY)
    if takes_long_names:
        assert Table.objects.get().name == "x" * 100
        assert {player.name_key for player in Player.objects.all()} == {"y" * 800}


def test_rows_within_their_bounds_stay_as_they_are(evening: Evening):
    before = list(Tournament.objects.values()), list(Player.objects.order_by("pk").values())
    with as_it_was():
        upgrade()
    assert before == (list(Tournament.objects.values()), list(Player.objects.order_by("pk").values()))
