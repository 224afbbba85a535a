"""Imported tournaments on public pages: in the season, on the season's page of a player, and on the player's own."""

import pytest
from django.test import Client

from tests.builders.flat import flat
from tests.builders.playing import new_club
from tests.builders.seasons import POINTS, caught_up, played, player, season
from tests.builders.spreadsheets import imported
from tournaments.models import Club, ImportKind, Season
from tournaments.seasons.commands import SeasonDraft, change_season

pytestmark = pytest.mark.django_db
CELLS = "Name,Date,Tournament,Place,Points\nAsha,2026-01-04,New Year <b>,1,12.5\nBo,2026-01-04,New Year <b>,2,3\n"


@pytest.fixture
def club() -> Club:
    return new_club(is_published=True)


@pytest.fixture
def spring(club: Club) -> Season:
    spring = season(club)
    played(club, "Asha", "Bo")
    imported(club, CELLS, ImportKind.STANDINGS, season=spring)
    caught_up(club)
    return spring


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return flat(answer.content.decode())


def test_a_season_names_its_imported_tournaments_without_a_link(client: Client, club: Club, spring: Season):
    """Planted fault: a tournament without a page of its own is called no longer published."""
    of_season = f"/c/{club.slug}/seasons/{spring.slug}/"
    text = page(client, of_season)
    assert "New Year &lt;b&gt;" in text
    assert "imported" in text
    assert "No longer published" not in text
    asha = player(club, "Asha")
    text = page(client, f"{of_season}who/{asha.pk}/")
    assert "Counted by the club" in text
    assert "12.50" in text
    nights = client.get(f"{of_season}season.json").json()["tables"][0]["nights"]
    assert nights[0] == {"tournament": None, "players": 2, "name": "New Year <b>", "day": "2026-01-04"}
    assert "1 2026-01-04" in client.get(f"{of_season}season.csv").content.decode()


def test_a_player_has_imported_results_of_published_seasons(client: Client, club: Club, spring: Season):
    """Planted fault: the page tells of a season that the club does not publish."""
    asha = player(club, "Asha")
    own = f"/c/{club.slug}/p/{asha.pk}/"
    assert "Imported results" in page(client, own)
    assert client.get(f"{own}player.json").json()["imported"] == [
        {"name": "New Year <b>", "day": "2026-01-04", "season": spring.slug, "place": 1, "of": 2, "points": "25/2"}
    ]
    draft = SeasonDraft(
        name=spring.name,
        starts_on=spring.starts_on,
        ends_on=spring.ends_on,
        formula={"place_points": list(POINTS)},
        is_published=False,
    )
    change_season(spring, draft)
    caught_up(club)
    assert "Imported results" not in page(client, own)
    assert "imported" not in client.get(f"{own}player.json").json()
