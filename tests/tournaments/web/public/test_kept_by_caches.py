"""No cache keeps a public answer for longer than a day: erased or unpublished content is gone then."""

import re
from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.builders.public_tables import a_club, a_tournament, seat
from tests.builders.routes import route, urlpatterns
from tests.builders.samples import some_of
from tournaments.models import Tournament
from tournaments.seasons.commands import SeasonDraft, create_season

pytestmark = pytest.mark.django_db
A_DAY = 86_400
ASKED_EACH_TIME = {"no-cache", "no-store"}


def addresses(tournament: Tournament) -> Iterator[str]:
    """Every public address, now and with the query strings that it may have."""
    days: dict[str, Any] = {"starts_on": date(2026, 1, 1), "ends_on": date(2026, 12, 31)}
    season = create_season(tournament.club, SeasonDraft(name="League", is_published=True, **days))
    seats = tournament.tables.get().seats
    words: dict[str, Any] = {"club_slug": tournament.club.slug, "round": 1, "number": 1, "game": "gin"}
    words |= {"player": seats.all()[0].player_id, "section": "tournaments"}
    for pattern in urlpatterns:
        slug = season.slug if "seasons/" in str(pattern.pattern) else tournament.slug
        wanted = {name: (words | {"slug": slug})[name] for name in pattern.pattern.converters}
        path = reverse(route(pattern.name), kwargs=wanted)
        yield from (path, f"{path}?at=2", f"{path}?at=known:1", f"{path}?at=99999", f"{path}?at=nonsense")
    yield from ("/", f"/c/{tournament.club.slug}/", f"/c/{tournament.club.slug}/t/none/", "/favicon.ico")


def kept_for(said: str) -> int | None:
    """Seconds for which a cache may serve it without revalidation; None where no header limits it."""
    words = {word.strip() for word in said.lower().split(",")}
    lives = [int(found) for found in re.findall(r"(?:max-age|s-maxage)=(\d+)", said)]
    return 0 if words & ASKED_EACH_TIME else max(lives, default=None)


@pytest.mark.parametrize("is_signed_in", [False, True])
def test_no_public_address_is_kept_for_longer_than_a_day(client: Client, is_signed_in: bool):
    """Planted fault: a sitemap with `Last-Modified` alone, which caches keep for a tenth of its age."""
    tournament = a_tournament(a_club(slug="circle"))
    seat(tournament).deal("show", 34, 12, "first_drop").deal("show", 3, 2, 1)
    if is_signed_in:
        client.force_login(User.objects.create_user("somebody"))
    client.sees_redirects = True  # type: ignore[attr-defined]  # read in tests/conftest.py
    wrong = {}
    for path in some_of(addresses(tournament), part=is_signed_in):
        answer = client.get(path)
        assert answer.status_code < 500, path
        seconds = kept_for(answer.get("Cache-Control", ""))
        if answer.status_code == 404:
            continue
        if seconds is None or seconds > A_DAY:
            wrong[path] = answer.get("Cache-Control")
        if "Cookie" in answer.get("Vary", "") and "no-store" not in answer["Cache-Control"]:
            wrong[path] = answer["Vary"]
    assert sorted(wrong.items(), key=str) == []
