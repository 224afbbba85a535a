"""A season's terms are known before it is played: the first night freezes them, closing stores the result for good."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from scoring.problems import EventNotAllowed, OptionsRejected
from tests.builders.playing import loses, new_club, new_tournament, show
from tests.builders.seasons import caught_up, played, season, shown
from tournaments.models import Club, Season, Tournament
from tournaments.rendering.i18n.formatting import zone_of
from tournaments.seasons.commands import SeasonDraft, change_season, close_season, create_season
from tournaments.seasons.queries import season_view

pytestmark = pytest.mark.django_db

AFTER = datetime(2026, 6, 2, tzinfo=UTC)
DRAFT = SeasonDraft(
    name="Spring", starts_on=date(2026, 1, 1), ends_on=date(2026, 5, 31), formula={"place_points": [10, 6, 3]}
)


@pytest.fixture
def club() -> Club:
    return new_club()


def test_the_first_deal_freezes_what_is_played_for(club: Club):
    """Planted fault: with the freeze checked by the form alone, a formula is changed by other means."""
    changes: list[tuple[dict[str, Any], str]] = [
        ({"formula": {"place_points": [10, 6, 4]}}, "formula"),
        ({"formula": {"place_points": [10, 6, 3], "best": 5}}, "formula"),
        ({"formula": {"place_points": [10, 6, 3], "tie_breaks": ["best_night"]}}, "formula"),
        ({"starts_on": date(2026, 1, 2)}, "starts_on"),
        ({"ends_on": date(2026, 1, 16)}, "ends_on"),
    ]
    made = season(club)
    for change, _ in changes:
        change_season(made, replace(DRAFT, **change))
    change_season(made, DRAFT)
    played(club, "Asha", "Bo", is_closed=False, is_published=False)
    for change, field in changes:
        with pytest.raises(OptionsRejected) as refused:
            change_season(made, replace(DRAFT, **change))
        assert [(problem.code, problem.field) for problem in refused.value.problems] == [("formula_frozen", field)]
    change_season(made, replace(DRAFT, ends_on=date(2026, 6, 30), name="Longer"))


@pytest.mark.slow
def test_a_closed_season_is_what_it_was_whatever_is_corrected_changed_or_closed_again(club: Club):
    made = season(club)
    night = played(club, "Asha", "Bo", "Cy")
    caught_up(club)
    closed = close_season(made, now=AFTER)
    for number in (1, 2):
        night.correct(number, loses(70), show, loses(63))
    caught_up(club)
    view = season_view(Season.objects.select_related("club").get())
    assert shown(made)[0] == "1 Bo 10"
    assert [row.total for row in view.standings.tables[0].rows] == ["10", "6", "3"]
    assert {view.names[each.player] for each in view.moved} == {"Asha", "Bo", "Cy"}
    assert view.position == closed.final_position
    with pytest.raises(OptionsRejected):
        change_season(made, replace(DRAFT, ends_on=date(2026, 6, 1)))
    with pytest.raises(EventNotAllowed):
        close_season(made, now=AFTER)


def test_a_season_is_not_closed_before_the_final_of_its_last_evening(club: Club):
    """Planted fault: only tournaments with a deal are waited for, and the season is closed for ever at six o'clock."""
    made = season(club)
    played(club, "Asha", "Bo", "Cy")
    last = datetime(2026, 5, 31, 20, tzinfo=zone_of(club.timezone))
    final = new_tournament(club, starts_at=last, name="Final")
    caught_up(club)
    with pytest.raises(EventNotAllowed, match="Final is not closed, and would be missing"):
        close_season(made, now=last - timedelta(hours=2))
    Tournament.objects.filter(pk=final.pk).update(starts_at=last - timedelta(days=9))
    close_season(made, now=last - timedelta(hours=2))


def test_a_season_that_cannot_be_is_refused_at_its_field(club: Club):
    changes: list[tuple[dict[str, Any], str]] = [
        ({"name": " "}, "name"),
        ({"ends_on": date(2025, 12, 31)}, "ends_on"),
        ({"ends_on": date(2030, 1, 1)}, "ends_on"),
        ({"formula": {"categories": [{"name": "Chess", "variants": ["chess"]}]}}, "categories"),
    ]
    for change, field in changes:
        with pytest.raises(OptionsRejected) as refused:
            create_season(club, replace(DRAFT, **change))
        assert [problem.field for problem in refused.value.problems] == [field]


def test_two_seasons_of_one_name_have_two_addresses(club: Club):
    assert [create_season(club, DRAFT).slug for _ in range(3)] == ["spring", "spring-2", "spring-3"]


@pytest.mark.slow
def test_a_night_counts_in_each_season_that_its_day_lies_in(club: Club):
    spring = season(club)
    january = season(club, name="January", ends_on=date(2026, 1, 31), formula={"place_points": [1]})
    played(club, "Asha", "Bo")
    played(club, "Bo", "Asha", day=30)
    caught_up(club)
    assert sorted(shown(spring)) == ["1 Asha 16", "1 Bo 16"]
    assert shown(january) == ["1 Asha 1", "2 Bo 0"]


@pytest.mark.slow
def test_a_category_counts_the_nights_of_its_games_beside_all_nights(club: Club):
    made = season(club, formula={"categories": [{"name": "201", "presets": ["pool_201"]}]})
    played(club, "Asha", "Bo")
    night = played(club, "Bo", "Asha", day=7)
    caught_up(club)
    assert shown(made, 1) == []
    type(night.row.tournament).objects.filter(pk=night.row.tournament_id).update(preset="pool_201")
    season(club, name="Wakes the worker")
    caught_up(club)
    assert shown(made, 1) == ["1 Bo 10", "2 Asha 6"]
    assert sorted(shown(made)) == ["1 Asha 16", "1 Bo 16"]
