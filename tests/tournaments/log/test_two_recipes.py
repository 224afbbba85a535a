"""A log continues under a new recipe: events hashed by the old one still verify beside it."""

import pytest

from tests.builders.log_writers import Writer, new_club
from tournaments import log
from tournaments.log import appending, dialect
from tournaments.models.log import Event

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_a_stream_that_began_under_recipe_1_goes_on_under_recipe_2(monkeypatch: pytest.MonkeyPatch):
    club = new_club()
    table = Writer(club)
    with monkeypatch.context() as earlier:
        for module in (appending, dialect):
            earlier.setattr(module, "RECIPE", 1)
        table.opens()
    table.writes(1)
    assert list(Event.objects.order_by("position").values_list("recipe", flat=True)) == [1, 2]
    assert log.verify_club(club.id.hex, is_full=True, examine=lambda rows: None).faults == ()
