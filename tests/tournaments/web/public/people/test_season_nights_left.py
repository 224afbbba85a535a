"""Nights counted by a season and then reopened, abandoned or unpublished: the notes shown and the results kept."""

import csv
import io
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from tests.builders.flat import flat
from tests.builders.playing import context, new_club, new_tournament
from tests.builders.season_pages import address, text
from tests.builders.seasons import caught_up, played, player, season
from tournaments.evenings.commands.close import cancel_tournament, close_tournament
from tournaments.evenings.commands.close import reopen_tournament as reopen
from tournaments.evenings.commands.create import TournamentDraft, change_tournament, make_plan
from tournaments.models import Club, ClubReadings, Season, Tournament
from tournaments.seasons.commands import close_season

pytestmark = pytest.mark.django_db
WHY = "a table was forgotten"


@pytest.fixture
def club() -> Club:
    return new_club(name="Rummy Circle", is_published=True)


@pytest.fixture
def nights(club: Club) -> list[Tournament]:
    """Two closed nights of 17 and 24 January."""
    return [played(club, "Asha", "Bo").row.tournament, played(club, "Bo", "Asha", "Cy", day=7).row.tournament]


@pytest.fixture
def spring(club: Club, nights: list[Tournament]) -> Season:
    made = season(club)
    caught_up(club)
    return made


@pytest.fixture
def closed(spring: Season) -> Season:
    return close_season(spring, now=datetime(2026, 6, 2, tzinfo=UTC))


def rated_on(day: int, club: Club) -> None:
    """The ratings as calculated some days after the new year."""
    caught_up(club)
    ClubReadings.objects.update(computed_at=datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=day))


def publish(night: Tournament, *, is_published: bool) -> None:
    draft = TournamentDraft(name=night.name, preset=night.preset, starts_at=night.starts_at)
    change_tournament(night, replace(draft, is_published=is_published), context=context())


def test_a_closed_season_keeps_the_name_of_a_night_that_is_reopened_and_says_so(
    client: Client, club: Club, nights: list[Tournament], closed: Season
):
    """Planted fault: with names taken from the nights that still count alone, it is "No longer published"."""
    before = client.get(address(closed, "season.json")).json()["tables"]
    reopen(nights[1].id, reason=WHY, context=context())
    caught_up(club)
    page = text(client, address(closed))
    assert "No longer published" not in page
    assert f'/c/{club.slug}/t/{nights[1].slug}/"><bdi>Night 7</bdi></a>' in page
    assert "Reopened on Sat 17 Jan 2026" in page
    assert "the published result counts here. Differences are listed below." in page
    assert "Reopened on Sat 17 Jan 2026" in text(client, address(closed, f"who/{player(club, 'Cy').pk}/"))
    told = client.get(address(closed, "season.json")).json()
    assert told["tables"] == before
    assert [(each["tournament"], each["why"], each["day"]) for each in told["left"]] == [
        (nights[1].slug, "reopened", "2026-01-24")
    ]


@pytest.mark.slow
def test_a_closed_season_says_that_a_reopened_night_was_corrected_once_it_is_closed_again(
    client: Client, club: Club, nights: list[Tournament], closed: Season
):
    reopen(nights[1].id, reason=WHY, context=context())
    caught_up(club)
    close_tournament(nights[1].id, context=context())
    assert "No longer published" not in text(client, address(closed))
    caught_up(club)
    page = text(client, address(closed))
    assert "Reopened on" not in page
    assert ", after the tournament:" in page
    assert "<bdi>Night 7</bdi>" in page


@pytest.mark.slow
def test_a_closed_season_counts_a_night_that_is_taken_off_the_pages_by_its_day_alone(
    client: Client, club: Club, nights: list[Tournament], closed: Season
):
    """Planted fault: with the name kept for the closed season, an unpublished night is named there for good."""
    total = client.get(address(closed, "season.json")).json()["tables"][0]["standings"]
    publish(nights[1], is_published=False)
    for _ in range(2):
        page = text(client, address(closed))
        assert "No longer published since Sat 17 Jan 2026: the tournament of Sat 24 Jan 2026." in page
        assert "Night 7" not in page
        caught_up(club)
    told = client.get(address(closed, "season.json")).json()
    assert told["tables"][0]["standings"] == total
    assert [(each["tournament"], each["why"]) for each in told["left"]] == [(None, "unpublished")]
    sheet = client.get(address(closed, "season.csv")).content.decode("utf-8-sig")
    assert next(csv.reader(io.StringIO(sheet)))[-1] == "2 2026-01-24"


def test_an_open_season_says_which_night_left_it(client: Client, club: Club, nights: list[Tournament], spring: Season):
    """Planted fault: without a note, everyone's points jump for no visible reason."""
    assert "Reopened on" not in text(client, address(spring))
    reopen(nights[1].id, reason=WHY, context=context())
    caught_up(club)
    page = text(client, address(spring))
    said = f'Reopened on Sat 17 Jan 2026: <a href="/en-gb/c/{club.slug}/t/{nights[1].slug}/"><bdi>Night 7</bdi></a>.'
    assert f"{said} It counts again once it is closed." in page
    close_tournament(nights[1].id, context=context())
    caught_up(club)
    assert "Reopened on" not in text(client, address(spring))


def test_an_open_season_says_which_day_a_night_was_that_is_no_longer_published_and_not_its_name(
    client: Client, club: Club, nights: list[Tournament], spring: Season
):
    publish(nights[1], is_published=False)
    caught_up(club)
    page = text(client, address(spring))
    assert (
        "No longer published since Sat 17 Jan 2026: the tournament of Sat 24 Jan 2026. It does not count any more."
        in page
    )
    assert "Night 7" not in page
    publish(nights[1], is_published=True)
    caught_up(club)
    page = text(client, address(spring))
    assert "No longer published" not in page
    assert "Night 7" in page


@pytest.mark.slow
def test_a_night_that_is_reopened_and_given_up_is_said_to_be(client: Client, club: Club, spring: Season):
    planned = new_tournament(club, name="Planned")
    make_plan(planned.id, {}, context=context())
    close_tournament(planned.id, context=context())
    reopen(planned.id, reason=WHY, context=context())
    cancel_tournament(planned.id, reason="too few came", context=context())
    caught_up(club)
    assert "Abandoned on Sat 17 Jan 2026" in text(client, address(spring))


def test_nothing_is_said_of_a_night_that_never_counted(client: Client, club: Club, spring: Season):
    """Planted fault: with every unpublished night reported, a night that was never public is revealed by its day."""
    played(club, "Asha", "Bo", day=14, is_closed=False)
    played(club, "Asha", "Bo", day=21, is_published=False)
    hidden = played(club, "Asha", "Bo", day=28, is_closed=False).row.tournament
    publish(hidden, is_published=False)
    close_tournament(hidden.id, context=context())
    caught_up(club)
    page = text(client, address(spring))
    assert "does not count any more" not in page
    assert "counts again" not in page


def test_a_reopened_night_that_is_then_taken_off_the_pages_is_named_by_no_kept_page(
    client: Client, club: Club, nights: list[Tournament], spring: Season
):
    """Planted fault: with an open night's changes not reported to the season, a browser keeps a page that names it."""
    reopen(nights[1].id, reason=WHY, context=context())
    caught_up(club)
    before = client.get(address(spring))
    assert "Night 7" in before.content.decode()
    publish(nights[1], is_published=False)
    answer: Any = client.get(address(spring), headers={"If-None-Match": before["ETag"]})
    assert answer.status_code == 200
    assert "Night 7" not in answer.content.decode()


@pytest.mark.slow
def test_ratings_say_which_night_left_them(client: Client, club: Club, nights: list[Tournament], spring: Season):
    """Planted fault: without a note, the ratings of a whole table jump for no visible reason."""
    ratings = f"/c/{club.slug}/ratings/"
    assert "Reopened on" not in text(client, ratings)
    reopen(nights[1].id, reason=WHY, context=context())
    rated_on(20, club)
    said = f'Reopened on Sat 17 Jan 2026: <a href="/en-gb/c/{club.slug}/t/{nights[1].slug}/"><bdi>Night 7</bdi></a>.'
    assert f"{said} It counts again once it is closed." in text(client, ratings)
    close_tournament(nights[1].id, context=context())
    rated_on(20, club)
    assert "Reopened on" not in text(client, ratings)


def test_ratings_tell_a_night_that_is_no_longer_published_by_its_day_alone(
    client: Client, club: Club, nights: list[Tournament], spring: Season
):
    """Planted fault: a cached page that named the night to every visitor."""
    ratings = f"/c/{club.slug}/ratings/"
    reopen(nights[1].id, reason=WHY, context=context())
    rated_on(20, club)
    tag = client.get(ratings)["ETag"]
    publish(nights[1], is_published=False)
    page = flat(client.get(ratings, headers={"If-None-Match": tag}).content.decode())
    assert (
        "No longer published since Sat 17 Jan 2026: the tournament of Sat 24 Jan 2026. It does not count any more."
        in page
    )
    assert "Night 7" not in page


def test_a_night_that_left_the_ratings_long_ago_is_named_no_more(
    client: Client, club: Club, nights: list[Tournament], spring: Season
):
    reopen(nights[1].id, reason=WHY, context=context())
    rated_on(60, club)
    assert "Reopened on" not in text(client, f"/c/{club.slug}/ratings/")
